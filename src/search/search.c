#include "search/search.h"

#include "base/diag.h"
#include "base/stats.h"
#include "base/time.h"
#include "eval/eval.h"

#define Z 1.96

/* ---- Limits ---- */

static bool contains(const yo_move *moves, size_t count, yo_move move) {
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

bool yo_search_allows(const struct yo_search_limits *limits, yo_move move) {
    if (limits->only && !contains(limits->only, limits->only_count, move)) return false;
    return !contains(limits->avoid, limits->avoid_count, move);
}

struct yo_search_clock *yo_search_clock_begin(const struct yo_search_limits *limits,
                                              struct yo_search_clock *own) {
    if (limits->clock) return limits->clock;
    int64_t soft_ms = limits->extra_ms ? limits->time_ms : 0;
    atomic_store(&own->round_ms, -1);
    yo_search_clock_set(own, yo_time_ms(), 0, soft_ms, limits->time_ms + limits->extra_ms);
    return own;
}

int64_t yo_search_time_ms(const struct yo_search_limits *limits) {
    return limits->clock ? yo_search_clock_time_ms(limits->clock) : limits->time_ms;
}

static const char *unknown_limit(const struct yo_search_limits *l, unsigned known) {
#define X(name, text, is_set)                                                                      \
    if ((is_set) && !(known & YO_LIMIT_##name)) return text;
    YO_SEARCH_LIMIT_LIST(X)
#undef X
    return NULL;
}

enum yo_err yo_search_run(struct yo_search search, const void *game,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          yo_search_report_fn report, void *user, struct yo_search_result *result,
                          struct yo_diag *diag) {
    const char *unknown = unknown_limit(limits, search.ops->limits);
    if (unknown)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "the search %s cannot be limited by %s",
                           search.ops->name, unknown);
    return search.ops->run(search.ctx, game, limits, stop, report, user, result, diag);
}

/* ---- Results ---- */

/* Wilson score interval: three wins out of three must not give a bound near 1. */
double yo_search_lower_bound(double winrate, uint64_t visits) {
    double low = 0, high;
    if (visits > 0) yo_stats_wilson(winrate, (double)visits, Z, &low, &high);
    return low;
}

int yo_search_centipawns(const struct yo_search_move *move) {
    bool own = move->centipawns || !move->visits;
    return own ? move->centipawns : yo_eval_centipawns_of(move->winrate_to_move);
}

double yo_search_winrate_of(double centipawns) { return yo_eval_winrate_of(centipawns); }

double yo_search_root_winrate(const struct yo_search_result *result) {
    double sum = 0, visits = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        sum += (double)result->moves[i].visits * result->moves[i].winrate_to_move;
        visits += (double)result->moves[i].visits;
    }
    if (visits > 0) return sum / visits;
    return result->move_count > 0 ? result->moves[0].winrate_to_move : 0.5;
}

double yo_search_root_score(const struct yo_search_result *result) {
    double sum = 0, visits = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        sum += (double)result->moves[i].visits * result->moves[i].score_to_move;
        visits += (double)result->moves[i].visits;
    }
    if (visits > 0) return sum / visits;
    return result->move_count > 0 ? result->moves[0].score_to_move : 0;
}

double yo_search_weight(const struct yo_search_move *move) {
    return move->weight > 0 ? move->weight : (double)move->visits;
}

double yo_search_utility(const struct yo_search_move *move) {
    return move->weight > 0 ? move->utility_to_move : 2 * move->winrate_to_move - 1;
}

double yo_search_utility_lcb(const struct yo_search_move *move) {
    return move->weight > 0 ? move->utility_lcb_to_move : 2 * move->lcb_to_move - 1;
}

double yo_search_root_utility(const struct yo_search_result *result) {
    double sum = 0, visits = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        sum += (double)result->moves[i].visits * yo_search_utility(&result->moves[i]);
        visits += (double)result->moves[i].visits;
    }
    if (visits > 0) return sum / visits;
    return result->move_count > 0 ? yo_search_utility(&result->moves[0]) : 0;
}

uint64_t yo_search_root_visits(const struct yo_search_result *result) {
    uint64_t sum = result->raw ? 1 : 0;
    for (size_t i = 0; i < result->move_count; i++)
        sum += result->moves[i].visits;
    return sum;
}

double yo_search_root_weight(const struct yo_search_result *result) {
    double sum = result->raw ? 1 : 0;
    for (size_t i = 0; i < result->move_count; i++)
        sum += yo_search_weight(&result->moves[i]);
    return sum;
}

double yo_search_selection(const struct yo_search_result *result, size_t i) {
    uint64_t value = result->moves[i].visits;
    for (size_t k = 1; i == 0 && k < result->move_count; k++)
        if (result->moves[k].visits >= value) value = result->moves[k].visits + 1;
    return (double)value;
}
