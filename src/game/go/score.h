/* Counting a position by the rules. */
#pragma once

#include "game/go/board.h"
#include "yomi/go.h"

/* Komi with the handicap bonus, in half points: what Black's area must exceed White's by. */
int yo_go_score_komi2(const struct yo_go_rules *rules, int handicap);

/* The same for those who can count area only. Each stone that is put on the board, captured later
 * or not, is a point of area and none of territory; so under territory scoring it is what Black has
 * put there more than White on top of the komi. Where no point is left that either could take, that
 * is known (`closed`). Until then either side may make the last move, and the stone that `to_move`
 * would be ahead by then counts half. */
int yo_go_score_area_komi2(const struct yo_go_board *board, const struct yo_go_rules *rules,
                           int handicap, enum yo_go_color to_move, bool closed);

/* handicap: how many stones Black was given. dead as in yo_go_game_score. */
void yo_go_score_board(const struct yo_go_board *board, const struct yo_go_rules *rules,
                       int handicap, const uint8_t *dead, struct yo_go_score *score);
