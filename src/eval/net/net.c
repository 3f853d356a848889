#include "eval/net/net.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "eval/net/katago.h"
#include "eval/net/onnx.h"

enum yo_err yo_net_read(const void *bytes, size_t len, struct yo_net **net, struct yo_diag *diag) {
    bool katago = yo_katago_sniff(bytes, len);
    if (!katago && !yo_onnx_sniff(bytes, len)) {
        yo_diag_set(diag, YO_ERR_PARSE, "this is not a network file");
        yo_diag_hint(
            diag, "KataGo's .bin.gz and .txt.gz files are networks for Go, ONNX files for shogi");
        return YO_ERR_PARSE;
    }
    struct yo_net *made = yo_alloc(1, sizeof *made);
    if (!made) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the network");
    enum yo_err err =
        katago ? yo_katago_read(bytes, len, made, diag) : yo_onnx_read(bytes, len, made, diag);
    if (err) {
        yo_free(made);
        return err;
    }
    *net = made;
    return YO_OK;
}

/* An ONNX file has no name of its own. */
static void name_after_file(struct yo_net *net, const char *path) {
    const char *slash = strrchr(path, '/');
    snprintf(net->name, sizeof net->name, "%s", slash ? slash + 1 : path);
}

enum yo_err yo_net_open(const char *path, struct yo_net **net, struct yo_diag *diag) {
    struct yo_buf file = {0};
    enum yo_err err = yo_file_read(path, &file, diag);
    if (!err) {
        err = yo_net_read(yo_buf_text(&file), file.len, net, diag);
        if (err) yo_diag_where(diag, path, 0, 0);
        if (!err && (*net)->format != YO_NET_KATAGO) name_after_file(*net, path);
    }
    yo_buf_free(&file);
    return err;
}

void yo_net_delete(struct yo_net *net) {
    if (!net) return;
    yo_net_graph_free(&net->graph);
    yo_free(net);
}
