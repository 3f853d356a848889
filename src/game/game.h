/* What a search needs to know of a game, and nothing more. One const table of functions for each
 * game; positions are the caller's storage of `position_size` bytes, copied by memcpy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

/* A move of any game; the game's own code gives it meaning. */
typedef uint32_t yo_move;
#define YO_MOVE_NONE ((yo_move)0xffffffffu)

enum yo_outcome { YO_OUTCOME_NONE, YO_OUTCOME_FIRST, YO_OUTCOME_SECOND, YO_OUTCOME_DRAW };

/* How far a game had come, for those who keep something of it, as a tree. */
struct yo_game_mark {
    uint64_t key; /* the rules, the start and the moves so far; 0: none */
    size_t length;
};

struct yo_game_ops {
    const char *name;
    size_t position_size;
    size_t max_moves;  /* upper bound of moves a position can have */
    size_t move_bound; /* every move is below it: the size of a table by move */
    yo_move move_null; /* the move that means nothing wherever it is played; or YO_MOVE_NONE */

    /* The position that a game (struct yo_go_game, struct yo_shogi_game) has come to, with what
     * superko and repetition need of its past. The game outlives it and does not change. */
    void (*from_game)(const void *game, void *position);
    struct yo_game_mark (*mark)(const void *game);
    /* Has the game that was marked gone on to this one, by moves of both sides in turn? Then these
     * are they: *moves points to room for `room` of them, and more are no continuation. */
    bool (*since)(const void *game, const struct yo_game_mark *mark, yo_move *moves, size_t room,
                  size_t *count);
    /* 0: the side that moves first in the game; 1: the other. */
    int (*side_to_move)(const void *position);
    size_t (*moves)(const void *position, yo_move *out);
    /* Only for moves that `moves` gave. */
    void (*play)(void *position, yo_move move);
    /* YO_OUTCOME_NONE while the game goes on. */
    enum yo_outcome (*outcome)(const void *position);
    uint64_t (*hash)(const void *position);
    /* Text of a move, at least 16 bytes; returns out. */
    char *(*format)(const void *position, yo_move move, char *out);
    enum yo_err (*parse)(const void *position, const char *text, yo_move *move,
                         struct yo_diag *diag);
};
