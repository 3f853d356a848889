/* The kernels in plain C, and the list of all. */
#include "eval/net/cpu/kernels.h"

#include "eval/net/cpu/body/vec_plain.h"

#include "eval/net/cpu/body/kernels_body.h"

static bool available(void) { return true; }

YO_NET_KERNELS(plain);

const struct yo_net_kernels *const yo_net_kernels[] = {
#if defined(YOMI_X86)
    &yo_net_kernels_vnni,  &yo_net_kernels_avx512,
    &yo_net_kernels_avx2,
#endif
    &yo_net_kernels_plain, NULL,
};
