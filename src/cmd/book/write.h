/* The file of a book: SGF for Go, YaneuraOu's text format for shogi. */
#pragma once

#include "cmd/book/grow.h"

/* Moves that lose more than `keep` against the best of their position are left out. The session's
 * game is the root of the tree before and after. */
enum yo_err yo_book_write(struct yo_book_place *place, const struct yo_book_tree *tree, double keep,
                          struct yo_buf *out, struct yo_diag *diag);
