/* Scores a position by the rules. */
#pragma once

#include "game/go/board.h"
#include "yomi/go.h"

/* Komi with the handicap bonus, in half points: the margin by which Black's area must exceed
 * White's. */
int yo_go_score_komi2(const struct yo_go_rules *rules, int handicap);

/* The same for callers that count area only. Each stone put on the board, captured later or not,
 * adds a point to its side's area score relative to its territory score. So under territory scoring
 * the result is the komi plus the number of stones Black has put on the board minus White's. If no
 * point is left that either side could take (`closed`), this is final. Otherwise either side may
 * make the last move, and the stone by which `to_move` would then be ahead counts half. */
int yo_go_score_area_komi2(const struct yo_go_board *board, const struct yo_go_rules *rules,
                           int handicap, enum yo_go_color to_move, bool closed);

/* handicap: the number of Black's handicap stones. dead as in yo_go_game_score. */
void yo_go_score_board(const struct yo_go_board *board, const struct yo_go_rules *rules,
                       int handicap, const uint8_t *dead, struct yo_go_score *score);
