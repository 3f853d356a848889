/* A record's main line played into a game, and where in the record that game stands. */
#pragma once

#include "game/go/sgf/tree.h"

/* Moves are counted from the start of the record, over all setup. A replay stops before the move of
 * this number (0: none) and before the first on this point (YO_GO_NONE: none). */
struct sgf_stop {
    size_t number;
    yo_go_point point;
};

struct sgf_replayed {
    struct yo_go_game *game;
    struct yo_sgf_node *start; /* the game's history begins here, behind this node's setup */
    struct yo_sgf_node *last;  /* the last node looked at; its move may be the one stopped before */
    bool stopped;
};

/* Else as yo_sgf_to_game. */
enum yo_err yo_sgf_replay(const struct yo_sgf *sgf, size_t game_index, struct sgf_stop stop,
                          struct sgf_replayed *replayed, struct yo_diag *diag);

/* The first property that puts stones or takes them away; NULL if there is none. */
const struct sgf_property *yo_sgf_find_setup(const struct yo_sgf_node *node);
/* The first move from a property on, or NULL; one that is no point of the board is YO_GO_NONE. */
const struct sgf_property *yo_sgf_next_move(const struct sgf_property *property, int size,
                                            struct yo_go_played *played);
