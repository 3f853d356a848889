/* What positions of shogi are worth by short searches of a network, thousands of them at once: each
 * is a game of self-play that is one move long. */
#pragma once

#include "learn/netplay/run.h"

/* Sets chances[i] to the chance to win of the side to move in sample i (game/shogi/packed.h), by
 * `visits` visits without noise; to -1 where the game is over. Of `how` the network, its backend,
 * notices, stop, progress and what yo_netplay_run_fit fills in are used. name is for messages. */
enum yo_err yo_netplay_values(const struct yo_netplay_run *how, unsigned visits,
                              const uint8_t *samples, size_t count, const char *name,
                              float *chances, struct yo_diag *diag);
