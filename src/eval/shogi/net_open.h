/* Opens networks by name, as in the user's option. */
#pragma once

#include "eval/shogi/net.h"

/* The default: whichever of "builtin" and "material" wins the match of docs/training-log.md. */
#define YO_SHOGI_EVAL_DEFAULT "builtin"

/* "builtin" is the embedded network, "material" is none (*net is NULL then), anything else is a
 * file. */
enum yo_err yo_shogi_net_open(const char *name, struct yo_shogi_net **net, struct yo_diag *diag);
