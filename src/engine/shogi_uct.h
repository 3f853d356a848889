/* UCT for shogi, made from a session's options: a kind of search (kinds.h). A leaf's value is
 * alpha-beta's static evaluation through a sigmoid. */
#pragma once

#include "engine/kinds.h"

enum yo_err yo_shogi_make_uct(const struct yo_search_setup *setup, struct yo_search *search,
                              struct yo_diag *diag);
