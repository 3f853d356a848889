/* What self-play needs to know of a game beside game/game.h and its network inputs: how games
 * begin, when they end, and who owns what then. One table for each game. */
#pragma once

#include "eval/eval.h"
#include "learn/netplay/record.h"

/* How a game ended. */
struct yo_netplay_result {
    enum yo_outcome outcome;
    int lead2; /* of the first side */
    size_t cells;
    uint8_t owner[YO_NETPLAY_CELLS_MAX];
};

struct yo_netplay_rules {
    uint8_t id; /* in records */
    const struct yo_game_ops *game;

    /* Draws the setup of a new game for a board of this size, by settings of the game's own type.
     * Returns its length. */
    size_t (*draw)(const void *settings, int size, uint64_t *random,
                   uint8_t setup[YO_NETPLAY_SETUP_MAX]);
    /* A game (of the type that game->from_game takes) from its setup; refuses a wrong one. */
    enum yo_err (*create)(const uint8_t *setup, size_t len, void **game, struct yo_diag *diag);
    void (*destroy)(void *game);
    int (*size)(const uint8_t *setup, size_t len); /* of the board; 0: a wrong setup */
    size_t (*moves_max)(int size);                 /* of a position */
    /* Errors: an illegal move. */
    enum yo_err (*play)(void *game, yo_move move, struct yo_diag *diag);

    /* Whether the game has ended at this position, which is no leaf of a search. */
    enum yo_netplay_end (*ended)(const void *position);
    void (*result)(const void *position, struct yo_netplay_result *result);
    /* The moves worth a search, sorted upwards, at least one. */
    size_t (*root_moves)(const void *position, yo_move *moves);
    /* The value of a leaf where the game is over (outcome() of the table is not NONE), for the side
     * to move. */
    void (*finish)(const void *position, struct yo_eval_value *value);
    size_t (*cells)(const void *position);   /* unit of scores and lengths */
    int (*length_max)(const void *position); /* moves until a game is cut */
    double opening; /* mean number of drawn moves, as a share of the cells */

    /* A solver that finds out whether the side to move can force a win, looking at so many
     * positions; one for each thread. NULL: the game has none. */
    void *(*solver_new)(void);
    void (*solver_delete)(void *solver);
    bool (*wins)(void *solver, const void *position, unsigned nodes);
};
