/* Counts the moves played in game records. The result does not depend on the order of the games. */
#pragma once

#include "search/alphabeta/probability.h"

/* One file: a record in CSA, KIF or KI2, whose main line counts, or lines of USI ("startpos moves
 * 7g7f ...", "sfen ... moves ..."). Positions before move number `skip` of a game are left out. A
 * file with an error adds nothing; diag has its place. */
enum yo_err yo_probability_learn(struct yo_probability_table *table, const char *bytes, size_t len,
                                 const char *name, int skip, struct yo_diag *diag);
