/* The games that simulated clusters play: of Go or shogi, as the setup has it. */
#pragma once

#include "cmd/cluster/sim_setup.h"

/* A line of a file: for shogi "startpos moves 7g7f", for Go moves from the empty board. */
enum yo_err yo_sim_game_parse(const struct yo_sim_setup *setup, const char *line, void **game,
                              struct yo_diag *diag);
/* Random moves from the beginning. */
enum yo_err yo_sim_game_draw(const struct yo_sim_setup *setup, uint64_t seed, int plies,
                             void **game, struct yo_diag *diag);
void yo_sim_game_delete(const struct yo_sim_setup *setup, void *game);
enum yo_err yo_sim_game_play(const struct yo_sim_setup *setup, void *game, yo_move move,
                             struct yo_diag *diag);
/* Decided by the rules; for shogi also after so many moves. Go is over after two passes and counted
 * as it stands on the board. */
enum yo_outcome yo_sim_game_outcome(const struct yo_sim_setup *setup, const void *game);
/* 0: the side that moved first in the game is to move. */
int yo_sim_game_side(const struct yo_sim_setup *setup, const void *game);
