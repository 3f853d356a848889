/* A game of shogi with its history (yomi/shogi.h), for searches and records. */
#pragma once

#include "game/shogi/rules.h"
#include "yomi/shogi.h"

struct yo_shogi_game {
    struct yo_shogi_position *positions; /* `count` of them: the first, and one after each move */
    struct yo_shogi_past *past;          /* likewise */
    yo_shogi_move *moves;                /* `count` - 1 of them */
    size_t count, cap;
    struct yo_shogi_rules rules; /* for searches; the default at first */
};

static inline const struct yo_shogi_position *shogi_game_now(const struct yo_shogi_game *game) {
    return &game->positions[game->count - 1];
}

/* A game that begins at this position, which must be valid. */
enum yo_err yo_shogi_game_begin(const struct yo_shogi_position *start, struct yo_shogi_game **game);
/* Plays a move that is known to be legal. */
enum yo_err yo_shogi_game_add(struct yo_shogi_game *game, yo_shogi_move move);
