#include "eval/shogi/net_open.h"

#include <string.h>

enum yo_err yo_shogi_net_open(const char *name, struct yo_shogi_net **net, struct yo_diag *diag) {
    *net = NULL;
    if (strcmp(name, "material") == 0) return YO_OK;
    if (strcmp(name, "builtin") == 0)
        return yo_shogi_net_read(yo_shogi_net_bytes, yo_shogi_net_bytes_len(), net, diag);
    return yo_shogi_net_load(name, net, diag);
}
