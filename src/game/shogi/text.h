/* Text of positions and squares: SFEN. Text of moves is in yomi/shogi.h. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

#define YO_SHOGI_START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

/* A SFEN, with or without the word "sfen" before it; the move number may be missing. Columns in
 * diag count from the beginning of text. *pos changes only on success. */
enum yo_err yo_shogi_sfen_parse(const char *text, struct yo_shogi_position *pos,
                                struct yo_diag *diag);
char *yo_shogi_sfen_format(const struct yo_shogi_position *pos, char out[YO_SHOGI_SFEN_MAX]);
void yo_shogi_position_start(struct yo_shogi_position *pos);

/* "7g". */
char *yo_shogi_square_format(int square, char out[3]);

/* The letter of a kind that is not promoted, upper case. */
extern const char yo_shogi_letters[];
/* The kind of a letter in either case, or 0. */
int yo_shogi_kind_of_letter(char letter);
