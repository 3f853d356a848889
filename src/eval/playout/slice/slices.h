/* The bit-slice backends: many games at once, one in each bit of a vector (step.h). */
#pragma once

#include "eval/playout/backend.h"

extern const struct yo_playout_backend yo_playout_slice64;
#ifdef __aarch64__
extern const struct yo_playout_backend yo_playout_neon;
#endif
#ifdef YOMI_X86
extern const struct yo_playout_backend yo_playout_avx2;
extern const struct yo_playout_backend yo_playout_avx512;
#endif
