/* Random networks of the shapes that people have, as graphs, with weights that keep numbers near
 * one; and random batches for them. For tests of backends; needs no cmocka, so that a program for a
 * machine with a GPU can use it. */
#pragma once

#include "eval/net/backend.h"

struct net_shape {
    const char *name;
    int planes, globals;
    int stem;           /* side of the first kernel */
    int channels;       /* of the trunk */
    const char *blocks; /* a letter each: o ordinary, g with pooling, n nested bottleneck */
    int mid;            /* channels inside a block */
    int pool;           /* of them pooled, in g blocks */
    int head;           /* channels of a head */
    enum yo_net_activation activation;
    /* As dlshogi has it: activation after the sum, two stems that are summed, a flattened value
     * head; fixed to 9x9. Else as KataGo has it. */
    bool post;
    /* dlshogi's policy as files have it: one row a position, and a bias for each of its numbers. */
    bool row;
};

/* Aborts without memory. */
void shaped_net_make(struct yo_net_graph *graph, const struct net_shape *shape, unsigned seed);

/* Inputs, and room for all outputs. */
struct shaped_batch {
    struct yo_net_batch batch;
    uint64_t *planes;
    float *globals;
};
void shaped_batch_make(struct shaped_batch *random, const struct yo_net_graph *graph, int size,
                       int count, unsigned seed);
void shaped_batch_free(struct shaped_batch *random);

/* How far two results lie apart: by role, the root mean square of the differences over that of
 * `right`; the largest of all roles. Infinite where a number is not one. */
double shaped_batch_distance(const struct yo_net_graph *graph, const struct yo_net_batch *right,
                             const struct yo_net_batch *other);
/* Of the positions, for how many is the largest number of the policy at the same place? */
int shaped_batch_same_first(const struct yo_net_graph *graph, const struct yo_net_batch *right,
                            const struct yo_net_batch *other);

/* Lists of policy entries, and room for where a run leaves what it picks. Position i has
 * lengths[i % length_count] entries: at random, also repeated; as many as there are: all, in order.
 */
struct shaped_wanted {
    struct yo_net_wanted *lists;
    const float **picked;
    uint16_t *entries;
};
void shaped_wanted_make(struct shaped_wanted *wanted, const struct yo_net_graph *graph, int size,
                        int count, const int *lengths, int length_count);
void shaped_wanted_free(struct shaped_wanted *wanted);
/* Of the first `rows` positions, how many have the very numbers of the policy as a whole. */
int shaped_wanted_same(const struct shaped_wanted *wanted, const struct yo_net_graph *graph,
                       const struct yo_net_batch *whole, int rows);
