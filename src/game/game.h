/* The interface between a game and a search. One const table of functions for each game; positions
 * are the caller's storage of `position_size` bytes, copied by memcpy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

/* A move of any game; the game's own code gives it meaning. */
typedef uint32_t yo_move;
#define YO_MOVE_NONE ((yo_move)0xffffffffu)

enum yo_outcome { YO_OUTCOME_NONE, YO_OUTCOME_FIRST, YO_OUTCOME_SECOND, YO_OUTCOME_DRAW };

/* Identifies a state of a game, so that a search can check whether its tree still applies. */
struct yo_game_mark {
    uint64_t key; /* hash of the rules, the start and the moves so far; 0: none */
    size_t length;
};

struct yo_game_ops {
    const char *name;
    size_t position_size;
    size_t max_moves;  /* upper bound of the moves of a position */
    size_t move_bound; /* every move is below it: the size of a table indexed by move */
    yo_move move_null; /* the null move: a pass in Go; YO_MOVE_NONE if the game has none */

    /* The current position of a game (struct yo_go_game, struct yo_shogi_game), with the history
     * that superko and repetition need. The game outlives the position and does not change. */
    void (*from_game)(const void *game, void *position);
    struct yo_game_mark (*mark)(const void *game);
    /* Whether the game continues the marked one by moves of both sides in turn. If so, writes the
     * moves since the mark, at most `room`; with more moves than that the result is false. */
    bool (*since)(const void *game, const struct yo_game_mark *mark, yo_move *moves, size_t room,
                  size_t *count);
    /* 0: the side that moves first in the game; 1: the other. */
    int (*side_to_move)(const void *position);
    size_t (*moves)(const void *position, yo_move *out);
    /* Only for moves that `moves` returned. */
    void (*play)(void *position, yo_move move);
    /* YO_OUTCOME_NONE while the game goes on. */
    enum yo_outcome (*outcome)(const void *position);
    uint64_t (*hash)(const void *position);
    /* Text of a move; out has room for at least 16 bytes. Returns out. */
    char *(*format)(const void *position, yo_move move, char *out);
    enum yo_err (*parse)(const void *position, const char *text, yo_move *move,
                         struct yo_diag *diag);
};
