/* Alpha-beta for shogi, made from a session's options: a kind of search (kinds.h). */
#pragma once

#include "engine/kinds.h"

/* Keeps its table when options change, unless the table size changed. */
enum yo_err yo_alphabeta_make(const struct yo_search_setup *setup, struct yo_search *search,
                              struct yo_diag *diag);
