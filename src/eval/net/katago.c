#include "eval/net/katago.h"

#include <stdio.h>

#include "base/diag.h"
#include "eval/net/katago_blocks.h"

/* Numbers reserved for later versions; a non-zero one is an unsupported feature. */
static enum yo_err read_unused(struct yo_katago_reader *r, int count, const char *refusal) {
    for (int i = 0; i < count; i++) {
        int value;
        enum yo_err err =
            yo_net_stream_int(r->stream, "an option", -1000000, 1000000, &value, r->diag);
        if (err) return err;
        if (value != 0) return yo_katago_refuse(r, refusal);
    }
    return YO_OK;
}

/* ---- trunk and heads ---- */

static enum yo_err read_trunk(struct yo_katago_reader *r, int *trunk) {
    int blocks, channels, unused, vector, x;
    struct yo_katago_layer stem, globals;
    struct yo_katago_norm tip;
    enum yo_err err = yo_katago_part(r, "the name of the trunk");
    if (!err)
        err = yo_net_stream_int(r->stream, "the number of blocks", 1, YO_KATAGO_MAX_BLOCKS, &blocks,
                                r->diag);
    if (!err)
        err = yo_net_stream_int(r->stream, "the trunk's channels", 1, YO_NET_MAX_CHANNELS,
                                &channels, r->diag);
    /* Channel counts inside blocks; ignored, since each block states its own. */
    for (int i = 0; i < 4 && !err; i++)
        err = yo_net_stream_int(r->stream, "a number of channels", 0, YO_NET_MAX_CHANNELS, &unused,
                                r->diag);
    if (!err && r->version >= 15)
        err = read_unused(r, 6, "the trunk's normalisation is of a kind that is not supported");
    if (!err) err = yo_katago_conv(r, &stem);
    if (!err) err = yo_katago_dense(r, &globals);
    if (!err) err = yo_katago_add(r, &globals, 1, &vector);
    if (err) return err;
    stem.op.add_vector = vector;
    err = yo_katago_add(r, &stem, 0, &x);
    if (!err && stem.op.out_channels != channels)
        err = yo_net_stream_error(r->stream, YO_ERR_PARSE, r->diag,
                                  "it has another number of channels than the trunk");
    if (!err) err = yo_katago_blocks(r, blocks, &x);
    if (!err) err = yo_katago_norm(r, &tip);
    if (!err) err = yo_katago_add_norm(r, &tip, x, trunk);
    return err;
}

static int policy_channels(int version) { return version >= 16 ? 4 : version >= 12 ? 2 : 1; }

static enum yo_err check_channels(struct yo_katago_reader *r, const struct yo_katago_layer *layer,
                                  int channels) {
    if (layer->op.out_channels == channels) return YO_OK;
    char text[80];
    snprintf(text, sizeof text, "it has %d output channels, not %d", layer->op.out_channels,
             channels);
    yo_net_stream_part(r->stream, layer->op.name);
    return yo_net_stream_error(r->stream, YO_ERR_PARSE, r->diag, text);
}

/* Since version 15 the pass has a hidden layer of its own. */
static enum yo_err read_pass(struct yo_katago_reader *r, int pooled) {
    struct yo_katago_layer dense;
    int in = pooled;
    enum yo_err err = yo_katago_dense(r, &dense);
    if (!err && r->version >= 15) {
        err = yo_katago_bias(r, &dense);
        if (!err) err = yo_katago_activation(r, &dense.op.activation);
        if (!err) err = yo_katago_add(r, &dense, pooled, &in);
        if (!err) err = yo_katago_dense(r, &dense);
    }
    if (!err) err = check_channels(r, &dense, policy_channels(r->version));
    if (!err) err = yo_katago_add(r, &dense, in, &r->graph->outputs[YO_NET_OUT_PASS]);
    return err;
}

static enum yo_err read_policy_head(struct yo_katago_reader *r, int trunk) {
    struct yo_katago_layer conv, pool_conv, dense, last;
    struct yo_katago_norm pool_norm, norm;
    int pooled, vector, p;
    enum yo_err err = yo_katago_part(r, "the name of the policy head");
    if (!err) err = yo_katago_conv(r, &conv);
    if (!err) err = yo_katago_conv(r, &pool_conv);
    if (!err) err = yo_katago_norm(r, &pool_norm);
    if (!err) err = yo_katago_dense(r, &dense);
    if (!err) err = yo_katago_norm(r, &norm);
    if (!err) err = yo_katago_conv(r, &last);
    if (!err) err = yo_katago_fold(r, &conv, &norm);
    if (!err)
        err =
            yo_katago_add_pooled(r, &pool_conv, &pool_norm, &dense, &norm, trunk, &pooled, &vector);
    if (err) return err;
    conv.op.add_vector = vector;
    err = yo_katago_add(r, &conv, trunk, &p);
    if (!err) err = check_channels(r, &last, policy_channels(r->version));
    if (!err) err = yo_katago_add(r, &last, p, &r->graph->outputs[YO_NET_OUT_POLICY]);
    return err ? err : read_pass(r, pooled);
}

static enum yo_err read_output(struct yo_katago_reader *r, int in, int channels,
                               enum yo_net_role role) {
    struct yo_katago_layer dense;
    enum yo_err err = yo_katago_dense(r, &dense);
    if (!err) err = yo_katago_bias(r, &dense);
    if (!err) err = check_channels(r, &dense, channels);
    if (!err) err = yo_katago_add(r, &dense, in, &r->graph->outputs[role]);
    return err;
}

static enum yo_err read_value_head(struct yo_katago_reader *r, int trunk) {
    struct yo_katago_layer conv, dense, owner;
    struct yo_katago_norm norm;
    int v, pooled, hidden;
    enum yo_err err = yo_katago_part(r, "the name of the value head");
    if (!err) err = yo_katago_conv(r, &conv);
    if (!err) err = yo_katago_norm(r, &norm);
    if (!err) err = yo_katago_fold(r, &conv, &norm);
    if (!err) err = yo_katago_add(r, &conv, trunk, &v);
    if (!err) err = yo_katago_add_pool(r, v, YO_NET_POOL_VALUE, &pooled);
    if (!err) err = yo_katago_dense(r, &dense);
    if (!err) err = yo_katago_bias(r, &dense);
    if (!err) err = yo_katago_activation(r, &dense.op.activation);
    if (!err) err = yo_katago_add(r, &dense, pooled, &hidden);
    if (!err) err = read_output(r, hidden, 3, YO_NET_OUT_VALUE);
    if (!err) err = read_output(r, hidden, r->version >= 9 ? 6 : 4, YO_NET_OUT_SCORE);
    if (!err) err = yo_katago_conv(r, &owner);
    if (!err) err = check_channels(r, &owner, 1);
    if (!err) err = yo_katago_add(r, &owner, v, &r->graph->outputs[YO_NET_OUT_OWNERSHIP]);
    return err;
}

/* ---- the file ---- */

static enum yo_err read_version(struct yo_katago_reader *r, struct yo_net *net) {
    enum yo_err err = yo_net_stream_word(r->stream, "the name of the network", net->name,
                                         sizeof net->name, r->diag);
    if (!err)
        err = yo_net_stream_int(r->stream, "the model version", 0, 1000, &r->version, r->diag);
    if (err) return err;
    net->version = r->version;
    if (r->version >= YO_KATAGO_MIN_VERSION && r->version <= YO_KATAGO_MAX_VERSION) return YO_OK;
    char text[80];
    snprintf(text, sizeof text, "KataGo's model version %d is not supported", r->version);
    return yo_katago_refuse(r, text);
}

static enum yo_err read_multipliers(struct yo_katago_reader *r, struct yo_net_multipliers *m) {
    *m = (struct yo_net_multipliers){.td_score = 20,
                                     .score_mean = 20,
                                     .score_stdev = 20,
                                     .lead = 20,
                                     .variance_time = 40,
                                     .shortterm_value_error = 0.25,
                                     .shortterm_score_error = 30};
    if (r->version < 13) return YO_OK;
    double *const all[] = {&m->td_score,
                           &m->score_mean,
                           &m->score_stdev,
                           &m->lead,
                           &m->variance_time,
                           &m->shortterm_value_error,
                           &m->shortterm_score_error};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        enum yo_err err = yo_net_stream_double(r->stream, "a multiplier", all[i], r->diag);
        if (err) return err;
        if (*all[i] <= 0)
            return yo_net_stream_error(r->stream, YO_ERR_PARSE, r->diag,
                                       "a multiplier is not positive");
    }
    return YO_OK;
}

static enum yo_err read_options(struct yo_katago_reader *r) {
    if (r->version < 15) return YO_OK;
    enum yo_err err =
        read_unused(r, 1, "networks with a metadata encoder (of human games) are not supported");
    return err ? err : read_unused(r, 7, "the network has an option that is not supported");
}

static enum yo_err read_network(struct yo_katago_reader *r, struct yo_net *net) {
    int planes, globals, trunk;
    enum yo_err err = read_version(r, net);
    if (!err)
        err = yo_net_stream_int(r->stream, "the number of input planes", YO_KATAGO_PLANES,
                                YO_KATAGO_PLANES, &planes, r->diag);
    if (!err)
        err = yo_net_stream_int(r->stream, "the number of global inputs", YO_KATAGO_GLOBALS,
                                YO_KATAGO_GLOBALS, &globals, r->diag);
    if (!err) err = read_multipliers(r, &net->multipliers);
    if (!err) err = read_options(r);
    if (!err) err = yo_net_graph_init(r->graph, planes, globals, r->diag);
    if (!err) err = read_trunk(r, &trunk);
    if (!err) err = read_policy_head(r, trunk);
    if (!err) err = read_value_head(r, trunk);
    return err ? err : yo_net_stream_end(r->stream, r->diag);
}

enum yo_err yo_katago_read(const void *bytes, size_t len, struct yo_net *net,
                           struct yo_diag *diag) {
    *net = (struct yo_net){.format = YO_NET_KATAGO};
    struct yo_katago_reader reader = {.graph = &net->graph, .diag = diag};
    enum yo_err err = yo_net_stream_new(bytes, len, &reader.stream, diag);
    if (err) return err;
    err = read_network(&reader, net);
    yo_net_stream_delete(reader.stream);
    if (err) yo_net_graph_free(&net->graph);
    return err;
}

/* True for gzip, or for a word, white space and a number. */
bool yo_katago_sniff(const void *bytes, size_t len) {
    const unsigned char *b = bytes;
    if (len >= 2 && b[0] == 0x1f && b[1] == 0x8b) return true;
    size_t i = 0;
    while (i < len && i < 256 && b[i] > ' ' && b[i] < 0x7f)
        i++;
    if (i == 0 || i == len || i == 256) return false;
    while (i < len && i < 300 && (b[i] == ' ' || (b[i] >= '\t' && b[i] <= '\r')))
        i++;
    return i < len && b[i] >= '0' && b[i] <= '9';
}
