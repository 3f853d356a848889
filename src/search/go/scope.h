/* MoGo's restriction of the search to a part of a large board (section 3.3 of the paper that uct.h
 * names). Group mode restricts the tree to moves near the last ones in the common-fate graph. Zone
 * mode also restricts playouts to the surroundings of that group, and scores the rest of the board
 * as playouts from the root did, corrected towards an even game. */
#pragma once

#include "eval/eval.h"
#include "eval/playout/rollout.h"
#include "search/search.h"
#include "search/uct/uct.h"

struct yo_go_scope_options {
    int group;  /* steps in the graph; 0: the whole board */
    bool zone;  /* needs a group */
    float even; /* alpha of equation 2: how much of the lead so far counts */
};

struct yo_go_scope {
    struct yo_go_scope_options options;
    struct yo_priors base;
    bool on; /* this position has a group */
    uint8_t in_group[YO_GO_POINTS_MAX];
    struct yo_playout_zone zone;
};

/* Finds the group of the game's last two moves, and makes 5,000 playouts to score the board outside
 * its zone, fewer if the deadline or stop comes first. The scope is off where the group is very
 * small or covers nearly the whole board. */
enum yo_err yo_go_scope_find(struct yo_go_scope *scope, const struct yo_go_game *game,
                             struct yo_eval eval, uint64_t seed, int64_t deadline_ms,
                             const atomic_bool *stop, struct yo_diag *diag);

/* Priors that prune moves outside the group. The scope must outlive them. */
struct yo_priors yo_go_scope_priors(struct yo_go_scope *scope, struct yo_priors base);
