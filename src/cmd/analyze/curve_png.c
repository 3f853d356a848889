/* The curve as PNG. Edges are anti-aliased by pixel coverage. The font of 5 by 7 dots has digits
 * and the percent sign only, so the PNG has no words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/png.h"
#include "cmd/analyze/curve_layout.h"

enum { PAPER, GRID, HALF, TEXT, AREA, CURVE, DROP, PURE };
#define SHADES 8 /* between two colours, for smooth edges */

static const struct yo_png_color pure[PURE] = {
    [PAPER] = {255, 255, 255}, [GRID] = {228, 228, 228}, [HALF] = {160, 160, 160},
    [TEXT] = {85, 85, 85},     [AREA] = {228, 234, 242}, [CURVE] = {44, 74, 120},
    [DROP] = {200, 68, 44},
};

/* Colours of the curve and of the dots, on paper or on the area below the curve. */
enum { CURVE_ON_PAPER, CURVE_ON_AREA, DROP_ON_PAPER, DROP_ON_AREA, BLENDS };
static const uint8_t blend_of[BLENDS][2] = {
    {PAPER, CURVE}, {AREA, CURVE}, {PAPER, DROP}, {AREA, DROP}};
#define COLORS (PURE + BLENDS * SHADES)

static uint8_t mixed(int from, int to, int shade) {
    return (uint8_t)(from + (to - from) * (shade + 1) / (SHADES + 1));
}

static void make_colors(struct yo_png_color *colors) {
    memcpy(colors, pure, sizeof pure);
    for (int b = 0; b < BLENDS; b++)
        for (int s = 0; s < SHADES; s++) {
            const struct yo_png_color *x = &pure[blend_of[b][0]], *y = &pure[blend_of[b][1]];
            colors[PURE + b * SHADES + s] = (struct yo_png_color){
                mixed(x->red, y->red, s), mixed(x->green, y->green, s), mixed(x->blue, y->blue, s)};
        }
}

static uint8_t *at(uint8_t *pixels, int x, int y) { return pixels + (size_t)y * CURVE_WIDTH + x; }

static void fill(uint8_t *pixels, int x0, int y0, int x1, int y1, uint8_t color) {
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            if (x >= 0 && x < CURVE_WIDTH && y >= 0 && y < CURVE_HEIGHT) *at(pixels, x, y) = color;
}

/* ---- numbers ---- */

static void put_digit(uint8_t *pixels, int x, int y, char c) {
    /* Rows from the top, five bits each. */
    static const struct {
        char c;
        uint8_t rows[7];
    } font[] = {
        {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
        {'2', {14, 17, 1, 2, 4, 8, 31}},     {'3', {31, 2, 4, 2, 1, 17, 14}},
        {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
        {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},
        {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 2, 12}},
        {'%', {24, 25, 2, 4, 8, 19, 3}},
    };
    for (size_t i = 0; i < sizeof font / sizeof font[0]; i++)
        for (int row = 0; font[i].c == c && row < 7; row++)
            for (int column = 0; column < 5; column++)
                if (font[i].rows[row] >> (4 - column) & 1)
                    fill(pixels, x + column, y + row, x + column + 1, y + row + 1, TEXT);
}

static void put_number(uint8_t *pixels, double right, double top, const char *text) {
    int x = (int)right - 6 * (int)strlen(text);
    for (; *text; text++, x += 6)
        put_digit(pixels, x, (int)top, *text);
}

/* ---- lines ---- */

/* Distance from a point to a line segment. */
static double distance(double px, double py, double x0, double y0, double x1, double y1) {
    double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
    double t = square > 0 ? ((px - x0) * dx + (py - y0) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(px - x0 - t * dx, py - y0 - t * dy);
}

/* Blends a pixel towards the curve's or the dots' colour, in SHADES steps. Values below PURE are
 * unblended colours. */
static void blend(uint8_t *pixel, bool is_drop, double share) {
    int shade = (int)(share * (SHADES + 1));
    if (shade <= 0) return;
    uint8_t color = is_drop ? DROP : CURVE;
    if (shade > SHADES) {
        *pixel = color;
        return;
    }
    bool on_area = *pixel == AREA;
    if (*pixel >= PURE) { /* drawn before: the darker shade stays */
        int blend_index = (*pixel - PURE) / SHADES, old = (*pixel - PURE) % SHADES;
        if (!is_drop && old >= shade - 1) return;
        on_area = blend_index % 2;
    } else if (*pixel == CURVE || *pixel == DROP) {
        return;
    }
    int kind = (is_drop ? DROP_ON_PAPER : CURVE_ON_PAPER) + on_area;
    *pixel = (uint8_t)(PURE + kind * SHADES + shade - 1);
}

/* A line segment with round ends; a dot if both ends are the same. */
static void stroke(uint8_t *pixels, double x0, double y0, double x1, double y1, double radius,
                   bool is_drop) {
    int left = (int)(fmin(x0, x1) - radius - 1), right = (int)(fmax(x0, x1) + radius + 2);
    int top = (int)(fmin(y0, y1) - radius - 1), bottom = (int)(fmax(y0, y1) + radius + 2);
    for (int y = top < 0 ? 0 : top; y < bottom && y < CURVE_HEIGHT; y++)
        for (int x = left < 0 ? 0 : left; x < right && x < CURVE_WIDTH; x++) {
            double share = radius + 0.5 - distance(x + 0.5, y + 0.5, x0, y0, x1, y1);
            blend(at(pixels, x, y), is_drop, share > 1 ? 1 : share);
        }
}

/* ---- the picture ---- */

static void draw_area(uint8_t *pixels, const struct yo_curve *c) {
    for (int x = CURVE_LEFT; x <= CURVE_WIDTH - CURVE_RIGHT; x++) {
        double i = c->count > 1 ? (x - CURVE_LEFT) * (double)(c->count - 1) /
                                      (CURVE_WIDTH - CURVE_LEFT - CURVE_RIGHT)
                                : 0;
        size_t k = (size_t)i;
        if (k + 1 >= c->count || c->rate[k] < 0 || c->rate[k + 1] < 0) continue;
        double rate = c->rate[k] + (i - (double)k) * (c->rate[k + 1] - c->rate[k]);
        fill(pixels, x, (int)yo_curve_y(rate), x + 1, (int)yo_curve_y(0), AREA);
    }
}

static void draw_axes(uint8_t *pixels, const struct yo_curve *c) {
    char text[24];
    for (int percent = 0; percent <= 100; percent += 25) {
        int y = (int)yo_curve_y(percent / 100.0);
        fill(pixels, CURVE_LEFT, y, CURVE_WIDTH - CURVE_RIGHT, y + 1, percent == 50 ? HALF : GRID);
        snprintf(text, sizeof text, "%d%%", percent);
        put_number(pixels, CURVE_LEFT - 7, y - 3, text);
    }
    for (size_t i = 0; i < c->count; i += yo_curve_step(c)) {
        int x = (int)yo_curve_x(c, (double)i);
        fill(pixels, x, CURVE_TOP, x + 1, CURVE_HEIGHT - CURVE_BOTTOM, GRID);
        snprintf(text, sizeof text, "%zu", i);
        put_number(pixels, x + 3 * (double)strlen(text), CURVE_HEIGHT - CURVE_BOTTOM + 10, text);
    }
}

static void draw_curve(uint8_t *pixels, const struct yo_curve *c) {
    for (size_t i = 0; i + 1 < c->count; i++)
        if (c->rate[i] >= 0 && c->rate[i + 1] >= 0)
            stroke(pixels, yo_curve_x(c, (double)i), yo_curve_y(c->rate[i]),
                   yo_curve_x(c, (double)i + 1), yo_curve_y(c->rate[i + 1]), 1, false);
    for (size_t i = 0; i < c->count; i++) {
        double x = yo_curve_x(c, (double)i), y = yo_curve_y(c->rate[i]);
        if (c->rate[i] >= 0 && c->drop[i] > YO_CURVE_MARKED) stroke(pixels, x, y, x, y, 4, true);
    }
}

void yo_curve_png(struct yo_buf *out, const struct yo_curve *c) {
    struct yo_png_color colors[COLORS];
    uint8_t *pixels = yo_alloc(CURVE_HEIGHT, CURVE_WIDTH);
    if (!pixels) {
        out->failed = true;
        return;
    }
    make_colors(colors);
    draw_area(pixels, c);
    draw_axes(pixels, c);
    draw_curve(pixels, c);
    yo_png_write(out, CURVE_WIDTH, CURVE_HEIGHT, pixels, colors, COLORS);
    yo_free(pixels);
}
