/* What a position of a search is worth: by a network whose sums follow the moves played and taken
 * back, or by material. One for each thread; the network is shared and must outlive it.
 * Play and back tell it what the search does; the sums are worked out when a value is asked for. */
#pragma once

#include "eval/shogi/kernel.h"

/* Values are within this, so that no value looks like a mate. */
enum { YO_SHOGI_VALUE_MAX = 30000 };

struct shogi_value_level {
    _Alignas(64) int16_t sums[2][SHOGI_NET_SUMS]; /* as Black and White see it */
    bool ready[2];
    struct shogi_input_change change; /* from the level below */
};

struct yo_shogi_values {
    const struct yo_shogi_net *net; /* NULL: material */
    const struct shogi_net_kernel *kernel;
    struct shogi_value_level *levels; /* of the root, and of each move since */
    int top, cap;
};

/* plies: at most so many moves are played beyond the root. */
enum yo_err yo_shogi_values_init(struct yo_shogi_values *values, const struct yo_shogi_net *net,
                                 int plies);
void yo_shogi_values_free(struct yo_shogi_values *values);
/* Another kernel than the fastest, for tests. */
void yo_shogi_values_set_kernel(struct yo_shogi_values *values,
                                const struct shogi_net_kernel *kernel);

/* Begins anew. */
void yo_shogi_values_root(struct yo_shogi_values *values);
/* pos: before the move, which may be YO_SHOGI_NO_MOVE for a pass. */
void yo_shogi_values_play(struct yo_shogi_values *values, const struct yo_shogi_position *pos,
                          yo_shogi_move move);
static inline void yo_shogi_values_back(struct yo_shogi_values *values) {
    if (values->net) values->top--;
}
/* Of the position that the moves led to, for the side to move, in hundredths of a pawn. */
int yo_shogi_value(struct yo_shogi_values *values, const struct yo_shogi_position *pos);
