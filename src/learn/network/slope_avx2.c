/* The version for AVX2. */
#include "learn/network/slope_loops.h"

#if defined(YOMI_X86)
#include "base/cpu.h"

static bool available(void) { return yo_cpu_get()->level >= 3; }

const struct fit_kernel yo_fit_avx2 = {
    .name = "avx2", .available = available, .forward = forward, .backward = backward};
#endif
