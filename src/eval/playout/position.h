/* Checking and moving the positions that playouts start from. */
#pragma once

#include "game/game.h"
#include "yomi/playout.h"

/* Only what no backend could bear: the size, the side to move. */
enum yo_err yo_playout_position_outline(const struct yo_playout_position *position,
                                        struct yo_diag *diag);
/* Size, side, stones with liberties, ko on an empty point. */
enum yo_err yo_playout_position_check(const struct yo_playout_position *position,
                                      struct yo_diag *diag);
/* The position after a move, YO_GO_PASS included, of its side to move. */
enum yo_err yo_playout_position_play(const struct yo_playout_position *position, yo_move move,
                                     struct yo_playout_position *after, struct yo_diag *diag);
