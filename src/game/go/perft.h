/* Perft: how many sequences of legal moves of a given length there are. The count is the same for
 * any correct board, so it finds errors that no single position shows. docs/perft.md holds a
 * table.
 *
 * A sequence alternates colours from the side to move. Without passes only stones count; with
 * them a pass is a move like another, and two in a row end the game, so that no sequence goes on
 * behind them. The ko and suicide rules are the position's. */
#pragma once

#include "game/go/game_ops.h"

/* depth 0 counts 1. Exact up to YO_GO_RECENT, the length of history a position keeps. */
uint64_t yo_go_perft(const struct yo_go_position *position, int depth, bool passes);

/* The moves that perft follows from here; at most YO_GO_POINTS_MAX + 1. */
size_t yo_go_perft_moves(const struct yo_go_position *position, bool passes, yo_go_point *moves);
