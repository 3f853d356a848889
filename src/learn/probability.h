/* Counts what was played in game records. What comes out depends on the games alone, not on their
 * order. */
#pragma once

#include "search/alphabeta/probability.h"

/* One file: a record in CSA, KIF or KI2, whose main line counts, or lines of USI ("startpos moves
 * 7g7f ...", "sfen ... moves ..."). Positions before move number `skip` of a game are left out. A
 * file with an error adds nothing, and diag says where it is. */
enum yo_err yo_probability_learn(struct yo_probability_table *table, const char *bytes, size_t len,
                                 const char *name, int skip, struct yo_diag *diag);
