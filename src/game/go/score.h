/* Counting a position by the rules. */
#pragma once

#include "game/go/board.h"
#include "yomi/go.h"

/* Komi with the handicap bonus, in half points: what Black's area must exceed White's by. */
int yo_go_score_komi2(const struct yo_go_rules *rules, int handicap);

/* handicap: how many stones Black was given. dead as in yo_go_game_score. */
void yo_go_score_board(const struct yo_go_board *board, const struct yo_go_rules *rules,
                       int handicap, const uint8_t *dead, struct yo_go_score *score);
