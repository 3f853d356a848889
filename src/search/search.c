#include "search/search.h"

#include "base/stats.h"

#define Z 1.96

/* Wilson's: three wins out of three must not look like certainty. */
double yo_search_lower_bound(double winrate, uint64_t visits) {
    double low = 0, high;
    if (visits > 0) yo_stats_wilson(winrate, (double)visits, Z, &low, &high);
    return low;
}

double yo_search_root_winrate(const struct yo_search_result *result) {
    double sum = 0, visits = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        sum += (double)result->moves[i].visits * result->moves[i].winrate_to_move;
        visits += (double)result->moves[i].visits;
    }
    return visits > 0 ? sum / visits : 0.5;
}

double yo_search_root_score(const struct yo_search_result *result) {
    double sum = 0, visits = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        sum += (double)result->moves[i].visits * result->moves[i].score_to_move;
        visits += (double)result->moves[i].visits;
    }
    return visits > 0 ? sum / visits : 0;
}
