/* UCT for Go, as a yo_search: the position is a struct yo_go_game. Adds to the tree search what the
 * end of a game needs (when to pass, which stones are dead), and keeps the tree as long as each
 * game continues the previous one. */
#pragma once

#include "eval/eval.h"
#include "search/go/options.h"
#include "search/search.h"

/* eval provides the playouts that judge dead stones; the caller owns it, and it must outlive the
 * search. */
enum yo_err yo_uct_go_new(struct yo_eval eval, const struct yo_uct_go_options *options,
                          struct yo_search *search, struct yo_diag *diag);
