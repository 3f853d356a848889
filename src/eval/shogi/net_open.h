/* Networks by name: what an option for people takes. */
#pragma once

#include "eval/shogi/net.h"

/* What is used where nothing is asked for: whichever of "builtin" and "material" wins the match of
 * docs/training-log.md. */
#define YO_SHOGI_EVAL_DEFAULT "builtin"

/* "builtin" is the network that the program brings along, "material" is none (*net is NULL then),
 * anything else is a file. */
enum yo_err yo_shogi_net_open(const char *name, struct yo_shogi_net **net, struct yo_diag *diag);
