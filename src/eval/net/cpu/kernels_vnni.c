/* The kernels for AVX-512 with VNNI: two products of 16 bits and their sum in one instruction. */
#include "eval/net/cpu/kernels.h"

#if defined(YOMI_X86)
#include "base/cpu.h"
#include "eval/net/cpu/body/vec_avx512.h"

#include "eval/net/cpu/body/kernels_body.h"

static bool available(void) {
    const struct yo_cpu *cpu = yo_cpu_get();
    return cpu->level >= 4 && cpu->avx512vnni;
}

YO_NET_KERNELS(vnni, .bytes = NULL);
#endif
