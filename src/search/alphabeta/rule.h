/* Depth rules: the cost of a move in depth. A search of depth n may spend n plies on each line; a
 * rule that charges less for a move searches it deeper. The rest of alpha-beta does not depend on
 * the rule. */
#pragma once

#include <stdbool.h>

#include "game/shogi/position.h"

/* Depth is counted in parts of a ply. A remainder of less than one is dropped. */
enum { YO_AB_PLY = 64 };

/* A move that is about to be searched. */
struct yo_ab_choice {
    const struct yo_shogi_position *pos;
    yo_shogi_move move;
    yo_shogi_move last; /* the move that led to pos, or YO_SHOGI_NO_MOVE */
    bool best;          /* it leads to the best-valued child; set only if the rule has wants_best */
};

struct yo_ab_rule {
    const char *name;
    bool wants_best; /* the cost depends on which child is the best-valued */
    bool selects;    /* costs already depend on the move: no reductions or extensions */
    const void *data;
    int (*cost)(const struct yo_ab_rule *rule, const struct yo_ab_choice *choice);
};

/* A move costs a ply. */
extern const struct yo_ab_rule yo_ab_rule_plain;
/* YSS's 0.5-ply extension: the child that looks best one ply ahead costs half a ply, so that a
 * search of depth n follows it up to 2n - 1 plies deep. */
extern const struct yo_ab_rule yo_ab_rule_half;
