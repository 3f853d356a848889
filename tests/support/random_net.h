/* Graphs for tests of network backends: random operations of every kind and odd shapes, and towers
 * of the blocks that network files have. */
#pragma once

#include <stdint.h>

#include "eval/net/backend.h"

struct random_net {
    struct yo_net_graph graph;
    uint64_t seed;
};

uint32_t random_net_below(struct random_net *net, uint32_t n);
float random_net_float(struct random_net *net); /* -1 .. 1 */
/* Some operations in any order; the last tensor is the policy. */
void random_net_operations(struct random_net *net, uint64_t seed, int fixed_size, int count);
/* Stem, blocks of every kind in turn, and heads like KataGo's. */
void random_net_tower(struct random_net *net, uint64_t seed, int channels, int blocks,
                      enum yo_net_activation activation);
/* A stem, and two 1x1 convolutions whose inputs have this activation. */
void random_net_points(struct random_net *net, uint64_t seed, int channels, int outs,
                       enum yo_net_activation activation);
void random_net_free(struct random_net *net);

/* A batch of random inputs with room for all results of one backend. */
struct random_net_batch {
    struct yo_net_batch batch;
    size_t floats[YO_NET_ROLES]; /* of each output, for the whole batch */
};

void random_net_batch_init(struct random_net_batch *b, struct random_net *net, int size, int count);
/* The same inputs, room of its own for results. */
void random_net_batch_copy(struct random_net_batch *b, const struct random_net_batch *from);
void random_net_batch_free(struct random_net_batch *b, bool inputs);
/* Compiles, runs, and frees all again. */
void random_net_run(const struct yo_net_backend *backend, const struct random_net *net,
                    struct random_net_batch *b, int max_batch);
/* Fails unless two results are equal bit for bit. */
void random_net_assert_same(const struct random_net_batch *a, const struct random_net_batch *b);
/* The largest difference between two results, as a part of the largest value. */
double random_net_difference(const struct random_net_batch *a, const struct random_net_batch *b);
