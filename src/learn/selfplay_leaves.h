/* Positions where a search ended its lines, some of them drawn at random. */
#pragma once

#include <stdbool.h>

#include "game/shogi/position.h"

struct selfplay_leaf {
    struct yo_shogi_position pos;
    int score; /* static, for the side to move */
};

struct selfplay_leaves {
    struct selfplay_leaf *drawn;
    uint64_t room;   /* how many can be drawn of a search; 0: none */
    uint64_t most;   /* how many are drawn of this one */
    uint64_t met;    /* in this search */
    uint64_t random; /* of their own, so that they change no game */
};

enum yo_err yo_selfplay_leaves_init(struct selfplay_leaves *leaves, uint64_t room);
/* Before each search. */
static inline void selfplay_leaves_begin(struct selfplay_leaves *leaves, uint64_t most) {
    leaves->most = most < leaves->room ? most : leaves->room;
    leaves->met = 0;
}
static inline uint64_t selfplay_leaves_count(const struct selfplay_leaves *leaves) {
    return leaves->met < leaves->most ? leaves->met : leaves->most;
}
void yo_selfplay_leaves_free(struct selfplay_leaves *leaves);
/* As `leaf` of struct yo_ab_options. Each leaf met so far is among the drawn with the same chance.
 */
void yo_selfplay_leaves_meet(void *leaves, const struct yo_shogi_position *pos, int score);
/* No capture and no promotion gains anything at once. */
bool yo_selfplay_leaf_is_quiet(const struct selfplay_leaf *leaf);
