/* The kernels for AVX-512 (its levels F, BW, DQ, VL). */
#include "eval/net/cpu/kernels.h"

#if defined(YOMI_X86)
#include "base/cpu.h"
#include "eval/net/cpu/body/vec_avx512.h"

#include "eval/net/cpu/body/kernels_body.h"

static bool available(void) {
    const struct yo_cpu *cpu = yo_cpu_get();
    return cpu->level >= 4;
}

YO_NET_KERNELS(avx512, .bytes = NULL);
#endif
