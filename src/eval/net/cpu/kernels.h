/* The kernels of the CPU backends. One source for all instruction sets (body/), compiled for each
 * with its vectors. Every set computes the same numbers, bit for bit: each sum has one order,
 * multiply-adds are fused everywhere or nowhere.
 *
 * Layouts. Activations lie point by point, all channels of a point together, channels padded to a
 * multiple of YO_NET_PAD. Distances between points and rows are counted in elements. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/net/graph.h"

enum {
    YO_NET_PAD = 16,
    YO_NET_TILE_SIDE_MAX = 6,
    YO_NET_TILE_MAX = YO_NET_TILE_SIDE_MAX * YO_NET_TILE_SIDE_MAX,
};

/* Two neighbouring values of 16 bits, read at once. */
typedef int32_t __attribute__((may_alias, aligned(2))) yo_pair;

static inline int yo_net_padded(int channels) {
    return (channels + YO_NET_PAD - 1) / YO_NET_PAD * YO_NET_PAD;
}

/* For vectors of 16-bit values. */
static inline int yo_net_wide(int channels) {
    return (channels + 2 * YO_NET_PAD - 1) / (2 * YO_NET_PAD) * (2 * YO_NET_PAD);
}

/* out[row][o] = sum over taps and k of a[row * a_step + tap][k] * weights[tap][k][o]. Weights are
 * in panels of yo_net_kernels.panel outputs (the last may have fewer), in each [tap][k][output]. In
 * integers k counts pairs, and weights are [tap][k][output][2]. */
struct yo_net_gemm {
    const void *a;
    ptrdiff_t a_step;
    const ptrdiff_t *taps; /* elements from the row's start */
    int tap_count;
    int k;
    int rows;
    const void *weights;
    int outs; /* a multiple of YO_NET_PAD */
    void *out;
    ptrdiff_t out_step;
};

/* What follows the operation proper, for channel c of a point at `at`:
 *   out[at] = activation(r + base[c] + add[at])
 *   then_out[at] = max(then_scale[c] * out[at] + then_base[c], then_floor)
 * and the largest absolute value of what was computed last. Without then_out the second line is
 * computed for the largest value alone: who reads it computes it again (struct yo_net_quantise). */
struct yo_net_epilogue {
    const float *base;
    const float *add; /* or NULL; steps as out */
    enum yo_net_activation activation;
    float *out;
    float *then_out;                     /* or NULL; steps as out */
    const float *then_scale, *then_base; /* or NULL: there is no second line */
    float then_floor;
    float *most; /* [YO_NET_PAD]: the largest so far is the maximum of these */
};

/* r = scale[c] * in[p][c], and its epilogue. */
struct yo_net_finish {
    const void *in; /* floats, or integers of 32 bits */
    ptrdiff_t in_step, out_step;
    const float *scale; /* NULL: 1 */
    int points, channels;
    struct yo_net_epilogue after; /* its out may be `in` */
};

/* One tile of a 3x3 convolution by Winograd's minimal filtering. */
struct yo_net_tile_in {
    int outs; /* a side: 3 or 4; inputs are two more */
    const void *in;
    ptrdiff_t row_step, point_step;
    int channels;
    void *out; /* [input y * side + input x] at tile_step */
    ptrdiff_t tile_step;
};

struct yo_net_tile_out {
    int outs;
    const void *in;
    ptrdiff_t tile_step;
    const float *scales; /* integers: [tile point][channel] */
    float scale;         /* integers: of the position */
    ptrdiff_t row_step, point_step;
    int rows, columns; /* of the tile that are on the board */
    int channels;
    struct yo_net_epilogue after;
};

/* A convolution of bit planes: sums rows of weights. */
struct yo_net_gather {
    const float *weights; /* [row][channel] */
    const int32_t *rows;
    int row_count;
    const float *base;
    float *out;
    int channels;
};

/* A convolution in bytes, with a square kernel of an odd side. Rows of the board lie `pitch` points
 * apart, kernel / 2 more than its size: those are the zeros beyond both edges. Result row
 * y * pitch + x is point (y, x); rows of points beyond an edge are computed and ignored. Input
 * point row + dy * pitch + dx is under tap (dy, dx), so that a row of the kernel reads points that
 * lie together.
 *
 * Results are computed in tiles of YO_NET_BYTES_ROWS rows. No tile begins beyond an edge, so that
 * the 97 rows of 5x5 on a board of 9x9 take six tiles instead of seven. */
struct yo_net_byte_row {
    int16_t row, point; /* a result that is on the board: tile * YO_NET_BYTES_ROWS + row of it */
};

struct yo_net_bytes {
    const uint8_t *board; /* 0 .. 255, or -127 .. 127 in two's complement */
    bool is_signed;
    int kernel, pitch;
    int channels; /* a multiple of YO_NET_PAD, also from point to point */
    int tiles;
    const int *tile_row; /* [tile]: its first result row */
    const struct yo_net_byte_row *on_board;
    const int *tile_first; /* [tile]: its first in on_board; one more than there are */
    const int8_t *weights; /* [outputs / 16][kernel row][k / 64][k % 64 / 4][output % 16][k % 4] */
    int outs;
    const float *scale;           /* [output]: what one step of its sum is worth */
    struct yo_net_epilogue after; /* `outs` numbers from point to point */
};

/* A 1x1 convolution in 16 bits has the same form (yo_net_kernels.split), with each number split
 * into two bytes: 256 * high + low, high signed and low not. The first half of a point's bytes has
 * the high ones, the second the low ones, each half a multiple of YO_NET_BYTES_K. Weights are
 * [outputs / 16][k / 64][high, low][k % 64 / 4][output % 16][k % 4]. */
enum { YO_NET_BYTES_ROWS = 16, YO_NET_BYTES_K = 64 };

/* Parts of YO_NET_BYTES_K that a row of the kernel has. */
static inline int yo_net_bytes_parts(int kernel, int channels) {
    return (kernel * channels + YO_NET_BYTES_K - 1) / YO_NET_BYTES_K;
}

/* The nearest integers to in * scale, which fit; with then_scale, to scale times
 * max(then_scale[c] * in + then_base[c], then_floor). */
struct yo_net_quantise {
    const float *in;
    ptrdiff_t in_step;
    const float *then_scale, *then_base; /* or NULL */
    float then_floor;
    float scale;
    void *out; /* int16_t or bytes */
    ptrdiff_t out_step;
    ptrdiff_t low;        /* split: from the high byte of a number to its low byte */
    int points, channels; /* channels: a multiple of YO_NET_PAD */
};

struct yo_net_kernels {
    const char *name;
    bool (*available)(void);
    int panel; /* outputs in a panel of weights */
    void (*gemm_f)(const struct yo_net_gemm *g);
    void (*gemm_h)(const struct yo_net_gemm *g);
    void (*finish_f)(const struct yo_net_finish *f);
    void (*finish_i)(const struct yo_net_finish *f);
    void (*tile_in_f)(const struct yo_net_tile_in *t);
    void (*tile_in_h)(const struct yo_net_tile_in *t);
    void (*tile_out_f)(const struct yo_net_tile_out *t);
    void (*tile_out_i)(const struct yo_net_tile_out *t);
    void (*gather)(const struct yo_net_gather *g);
    void (*quantise_h)(const struct yo_net_quantise *q);
    void (*quantise_b)(const struct yo_net_quantise *q);
    void (*quantise_split)(const struct yo_net_quantise *q);
    void (*bytes)(const struct yo_net_bytes *b); /* NULL where 16 bits are faster */
    void (*split)(const struct yo_net_bytes *b); /* NULL where gemm_h is faster */
    /* Before and after the operations of a batch, or NULL. */
    void (*begin)(void);
    void (*end)(void);
    /* Sums and largest values of each channel over the points. */
    void (*pool)(const float *in, ptrdiff_t step, int points, int channels, float *sum, float *max);
};

extern const struct yo_net_kernels yo_net_kernels_plain, yo_net_kernels_avx2, yo_net_kernels_avx512,
    yo_net_kernels_vnni, yo_net_kernels_amx;
