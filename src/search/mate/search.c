/* The search: proof and disproof numbers from the children, the choice of the next child, its
 * thresholds. */
#include "base/time.h"
#include "search/mate/hand.h"
#include "search/mate/internal.h"

static bool out_of_budget(struct yo_dfpn *s) {
    if (s->stopped || s->paused) return true;
    if (s->limits.nodes && s->nodes >= s->limits.nodes) s->stopped = true;
    if (s->nodes % 1024 == 0) {
        if (s->stop && atomic_load_explicit(s->stop, memory_order_relaxed)) s->stopped = true;
        if (s->limits.time_ms && yo_time_ms() - s->started_ms >= s->limits.time_ms)
            s->stopped = true;
    }
    if (s->pause_at && s->nodes >= s->pause_at) s->paused = true;
    return s->stopped || s->paused;
}

/* The numbers of a node from its children. `easy` is the number that the mover minimizes (the
 * attacker the proof number, the defender the disproof number): that of its best child. `hard` is
 * the other one, a sum. */
struct summary {
    uint32_t easy, hard, second; /* second: the next smallest easy number */
    size_t best;
    uint32_t best_hard;
    bool best_is_new;               /* only the first estimate is known */
    uint64_t total, hardest, alive; /* of the hard numbers: the sum, the greatest, how many not 0 */
    uint16_t distance, loop;
    yo_shogi_hand needed, useless; /* proof hand, disproof hand */
    bool by_way;
};

static void meet(struct summary *sum, const struct dfpn_node *n, size_t i,
                 const struct dfpn_entry *e) {
    uint32_t easy = n->attacks ? e->pn : e->dn, hard = n->attacks ? e->dn : e->pn;
    sum->total += hard;
    sum->alive += hard > 0;
    if (hard > sum->hardest) sum->hardest = hard;
    if (easy < sum->easy || (easy == sum->easy && hard < sum->best_hard)) {
        sum->second = sum->easy;
        sum->easy = easy;
        sum->best = i;
        sum->best_hard = hard;
        sum->best_is_new = e->effort == 0;
    } else if (easy < sum->second) {
        sum->second = easy;
    }
}

/* Takes mate distance and proof hand from a proved child. */
static void conclude_proof(struct summary *sum, const struct dfpn_node *n, yo_shogi_move move,
                           const struct dfpn_entry *e) {
    uint16_t distance = (uint16_t)(e->distance + 1);
    if (!n->attacks) {
        sum->needed = dfpn_hand_max(sum->needed, e->hand);
        if (distance > sum->distance) sum->distance = distance;
    } else if (distance < sum->distance || sum->distance == 0) {
        sum->needed = yo_dfpn_hand_before(n->pos, move, e->hand);
        sum->distance = distance;
    }
}

/* Takes disproof hand and loop from a disproved child. The attacker needs all of its moves to fail.
 * The defender needs one; of several it takes the one without a loop, else the one that loops back
 * to the deepest ply. */
static void conclude_disproof(struct summary *sum, const struct dfpn_node *n, yo_shogi_move move,
                              const struct dfpn_entry *e) {
    uint16_t loop = e->way ? e->distance : DFPN_NO_LOOP;
    if (n->attacks) {
        sum->useless = dfpn_hand_min(sum->useless, yo_dfpn_hand_before(n->pos, move, e->hand));
        if (loop < sum->loop) sum->loop = loop;
    } else if (!sum->by_way || loop > sum->loop) {
        sum->useless = dfpn_hand_min(dfpn_hand_both(n->pos), e->hand);
        sum->loop = loop;
    }
    sum->by_way = true;
}

static yo_shogi_hand hand_needed(const struct dfpn_node *n, const struct summary *sum) {
    return n->attacks ? sum->needed : dfpn_hand_max(sum->needed, yo_dfpn_hand_withheld(n->pos));
}

static yo_shogi_hand hand_useless(const struct dfpn_node *n, const struct summary *sum) {
    return n->attacks ? dfpn_hand_min(sum->useless, yo_dfpn_hand_idle(n->pos)) : sum->useless;
}

/* All of the defender's evasions must be refuted, so their numbers add up. The attacker's checks
 * often transpose (two drops in either order), and a sum would count the same positions repeatedly:
 * the result is the maximum plus one for each other check. */
static uint32_t hard_of_all(const struct summary *sum, const struct dfpn_node *n) {
    uint64_t hard = !n->attacks ? sum->total : sum->alive ? sum->hardest + sum->alive - 1 : 0;
    return hard < DFPN_INFINITE ? (uint32_t)hard : DFPN_INFINITE;
}

static struct summary add_up(const struct yo_dfpn *s, const struct dfpn_node *n) {
    struct summary sum = {.easy = DFPN_INFINITE,
                          .second = DFPN_INFINITE,
                          .best_hard = DFPN_INFINITE,
                          .loop = DFPN_NO_LOOP,
                          .useless = dfpn_hand_both(n->pos)};
    yo_bb waiting = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (n->children[i].counting != DFPN_COUNTS) continue;
        /* The defender's drops on one square are searched one after another: most have the same
         * refutation, and the node is not proved until all are refuted. */
        bool interposes = !n->attacks && shogi_is_drop(n->children[i].move);
        int to = shogi_to(n->children[i].move);
        if (interposes && bb_has(waiting, to)) continue;
        struct dfpn_entry e = yo_dfpn_look(s, n, &n->children[i]);
        if (interposes && e.pn != 0) waiting |= bb_square(to);
        meet(&sum, n, i, &e);
        if (e.pn == 0) conclude_proof(&sum, n, n->children[i].move, &e);
        if (e.dn == 0) conclude_disproof(&sum, n, n->children[i].move, &e);
    }
    sum.hard = hard_of_all(&sum, n);
    return sum;
}

static struct summary summarize(struct yo_dfpn *s, struct dfpn_node *n) {
    struct summary sum = add_up(s, n);
    while (n->open && sum.hard == 0) { /* all that count lose: decide the open ones */
        yo_dfpn_settle_nearest(s, n, sum.distance);
        sum = add_up(s, n);
    }
    if (sum.easy == 0) sum.hard = DFPN_INFINITE;
    if (sum.hard == 0) sum.easy = DFPN_INFINITE;
    return sum;
}

/* Futility of an interposition depends on both hands; with `tsume` a final result therefore holds
 * only for the present hand. */
static void store(struct yo_dfpn *s, const struct dfpn_node *n, uint32_t parent_way,
                  const struct summary *sum) {
    uint64_t effort = s->nodes - n->before + 1;
    yo_shogi_hand hand = n->pos->hands[s->attacker];
    struct dfpn_entry e = {.board = n->pos->board_key,
                           .hand = hand,
                           .pn = n->attacks ? sum->easy : sum->hard,
                           .dn = n->attacks ? sum->hard : sum->easy,
                           .left = n->left,
                           .effort = effort > UINT16_MAX ? UINT16_MAX : (uint16_t)effort};
    /* A loop that closes here or below does not depend on the path above. */
    bool by_way = e.dn == 0 && sum->loop < n->ply;
    if (by_way) e.way = parent_way;
    if (by_way || e.pn == 0) e.distance = by_way ? sum->loop : sum->distance;
    if (e.pn == 0 && !s->tsume) e.hand = hand_needed(n, sum);
    if (e.dn == 0 && !by_way && !s->tsume) e.hand = hand_useless(n, sum);
    yo_dfpn_table_store(&s->table, &e, hand);
}

static void store_leaf(struct yo_dfpn *s, const struct dfpn_node *n, uint32_t parent_way,
                       bool mate) {
    yo_shogi_hand hand = n->pos->hands[s->attacker];
    struct summary sum = {.loop = DFPN_NO_LOOP,
                          .useless = n->count ? hand : dfpn_hand_both(n->pos)};
    sum.easy = n->attacks == mate ? 0 : DFPN_INFINITE;
    sum.hard = DFPN_INFINITE - sum.easy;
    store(s, n, parent_way, &sum);
}

static void follow(struct yo_dfpn *s, const struct dfpn_node *n, const struct summary *sum,
                   uint32_t most_easy, uint32_t most_hard) {
    /* A threshold a little above the second best child's number, so that two close children do not
     * alternate. */
    uint32_t slack =
        sum->second >= DFPN_INFINITE ? DFPN_INFINITE : sum->second + sum->second / 4 + 1;
    uint32_t easy = slack < most_easy ? slack : most_easy;
    uint32_t others = n->attacks ? (uint32_t)sum->alive - 1 : sum->hard - sum->best_hard;
    uint32_t hard = most_hard == DFPN_INFINITE ? most_hard : most_hard - others;
    struct yo_shogi_position next = *n->pos;
    yo_shogi_play(&next, n->children[sum->best].move);
    yo_dfpn_search(s, &next, n->ply + 1, yo_dfpn_left_below(n), n->way, n->attacks ? easy : hard,
                   n->attacks ? hard : easy);
}

/* In cycles, positions can raise each other's numbers without any new node. Then a node raises its
 * thresholds to search a new child before it returns. (Kishimoto's threshold controlling, used only
 * in a detected cycle.) */
static bool goes_in_circles(const struct yo_dfpn *s, const struct dfpn_node *n) {
    return s->nodes - s->new_at > DFPN_CIRCLES && s->new_at <= n->before;
}

static void work(struct yo_dfpn *s, struct dfpn_node *n, uint32_t parent_way, uint32_t most_pn,
                 uint32_t most_dn) {
    uint32_t most_easy = n->attacks ? most_pn : most_dn, most_hard = n->attacks ? most_dn : most_pn;
    for (;;) {
        struct summary sum = summarize(s, n);
        bool final = sum.easy == 0 || sum.hard == 0;
        if (!final && goes_in_circles(s, n)) {
            if (most_easy <= sum.easy) most_easy = sum.easy + 1;
            if (most_hard <= sum.hard) most_hard = sum.hard + 1;
        }
        if (final || sum.easy >= most_easy || sum.hard >= most_hard || out_of_budget(s)) {
            store(s, n, parent_way, &sum);
            return;
        }
        if (sum.best_is_new) s->new_at = s->nodes;
        follow(s, n, &sum, most_easy, most_hard);
    }
}

void yo_dfpn_search(struct yo_dfpn *s, const struct yo_shogi_position *pos, int ply, uint16_t left,
                    uint32_t parent_way, uint32_t most_pn, uint32_t most_dn) {
    struct dfpn_node n = {
        .pos = pos, .attacks = pos->side == s->attacker, .ply = ply, .left = left};
    n.way = yo_dfpn_way_after(parent_way, shogi_hash(pos));
    n.before = s->nodes++;
    size_t pool_used = s->pool_used;
    bool expanded = yo_dfpn_expand(s, &n);
    if (!expanded) s->gave_up = true;
    if (n.count == 0)
        store_leaf(s, &n, parent_way, !n.attacks);
    else if ((left == 0 && !n.open) || !expanded)
        store_leaf(s, &n, parent_way, false);
    else
        work(s, &n, parent_way, most_pn, most_dn);
    s->pool_used = pool_used;
}
