/* The mate solver as a yo_search of a struct yo_shogi_game, for `go mate` and similar requests; the
 * limits must have `mate`. The result has one line with its mate distance if there is a mate,
 * `no_mate` if there is none, neither if a limit came first. */
#pragma once

#include "search/search.h"

enum yo_err yo_mate_solver_new(size_t table_mb, struct yo_search *search);
