/* Opening books for Go: SGF collections whose variations are the book's moves. Every game tree
 * holds for its board size and komi, however the board is turned. The property SBKV of a move, as
 * Sabaki writes it, is Black's chance to win in percent. Read once, then constant. */
#pragma once

#include "yomi/go.h"

struct yo_go_book;

struct yo_go_book_move {
    yo_go_point move;
    double winrate_to_move; /* 0..1; -1: the book has none */
};

/* Moves that cannot be played end their line. */
enum yo_err yo_go_book_read(const char *bytes, size_t len, const char *name,
                            struct yo_go_book **book, struct yo_diag *diag);
enum yo_err yo_go_book_load(const char *path, struct yo_go_book **book, struct yo_diag *diag);
void yo_go_book_delete(struct yo_go_book *book);

/* Moves of all positions. */
size_t yo_go_book_moves(const struct yo_go_book *book);
/* The legal book moves of `color` in the game's position, in the book's order, at most `max`.
 * Returns their number. Nothing where the komi differs by more than a point and a half. */
size_t yo_go_book_find(const struct yo_go_book *book, const struct yo_go_game *game,
                       enum yo_go_color color, struct yo_go_book_move *moves, size_t max);

/* The same for positions that are equal when turned or mirrored; includes the side to move. */
uint64_t yo_go_book_key(const struct yo_go_game *game, enum yo_go_color color);
