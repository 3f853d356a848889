/* Legality of a single move. Shared by the game (state.h), which has the whole history, and by
 * positions inside a search (game_ops.h), which have their own.
 *
 * A situation is the hash of the stones, with YO_GO_ZOBRIST_WHITE_TO_MOVE mixed in when White is to
 * move. Two positions count as equal when their 64-bit hashes are equal: with fewer than a thousand
 * positions to compare, the chance of a false match in a game is near 10^-14. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "game/go/board.h"

enum yo_go_verdict {
    YO_GO_LEGAL,
    YO_GO_OCCUPIED,
    YO_GO_RETAKES_KO,
    YO_GO_IS_SUICIDE,
    YO_GO_REPEATS
};

static inline uint64_t yo_go_situation(uint64_t stones, enum yo_go_color to_move) {
    return to_move == YO_GO_WHITE ? stones ^ YO_GO_ZOBRIST_WHITE_TO_MOVE : stones;
}

/* All rules except superko. ko_holds: the last move was the opponent's, so board->ko is
 * forbidden. */
enum yo_go_verdict yo_go_legality(const struct yo_go_board *board, const struct yo_go_rules *rules,
                                  bool ko_holds, enum yo_go_color color, yo_go_point p);

/* The hash of the stones after a stone on the empty point p; the board does not change. */
uint64_t yo_go_hash_after(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p);

/* Does the situation occur in history, as the ko rule compares situations? Always false for simple
 * ko. */
bool yo_go_repeats(enum yo_go_ko ko, uint64_t situation, const uint64_t *history, size_t count);

/* Could a stone on p repeat a position at all? While no stone of its colour has left the board,
 * none has been on an empty point, so one that stays there makes a new position. */
static inline bool yo_go_can_repeat(const struct yo_go_board *board,
                                    const struct yo_go_rules *rules, enum yo_go_color color,
                                    yo_go_point p) {
    if (rules->ko == YO_GO_KO_SIMPLE) return false;
    return board->captures[yo_go_other(color)] ||
           (rules->suicide && yo_go_board_is_suicide(board, color, p));
}

/* A stone was just played on p. A lower bound of the moves from the position before it until the
 * same stones are on the board again, if both sides help; exact enough up to `most`, 0 after
 * suicide. */
int yo_go_cycle_bound(const struct yo_go_board *board, yo_go_point p, int most);
