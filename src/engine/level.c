#include "engine/level.h"

#include <math.h>

#include "base/random.h"

/* Go: a move is drawn with its share to the power 1/temperature, if that is at least LEAST of the
 * best one's. The share of a move is its visits and PRIOR_VISITS times its prior. */
#define LEAST        0.03
#define PRIOR_VISITS 2.0
/* Alpha-beta: a move is drawn with exp(-loss / temperature), if it loses less than WINDOW
 * temperatures against the best, in hundredths of a pawn. */
#define WINDOW    3.0
#define LINES_MAX 12

/* ---- The curves ---- */

/* A point of a curve: how strong play with this much search and this temperature is, by matches
 * between neighbours (experiments/levels). Levels are evenly spaced in Elo between the ends of a
 * curve; between two points the search grows by equal factors and the temperature falls evenly. */
struct rung {
    double elo;
    double effort; /* visits, playouts or nodes */
    double temperature;
};
struct curve {
    const struct rung *rungs;
    size_t count;
};
#define CURVE(rungs_) ((struct curve){rungs_, sizeof rungs_ / sizeof rungs_[0]})

/* With a network. A point of one visit is the network's own choice. */
static const struct rung go_small[] = {{0, 1, 2.0},     {319, 1, 1.5},   {560, 1, 1.2},
                                       {697, 1, 0.9},   {805, 1, 0.6},   {932, 1, 0.3},
                                       {1192, 16, 0.2}, {1374, 64, 0.1}, {1574, 250, 0.1}};
static const struct rung go_large[] = {{0, 1, 1.5},    {325, 1, 1.2},   {395, 1, 1.0},
                                       {490, 1, 0.8},  {610, 1, 0.6},   {657, 1, 0.3},
                                       {1039, 8, 0.2}, {1450, 200, 0.1}};
static const struct rung go_playouts[] = {
    {0, 50, 2.0}, {382, 200, 1.2}, {1000, 800, 0.8}, {1500, 3200, 0.5}, {1900, 12000, 0.2}};
/* Alpha-beta, in hundredths of a pawn as the built-in network counts them. */
static const struct rung shogi[] = {{0, 500, 530},      {413, 2000, 265},  {765, 4000, 194},
                                    {1248, 8000, 141},  {1684, 16000, 97}, {1953, 32000, 71},
                                    {2400, 130000, 35}, {2850, 600000, 18}};

/* The smallest board that has the large one's curve. */
enum { LARGE = 15 };

static struct rung at_level(struct curve curve, int level) {
    const struct rung *r = curve.rungs, *last = r + curve.count - 1;
    double part = (double)(level - YO_LEVEL_MIN) / (YO_LEVEL_MAX - 1 - YO_LEVEL_MIN);
    double elo = r->elo + part * (last->elo - r->elo);
    while (r + 1 < last && elo > r[1].elo)
        r++;
    double t = (elo - r->elo) / (r[1].elo - r->elo);
    return (struct rung){.elo = elo,
                         .effort = floor(0.5 + r->effort * pow(r[1].effort / r->effort, t)),
                         .temperature = r->temperature + t * (r[1].temperature - r->temperature)};
}

static bool is_weak(const struct yo_options *options, int *level) {
    *level = (int)yo_options_int(options, "level");
    return *level < YO_LEVEL_MAX;
}

struct yo_level yo_level_go(const struct yo_options *options, int size, bool network) {
    int level;
    if (!is_weak(options, &level))
        return (struct yo_level){.temperature = yo_options_real(options, "temperature")};
    struct curve net = size < LARGE ? CURVE(go_small) : CURVE(go_large);
    struct rung r = at_level(network ? net : CURVE(go_playouts), level);
    uint64_t effort = (uint64_t)r.effort;
    return (struct yo_level){.visits = network ? effort : 0,
                             .playouts = network ? 0 : effort,
                             .temperature = r.temperature};
}

/* So many that those within the window of the temperature are among them. */
static size_t lines_for(double temperature) {
    return temperature > 0 ? (size_t)fmin(2 + temperature / 35, LINES_MAX) : 0;
}

struct yo_level yo_level_shogi(const struct yo_options *options, unsigned supported) {
    int level;
    bool tree = !(supported & YO_LIMIT_NODES); /* on a network: as in Go */
    if (tree) return yo_level_go(options, LARGE, true);
    struct yo_level l = {.temperature = yo_options_real(options, "temperature")};
    if (is_weak(options, &level)) {
        struct rung r = at_level(CURVE(shogi), level);
        l = (struct yo_level){.nodes = (uint64_t)r.effort, .temperature = r.temperature};
    }
    l.lines = supported & YO_LIMIT_LINES ? lines_for(l.temperature) : 0;
    return l;
}

bool yo_level_is_full(const struct yo_level *l) {
    return l->temperature <= 0 && !l->visits && !l->playouts && !l->nodes;
}

static void lower(uint64_t *limit, uint64_t to) {
    if (to && (*limit == 0 || to < *limit)) *limit = to;
}

void yo_level_limit(const struct yo_level *l, struct yo_search_limits *limits) {
    lower(&limits->visits, l->visits);
    lower(&limits->playouts, l->playouts);
    lower(&limits->nodes, l->nodes);
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
static double weight_go(const struct yo_level *l, const struct yo_search_result *r, size_t i,
                        double best, yo_move pass) {
    double weight = pow(share(r, i) / best, 1 / l->temperature);
    return candidate(r, i) == pass || weight < LEAST ? 0 : weight;
}

yo_move yo_level_choose_go(const struct yo_level *l, const struct yo_search_result *r, yo_move pass,
                           uint64_t *random) {
    yo_move first = r->moves[0].move;
    size_t count = r->prior_count ? r->prior_count : r->move_count;
    double best = 0, sum = 0;
    /* A pass ends the game: the search decides on it, not the draw. */
    if (l->temperature <= 0 || first == pass) return first;
    for (size_t i = 0; i < count; i++)
        if (candidate(r, i) != pass) best = fmax(best, share(r, i));
    if (best <= 0) return first;
    for (size_t i = 0; i < count; i++)
        sum += weight_go(l, r, i, best, pass);
    double at = draw(random) * sum;
    for (size_t i = 0; i < count; i++) {
        double w = weight_go(l, r, i, best, pass);
        if (w > 0 && at < w) return candidate(r, i);
        at -= w;
    }
    return first;
}

static double weight_shogi(const struct yo_level *l, const struct yo_search_move *best,
                           const struct yo_search_move *m) {
    if (m->bound == YO_BOUND_UNKNOWN || m->mate < 0) return 0;
    double loss = yo_search_centipawns(best) - yo_search_centipawns(m);
    if (m->mate > 0) loss = 0;
    return loss > WINDOW * l->temperature ? 0 : exp(-fmax(loss, 0) / l->temperature);
}

static size_t choose_by_visits(const struct yo_level *l, const struct yo_search_result *r,
                               uint64_t *random) {
    yo_move move = yo_level_choose_go(l, r, YO_MOVE_NONE, random);
    for (size_t i = 0; i < r->move_count; i++)
        if (r->moves[i].move == move) return i;
    return 0; /* a move with a prior and no visit has no line to give */
}

size_t yo_level_choose_shogi(const struct yo_level *l, const struct yo_search_result *r,
                             uint64_t *random) {
    if (l->temperature <= 0 || r->move_count < 2 || r->moves[0].mate) return 0;
    if (r->moves[0].visits > 0) return choose_by_visits(l, r, random);
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
