/* The judge of ladders: tries everything that game/go/ladder.h allows, on copies of the naive
 * board. Points are row * size + column. Shares nothing with the engine. */
#pragma once

#include "support/naive_go.h"

/* Counts up while reading; the caller sets it to 0. Past the limit the prey counts as free. */
#define NAIVE_LADDER_MAX 20000
extern int naive_ladder_nodes;

int naive_liberties(const struct naive_board *board, int stone);
/* Is the point an empty one next to the string at `of`? */
bool naive_is_liberty(const struct naive_board *board, int point, int of);
/* Is the point the last liberty of a string of the other side in atari that touches the one at
 * prey?
 */
bool naive_takes_chaser(const struct naive_board *board, int point, int prey);
/* The string at prey is in atari, and its side plays there: is it free? */
bool naive_escapes_by(const struct naive_board *board, int prey, int point);
/* The string at prey has two liberties, and the other side plays there: is it caught? */
bool naive_catches_by(const struct naive_board *board, int prey, int point);
/* Its side plays there, whatever the string's liberties: is it free? */
bool naive_frees(const struct naive_board *board, int prey, int point);
