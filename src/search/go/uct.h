/* UCT for Go, as a yo_search: the position is a struct yo_go_game. Adds to the tree search what the
 * end of a game of Go asks for (when to pass, which stones are dead), and keeps the tree as long as
 * the game that is shown to it goes on from the one before. */
#pragma once

#include "eval/eval.h"
#include "search/go/options.h"
#include "search/search.h"

/* eval gives the playouts that tell dead stones; it stays the caller's and must outlive the
 * search. */
enum yo_err yo_uct_go_new(struct yo_eval eval, const struct yo_uct_go_options *options,
                          struct yo_search *search, struct yo_diag *diag);
