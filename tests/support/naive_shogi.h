/* The judge: shogi on a board of letters, slow and obvious, that shares nothing with the engine's.
 * It speaks SFEN and USI only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct naive_shogi {
    char letter[9]
               [9]; /* [rank][file from the left]: upper case Black's, lower case White's, or 0 */
    bool promoted[9][9];
    int hand[128]; /* by letter of either case */
    bool white;    /* to move */
};

enum { NAIVE_SHOGI_MOVES = 700 };
typedef char naive_shogi_text[8];

void naive_shogi_read(struct naive_shogi *pos, const char *sfen);
/* Every legal move in USI, sorted. */
size_t naive_shogi_moves(const struct naive_shogi *pos, naive_shogi_text *out);
void naive_shogi_play(struct naive_shogi *pos, const char *move);
bool naive_shogi_in_check(const struct naive_shogi *pos, bool white);
/* The piece on the target of a move, as SFEN has it, or 0. */
char naive_shogi_target(const struct naive_shogi *pos, const char *move);
