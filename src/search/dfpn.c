#include "search/dfpn.h"

#include "base/alloc.h"
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "search/dfpn_internal.h"

enum yo_err yo_dfpn_new(size_t table_mb, struct yo_dfpn **out) {
    struct yo_dfpn *solver = yo_alloc(1, sizeof *solver);
    if (!solver) return YO_ERR_NOMEM;
    solver->pool = yo_alloc(DFPN_POOL, sizeof *solver->pool);
    enum yo_err err = solver->pool ? yo_dfpn_table_init(&solver->table, table_mb) : YO_ERR_NOMEM;
    if (err)
        yo_dfpn_delete(solver);
    else
        *out = solver;
    return err;
}

void yo_dfpn_delete(struct yo_dfpn *solver) {
    if (!solver) return;
    yo_dfpn_table_free(&solver->table);
    yo_free(solver->pool);
    yo_free(solver);
}

static bool out_of_budget(struct yo_dfpn *s) {
    if (s->stopped) return true;
    if (s->limits.nodes && s->nodes >= s->limits.nodes) s->stopped = true;
    if (s->nodes % 1024 == 0) {
        if (s->stop && atomic_load_explicit(s->stop, memory_order_relaxed)) s->stopped = true;
        if (s->limits.time_ms && yo_time_ms() - s->started_ms >= s->limits.time_ms)
            s->stopped = true;
    }
    return s->stopped;
}

/* ---- One node ---- */

uint32_t yo_dfpn_way_after(uint32_t way, uint64_t hash) {
    uint64_t mixed = (way ^ hash) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) | 1;
}

static uint16_t find_loop(const struct yo_dfpn *s, int ply, uint64_t hash) {
    for (int i = ply; i >= 0; i--)
        if (s->path[i] == hash) return (uint16_t)i;
    return DFPN_NO_LOOP;
}

static size_t count_moves(const struct yo_shogi_position *pos, bool attacks) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    return attacks ? yo_shogi_checks(pos, moves) : yo_shogi_legal_moves(pos, moves);
}

/* Not inlined: its list stays out of the frames of the recursion. */
__attribute__((noinline)) bool yo_dfpn_expand(struct yo_dfpn *s, struct dfpn_node *n) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    n->count = n->attacks ? yo_shogi_checks(n->pos, moves) : yo_shogi_legal_moves(n->pos, moves);
    if (n->ply >= DFPN_MAX_PLY || s->pool_used + n->count > DFPN_POOL) return false;
    n->children = s->pool + s->pool_used;
    s->path[n->ply] = shogi_hash(n->pos);
    for (size_t i = 0; i < n->count; i++) {
        struct yo_shogi_position next = *n->pos;
        yo_shogi_play(&next, moves[i]);
        n->children[i] = (struct dfpn_child){.move = moves[i],
                                             .moves = (uint16_t)count_moves(&next, !n->attacks),
                                             .board = next.board_key,
                                             .hand = next.hands[s->attacker],
                                             .loop = find_loop(s, n->ply, shogi_hash(&next))};
    }
    s->pool_used += n->count;
    n->open = s->tsume && yo_dfpn_find_interpositions(n);
    return true;
}

uint16_t yo_dfpn_left_below(const struct dfpn_node *n) {
    return n->left == DFPN_ENDLESS ? DFPN_ENDLESS : (uint16_t)(n->left - 1);
}

struct dfpn_entry yo_dfpn_look(const struct yo_dfpn *s, const struct dfpn_node *n,
                               const struct dfpn_child *child) {
    if (child->loop != DFPN_NO_LOOP)
        return (struct dfpn_entry){.pn = DFPN_INFINITE, .dn = 0, .distance = child->loop, .way = 1};
    bool lost = child->moves == 0; /* mated, or out of checks */
    if (lost || n->left == 0)
        return (struct dfpn_entry){.pn = lost && n->attacks ? 0 : DFPN_INFINITE,
                                   .dn = lost && n->attacks ? DFPN_INFINITE : 0};
    struct dfpn_entry e =
        yo_dfpn_table_find(&s->table, child->board, child->hand, n->way, yo_dfpn_left_below(n));
    /* Where nothing is known, what has many answers is the harder. */
    if (e.effort == 0) *(n->attacks ? &e.pn : &e.dn) = child->moves;
    return e;
}

/* What the children say. `easy` is the number the mover at this node wants small (the attacker
 * proof, the defender disproof): that of its best child. `hard` is the other one, which sums up. */
struct summary {
    uint32_t easy, hard, second; /* second: the next smallest easy number */
    size_t best;
    uint32_t best_hard;
    uint16_t distance, loop;
    bool by_way;
};

static void meet(struct summary *sum, const struct dfpn_node *n, size_t i,
                 const struct dfpn_entry *e) {
    uint32_t easy = n->attacks ? e->pn : e->dn, hard = n->attacks ? e->dn : e->pn;
    sum->hard = sum->hard + hard < DFPN_INFINITE ? sum->hard + hard : DFPN_INFINITE;
    if (easy < sum->easy || (easy == sum->easy && hard < sum->best_hard)) {
        sum->second = sum->easy;
        sum->easy = easy;
        sum->best = i;
        sum->best_hard = hard;
    } else if (easy < sum->second) {
        sum->second = easy;
    }
}

/* The final words: how far the mate is, or how far back a loop reaches. */
static void conclude(struct summary *sum, const struct dfpn_node *n, const struct dfpn_entry *e) {
    bool proof = e->pn == 0, disproof = e->dn == 0;
    if (proof) {
        uint16_t distance = (uint16_t)(e->distance + 1);
        bool better =
            n->attacks ? distance < sum->distance || sum->distance == 0 : distance > sum->distance;
        if (better) sum->distance = distance;
    }
    if (!disproof) return;
    uint16_t loop = e->way ? e->distance : DFPN_NO_LOOP;
    /* The attacker fails by all of its moves, the defender escapes by one: the one that needs no
     * loop, or the deepest, if there are several. */
    if (n->attacks ? loop < sum->loop : !sum->by_way || loop > sum->loop) sum->loop = loop;
    sum->by_way = true;
}

static struct summary add_up(const struct yo_dfpn *s, const struct dfpn_node *n) {
    struct summary sum = {.easy = DFPN_INFINITE,
                          .second = DFPN_INFINITE,
                          .best_hard = DFPN_INFINITE,
                          .loop = DFPN_NO_LOOP};
    yo_bb waiting = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (n->children[i].counting != DFPN_COUNTS) continue;
        /* The defender's drops on one square are taken one after another: most fall to the same
         * answer, and while one stands there is no proof without the others either. */
        bool interposes = !n->attacks && shogi_is_drop(n->children[i].move);
        int to = shogi_to(n->children[i].move);
        if (interposes && bb_has(waiting, to)) continue;
        struct dfpn_entry e = yo_dfpn_look(s, n, &n->children[i]);
        if (interposes && e.pn != 0) waiting |= bb_square(to);
        meet(&sum, n, i, &e);
        conclude(&sum, n, &e);
    }
    return sum;
}

static struct summary summarize(struct yo_dfpn *s, struct dfpn_node *n) {
    struct summary sum = add_up(s, n);
    while (n->open && sum.hard == 0) { /* all that counts loses: does what is put between? */
        yo_dfpn_settle_nearest(s, n, sum.distance);
        sum = add_up(s, n);
    }
    if (sum.hard > DFPN_INFINITE) sum.hard = DFPN_INFINITE;
    if (sum.easy == 0) sum.hard = DFPN_INFINITE;
    if (sum.hard == 0) sum.easy = DFPN_INFINITE;
    return sum;
}

static void store(struct yo_dfpn *s, const struct dfpn_node *n, uint32_t parent_way,
                  const struct summary *sum) {
    uint64_t effort = s->nodes - n->before + 1;
    struct dfpn_entry e = {.board = n->pos->board_key,
                           .hand = n->pos->hands[s->attacker],
                           .pn = n->attacks ? sum->easy : sum->hard,
                           .dn = n->attacks ? sum->hard : sum->easy,
                           .left = n->left,
                           .effort = effort > UINT32_MAX ? UINT32_MAX : (uint32_t)effort};
    if (e.pn == 0) e.distance = sum->distance;
    /* A loop that closes here or below is of no concern to those above. */
    if (e.dn == 0 && sum->loop < n->ply) {
        e.way = parent_way;
        e.distance = sum->loop;
    }
    yo_dfpn_table_store(&s->table, &e);
}

static void store_leaf(struct yo_dfpn *s, const struct dfpn_node *n, uint32_t parent_way,
                       bool mate) {
    struct summary sum = {.loop = DFPN_NO_LOOP};
    sum.easy = n->attacks == mate ? 0 : DFPN_INFINITE;
    sum.hard = DFPN_INFINITE - sum.easy;
    store(s, n, parent_way, &sum);
}

void yo_dfpn_search(struct yo_dfpn *s, const struct yo_shogi_position *pos, int ply, uint16_t left,
                    uint32_t parent_way, uint32_t most_pn, uint32_t most_dn);

static void follow(struct yo_dfpn *s, const struct dfpn_node *n, const struct summary *sum,
                   uint32_t most_easy, uint32_t most_hard) {
    /* A little beyond the second best, so that two that are close do not take turns forever. */
    uint32_t slack =
        sum->second >= DFPN_INFINITE ? DFPN_INFINITE : sum->second + sum->second / 4 + 1;
    uint32_t easy = slack < most_easy ? slack : most_easy;
    uint32_t hard = most_hard == DFPN_INFINITE ? most_hard : most_hard - sum->hard + sum->best_hard;
    struct yo_shogi_position next = *n->pos;
    yo_shogi_play(&next, n->children[sum->best].move);
    yo_dfpn_search(s, &next, n->ply + 1, yo_dfpn_left_below(n), n->way, n->attacks ? easy : hard,
                   n->attacks ? hard : easy);
}

static void work(struct yo_dfpn *s, struct dfpn_node *n, uint32_t parent_way, uint32_t most_pn,
                 uint32_t most_dn) {
    uint32_t most_easy = n->attacks ? most_pn : most_dn, most_hard = n->attacks ? most_dn : most_pn;
    for (;;) {
        struct summary sum = summarize(s, n);
        bool done =
            sum.easy >= most_easy || sum.hard >= most_hard || sum.easy == 0 || sum.hard == 0;
        if (done || out_of_budget(s)) {
            store(s, n, parent_way, &sum);
            return;
        }
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

/* ---- The whole ---- */

static enum yo_dfpn_result solve_within(struct yo_dfpn *s, const struct yo_shogi_position *root,
                                        uint16_t left) {
    yo_dfpn_search(s, root, 0, left, 0, DFPN_INFINITE, DFPN_INFINITE);
    struct dfpn_entry e =
        yo_dfpn_table_find(&s->table, root->board_key, root->hands[s->attacker], 0, left);
    if (e.pn == 0) return YO_DFPN_MATE;
    return e.dn == 0 && !s->gave_up ? YO_DFPN_NO_MATE : YO_DFPN_UNKNOWN;
}

/* There is a mate: in how many plies? 0 if the limits do not suffice to say. */
static uint16_t find_shortest(struct yo_dfpn *s, const struct yo_shogi_position *root,
                              uint16_t most) {
    for (uint16_t left = 1; left <= most && left < DFPN_MAX_PLY; left += 2) {
        enum yo_dfpn_result result = solve_within(s, root, left);
        if (result == YO_DFPN_MATE) return left;
        if (result == YO_DFPN_UNKNOWN) break;
    }
    return 0;
}

/* What the table lost of the proof must be found again, within as much as was allowed. */
static void find_line(struct yo_dfpn *s, const struct yo_shogi_position *root, uint16_t left,
                      struct yo_dfpn_answer *answer) {
    s->limits.nodes += s->limits.nodes ? s->nodes : 0;
    s->stopped = false;
    answer->length = 0;
    yo_dfpn_find_line(s, root, left, answer);
}

/* What is no mate stays none, but other things hold when futile interpositions do not count: a mate
 * may be shorter. */
static uint16_t find_shortest_tsume(struct yo_dfpn *s, const struct yo_shogi_position *root,
                                    uint16_t most) {
    s->tsume = true;
    yo_dfpn_table_keep_hopeless(&s->table);
    return find_shortest(s, root, most);
}

void yo_dfpn_solve(struct yo_dfpn *s, const struct yo_shogi_position *root,
                   const struct yo_dfpn_limits *limits, const atomic_bool *stop,
                   struct yo_dfpn_answer *answer) {
    s->limits = *limits;
    s->stop = stop;
    s->attacker = root->side;
    s->started_ms = yo_time_ms();
    s->nodes = 0;
    s->stopped = s->gave_up = s->tsume = false;
    s->pool_used = 0;
    yo_dfpn_table_clear(&s->table);
    answer->length = 0;
    answer->shortest = false;
    uint16_t most = limits->plies > 0 && limits->plies < DFPN_MAX_PLY ? (uint16_t)limits->plies
                                                                      : (uint16_t)DFPN_ENDLESS;
    answer->result = solve_within(s, root, most);
    if (answer->result == YO_DFPN_MATE) {
        uint16_t left = limits->shortest == YO_DFPN_ALL_COUNTS ? find_shortest(s, root, most) : 0;
        answer->shortest = left > 0;
        find_line(s, root, left ? left : most, answer);
        s->limits = *limits;
    }
    if (answer->result == YO_DFPN_MATE && limits->shortest == YO_DFPN_TSUME) {
        uint16_t left = find_shortest_tsume(s, root, most);
        answer->shortest = left > 0;
        if (left) find_line(s, root, left, answer);
    }
    answer->nodes = s->nodes;
    answer->elapsed_ms = yo_time_ms() - s->started_ms;
}
