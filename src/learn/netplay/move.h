/* The searches of a game: their beginning, and the moves that they end with. */
#pragma once

#include "learn/netplay/game.h"

/* Draws the kind of the next search. A full one begins with an empty tree, since its target should
 * come from visits with noise; a fast one keeps what is known. */
void yo_netplay_move_plan(struct yo_netplay_game *g);
/* The root has its answer: begins the search. */
void yo_netplay_move_begin(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch);
/* Whether the root's search is over. */
bool yo_netplay_move_due(const struct yo_netplay_game *g);
/* Plays a move, drawn by the policy in the opening, else by the search, and records it. */
enum yo_err yo_netplay_move(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                            struct yo_diag *diag);
