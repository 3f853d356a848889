#include "search/dfpn.h"

#include "base/alloc.h"
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "search/dfpn_table.h"

/* Beyond either a search gives up a branch, and does not claim that there is no mate. */
enum { MAX_PLY = 1024, POOL = 1 << 17 };

struct child {
    yo_shogi_move move;
    uint16_t loop;  /* the ply where the same position stands on the way here, or DFPN_NO_LOOP */
    uint16_t moves; /* how many moves there are after it */
    yo_shogi_hand hand;
    uint64_t board;
};

struct yo_dfpn {
    struct dfpn_table table;
    struct yo_dfpn_limits limits;
    const atomic_bool *stop;
    int attacker;
    int64_t started_ms;
    uint64_t nodes;
    bool stopped, gave_up;
    uint64_t path[MAX_PLY + 1];
    struct child *pool; /* the children of all nodes on the way, one after another */
    size_t pool_used;
};

enum yo_err yo_dfpn_new(size_t table_mb, struct yo_dfpn **out) {
    struct yo_dfpn *solver = yo_alloc(1, sizeof *solver);
    if (!solver) return YO_ERR_NOMEM;
    solver->pool = yo_alloc(POOL, sizeof *solver->pool);
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

struct node {
    const struct yo_shogi_position *pos;
    bool attacks; /* the attacker is to move */
    int ply;
    uint16_t left;
    uint32_t way;
    uint64_t before; /* nodes when it was entered */
    struct child *children;
    size_t count;
};

static uint32_t way_after(uint32_t way, uint64_t hash) {
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

/* Generates the moves of a node; false if it must be given up. Its list stays out of the frames of
 * the recursion. */
static __attribute__((noinline)) bool expand(struct yo_dfpn *s, struct node *n) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    n->count = n->attacks ? yo_shogi_checks(n->pos, moves) : yo_shogi_legal_moves(n->pos, moves);
    if (n->ply >= MAX_PLY || s->pool_used + n->count > POOL) return false;
    n->children = s->pool + s->pool_used;
    s->path[n->ply] = shogi_hash(n->pos);
    for (size_t i = 0; i < n->count; i++) {
        struct yo_shogi_position next = *n->pos;
        yo_shogi_play(&next, moves[i]);
        n->children[i] = (struct child){.move = moves[i],
                                        .moves = (uint16_t)count_moves(&next, !n->attacks),
                                        .board = next.board_key,
                                        .hand = next.hands[s->attacker],
                                        .loop = find_loop(s, n->ply, shogi_hash(&next))};
    }
    s->pool_used += n->count;
    return true;
}

static uint16_t left_below(const struct node *n) {
    return n->left == DFPN_ENDLESS ? DFPN_ENDLESS : (uint16_t)(n->left - 1);
}

static struct dfpn_entry look(const struct yo_dfpn *s, const struct node *n,
                              const struct child *child) {
    if (child->loop != DFPN_NO_LOOP)
        return (struct dfpn_entry){.pn = DFPN_INFINITE, .dn = 0, .distance = child->loop, .way = 1};
    if (child->moves == 0) /* mated, or out of checks */
        return (struct dfpn_entry){.pn = n->attacks ? 0 : DFPN_INFINITE,
                                   .dn = n->attacks ? DFPN_INFINITE : 0};
    struct dfpn_entry e =
        yo_dfpn_table_find(&s->table, child->board, child->hand, n->way, left_below(n));
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

static void meet(struct summary *sum, const struct node *n, size_t i, const struct dfpn_entry *e) {
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
static void conclude(struct summary *sum, const struct node *n, const struct dfpn_entry *e) {
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

static struct summary summarize(const struct yo_dfpn *s, const struct node *n) {
    struct summary sum = {.easy = DFPN_INFINITE,
                          .second = DFPN_INFINITE,
                          .best_hard = DFPN_INFINITE,
                          .loop = DFPN_NO_LOOP};
    yo_bb waiting = 0;
    for (size_t i = 0; i < n->count; i++) {
        /* The defender's drops on one square are taken one after another: most fall to the same
         * answer, and while one stands there is no proof without the others either. */
        bool interposes = !n->attacks && shogi_is_drop(n->children[i].move);
        int to = shogi_to(n->children[i].move);
        if (interposes && bb_has(waiting, to)) continue;
        struct dfpn_entry e = look(s, n, &n->children[i]);
        if (interposes && e.pn != 0) waiting |= bb_square(to);
        meet(&sum, n, i, &e);
        conclude(&sum, n, &e);
    }
    if (sum.hard > DFPN_INFINITE) sum.hard = DFPN_INFINITE;
    if (sum.easy == 0) sum.hard = DFPN_INFINITE;
    if (sum.hard == 0) sum.easy = DFPN_INFINITE;
    return sum;
}

static void store(struct yo_dfpn *s, const struct node *n, uint32_t parent_way,
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

static void store_leaf(struct yo_dfpn *s, const struct node *n, uint32_t parent_way, bool mate) {
    struct summary sum = {.loop = DFPN_NO_LOOP};
    sum.easy = n->attacks == mate ? 0 : DFPN_INFINITE;
    sum.hard = DFPN_INFINITE - sum.easy;
    store(s, n, parent_way, &sum);
}

static void search(struct yo_dfpn *s, const struct yo_shogi_position *pos, int ply, uint16_t left,
                   uint32_t parent_way, uint32_t most_pn, uint32_t most_dn);

static void follow(struct yo_dfpn *s, const struct node *n, const struct summary *sum,
                   uint32_t most_easy, uint32_t most_hard) {
    /* A little beyond the second best, so that two that are close do not take turns forever. */
    uint32_t slack =
        sum->second >= DFPN_INFINITE ? DFPN_INFINITE : sum->second + sum->second / 4 + 1;
    uint32_t easy = slack < most_easy ? slack : most_easy;
    uint32_t hard = most_hard == DFPN_INFINITE ? most_hard : most_hard - sum->hard + sum->best_hard;
    struct yo_shogi_position next = *n->pos;
    yo_shogi_play(&next, n->children[sum->best].move);
    search(s, &next, n->ply + 1, left_below(n), n->way, n->attacks ? easy : hard,
           n->attacks ? hard : easy);
}

static void work(struct yo_dfpn *s, struct node *n, uint32_t parent_way, uint32_t most_pn,
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

static void search(struct yo_dfpn *s, const struct yo_shogi_position *pos, int ply, uint16_t left,
                   uint32_t parent_way, uint32_t most_pn, uint32_t most_dn) {
    struct node n = {.pos = pos, .attacks = pos->side == s->attacker, .ply = ply, .left = left};
    n.way = way_after(parent_way, shogi_hash(pos));
    n.before = s->nodes++;
    size_t pool_used = s->pool_used;
    bool expanded = expand(s, &n);
    if (!expanded) s->gave_up = true;
    if (n.count == 0)
        store_leaf(s, &n, parent_way, !n.attacks);
    else if (left == 0 || !expanded)
        store_leaf(s, &n, parent_way, false);
    else
        work(s, &n, parent_way, most_pn, most_dn);
    s->pool_used = pool_used;
}

/* ---- The line ---- */

/* The table may have lost a part of the proof; then that part is proved again. */
static struct dfpn_entry look_again(struct yo_dfpn *s, const struct yo_shogi_position *pos,
                                    const struct node *n, const struct child *child) {
    struct dfpn_entry e = look(s, n, child);
    if (e.pn == 0 || n->attacks || s->stopped) return e;
    struct yo_shogi_position next = *pos;
    yo_shogi_play(&next, child->move);
    search(s, &next, n->ply + 1, left_below(n), n->way, DFPN_INFINITE, DFPN_INFINITE);
    return look(s, n, child);
}

/* The attacker's nearest mate, the defender's farthest. */
static bool choose(struct yo_dfpn *s, struct node *n, yo_shogi_move *chosen) {
    bool found = false;
    uint16_t best = 0;
    for (size_t i = 0; i < n->count; i++) {
        struct dfpn_entry e = look_again(s, n->pos, n, &n->children[i]);
        if (e.pn != 0) continue;
        if (found && (n->attacks ? e.distance >= best : e.distance <= best)) continue;
        best = e.distance;
        *chosen = n->children[i].move;
        found = true;
    }
    return found;
}

static void find_line(struct yo_dfpn *s, const struct yo_shogi_position *root, uint16_t left,
                      struct yo_dfpn_answer *answer) {
    struct yo_shogi_position pos = *root;
    uint32_t way = 0;
    for (int ply = 0;; ply++) {
        yo_shogi_move move;
        struct node n = {.pos = &pos, .attacks = pos.side == s->attacker, .ply = ply, .left = left};
        s->pool_used = 0;
        n.way = way = way_after(way, shogi_hash(&pos));
        if (!expand(s, &n) || n.count == 0) return;
        if (!choose(s, &n, &move)) {
            search(s, &pos, ply, left, 0, DFPN_INFINITE, DFPN_INFINITE);
            if (!choose(s, &n, &move)) return;
        }
        answer->line[answer->length++] = move;
        yo_shogi_play(&pos, move);
        left = left_below(&n);
    }
}

/* ---- The whole ---- */

static enum yo_dfpn_result solve_within(struct yo_dfpn *s, const struct yo_shogi_position *root,
                                        uint16_t left) {
    search(s, root, 0, left, 0, DFPN_INFINITE, DFPN_INFINITE);
    struct dfpn_entry e =
        yo_dfpn_table_find(&s->table, root->board_key, root->hands[s->attacker], 0, left);
    if (e.pn == 0) return YO_DFPN_MATE;
    return e.dn == 0 && !s->gave_up ? YO_DFPN_NO_MATE : YO_DFPN_UNKNOWN;
}

/* There is a mate: in how many plies? */
static uint16_t find_shortest(struct yo_dfpn *s, const struct yo_shogi_position *root,
                              uint16_t most) {
    for (uint16_t left = 1; left < most && left < MAX_PLY; left += 2) {
        enum yo_dfpn_result result = solve_within(s, root, left);
        if (result == YO_DFPN_MATE) return left;
        if (result == YO_DFPN_UNKNOWN) break;
    }
    return most;
}

void yo_dfpn_solve(struct yo_dfpn *s, const struct yo_shogi_position *root,
                   const struct yo_dfpn_limits *limits, const atomic_bool *stop,
                   struct yo_dfpn_answer *answer) {
    s->limits = *limits;
    s->stop = stop;
    s->attacker = root->side;
    s->started_ms = yo_time_ms();
    s->nodes = 0;
    s->stopped = s->gave_up = false;
    s->pool_used = 0;
    yo_dfpn_table_clear(&s->table);
    answer->length = 0;
    uint16_t most = limits->plies > 0 && limits->plies < MAX_PLY ? (uint16_t)limits->plies
                                                                 : (uint16_t)DFPN_ENDLESS;
    answer->result = solve_within(s, root, most);
    uint16_t left = most;
    if (answer->result == YO_DFPN_MATE && limits->shortest) left = find_shortest(s, root, most);
    if (answer->result == YO_DFPN_MATE) {
        /* What the table lost of the proof must be found again, within as much as was allowed. */
        s->limits.nodes += limits->nodes ? s->nodes : 0;
        s->stopped = false;
        find_line(s, root, left, answer);
    }
    answer->nodes = s->nodes;
    answer->elapsed_ms = yo_time_ms() - s->started_ms;
}
