/* Hands work over to another backend in the middle of a run. */
#pragma once

#include "eval/playout/backend.h"

/* Plays a piece that was already taken from the source (none if it has no games left), and then
 * everything else that the source has. */
void yo_hw_play_rest(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size, const struct yo_playout_piece *piece,
                     const struct yo_playout_source *source, void *scratch);
