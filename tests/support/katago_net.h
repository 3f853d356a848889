/* Small random networks of every shape: written as KataGo writes its model files, and computed
 * layer by layer as the file has them, nothing folded. The judge of the reader. */
#pragma once

#include "base/buf.h"

/* One layer as the file has it. Which numbers it has depends on its kind. */
struct katago_layer {
    enum { KATAGO_CONV, KATAGO_NORM, KATAGO_ACT, KATAGO_DENSE, KATAGO_BIAS, KATAGO_WORD } kind;
    char name[64];
    int ky, kx, in, out; /* CONV, DENSE; NORM and BIAS have out channels */
    float *weights;      /* CONV, DENSE, BIAS: in the file's order */
    float *mean, *variance, *scale, *bias;
    double epsilon;
    const char *act; /* ACT: what the file calls it */
};

struct katago_net {
    int version;
    /* A letter a block: o ordinary, g with global pooling, [...] a nested bottleneck. */
    const char *blocks;
    int trunk, mid, pool, head; /* channels */
    int ky, kx;                 /* of the blocks' kernels */
    const char *act;            /* from version 11 on */
    unsigned seed;
    double multipliers[7];

    struct katago_layer *layers;
    int layer_count;
};

/* From the fields above the gap. */
void katago_net_make(struct katago_net *net);
void katago_net_free(struct katago_net *net);
void katago_net_write(const struct katago_net *net, bool binary, struct yo_buf *out);
void katago_net_gzip(const struct yo_buf *in, struct yo_buf *out);

/* Raw outputs, as the file's layers give them. */
struct katago_outputs {
    int policy_channels, score_channels;
    double policy[4][361], pass[4], value[3], score[6], owner[361];
};
void katago_net_eval(const struct katago_net *net, int size, const float *planes,
                     const float *globals, struct katago_outputs *out);
