/* Which strings of a Go position can be captured, by reading in the small areas where the end of a
 * game leaves something to read: eye spaces, capturing races, seki. Playouts and networks tell
 * which strings are safe, so that a reading does not have to go beyond them. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "game/go/board.h"
#include "search/go/read.h"

enum yo_settle_fate {
    YO_SETTLE_UNKNOWN,  /* not read, or too much to read */
    YO_SETTLE_STANDS,   /* cannot be captured: alive or in seki */
    YO_SETTLE_CAPTURED, /* cannot be saved */
    YO_SETTLE_BY_KO,    /* cannot be saved if the attacker has the ko threats: bent four */
    YO_SETTLE_CRITICAL  /* whoever moves first decides */
};

/* A string that holds its points more often than this, from -1 to 1, is safe. */
#define YO_SETTLE_SAFE 0.8f

struct yo_settle {
    struct yo_go_reader *reader;
    unsigned nodes; /* left to read */
    int64_t deadline_ms;
    const atomic_bool *stop;
    /* For advice, not for a judgement: where the area around a string with few liberties is too
     * large, reads in the part near it, and beyond counts as escaped; and what can be captured is
     * critical if it is not known whether it can be saved. */
    bool near;
    uint8_t fate[YO_GO_POINTS_MAX]; /* enum yo_settle_fate of each stone's string */
};

/* Reads the strings that are not safe and whose fate is unknown, the largest first. alive: as of
 * yo_go_benson; ownership: +1 Black's .. -1 White's. */
void yo_settle_read(struct yo_settle *settle, const struct yo_go_board *board, const uint8_t *alive,
                    const float *ownership);

/* The moves by which `color` decides the fate of a critical string, to save its own or to capture
 * one of the opponent's; moves must hold YO_SETTLE_MOVES_MAX entries. If there are moves that hold
 * whoever has the ko threats, only those. Returns how many. */
#define YO_SETTLE_MOVES_MAX 64
size_t yo_settle_moves(struct yo_settle *settle, const struct yo_go_board *board,
                       const float *ownership, unsigned head, enum yo_go_color color,
                       yo_go_point *moves);

/* The mean ownership of a string's points, +1 all its own .. -1 all the opponent's. */
float yo_settle_hold(const struct yo_go_board *board, unsigned head, const float *ownership);
