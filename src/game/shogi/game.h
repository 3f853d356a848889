/* A game of shogi with its history (yomi/shogi.h), as searches and records see it. */
#pragma once

#include "game/shogi/rules.h"
#include "yomi/shogi.h"

struct yo_shogi_game {
    struct yo_shogi_position *positions; /* count: the first, and one after each move */
    struct yo_shogi_past *past;          /* the same */
    yo_shogi_move *moves;                /* one fewer */
    size_t count, cap;
    struct yo_shogi_rules rules; /* as searches have to mind them; the default at first */
};

static inline const struct yo_shogi_position *shogi_game_now(const struct yo_shogi_game *game) {
    return &game->positions[game->count - 1];
}

/* A game that begins at this position, which was found to be a possible one. */
enum yo_err yo_shogi_game_begin(const struct yo_shogi_position *start, struct yo_shogi_game **game);
/* Plays a move that is known to be legal. */
enum yo_err yo_shogi_game_add(struct yo_shogi_game *game, yo_shogi_move move);
