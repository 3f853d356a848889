/* UCT on an evaluator as a yo_search, for any game: a game that needs more (passing, scope, priors)
 * has its own search, as in search/go/. */
#pragma once

#include "eval/eval.h"
#include "search/search.h"
#include "search/uct/options.h"

/* The evaluator gives values, or playouts by its first policy; the caller owns it, and it must
 * outlive the search. */
enum yo_err yo_uct_search_new(const struct yo_game_ops *game, struct yo_eval eval,
                              const struct yo_uct_options *options, struct yo_search *search,
                              struct yo_diag *diag);
