#include "eval/net/onnx.h"

#include <stdio.h>

#include "base/diag.h"
#include "eval/net/onnx_build.h"

static bool is_board(const struct yo_onnx_port *port, int64_t planes) {
    return port->dim_count == 4 && port->dims[1] == planes && port->dims[2] == 9 &&
           port->dims[3] == 9;
}

/* dlshogi's two inputs become planes 0 to 61 and 62 to 118. */
static enum yo_err bind_inputs(struct yo_onnx_build *b, struct yo_net *net) {
    const struct yo_onnx_port *ports[2] = {NULL, NULL};
    int count = 0;
    for (int i = 0; i < b->model->input_count; i++) {
        const struct yo_onnx_port *port = &b->model->inputs[i];
        if (yo_onnx_constant(b, port->name)) continue; /* a weight that old files list here too */
        if (count < 2) ports[count] = port;
        count++;
    }
    if (count == 2 && is_board(ports[1], 62)) {
        const struct yo_onnx_port *first = ports[1];
        ports[1] = ports[0];
        ports[0] = first;
    }
    bool dlshogi = count == 2 && is_board(ports[0], 62) && is_board(ports[1], 57);
    bool pieces = count == 1 && is_board(ports[0], 104);
    if (!dlshogi && !pieces) {
        yo_diag_set(b->diag, YO_ERR_UNSUPPORTED, "the inputs are not those of a shogi network");
        yo_diag_hint(b->diag, "62 and 57 planes of 9x9, as dlshogi has them, or 104");
        return YO_ERR_UNSUPPORTED;
    }
    net->format = dlshogi ? YO_NET_DLSHOGI : YO_NET_PIECES;
    enum yo_err err = yo_net_graph_init(b->graph, dlshogi ? 119 : 104, 0, b->diag);
    if (err) return err;
    b->graph->fixed_size = 9;
    err = yo_onnx_bind_input(b, ports[0]->name, 0, dlshogi ? 62 : 104);
    if (!err && dlshogi) err = yo_onnx_bind_input(b, ports[1]->name, 62, 57);
    return err;
}

static enum yo_err bind_outputs(struct yo_onnx_build *b, struct yo_net *net) {
    int *out = b->graph->outputs;
    for (int i = 0; i < b->model->output_count; i++) {
        struct yo_onnx_layer *layer = yo_onnx_layer(b, b->model->outputs[i].name);
        if (!layer) continue;
        int tensor;
        enum yo_err err = yo_onnx_tensor_of(b, layer, &tensor);
        if (err) return err;
        const struct yo_net_tensor *t = &b->graph->tensors[tensor];
        if (t->channels == (t->spatial ? 27 : 27 * 81)) out[YO_NET_OUT_POLICY] = tensor;
        if (t->channels == 1 && !t->spatial) {
            out[YO_NET_OUT_VALUE] = tensor;
            net->value_kind = layer->op.activation == YO_NET_SIGMOID ? YO_NET_CHANCE
                              : layer->op.activation == YO_NET_TANH  ? YO_NET_BALANCE
                                                                     : YO_NET_LOGIT;
        }
    }
    if (out[YO_NET_OUT_POLICY] != YO_NET_NONE && out[YO_NET_OUT_VALUE] != YO_NET_NONE) return YO_OK;
    yo_diag_set(b->diag, YO_ERR_UNSUPPORTED, "the outputs are not those of a shogi network");
    yo_diag_hint(b->diag, "a policy of 27 x 81 and one value, as dlshogi has them");
    return YO_ERR_UNSUPPORTED;
}

static enum yo_err build(struct yo_onnx_build *b, struct yo_net *net) {
    enum yo_err err = yo_onnx_build_start(b);
    if (!err) err = bind_inputs(b, net);
    for (int i = 0; i < b->model->node_count && !err; i++)
        err = yo_onnx_read_node(b, &b->model->nodes[i]);
    return err ? err : bind_outputs(b, net);
}

enum yo_err yo_onnx_read(const void *bytes, size_t len, struct yo_net *net, struct yo_diag *diag) {
    struct yo_onnx_model model;
    *net = (struct yo_net){.version = 1};
    snprintf(net->name, sizeof net->name, "onnx");
    enum yo_err err = yo_onnx_parse(bytes, len, &model, diag);
    struct yo_onnx_build b = {.model = &model, .graph = &net->graph, .diag = diag};
    if (!err) err = build(&b, net);
    yo_onnx_build_end(&b);
    yo_onnx_free(&model);
    if (err) yo_net_graph_free(&net->graph);
    return err;
}

/* The first field is the version of the representation, a number. */
bool yo_onnx_sniff(const void *bytes, size_t len) {
    const unsigned char *b = bytes;
    return len > 4 && b[0] == 0x08 && b[1] > 0 && b[1] < 64;
}
