/* The arithmetic of a network, for one kind of processor each. Integers throughout, wrapping where
 * they overflow, so that every version gives the same number; the plain one is the reference. */
#pragma once

#include <stdbool.h>

#include "eval/shogi/net.h"

struct shogi_net_kernel {
    const char *name;
    bool (*available)(void);
    /* out = in + rows that came on - rows that went off; at most two of each. out may be in. */
    void (*update)(int16_t *out, const int16_t *in, const int16_t *const *on, int on_count,
                   const int16_t *const *off, int off_count);
    /* From the sums of the side to move and of the other to the output. */
    int32_t (*forward)(const struct shogi_net_layers *layers, const int16_t *us,
                       const int16_t *them);
};

/* The fastest first; the last is the plain one, which always runs. Ends with NULL. */
extern const struct shogi_net_kernel *const yo_shogi_net_kernels[];
/* The fastest that runs here. */
const struct shogi_net_kernel *yo_shogi_net_kernel(void);

#if defined(YOMI_X86)
extern const struct shogi_net_kernel yo_shogi_net_avx512;
extern const struct shogi_net_kernel yo_shogi_net_avx2;
#endif
extern const struct shogi_net_kernel yo_shogi_net_plain;
