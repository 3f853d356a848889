/* Counting a position by the rules. */
#pragma once

#include "game/go/board.h"
#include "yomi/go.h"

/* handicap: how many stones Black was given. dead as in yo_go_game_score. */
void yo_go_score_board(const struct yo_go_board *board, const struct yo_go_rules *rules,
                       int handicap, const uint8_t *dead, struct yo_go_score *score);
