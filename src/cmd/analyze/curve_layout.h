/* The layout that the SVG and the PNG share, in pixels. */
#pragma once

#include "cmd/analyze/curve.h"

#define CURVE_WIDTH  960
#define CURVE_HEIGHT 400
#define CURVE_LEFT   56
#define CURVE_RIGHT  20
#define CURVE_TOP    48
#define CURVE_BOTTOM 40

static inline double yo_curve_x(const struct yo_curve *c, double i) {
    double last = c->count > 1 ? (double)(c->count - 1) : 1;
    return CURVE_LEFT + (CURVE_WIDTH - CURVE_LEFT - CURVE_RIGHT) * i / last;
}

static inline double yo_curve_y(double rate) {
    return CURVE_TOP + (CURVE_HEIGHT - CURVE_TOP - CURVE_BOTTOM) * (1 - rate);
}

/* Moves between two numbers on the axis. */
static inline size_t yo_curve_step(const struct yo_curve *c) {
    return c->count > 200 ? 50 : c->count > 80 ? 20 : c->count > 30 ? 10 : 5;
}
