#include "search/search.h"

#include <math.h>

double yo_search_lower_bound(double winrate, uint64_t visits) {
    double n = visits ? (double)visits : 1;
    double bound = winrate - 1.96 * sqrt((winrate * (1 - winrate) + 0.25 / n) / n);
    return bound > 0 ? bound : 0;
}
