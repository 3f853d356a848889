/* Move generators. Lists are the caller's and hold YO_SHOGI_LIST entries; each function returns the
 * number of moves. All except yo_shogi_pseudo_moves generate legal moves only. Legal moves that
 * never pay (leaving a pawn unpromoted) are included. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

/* Every legal move. */
size_t yo_shogi_legal_moves(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* Pseudo-legal moves: without nifu and moves to squares where the piece could never move again;
 * ignores the safety of the own king and mate by a pawn drop. In check: only moves that may resolve
 * the check, by a cheap test. */
size_t yo_shogi_pseudo_moves(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* Is this pseudo-legal move legal? */
bool yo_shogi_is_legal(const struct yo_shogi_position *pos, yo_shogi_move move);

/* Legal captures, and legal moves that capture nothing. In check: evasions only. */
size_t yo_shogi_captures(const struct yo_shogi_position *pos, yo_shogi_move *out);
size_t yo_shogi_quiets(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* Legal moves that give check, when in check too. */
size_t yo_shogi_checks(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* Legal moves out of check; only in check. */
size_t yo_shogi_evasions(const struct yo_shogi_position *pos, yo_shogi_move *out);

/* Is there any legal move? */
bool yo_shogi_can_move(const struct yo_shogi_position *pos);
/* Is an arbitrary move (from a table, from a person) legal? */
bool yo_shogi_move_is_sound(const struct yo_shogi_position *pos, yo_shogi_move move);

/* Is a pawn drop by the side to move on this square, in front of the king, mate? */
bool yo_shogi_pawn_drop_mates(const struct yo_shogi_position *pos, int square);

/* A move that mates at once, or YO_SHOGI_NO_MOVE. */
yo_shogi_move yo_shogi_mate_in_one(const struct yo_shogi_position *pos);
