/* Plays a record's main line into a game, and finds the game's place in the record. */
#pragma once

#include "game/go/sgf/info.h"
#include "game/go/sgf/tree.h"

/* Moves count from the start of the record, across all setup. A replay stops before the move of
 * this number (0: none) and before the first move on this point (YO_GO_NONE: none). */
struct sgf_stop {
    size_t number;
    yo_go_point point;
};

struct sgf_replayed {
    struct yo_go_game *game;
    struct yo_sgf_node *start; /* the game's history begins after this node's setup */
    struct yo_sgf_node *last;  /* the last node visited; it may contain the move stopped before */
    bool stopped;
    size_t moves; /* of the record that were played, over all starts */
    /* err not YO_OK: a move that cannot be played, before which the replay stopped. */
    struct yo_diag warning;
};

/* HA without stones: how many the record leaves out, which then stand on their usual points; 0 if
 * they are set up, Black places them by moves, or the board has no such points. The standard
 * requires AB, but some programs leave it out. */
int yo_sgf_left_out_handicap(const struct yo_sgf_node *root, const struct sgf_info *info);

/* Otherwise like yo_sgf_to_game. rules: as yo_sgf_info_read has it. */
enum yo_err yo_sgf_replay(const struct yo_sgf *sgf, size_t game_index,
                          const struct yo_go_rules *rules, struct sgf_stop stop,
                          struct sgf_replayed *replayed, struct yo_diag *diag);

/* The first property that adds or removes stones; NULL if there is none. */
const struct sgf_property *yo_sgf_find_setup(const struct yo_sgf_node *node);
/* Gives the points that the node's setup names their colours; the others stay as they are. colors
 * has size*size entries. */
enum yo_err yo_sgf_read_setup(const struct yo_sgf *sgf, const struct yo_sgf_node *node, int size,
                              uint8_t *colors, struct yo_diag *diag);
/* The first move at or after a property, or NULL. A move outside the board is YO_GO_NONE. */
const struct sgf_property *yo_sgf_next_move(const struct sgf_property *property, int size,
                                            struct yo_go_played *played);
