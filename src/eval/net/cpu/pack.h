/* Packs weights for the kernels: transformed, quantised if requested, and in panels. Done once,
 * when a program is compiled. */
#pragma once

#include "eval/net/cpu/arena.h"
#include "eval/net/cpu/kernels.h"

enum { YO_NET_HIGH = 128 };

/* The channels of half a point's bytes where numbers are split. */
static inline int yo_net_split_half(int channels) {
    return (channels + YO_NET_BYTES_K - 1) / YO_NET_BYTES_K * YO_NET_BYTES_K;
}

/* Where the high parts of bit planes begin in the bytes of a point: half of them. */
static inline int yo_net_plane_half(int planes) { return (planes + 7) / 8 * 8; }

/* In integers, a sum of products must fit 32 bits and an input, transformed, 16. Inputs are rounded
 * to -limit .. limit, where limit * gain is at most INT16_MAX and gain is how much the inputs'
 * transform can enlarge them; the weights of each output and tile point get a scale of their own,
 * as large as the sum allows. */
struct yo_net_packed {
    void *weights;      /* [tile point] of matrices; floats or int16_t */
    size_t matrix_size; /* of one, in elements */
    float *scales;      /* integers: [tile point][output] */
    float limit;        /* integers: the largest input */
};

/* All memory comes from the arena.
 * A 3x3 convolution for Winograd's filtering with outs x outs results a tile (3 or 4). */
enum yo_err yo_net_pack_winograd(const struct yo_net_op *op, const struct yo_net_kernels *kernels,
                                 int outs, bool integers, bool inputs_signed,
                                 struct yo_net_arena *arena, struct yo_net_packed *packed);
/* Any convolution, taps in the order of the kernel, or a dense layer. */
enum yo_err yo_net_pack_direct(const struct yo_net_op *op, const struct yo_net_kernels *kernels,
                               bool integers, struct yo_net_arena *arena,
                               struct yo_net_packed *packed);
/* A convolution in bytes (struct yo_net_bytes). */
enum yo_err yo_net_pack_bytes(const struct yo_net_op *op, bool inputs_signed,
                              struct yo_net_arena *arena, struct yo_net_packed *packed);
/* A 1x1 convolution in 16 bits, each weight in two bytes: the numbers of yo_net_pack_direct. */
enum yo_err yo_net_pack_split(const struct yo_net_op *op, struct yo_net_arena *arena,
                              struct yo_net_packed *packed);
/* A convolution in bytes of bit planes, with weights of 15 bits: each plane is on the board twice,
 * as bytes of 1 and of YO_NET_HIGH, and its weight is low + YO_NET_HIGH * high. */
enum yo_err yo_net_pack_plane_bytes(const struct yo_net_op *op, struct yo_net_arena *arena,
                                    struct yo_net_packed *packed);
