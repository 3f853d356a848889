/* Each block reads its layers, then adds them to the graph; *x goes from input to output. */
#include "eval/net/katago_blocks.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 4 };

static enum yo_err ordinary_block(struct yo_katago_reader *r, int *x) {
    struct yo_katago_norm before, between;
    struct yo_katago_layer first, last;
    int a, b;
    enum yo_err err = yo_katago_norm(r, &before);
    if (!err) err = yo_katago_conv(r, &first);
    if (!err) err = yo_katago_norm(r, &between);
    if (!err) err = yo_katago_conv(r, &last);
    if (!err) err = yo_katago_fold(r, &first, &between);
    if (!err) err = yo_katago_add_norm(r, &before, *x, &a);
    if (!err) err = yo_katago_add(r, &first, a, &b);
    if (err) return err;
    last.op.add = *x;
    return yo_katago_add(r, &last, b, x);
}

static enum yo_err pooling_block(struct yo_katago_reader *r, int *x) {
    struct yo_katago_norm before, pool_norm, between;
    struct yo_katago_layer first, pool_conv, dense, last;
    int a, pooled, vector, b;
    enum yo_err err = yo_katago_norm(r, &before);
    if (!err) err = yo_katago_conv(r, &first);
    if (!err) err = yo_katago_conv(r, &pool_conv);
    if (!err) err = yo_katago_norm(r, &pool_norm);
    if (!err) err = yo_katago_dense(r, &dense);
    if (!err) err = yo_katago_norm(r, &between);
    if (!err) err = yo_katago_conv(r, &last);
    if (!err) err = yo_katago_fold(r, &first, &between);
    if (!err) err = yo_katago_add_norm(r, &before, *x, &a);
    if (!err)
        err =
            yo_katago_add_pooled(r, &pool_conv, &pool_norm, &dense, &between, a, &pooled, &vector);
    if (err) return err;
    first.op.add_vector = vector;
    err = yo_katago_add(r, &first, a, &b);
    if (err) return err;
    last.op.add = *x;
    return yo_katago_add(r, &last, b, x);
}

static enum yo_err read_blocks(struct yo_katago_reader *r, int count, int depth, int *x);

static enum yo_err nested_block(struct yo_katago_reader *r, int depth, int *x) {
    struct yo_katago_norm before, after;
    struct yo_katago_layer first, last;
    int count, a, y, b;
    enum yo_err err = yo_net_stream_int(r->stream, "the number of inner blocks", 1,
                                        YO_KATAGO_MAX_BLOCKS, &count, r->diag);
    if (!err && depth >= MAX_DEPTH) err = yo_katago_refuse(r, "blocks are nested too deeply");
    if (!err) err = yo_katago_norm(r, &before);
    if (!err) err = yo_katago_conv(r, &first);
    if (!err) err = yo_katago_add_norm(r, &before, *x, &a);
    if (!err) err = yo_katago_add(r, &first, a, &y);
    if (!err) err = read_blocks(r, count, depth + 1, &y);
    if (!err) err = yo_katago_norm(r, &after);
    if (!err) err = yo_katago_conv(r, &last);
    if (!err) err = yo_katago_add_norm(r, &after, y, &b);
    if (err) return err;
    last.op.add = *x;
    return yo_katago_add(r, &last, b, x);
}

static enum yo_err read_blocks(struct yo_katago_reader *r, int count, int depth, int *x) {
    for (int i = 0; i < count; i++) {
        char kind[64];
        enum yo_err err =
            yo_net_stream_word(r->stream, "the kind of a block", kind, sizeof kind, r->diag);
        if (!err) err = yo_katago_part(r, "the name of a block");
        if (err) return err;
        if (strcmp(kind, "ordinary_block") == 0)
            err = ordinary_block(r, x);
        else if (strcmp(kind, "gpool_block") == 0)
            err = pooling_block(r, x);
        else if (strcmp(kind, "nested_bottleneck_block") == 0)
            err = nested_block(r, depth, x);
        else {
            char text[128];
            snprintf(text, sizeof text, "blocks of the kind %s are not supported", kind);
            err = yo_katago_refuse(r, text);
        }
        if (err) return err;
    }
    return YO_OK;
}

enum yo_err yo_katago_blocks(struct yo_katago_reader *r, int count, int *x) {
    return read_blocks(r, count, 0, x);
}
