/* The root of a self-play search: noise before it, and the policy target and the move after it. */
#pragma once

#include "learn/netplay/record.h"
#include "learn/netplay/tree.h"

/* Mixes Dirichlet noise into the root's priors; alpha is the total over all moves. */
void yo_netplay_root_noise(struct yo_netplay_tree *tree, float share, float alpha,
                           uint64_t *random);

/* The moves of the root with their visits, the most visited first. With `pruned`, visits that were
 * spent only because they were forced are taken off: a move keeps as many as PUCT would have given
 * it against the value of the best move (Wu, "Accelerating self-play learning in Go", 2019, section
 * 3.2). room: at least the kids of the root. Returns the number of moves. */
size_t yo_netplay_root_visits(const struct yo_netplay_tree *tree,
                              const struct yo_netplay_puct *puct, bool pruned,
                              struct yo_netplay_target *out, size_t room);

/* Draws one of the moves by its weight to the power of 1 / temperature. */
size_t yo_netplay_root_pick(const struct yo_netplay_target *moves, size_t count, float temperature,
                            uint64_t *random);
/* Draws a move by the root's priors. */
yo_move yo_netplay_root_draw(const struct yo_netplay_tree *tree, float temperature,
                             uint64_t *random);
