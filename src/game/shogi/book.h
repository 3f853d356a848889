/* Opening books in the plain text format "#YANEURAOU-DB2016 1.00": positions, each followed by its
 * book moves. Read once, then constant. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

struct yo_shogi_book;

struct yo_shogi_book_move {
    yo_shogi_move move;
    yo_shogi_move reply; /* the expected reply, or none; not checked */
    int value;           /* for the side to move, in hundredths of a pawn */
    int depth;           /* of the search that gave the value */
    int64_t count;       /* games with this move, or 0 */
};

/* A malformed position or move is an error that names the line. */
enum yo_err yo_shogi_book_read(const char *bytes, size_t len, struct yo_shogi_book **book,
                               struct yo_diag *diag);
enum yo_err yo_shogi_book_load(const char *path, struct yo_shogi_book **book, struct yo_diag *diag);
void yo_shogi_book_delete(struct yo_shogi_book *book);

size_t yo_shogi_book_positions(const struct yo_shogi_book *book);
/* The legal book moves of a position, in the book's order, at most `max`. Ignores the book's move
 * numbers; of a position that occurs twice the first counts. Returns the number of moves. */
size_t yo_shogi_book_find(const struct yo_shogi_book *book, const struct yo_shogi_position *pos,
                          struct yo_shogi_book_move *moves, size_t max);
