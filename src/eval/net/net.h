/* A network read from a file: the graph that backends run, and how its format defines the outputs.
 */
#pragma once

#include "eval/net/graph.h"

enum yo_net_format {
    YO_NET_KATAGO,  /* Go: model files of versions 8 to 16 */
    YO_NET_DLSHOGI, /* shogi: ONNX with 62 and 57 input planes */
    YO_NET_PIECES,  /* shogi: ONNX with 104 input planes */
};

/* The meaning of a shogi network's value, for the side to move. */
enum yo_net_value_kind {
    YO_NET_CHANCE,  /* winning probability */
    YO_NET_BALANCE, /* -1 to 1 */
    YO_NET_LOGIT,   /* winning probability before the sigmoid */
};

/* Multipliers of a KataGo model's raw outputs; the defaults are those of old versions. */
struct yo_net_multipliers {
    double td_score, score_mean, score_stdev, lead, variance_time;
    double shortterm_value_error, shortterm_score_error;
};

struct yo_net {
    enum yo_net_format format;
    int version;                           /* of the format */
    char name[100];                        /* stored in the file */
    struct yo_net_multipliers multipliers; /* KATAGO */
    enum yo_net_value_kind value_kind;     /* DLSHOGI, PIECES */
    struct yo_net_graph graph;
};

/* Reads a network from the bytes of a file in any supported format. The bytes are not needed
 * afterwards. */
enum yo_err yo_net_read(const void *bytes, size_t len, struct yo_net **net, struct yo_diag *diag);
/* The same from a file; errors name it. */
enum yo_err yo_net_open(const char *path, struct yo_net **net, struct yo_diag *diag);
void yo_net_delete(struct yo_net *net);
