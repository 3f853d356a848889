#include "engine/level.h"

#include <math.h>

#include "base/random.h"

/* A move is drawn with its share to the power 1/temperature, if its share is at least `least` of
 * the best one's. The share of a move is its visits and PRIOR_VISITS times its prior. */
static const struct go_level {
    uint64_t visits, playouts; /* with a network, and without one */
    double temperature, least;
} go_levels[YO_LEVEL_MAX] = {
    [1] = {1, 40, 1.6, 0.03},   [2] = {1, 80, 1.2, 0.05},      [3] = {2, 160, 1.0, 0.07},
    [4] = {4, 320, 0.9, 0.1},   [5] = {8, 640, 0.8, 0.13},     [6] = {16, 1300, 0.7, 0.16},
    [7] = {40, 2600, 0.5, 0.2}, [8] = {100, 5200, 0.35, 0.25}, [9] = {300, 12000, 0.2, 0.3},
};
#define PRIOR_VISITS 2.0

/* A move is drawn with exp(-loss / temperature), if it loses less than three temperatures against
 * the best, in hundredths of a pawn. */
static const struct shogi_level {
    int depth;
    uint64_t nodes;
    size_t lines;
    double temperature;
} shogi_levels[YO_LEVEL_MAX] = {
    [1] = {1, 2000, 12, 200}, [2] = {2, 4000, 10, 150},  [3] = {3, 8000, 8, 110},
    [4] = {4, 16000, 8, 80},  [5] = {5, 32000, 6, 60},   [6] = {6, 64000, 5, 45},
    [7] = {8, 130000, 4, 30}, [8] = {10, 260000, 3, 20}, [9] = {14, 600000, 2, 12},
};
#define WINDOW 3.0 /* temperatures */

static bool is_full(int level) { return level < YO_LEVEL_MIN || level >= YO_LEVEL_MAX; }

static void lower(uint64_t *limit, uint64_t to) {
    if (*limit == 0 || to < *limit) *limit = to;
}

void yo_level_limit_go(int level, bool network, struct yo_search_limits *limits) {
    if (is_full(level)) return;
    if (network)
        lower(&limits->visits, go_levels[level].visits);
    else
        lower(&limits->playouts, go_levels[level].playouts);
}

void yo_level_limit_shogi(int level, unsigned supported, struct yo_search_limits *limits) {
    if (is_full(level)) return;
    const struct shogi_level *l = &shogi_levels[level];
    bool has_depth = supported & YO_LIMIT_DEPTH;
    if (has_depth && (limits->depth == 0 || l->depth < limits->depth)) limits->depth = l->depth;
    if (supported & YO_LIMIT_NODES)
        lower(&limits->nodes, l->nodes);
    else /* a tree on a network: as in Go */
        lower(&limits->visits, go_levels[level].visits);
    if (limits->lines < l->lines) limits->lines = l->lines;
}

/* ---- Choosing ---- */

static double draw(uint64_t *random) { return (double)(yo_splitmix64(random) >> 11) * 0x1p-53; }

static uint64_t visits_of(const struct yo_search_result *r, yo_move move) {
    for (size_t i = 0; i < r->move_count; i++)
        if (r->moves[i].move == move) return r->moves[i].visits;
    return 0;
}

/* Candidate i: the moves with a prior, or the searched ones if the search has no priors. */
static yo_move candidate(const struct yo_search_result *r, size_t i) {
    return r->prior_count ? r->priors[i].move : r->moves[i].move;
}

static double share(const struct yo_search_result *r, size_t i) {
    if (!r->prior_count) return (double)r->moves[i].visits + PRIOR_VISITS * r->moves[i].prior;
    return (double)visits_of(r, r->priors[i].move) + PRIOR_VISITS * r->priors[i].share;
}

/* The weight of a candidate; 0: not to be played. */
static double weight_go(const struct go_level *l, const struct yo_search_result *r, size_t i,
                        double best, yo_move pass) {
    double s = share(r, i) / best;
    return candidate(r, i) == pass || s < l->least ? 0 : pow(s, 1 / l->temperature);
}

yo_move yo_level_choose_go(int level, const struct yo_search_result *r, yo_move pass,
                           uint64_t *random) {
    yo_move first = r->moves[0].move;
    size_t count = r->prior_count ? r->prior_count : r->move_count;
    double best = 0, sum = 0;
    /* A pass ends the game: the search decides on it, not the draw. */
    if (is_full(level) || first == pass) return first;
    for (size_t i = 0; i < count; i++)
        if (candidate(r, i) != pass) best = fmax(best, share(r, i));
    if (best <= 0) return first;
    for (size_t i = 0; i < count; i++)
        sum += weight_go(&go_levels[level], r, i, best, pass);
    double at = draw(random) * sum;
    for (size_t i = 0; i < count; i++) {
        double w = weight_go(&go_levels[level], r, i, best, pass);
        if (w > 0 && at < w) return candidate(r, i);
        at -= w;
    }
    return first;
}

static double weight_shogi(const struct shogi_level *l, const struct yo_search_move *best,
                           const struct yo_search_move *m) {
    if (m->bound == YO_BOUND_UNKNOWN || m->mate < 0) return 0;
    double loss = yo_search_centipawns(best) - yo_search_centipawns(m);
    if (m->mate > 0) loss = 0;
    return loss > WINDOW * l->temperature ? 0 : exp(-fmax(loss, 0) / l->temperature);
}

static size_t choose_by_visits(int level, const struct yo_search_result *r, uint64_t *random) {
    yo_move move = yo_level_choose_go(level, r, YO_MOVE_NONE, random);
    for (size_t i = 0; i < r->move_count; i++)
        if (r->moves[i].move == move) return i;
    return 0; /* a move with a prior and no visit has no line to give */
}

size_t yo_level_choose_shogi(int level, const struct yo_search_result *r, uint64_t *random) {
    if (is_full(level) || r->move_count < 2 || r->moves[0].mate) return 0;
    if (r->moves[0].visits > 0) return choose_by_visits(level, r, random);
    const struct shogi_level *l = &shogi_levels[level];
    double sum = 0;
    for (size_t i = 0; i < r->move_count; i++)
        sum += weight_shogi(l, &r->moves[0], &r->moves[i]);
    double at = draw(random) * sum;
    for (size_t i = 0; i < r->move_count; i++) {
        double w = weight_shogi(l, &r->moves[0], &r->moves[i]);
        if (w > 0 && at < w) return i;
        at -= w;
    }
    return 0;
}
