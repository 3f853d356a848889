/* Networks for shogi in the community's format (nn.bin): inputs by features.h into 256 sums a side,
 * then layers of 32, 32 and 1. Read once, then constant and shared by any number of threads.
 * docs/shogi-net.md has the format. */
#pragma once

#include "base/buf.h"
#include "eval/shogi/features.h"

enum { SHOGI_NET_SUMS = 256, SHOGI_NET_HIDDEN = 32, SHOGI_NET_SCALE = 16 };

/* Layers as the plain version reads them, rows[output][input], and regrouped for vectors:
 * groups[input / 4][output][input % 4]. */
struct shogi_net_layers {
    _Alignas(64) int16_t sum_biases[SHOGI_NET_SUMS];
    _Alignas(64) int32_t biases1[SHOGI_NET_HIDDEN];
    _Alignas(64) int32_t biases2[SHOGI_NET_HIDDEN];
    int32_t bias3;
    _Alignas(64) int8_t rows1[SHOGI_NET_HIDDEN][2 * SHOGI_NET_SUMS];
    _Alignas(64) int8_t groups1[2 * SHOGI_NET_SUMS / 4][SHOGI_NET_HIDDEN][4];
    _Alignas(64) int8_t rows2[SHOGI_NET_HIDDEN][SHOGI_NET_HIDDEN];
    _Alignas(64) int8_t groups2[SHOGI_NET_HIDDEN / 4][SHOGI_NET_HIDDEN][4];
    _Alignas(64) int8_t row3[SHOGI_NET_HIDDEN];
};

struct shogi_net_kernel;

struct yo_shogi_net {
    struct shogi_net_layers layers;
    enum yo_shogi_net_kind kind;
    size_t inputs;
    int16_t (*weights)[SHOGI_NET_SUMS];    /* [input] */
    int scale;                             /* FV_SCALE: network output per centipawn */
    const struct shogi_net_kernel *kernel; /* the fastest available; tests may replace it */
    uint64_t id;                           /* hash of the file's bytes, identifies the network */
};

/* The diag for an invalid file states what was expected. */
enum yo_err yo_shogi_net_read(const uint8_t *bytes, size_t size, struct yo_shogi_net **net,
                              struct yo_diag *diag);
enum yo_err yo_shogi_net_load(const char *path, struct yo_shogi_net **net, struct yo_diag *diag);
/* The built-in one, nets/shogi.nn.bin, by cmake/embed.cmake. */
extern const unsigned char yo_shogi_net_bytes[];
extern size_t yo_shogi_net_bytes_len(void);
/* All weights are zero; for whoever fills them in and writes a file. */
enum yo_err yo_shogi_net_new(enum yo_shogi_net_kind kind, struct yo_shogi_net **net);
void yo_shogi_net_write(const struct yo_shogi_net *net, struct yo_buf *out);
void yo_shogi_net_delete(struct yo_shogi_net *net);
/* The rows of weights of an input of K-P, at most two; returns how many. */
static inline int shogi_net_rows(const struct yo_shogi_net *net, const struct shogi_viewpoint *view,
                                 size_t input, const int16_t **rows) {
    size_t inputs[2];
    int count = shogi_inputs_of(view, input, inputs);
    for (int i = 0; i < count; i++)
        rows[i] = net->weights[inputs[i]];
    return count;
}
/* "K-P 256x2-32-32" */
const char *yo_shogi_net_name(const struct yo_shogi_net *net);
