/* Perft: the number of sequences of legal moves of a given length. Every correct board gives the
 * same count, so perft finds errors that no single position shows. docs/perft.md holds a table.
 *
 * A sequence alternates colours from the side to move. Without passes only stones count. With
 * passes a pass is a move like any other, and two in a row end the game and the sequence. The ko
 * and suicide rules are the position's. */
#pragma once

#include "game/go/game_ops.h"

/* depth 0 counts 1. Exact up to YO_GO_RECENT, the length of history a position keeps. */
uint64_t yo_go_perft(const struct yo_go_position *position, int depth, bool passes);

/* The moves that perft follows from here; at most YO_GO_POINTS_MAX + 1. */
size_t yo_go_perft_moves(const struct yo_go_position *position, bool passes, yo_go_point *moves);
