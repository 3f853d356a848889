/* Between the plain positions of yomi/playout.h and those of the game's table. */
#pragma once

#include "game/go/game_ops.h"
#include "yomi/playout.h"

/* Size, side, stones with liberties, ko on an empty point. */
enum yo_err yo_playout_position_check(const struct yo_playout_position *position,
                                      struct yo_diag *diag);
/* A position that was checked, as one of a game without a past, by area rules without komi. */
void yo_playout_position_to_go(const struct yo_playout_position *position,
                               struct yo_go_position *out);
void yo_playout_position_from_go(const struct yo_go_position *position,
                                 struct yo_playout_position *out);
