#include "search/mate/dfpn.h"

#include "base/alloc.h"
#include "base/time.h"
#include "search/mate/internal.h"

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

static enum yo_dfpn_result solve_within(struct yo_dfpn *s, const struct yo_shogi_position *root,
                                        uint16_t left) {
    yo_dfpn_search(s, root, 0, left, 0, DFPN_INFINITE, DFPN_INFINITE);
    struct dfpn_entry e =
        yo_dfpn_table_find(&s->table, root->board_key, root->hands[s->attacker], 0, left);
    if (e.pn == 0) return YO_DFPN_MATE;
    return e.dn == 0 && !s->gave_up ? YO_DFPN_NO_MATE : YO_DFPN_UNKNOWN;
}

static enum yo_dfpn_result solve_round(struct yo_dfpn *s, const struct yo_shogi_position *root,
                                       uint16_t left, uint64_t nodes) {
    s->paused = false;
    s->pause_at = s->nodes + nodes;
    return solve_within(s, root, left);
}

/* Without a ply limit the search can starve: long lines with many checks may keep smaller proof
 * numbers than a short mate. So unlimited searches alternate with searches of few plies, in rounds
 * that get longer. */
enum { ROUND_NODES = 30000, FEW_PLIES = 7, MANY_PLIES = 31 };

static enum yo_dfpn_result solve_in_turns(struct yo_dfpn *s, const struct yo_shogi_position *root) {
    enum yo_dfpn_result result;
    uint16_t few = FEW_PLIES;
    for (uint64_t nodes = ROUND_NODES;; nodes *= 2) {
        result = solve_round(s, root, DFPN_ENDLESS, nodes);
        if (!s->paused || s->stopped) break;
        for (; few <= MANY_PLIES; few += 2) {
            result = solve_round(s, root, few, nodes / 2);
            if (result == YO_DFPN_MATE || s->stopped || s->paused) break;
        }
        if (result == YO_DFPN_MATE || s->stopped) break;
    }
    s->pause_at = 0;
    s->paused = false;
    return result == YO_DFPN_MATE || !s->stopped ? result : YO_DFPN_UNKNOWN;
}

/* The length of the shortest mate, given that there is one; 0 if the limits do not suffice. */
static uint16_t find_shortest(struct yo_dfpn *s, const struct yo_shogi_position *root,
                              uint16_t most) {
    for (uint16_t left = 1; left <= most && left < DFPN_MAX_PLY; left += 2) {
        enum yo_dfpn_result result = solve_within(s, root, left);
        if (result == YO_DFPN_MATE) return left;
        if (result == YO_DFPN_UNKNOWN) break;
    }
    return 0;
}

/* Searches again for parts of the proof that the table has lost, within the same limits once
 * more. */
static void find_line(struct yo_dfpn *s, const struct yo_shogi_position *root, uint16_t left,
                      struct yo_dfpn_answer *answer) {
    s->limits.nodes += s->limits.nodes ? s->nodes : 0;
    s->stopped = false;
    answer->length = 0;
    yo_dfpn_find_line(s, root, left, answer);
}

/* Disproofs without a ply limit still hold when futile interpositions do not count; other entries
 * do not, since a mate may be shorter. */
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
    s->nodes = s->new_at = 0;
    s->stopped = s->paused = s->gave_up = s->tsume = false;
    s->pause_at = 0;
    s->pool_used = 0;
    yo_dfpn_table_clear(&s->table);
    answer->length = 0;
    answer->shortest = false;
    uint16_t most = limits->plies > 0 && limits->plies < DFPN_MAX_PLY ? (uint16_t)limits->plies
                                                                      : (uint16_t)DFPN_ENDLESS;
    answer->result = most == DFPN_ENDLESS ? solve_in_turns(s, root) : solve_within(s, root, most);
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

bool yo_dfpn_mates(struct yo_dfpn *solver, const struct yo_shogi_position *root, uint64_t nodes,
                   const atomic_bool *stop, struct yo_dfpn_answer *answer) {
    yo_dfpn_solve(solver, root, &(struct yo_dfpn_limits){.nodes = nodes}, stop, answer);
    return answer->result == YO_DFPN_MATE && answer->length > 0;
}
