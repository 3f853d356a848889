/* Move generators. Lists are the caller's and hold YO_SHOGI_LIST entries; each function returns how
 * many it wrote. All but the pseudo-legal one give legal moves only. Moves that never pay (leaving
 * a pawn unpromoted) are moves of the game and are among them. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

/* Every legal move. */
size_t yo_shogi_legal_moves(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* As the pieces go, nifu and dead ends respected; the own king's safety and mate by a dropped pawn
 * are not looked at. In check: only what deals with the check, so far as that is cheap to see. */
size_t yo_shogi_pseudo_moves(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* Is this pseudo-legal move legal? */
bool yo_shogi_is_legal(const struct yo_shogi_position *pos, yo_shogi_move move);

/* Legal moves that take something, and those that do not. In check they are its evasions. */
size_t yo_shogi_captures(const struct yo_shogi_position *pos, yo_shogi_move *out);
size_t yo_shogi_quiets(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* Legal moves that give check, when in check too. */
size_t yo_shogi_checks(const struct yo_shogi_position *pos, yo_shogi_move *out);
/* Legal moves out of check; only in check. */
size_t yo_shogi_evasions(const struct yo_shogi_position *pos, yo_shogi_move *out);

/* Is there any legal move? */
bool yo_shogi_can_move(const struct yo_shogi_position *pos);
/* Is a move from anywhere (a table, a person) legal? */
bool yo_shogi_move_is_sound(const struct yo_shogi_position *pos, yo_shogi_move move);

/* A pawn of the side to move, dropped on this square in front of the king: is that mate? */
bool yo_shogi_pawn_drop_mates(const struct yo_shogi_position *pos, int square);

/* A move that mates at once, or YO_SHOGI_NO_MOVE. */
yo_shogi_move yo_shogi_mate_in_one(const struct yo_shogi_position *pos);
