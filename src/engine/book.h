/* The opening books of a session: the built-in ones (books/), or a file; and the draw among the
 * moves of a position that are about as good as its best. */
#pragma once

#include "game/go/sgf/book.h"
#include "game/shogi/book.h"

#define YO_BOOK_AUTO    "auto" /* the built-in one, except where yo_book_is_used forbids it */
#define YO_BOOK_BUILTIN "builtin"
#define YO_BOOK_OFF     "off"
#define YO_BOOK_NONE    "no_book" /* the same, as shogi programs call it */

bool yo_book_is_off(const char *name);
/* limited: the user or the client limits playouts, visits, nodes or depth, as experiments do. Then
 * moves come from a book only if one was asked for. */
bool yo_book_is_used(const char *name, bool limited);
/* *book is NULL for a book that is off. */
enum yo_err yo_book_open_go(const char *name, struct yo_go_book **book, struct yo_diag *diag);
enum yo_err yo_book_check_go(const char *name, struct yo_diag *diag); /* whether it opens */
enum yo_err yo_book_open_shogi(const char *name, struct yo_shogi_book **book, struct yo_diag *diag);

/* A move for `color`; false if the book (or NULL) has none. *random: a state of yo_splitmix64. */
bool yo_book_draw_go(const struct yo_go_book *book, const struct yo_go_game *game,
                     enum yo_go_color color, uint64_t *random, struct yo_go_book_move *move);
bool yo_book_draw_shogi(const struct yo_shogi_book *book, const struct yo_shogi_position *position,
                        uint64_t *random, struct yo_shogi_book_move *move);
