/* The neighbours of every point for each board size: tables built once, read by all threads. */
#pragma once

#include <stdint.h>

#include "yomi/go.h"

/* One extra point, after the last, stands for off the board, so that tables need no bounds test. */
#define YO_GO_OFF_POINT 361

/* Directions: N E S W, then NE SE SW NW; d ^ 2 is the opposite one. */
struct yo_go_geometry {
    int size;
    int points;
    int words;                                    /* 64-bit words that hold a bit for each point */
    uint64_t board[(YO_GO_POINTS_MAX + 63) / 64]; /* all points */
    /* all but the first column, all but the last */
    uint64_t not_first[(YO_GO_POINTS_MAX + 63) / 64], not_last[(YO_GO_POINTS_MAX + 63) / 64];
    uint16_t nbr[YO_GO_POINTS_MAX + 1][8];
    uint16_t off_pattern[YO_GO_POINTS_MAX + 1]; /* the 3x3 code of the point on an empty board */
};

/* size must lie between YO_GO_SIZE_MIN and YO_GO_SIZE_MAX. */
const struct yo_go_geometry *yo_go_geometry(int size);
