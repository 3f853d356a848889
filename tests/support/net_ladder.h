/* The judge of ladders as networks see them: their definition (game/go/ladder_mark.h) played out on
 * copies of the board. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "game/go/ladder_mark.h"

struct net_ladders {
    uint64_t caught[YO_GO_WORDS_MAX], moves[YO_GO_WORDS_MAX];
    uint64_t unread[YO_GO_WORDS_MAX]; /* strings that take too long, which are in neither set */
    int strings, longest;             /* with one or two liberties; the most steps of one */
};

/* moves: against strings of this colour, as of yo_go_ladder_mark. */
void net_ladders_judge(const struct yo_go_board *board, enum yo_go_color prey,
                       struct net_ladders *out);

/* What the fast reader makes of all strings. */
void net_ladders_mark(const struct yo_go_geometry *geometry, const uint8_t *color, yo_go_point ko,
                      struct yo_go_ladder_memory *memory, enum yo_go_color prey, uint64_t *caught,
                      uint64_t *moves);

/* A board by random moves, and with `preys` a sparse one with so many stones in nets that are open
 * on one side, from which ladders run across the board. By rand(). */
void net_ladders_random(struct yo_go_board *board, int size, int moves, int preys);
