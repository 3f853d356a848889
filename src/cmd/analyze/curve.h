/* The win rate curve of a game: the first side's win rate over the moves, as SVG or PNG. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct yo_curve {
    const char *title;  /* UTF-8; "" for none */
    const char *first;  /* name of the side that moves first: "Black" */
    const char *second; /* name of the other side */
    size_t count;       /* positions; number i is the one after move i */
    const double *rate; /* 0..1, the first side's; negative if unknown */
    const double *drop; /* win rate that the move before it lost, 0..1; 0: none, or unknown */
};

/* Moves that lost more than this are marked. */
#define YO_CURVE_MARKED 0.1

void yo_curve_svg(struct yo_buf *out, const struct yo_curve *curve);
void yo_curve_png(struct yo_buf *out, const struct yo_curve *curve);
