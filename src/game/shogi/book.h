/* Opening books in the community's plain text format, "#YANEURAOU-DB2016 1.00": positions, and
 * under each the moves that are good there. Read once, then constant. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

struct yo_shogi_book;

struct yo_shogi_book_move {
    yo_shogi_move move;
    yo_shogi_move reply; /* the answer that is expected, or none; not checked */
    int value;           /* for the side to move, in hundredths of a pawn */
    int depth;           /* that the value was found at */
    int64_t count;       /* games that had it, or 0 */
};

/* A position or a move that cannot be read is an error that names the line. */
enum yo_err yo_shogi_book_read(const char *bytes, size_t len, struct yo_shogi_book **book,
                               struct yo_diag *diag);
enum yo_err yo_shogi_book_load(const char *path, struct yo_shogi_book **book, struct yo_diag *diag);
void yo_shogi_book_delete(struct yo_shogi_book *book);

size_t yo_shogi_book_positions(const struct yo_shogi_book *book);
/* The legal moves of a position, in the book's order, at most `max`. How the book numbers moves
 * does not matter; of a position that is there twice the first counts. Returns how many there are.
 */
size_t yo_shogi_book_find(const struct yo_shogi_book *book, const struct yo_shogi_position *pos,
                          struct yo_shogi_book_move *moves, size_t max);
