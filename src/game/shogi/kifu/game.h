/* Converts a game (yomi/shogi.h) to a record and back. game.c also writes moves in Japanese. */
#pragma once

#include "game/shogi/kifu/record.h"
#include "yomi/shogi.h"

/* A record with one line of moves. */
enum yo_err yo_shogi_game_record(const struct yo_shogi_game *game, struct yo_shogi_record **record);
/* The main line of a record up to this node, which must be on it. */
enum yo_err yo_shogi_game_of_record(const struct yo_shogi_record *record, int node,
                                    struct yo_shogi_game **game);
