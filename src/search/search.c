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
