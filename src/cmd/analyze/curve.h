/* A picture of how a game went: the first side's chance to win over the moves, as SVG or PNG. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct yo_curve {
    const char *title;  /* UTF-8; "" for none */
    const char *first;  /* who moves first: "Black" */
    const char *second; /* and who second */
    size_t count;       /* positions; number i is the one after move i */
    const double *rate; /* 0..1, the first side's; negative where it is not known */
    const double *drop; /* how much the move before it gave away, 0..1; 0: nothing, or not known */
};

/* Moves that gave away more than this are marked. */
#define YO_CURVE_MARKED 0.1

void yo_curve_svg(struct yo_buf *out, const struct yo_curve *curve);
void yo_curve_png(struct yo_buf *out, const struct yo_curve *curve);
