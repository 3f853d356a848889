/* What the host hands to a kernel and what it gets back: read by C, by nvcc, and by the C++
 * compiler that runs the kernel's source lane by lane in tests. Pointers are the device's. */
#pragma once

#include <stdint.h>

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
 * items with some games each; then each game's score comes back, and ownership if wanted. */
struct yo_cuda_job {
    const struct yo_cuda_item *items;
    const uint8_t *stones;     /* size*size an item, as in struct yo_playout_position; with
                                * start.h's marks for MoGo's policy */
    const uint32_t *item_of;   /* for each game; NULL: one item */
    unsigned long long games;  /* below 2^32 */
    unsigned long long *taken; /* games that warps have begun; starts at 0 */
    uint32_t *sums;            /* one item: YO_CUDA_SUM_WORDS, as below; starts at 0 */
    uint32_t *scores;          /* many items: for each game (score + size^2) | moves << 16 */
    int32_t *ownership;        /* many items: size*size each, starts at 0; NULL: not wanted */
};

/* The words of sums: moves (64 bits), games by score + size^2, owners by point. */
#define YO_CUDA_HISTOGRAM     2
#define YO_CUDA_OWNERSHIP(n)  (YO_CUDA_HISTOGRAM + 2 * (n) * (n) + 1)
#define YO_CUDA_SUM_WORDS(n)  ((YO_CUDA_OWNERSHIP(n) + (n) * (n) + 1) / 2 * 2)
#define YO_CUDA_SUM_WORDS_MAX YO_CUDA_SUM_WORDS(19)

/* How boards lie in a warp (docs/gpu.md): so many rows in a lane, lanes for a slice of 32 games,
 * slices in a warp. The rows were chosen by measuring. */
#define YO_CUDA_ROWS(n)          ((n) == 2 ? 2 : (n) <= 9 ? 3 : 2)
#define YO_CUDA_LANES(n)         (((n) + YO_CUDA_ROWS(n) - 1) / YO_CUDA_ROWS(n))
#define YO_CUDA_SLICES(n)        (32 / YO_CUDA_LANES(n))
#define YO_CUDA_GAMES_OF_WARP(n) (32 * YO_CUDA_SLICES(n))
/* Shared memory of a warp: generators, excluded points, and two words a game. */
#define YO_CUDA_WARP_WORDS(n)                                                                      \
    (96 * YO_CUDA_SLICES(n) + 32 * YO_CUDA_ROWS(n) * (n) + 2 * YO_CUDA_GAMES_OF_WARP(n))

/* The same for MoGo's policy, which has three more planes of points there. */
#define YO_CUDA_MOGO_WORDS(n) (YO_CUDA_WARP_WORDS(n) + 3 * 32 * YO_CUDA_ROWS(n) * (n))

/* Warps of a block. MoGo's begin each step together (docs/gpu.md), and the more the better; where
 * a GPU has no memory for so many they are fewer. */
#define YO_CUDA_WARPS      4
#define YO_CUDA_MOGO_WARPS 8
/* Shared memory of a block. */
#define YO_CUDA_SHARED_BYTES(n, warps, warp_words)                                                 \
    (4 * (YO_CUDA_SUM_WORDS(n) + (warps) * (warp_words)))
