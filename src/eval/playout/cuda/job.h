/* The parameters and results of a kernel. Compiled as C, by nvcc, and as C++ for the tests, which
 * run the kernel's source lane by lane. Pointers are device pointers. */
#pragma once

#include <stdint.h>

#include "yomi/playout.h"

/* A position and the stream of its games. */
struct yo_cuda_item {
    uint64_t seed;
    uint64_t base;    /* the i-th game of the launch has the number base + i */
    uint32_t ko;      /* a point, or any number past the last */
    uint32_t to_move; /* as enum yo_go_color */
    uint32_t last;    /* the opponent's last move, or any number past the last point */
    uint32_t unused;
};
#define YO_CUDA_ITEM_WORDS 8

/* One launch. Either it has one item and many games, which are summed up on the device, or many
 * items with some games each; then each game's score comes back, and ownership if wanted. There is
 * a kernel for each. */
struct yo_cuda_job {
    const uint8_t *stones;            /* size*size an item, as in struct yo_playout_position;
                                       * with the marks of start.h for MoGo's policy */
    unsigned long long games;         /* below 2^32 */
    unsigned long long *taken;        /* games that warps have begun; starts at 0 */
    struct yo_cuda_item item;         /* one item, */
    uint32_t *sums;                   /* and its YO_CUDA_SUM_WORDS, as below; starts at 0 */
    const struct yo_cuda_item *items; /* many items, */
    const uint32_t *item_of;          /* for each game, */
    uint32_t *scores;                 /* for each game (score + size^2) | moves << 16, */
    int32_t *ownership;               /* size*size an item, starts at 0; NULL: not wanted */
};
#define YO_CUDA_KERNEL_ONE  "yo_cuda_one"
#define YO_CUDA_KERNEL_MANY "yo_cuda_many"

/* The words of sums: moves (64 bits), games by score + size^2, owners by point. */
#define YO_CUDA_HISTOGRAM     2
#define YO_CUDA_OWNERSHIP(n)  (YO_CUDA_HISTOGRAM + 2 * (n) * (n) + 1)
#define YO_CUDA_SUM_WORDS(n)  ((YO_CUDA_OWNERSHIP(n) + (n) * (n) + 1) / 2 * 2)
#define YO_CUDA_SUM_WORDS_MAX YO_CUDA_SUM_WORDS(19)

/* The layout of boards in a warp (docs/gpu.md): rows per lane, lanes per slice of 32 games, slices
 * per warp. The rows were chosen by measurement. */
#define YO_CUDA_ROWS(n)          ((n) == 2 ? 2 : (n) <= 9 ? 3 : 2)
#define YO_CUDA_LANES(n)         (((n) + YO_CUDA_ROWS(n) - 1) / YO_CUDA_ROWS(n))
#define YO_CUDA_SLICES(n)        (32 / YO_CUDA_LANES(n))
#define YO_CUDA_GAMES_OF_WARP(n) (32 * YO_CUDA_SLICES(n))
/* Shared memory of a warp: generators, planes of points (the excluded ones; three more for MoGo's
 * policy), and with many items two words a game. */
#define YO_CUDA_PLANES(policy) ((policy) == YO_PLAYOUT_MOGO ? 4 : 1)
#define YO_CUDA_WARP_WORDS(policy, n, many)                                                        \
    (96 * YO_CUDA_SLICES(n) + YO_CUDA_PLANES(policy) * 32 * YO_CUDA_ROWS(n) * (n) +                \
     ((many) ? 2 * YO_CUDA_GAMES_OF_WARP(n) : 0))
/* Of a block: with one item there are sums too. */
#define YO_CUDA_SHARED_BYTES(policy, n, many, warps)                                               \
    (4 * (((many) ? 0 : YO_CUDA_SUM_WORDS(n)) + (warps)*YO_CUDA_WARP_WORDS(policy, n, many)))
#define YO_CUDA_WARPS_MAX 8 /* of a block: as many as the registers of a processor hold */
