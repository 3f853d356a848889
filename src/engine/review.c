#include "engine/review.h"

double yo_review_lost(double rate_before, double rate_after, bool first) {
    double lost = first ? rate_before - rate_after : rate_after - rate_before;
    return lost > 0 ? lost : 0;
}

size_t yo_review_worst(const double *lost, size_t count, double least, size_t *worst, size_t most) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(lost[i] > least)) continue;
        if (found == most && lost[worst[found - 1]] >= lost[i]) continue;
        size_t at = found < most ? found++ : found - 1;
        for (; at > 0 && lost[worst[at - 1]] < lost[i]; at--)
            worst[at] = worst[at - 1];
        worst[at] = i;
    }
    return found;
}
