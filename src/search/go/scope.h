/* MoGo's ways to look at a part of a large board (section 3.3 of the paper that uct.h names). Group
 * mode keeps the tree to moves near the last ones by the common-fate graph. Zone mode keeps
 * playouts to the surroundings of that group too, and counts the rest of the board as playouts from
 * the root found it, corrected towards an even game. */
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

/* Finds the group of the game's last two moves, and plays 5,000 games for what lies outside its
 * zone, fewer if the deadline or stop comes first. The scope is off where the group is nearly
 * nothing or nearly everything. */
enum yo_err yo_go_scope_find(struct yo_go_scope *scope, const struct yo_go_game *game,
                             struct yo_eval eval, uint64_t seed, int64_t deadline_ms,
                             const atomic_bool *stop, struct yo_diag *diag);

/* Prior knowledge that prunes what is outside the group. The scope outlives it. */
struct yo_priors yo_go_scope_priors(struct yo_go_scope *scope, struct yo_priors base);
