/* Which backend runs a network if the user names none: the fastest here. That is measured once for
 * a network's shape and a machine, and kept in the user's cache folder, in the file net-backends.
 */
#pragma once

#include "base/buf.h"
#include "eval/net/backend.h"

struct yo_net_choice {
    const struct yo_net_backend *backend;
    double per_second; /* evaluations of the whole machine; 0: not measured */
    bool kept;         /* measured before */
};

/* Where nothing can be kept, or there is nothing to choose from, this is the first in the list of
 * backends that is available. */
void yo_net_choose(const struct yo_net_graph *graph, struct yo_net_choice *choice);
/* The same, but measures and keeps the result even if there is one already. */
void yo_net_choose_again(const struct yo_net_graph *graph, struct yo_net_choice *choice);
/* As yo_net_backend_find; NULL or "auto": the choice. */
const struct yo_net_backend *yo_net_choose_named(const struct yo_net_graph *graph, const char *name,
                                                 struct yo_diag *diag);
/* The path of the file; false if nothing is kept. */
bool yo_net_choices_path(struct yo_buf *path);
/* A line for each choice in it. */
void yo_net_choices_describe(struct yo_buf *out);
