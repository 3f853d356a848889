/* Converts the plain positions of yomi/playout.h to those of the game's table. */
#pragma once

#include "game/go/game_ops.h"
#include "yomi/playout.h"

/* Checks size, side, that every string has a liberty, and that ko is an empty point. */
enum yo_err yo_playout_position_check(const struct yo_playout_position *position,
                                      struct yo_diag *diag);
/* Converts a checked position to one without history, with area rules and no komi. */
void yo_playout_position_to_go(const struct yo_playout_position *position,
                               struct yo_go_position *out);
void yo_playout_position_from_go(const struct yo_go_position *position,
                                 struct yo_playout_position *out);
