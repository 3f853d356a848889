/* A network one operation at a time: the weights of its operations as the kernels of layers.cuh
 * read them, where its tensors lie in a device's memory, and the job of each launch. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "eval/net/cuda/layer_job.h"
#include "eval/net/graph.h"

/* Numbers that go to the device once, each array at a multiple of 256 bytes. */
struct yo_layer_blob {
    uint8_t *bytes; /* NULL while they are only counted */
    size_t count;
};
size_t yo_layer_blob_put(struct yo_layer_blob *blob, const void *from, size_t bytes);

#define YO_LAYER_NOWHERE ((size_t)-1)
struct yo_layer_weights { /* offsets in the blob */
    size_t weights, bias;
    int padded_in, padded_out, first_channel;
};

/* The graph as the GPU runs it: a copy with its own operations (release them with yo_free; the
 * original owns all else). Where a board is flattened only for a dense layer, the layer reads the
 * board itself: a matrix product for the tensor cores, with all of a board's numbers as its inputs.
 */
enum yo_err yo_layer_graph(const struct yo_net_graph *graph, struct yo_net_graph *own);
/* True for such a dense layer. */
bool yo_layer_reads_board(const struct yo_net_graph *graph, const struct yo_net_op *op);

/* Puts the weights of an operation into the blob. */
enum yo_err yo_layer_put(struct yo_layer_blob *blob, const struct yo_net_graph *graph,
                         const struct yo_net_op *op, struct yo_layer_weights *at);

/* A tensor's channels in memory, with padding. */
int yo_layer_stride(const struct yo_net_graph *graph, int tensor);
size_t yo_layer_bytes(const struct yo_net_graph *graph, int tensor, int size);

/* Where the tensors of one position lie: offsets, in bytes a position, in a memory that tensors
 * share: one that is not needed any more is overwritten. Operations that the fused kernel has done
 * write nothing; of their tensors only `given` (or YO_NET_NONE) is stored. stride_given is its
 * stride in channels. */
struct yo_layer_places {
    size_t *offset; /* [tensor]; YO_LAYER_NOWHERE for those that are not kept */
    size_t bytes;   /* in all */
};
enum yo_err yo_layer_places_init(struct yo_layer_places *places, const struct yo_net_graph *graph,
                                 int size, const bool *done, const int *given, int given_count,
                                 int stride_given);
void yo_layer_places_free(struct yo_layer_places *places);

/* Which kernel runs an operation, and with how many blocks. */
enum yo_layer_kernel yo_layer_kernel_of(const struct yo_net_graph *graph,
                                        const struct yo_net_op *op);
unsigned yo_layer_blocks(enum yo_layer_kernel kernel, const struct yo_layer_job *job,
                         int processors);
