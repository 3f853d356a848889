/* Text of positions, squares and moves: SFEN and USI. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

#define YO_SHOGI_START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
enum { YO_SHOGI_SFEN_MAX = 192, YO_SHOGI_MOVE_TEXT = 8 };

/* A SFEN, with or without the word "sfen" before it; the move number may be missing. Columns in
 * diag count from the beginning of text. *pos changes only on success. */
enum yo_err yo_shogi_sfen_parse(const char *text, struct yo_shogi_position *pos,
                                struct yo_diag *diag);
char *yo_shogi_sfen_format(const struct yo_shogi_position *pos, char out[YO_SHOGI_SFEN_MAX]);
void yo_shogi_position_start(struct yo_shogi_position *pos);

/* "7g7f", "8h2b+", "P*5e": the form alone is looked at, not whether the move is legal. */
enum yo_err yo_shogi_move_parse(const char *text, yo_shogi_move *move, struct yo_diag *diag);
/* "none" for no move. */
char *yo_shogi_move_format(yo_shogi_move move, char out[YO_SHOGI_MOVE_TEXT]);
/* "7g". */
char *yo_shogi_square_format(int square, char out[3]);

/* The letter of a kind that is not promoted, upper case. */
extern const char yo_shogi_letters[];
/* The kind of a letter in either case, or 0. */
int yo_shogi_kind_of_letter(char letter);
