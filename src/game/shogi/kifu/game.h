/* A game (yomi/shogi.h) as a record, and back. game.c also has its moves in Japanese. */
#pragma once

#include "game/shogi/kifu/record.h"
#include "yomi/shogi.h"

/* As a record with one line of moves. */
enum yo_err yo_shogi_game_record(const struct yo_shogi_game *game, struct yo_shogi_record **record);
/* The main line of a record up to this node. */
enum yo_err yo_shogi_game_of_record(const struct yo_shogi_record *record, int node,
                                    struct yo_shogi_game **game);
