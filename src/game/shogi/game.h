/* A game of shogi with its history (yomi/shogi.h), as searches and writers of records see it. */
#pragma once

#include "game/shogi/record.h"
#include "game/shogi/rules.h"

struct yo_shogi_game {
    struct yo_shogi_position *positions; /* count: the first, and one after each move */
    struct yo_shogi_past *past;          /* the same */
    yo_shogi_move *moves;                /* one fewer */
    size_t count, cap;
};

static inline const struct yo_shogi_position *shogi_game_now(const struct yo_shogi_game *game) {
    return &game->positions[game->count - 1];
}

/* As a record with one line of moves. */
enum yo_err yo_shogi_game_record(const struct yo_shogi_game *game, struct yo_shogi_record **record);
/* The main line of a record up to this node. */
enum yo_err yo_shogi_game_of_record(const struct yo_shogi_record *record, int node,
                                    struct yo_shogi_game **game);
