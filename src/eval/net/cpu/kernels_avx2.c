/* The kernels for AVX2 with FMA. */
#include "eval/net/cpu/kernels.h"

#if defined(YOMI_X86)
#include "base/cpu.h"
#include "eval/net/cpu/body/vec_avx2.h"

#include "eval/net/cpu/body/kernels_body.h"

static bool available(void) {
    const struct yo_cpu *cpu = yo_cpu_get();
    return cpu->level >= 3;
}

YO_NET_KERNELS(avx2, .bytes = NULL);
#endif
