/* The gradient of the loss over some positions, one version per instruction set. The loss of a
 * position is the cross entropy of its target, less the target's own, which no network can avoid.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "learn/network/model.h"

/* Which inputs are on, of the side to move and of the other. */
struct fit_inputs {
    uint16_t on[2][SHOGI_INPUTS_ON];
    uint8_t count[2];
};

/* Gradients by the integers of fit_view, summed over positions; roundings are taken for the numbers
 * that were rounded. */
struct fit_slope {
    _Alignas(64) float rows[SHOGI_RELATIVE_INPUTS][FIT_SUMS];
    float bias[FIT_SUMS];
    float weights1[FIT_HIDDEN][2 * FIT_SUMS];
    float biases1[FIT_HIDDEN];
    float weights2[FIT_HIDDEN][FIT_HIDDEN];
    float biases2[FIT_HIDDEN];
    float weights3[FIT_HIDDEN];
    float bias3;
};

struct fit_kernel {
    const char *name;
    bool (*available)(void);
    /* The logit of winning. */
    float (*forward)(const struct fit_view *view, const struct fit_inputs *inputs);
    /* The same, and adds the gradient of the loss to *slope. */
    float (*backward)(const struct fit_view *view, const struct fit_inputs *inputs, float target,
                      struct fit_slope *slope);
};

extern const struct fit_kernel yo_fit_plain;
#if defined(YOMI_X86)
extern const struct fit_kernel yo_fit_avx2;
#endif
/* The fastest that this CPU supports. */
const struct fit_kernel *yo_fit_kernel(void);

double yo_fit_loss(double logit, double target);
