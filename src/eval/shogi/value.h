/* What a position of a search is worth: by material. One for each thread. Play and back tell it
 * what the search does. */
#pragma once

#include "game/shogi/position.h"

struct yo_shogi_net;

struct yo_shogi_values {
    const struct yo_shogi_net *net; /* NULL: material */
};

/* plies: at most so many moves are played beyond the root. */
enum yo_err yo_shogi_values_init(struct yo_shogi_values *values, const struct yo_shogi_net *net,
                                 int plies);
void yo_shogi_values_free(struct yo_shogi_values *values);
/* Begins anew. */
void yo_shogi_values_root(struct yo_shogi_values *values);
/* pos: before the move, which may be YO_SHOGI_NO_MOVE for a pass. */
void yo_shogi_values_play(struct yo_shogi_values *values, const struct yo_shogi_position *pos,
                          yo_shogi_move move);
static inline void yo_shogi_values_back(struct yo_shogi_values *values) { (void)values; }
/* Of the position that the moves led to, for the side to move, in hundredths of a pawn. */
int yo_shogi_value(struct yo_shogi_values *values, const struct yo_shogi_position *pos);
