/* A network as it came from a file: the graph that backends run, and what its format says about how
 * the outputs are to be understood. */
#pragma once

#include "eval/net/graph.h"

enum yo_net_format {
    YO_NET_KATAGO,  /* Go: model files of versions 8 to 16 */
    YO_NET_DLSHOGI, /* shogi: ONNX with 62 and 57 input planes */
    YO_NET_PIECES,  /* shogi: ONNX with 104 input planes */
};

/* What the value of a shogi network is, for the side to move. */
enum yo_net_value_kind {
    YO_NET_CHANCE,  /* the chance to win */
    YO_NET_BALANCE, /* -1 to 1 */
    YO_NET_LOGIT,   /* the chance before its sigmoid */
};

/* What raw outputs are multiplied by, of a KataGo model; the defaults are those of old versions. */
struct yo_net_multipliers {
    double td_score, score_mean, score_stdev, lead, variance_time;
    double shortterm_value_error, shortterm_score_error;
};

struct yo_net {
    enum yo_net_format format;
    int version;                           /* of the format */
    char name[100];                        /* that the file gives itself */
    struct yo_net_multipliers multipliers; /* KATAGO */
    enum yo_net_value_kind value_kind;     /* DLSHOGI, PIECES */
    struct yo_net_graph graph;
};

/* From the bytes of a file, whatever format they are in. The bytes are not needed afterwards. */
enum yo_err yo_net_read(const void *bytes, size_t len, struct yo_net **net, struct yo_diag *diag);
/* Errors name the file. */
enum yo_err yo_net_open(const char *path, struct yo_net **net, struct yo_diag *diag);
void yo_net_delete(struct yo_net *net);
