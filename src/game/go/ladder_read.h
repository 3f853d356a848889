/* The search behind ladder.h and ladder_mark.h: reads one ladder to its end. */
#pragma once

#include "game/go/chase.h"

struct yo_go_ladder_reader {
    struct yo_go_chase chase;
    bool for_net; /* the definition of ladder_mark.h */
    int nodes, depth, nodes_max, depth_max;
};

/* color: all points, and YO_GO_OFF_POINT as YO_GO_OFF. */
void yo_go_ladder_start(struct yo_go_ladder_reader *r, const struct yo_go_geometry *geometry,
                        const uint8_t color[YO_GO_POINTS_MAX + 1], yo_go_point ko, bool for_net);
/* Names the string that is read; r->chase.libs gets its liberties. */
void yo_go_ladder_aim(struct yo_go_ladder_reader *r, yo_go_point prey);

/* A prey in atari moves first. saver: the move that saves it. */
bool yo_go_ladder_saved(struct yo_go_ladder_reader *r, yo_go_point *saver);
/* The same by this move. False if it is not part of the ladder. */
bool yo_go_ladder_saved_by(struct yo_go_ladder_reader *r, yo_go_point p);
/* The attacker moves first against two liberties: by[i] if a move on liberty i catches the prey.
 * both: the second is read also if the first does; for networks the first is the one after which
 * the prey has less. */
void yo_go_ladder_caught(struct yo_go_ladder_reader *r, bool by[2], bool both);
/* The same by this move, one of the two. */
bool yo_go_ladder_caught_by(struct yo_go_ladder_reader *r, yo_go_point p);
/* The prey's side has moved, and the prey may have any number of liberties: is it free? */
bool yo_go_ladder_is_free(struct yo_go_ladder_reader *r);
