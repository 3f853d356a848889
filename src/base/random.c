#include "base/random.h"

#include <math.h>

double yo_random_uniform(uint64_t *state) {
    return ((double)(yo_splitmix64(state) >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
}

double yo_random_normal(uint64_t *state) {
    double radius = sqrt(-2 * log(yo_random_uniform(state)));
    return radius * cos(6.283185307179586 * yo_random_uniform(state));
}

/* Marsaglia and Tsang, "A simple method for generating gamma variables", 2000. */
double yo_random_gamma(double shape, uint64_t *state) {
    if (shape < 1)
        return yo_random_gamma(shape + 1, state) * pow(yo_random_uniform(state), 1 / shape);
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = yo_random_normal(state), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(yo_random_uniform(state)) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
}
