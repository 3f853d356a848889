/* The arithmetic of a network, one version per instruction set. All are integers that wrap on
 * overflow, so every version gives the same result; the plain one is the reference. */
#pragma once

#include <stdbool.h>

#include "eval/shogi/net.h"

struct shogi_net_kernel {
    const char *name;
    bool (*available)(void);
    /* out = in + rows of new inputs - rows of removed inputs. out may be in. */
    void (*update)(int16_t *out, const int16_t *in, const int16_t *const *on, int on_count,
                   const int16_t *const *off, int off_count);
    /* Computes the output from the sums of the side to move and of the other. */
    int32_t (*forward)(const struct shogi_net_layers *layers, const int16_t *us,
                       const int16_t *them);
};

/* The fastest first; the last is the plain one, which always runs. Ends with NULL. */
extern const struct shogi_net_kernel *const yo_shogi_net_kernels[];
/* The fastest kernel that this CPU supports. */
const struct shogi_net_kernel *yo_shogi_net_kernel(void);

#if defined(YOMI_X86)
extern const struct shogi_net_kernel yo_shogi_net_avx512;
extern const struct shogi_net_kernel yo_shogi_net_avx2;
#endif
extern const struct shogi_net_kernel yo_shogi_net_plain;
