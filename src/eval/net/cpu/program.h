/* A graph compiled for the CPU. All threads share the program; weights that depend on the board's
 * size (Winograd's tiles) are made when the first worker needs them. */
#pragma once

#include <pthread.h>

#include "eval/net/backend.h"
#include "eval/net/cpu/pack.h"

/* The number type of convolutions. With INT8, those of 3x3 and of bit planes, which are nearly
 * all of the work, use bytes and the others 16 bits. */
enum yo_net_numbers { YO_NET_FLOATS, YO_NET_INT16, YO_NET_INT8 };

/* How an operation is computed. */
enum yo_net_form {
    YO_NET_FORM_OTHER,    /* no matrix: AFFINE, POOL, FLATTEN */
    YO_NET_FORM_PLANES,   /* a convolution of bit planes: sums of rows of weights */
    YO_NET_FORM_WINOGRAD, /* 3x3 */
    YO_NET_FORM_BYTES,    /* see yo_net_kernels.bytes; of bit planes too */
    YO_NET_FORM_SPLIT,    /* 1x1: see yo_net_kernels.split */
    YO_NET_FORM_DIRECT,   /* a product for each tap; dense layers too */
};

struct yo_net_layer {
    enum yo_net_form form;
    bool integers;
    struct yo_net_packed direct;   /* DIRECT, BYTES and SPLIT */
    struct yo_net_packed tiles[2]; /* for 3 and 4 results a side, or empty */
    float *rows;                   /* PLANES: [tap][plane][output] */
    float *bias, *scale;           /* padded; scale: AFFINE's, else NULL */
    /* An AFFINE operation that is computed together with this one, or YO_NET_NONE; its `done` is
     * set. */
    int then;
    bool done;
    /* AFFINE: the result is not stored; the convolutions that read it compute it from the input
     * when they quantise it. */
    bool inlined;
    uint64_t planes_used[YO_NET_MAX_PLANES / 64];
};

struct yo_net_cpu_program {
    const struct yo_net_graph *graph;
    const struct yo_net_kernels *kernels;
    enum yo_net_numbers numbers;
    struct yo_net_layer *layers; /* one an operation */
    struct yo_net_arena weights; /* of all layers */
    /* Spatial tensors share slots: one is free again after its last reader. Each vector has its own
     * place. */
    int *slot;    /* of a tensor */
    int *made_by; /* of a tensor: the AFFINE operation if it is inlined, else YO_NET_NONE */
    int slot_count;
    int *slot_channels; /* padded, of each slot */
    size_t *vector_at;  /* floats from the start of the vectors */
    size_t vector_floats;
    bool planes_as_tensor; /* an operation other than a convolution reads the planes */
    pthread_mutex_t lock;  /* protects what workers add: tiles, and `weights` */
};

enum yo_err yo_net_cpu_program_new(const struct yo_net_graph *graph,
                                   const struct yo_net_kernels *kernels,
                                   enum yo_net_numbers numbers, struct yo_net_cpu_program **program,
                                   struct yo_diag *diag);
void yo_net_cpu_program_delete(void *program);

/* The tile size for a board of this size, in results per side, and the number of tiles per side.
 * Chooses the fewest products, but prefers tiles of three up to a tenth more, since they quantise
 * more exactly. */
int yo_net_tile_outs(int size, int *tiles);
/* Makes the weights for such tiles where they are missing. */
enum yo_err yo_net_cpu_program_tiles(struct yo_net_cpu_program *program, int outs);
