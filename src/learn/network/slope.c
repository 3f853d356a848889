/* The version that runs anywhere, and the choice of one. */
#include "learn/network/slope.h"

#include "base/cpu.h"
#include "learn/network/slope_loops.h"

static bool available(void) { return true; }

const struct fit_kernel yo_fit_plain = {
    .name = "plain", .available = available, .forward = forward, .backward = backward};

const struct fit_kernel *yo_fit_kernel(void) {
#if defined(YOMI_X86)
    if (yo_fit_avx2.available()) return &yo_fit_avx2;
#endif
    return &yo_fit_plain;
}

static double entropy_term(double target, double log_of) {
    return target > 0 ? target * log_of : 0;
}

double yo_fit_loss(double logit, double target) {
    /* log(1 + exp(-|x|)) keeps both tails exact. */
    double tail = log1p(exp(-fabs(logit)));
    double log_win = (logit < 0 ? logit : 0) - tail, log_loss = (logit > 0 ? -logit : 0) - tail;
    double lost = 1 - target;
    return entropy_term(target, log(target) - log_win) + entropy_term(lost, log(lost) - log_loss);
}
