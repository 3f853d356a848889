/* The backends on the CPU: one for each instruction set and kind of number. `float` rounds as
 * floats do; `int16` quantises the inputs and weights of convolutions, by scales of each position,
 * output and tile point, and is about twice as fast; `int8`, for AMX, computes 3x3 convolutions in
 * bytes. All instruction sets give the same numbers. */
#pragma once

#include "eval/net/backend.h"

extern const struct yo_net_backend yo_net_amx_int8, yo_net_plain_int8, yo_net_vnni_int16,
    yo_net_avx512_int16, yo_net_avx512_float, yo_net_avx2_int16, yo_net_avx2_float,
    yo_net_plain_int16, yo_net_plain_float;
