#include "search/search.h"

#include <math.h>

/* Wilson's interval: three wins out of three must not look like certainty. */
double yo_search_lower_bound(double winrate, uint64_t visits) {
    if (visits == 0) return 0;
    double n = (double)visits, z = 1.96, z2 = z * z;
    double centre = winrate + z2 / (2 * n);
    double half = z * sqrt(winrate * (1 - winrate) / n + z2 / (4 * n * n));
    double bound = (centre - half) / (1 + z2 / n);
    return bound > 0 ? bound : 0;
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
