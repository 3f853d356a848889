/* The curve as SVG, in the same colours as the PNG. */
#include "cmd/analyze/curve_layout.h"

static void put_text(struct yo_buf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '<')
            yo_buf_str(out, "&lt;");
        else if (*text == '&')
            yo_buf_str(out, "&amp;");
        else if ((unsigned char)*text >= ' ')
            yo_buf_char(out, *text);
    }
}

static void put_axes(struct yo_buf *out, const struct yo_curve *c) {
    for (int percent = 0; percent <= 100; percent += 25) {
        double y = yo_curve_y(percent / 100.0);
        yo_buf_printf(out, "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' class='%s'/>\n", CURVE_LEFT,
                      y, CURVE_WIDTH - CURVE_RIGHT, y, percent == 50 ? "half" : "grid");
        yo_buf_printf(out, "<text x='%d' y='%.1f' text-anchor='end'>%d%%</text>\n", CURVE_LEFT - 8,
                      y + 4, percent);
    }
    for (size_t i = 0; i < c->count; i += yo_curve_step(c)) {
        double x = yo_curve_x(c, (double)i);
        yo_buf_printf(out, "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' class='grid'/>\n", x,
                      CURVE_TOP, x, CURVE_HEIGHT - CURVE_BOTTOM);
        yo_buf_printf(out, "<text x='%.1f' y='%d' text-anchor='middle'>%zu</text>\n", x,
                      CURVE_HEIGHT - CURVE_BOTTOM + 20, i);
    }
}

/* Draws the curve from position i to the last one before a gap; returns the next index. */
static size_t put_piece(struct yo_buf *out, const struct yo_curve *c, size_t i) {
    size_t end = i;
    while (end < c->count && c->rate[end] >= 0)
        end++;
    yo_buf_printf(out, "<path class='area' d='M%.1f %.1f", yo_curve_x(c, (double)i), yo_curve_y(0));
    for (size_t k = i; k < end; k++)
        yo_buf_printf(out, "L%.1f %.1f", yo_curve_x(c, (double)k), yo_curve_y(c->rate[k]));
    yo_buf_printf(out, "L%.1f %.1fZ'/>\n<path class='curve' d='", yo_curve_x(c, (double)(end - 1)),
                  yo_curve_y(0));
    for (size_t k = i; k < end; k++)
        yo_buf_printf(out, "%c%.1f %.1f", k == i ? 'M' : 'L', yo_curve_x(c, (double)k),
                      yo_curve_y(c->rate[k]));
    yo_buf_str(out, "'/>\n");
    return end;
}

void yo_curve_svg(struct yo_buf *out, const struct yo_curve *c) {
    yo_buf_printf(out,
                  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
                  "font-family='sans-serif' font-size='12'>\n<style>"
                  "text{fill:#555}.grid{stroke:#e4e4e4}.half{stroke:#a0a0a0}"
                  ".area{fill:#d2dcea;fill-opacity:.6}.curve{fill:none;stroke:#2c4a78;"
                  "stroke-width:2}.drop{fill:#c8442c}</style>\n"
                  "<rect width='100%%' height='100%%' fill='#fff'/>\n<text x='%d' y='26' "
                  "font-size='16'>",
                  CURVE_WIDTH, CURVE_HEIGHT, CURVE_LEFT);
    put_text(out, c->title);
    yo_buf_printf(out,
                  "</text>\n<text x='%d' y='26' text-anchor='end'>%s wins \xe2\x86\x91</text>\n",
                  CURVE_WIDTH - CURVE_RIGHT, c->first);
    put_axes(out, c);
    for (size_t i = 0; i < c->count;)
        i = c->rate[i] < 0 ? i + 1 : put_piece(out, c, i);
    for (size_t i = 0; i < c->count; i++)
        if (c->rate[i] >= 0 && c->drop[i] > YO_CURVE_MARKED)
            yo_buf_printf(out,
                          "<circle class='drop' cx='%.1f' cy='%.1f' r='4'><title>move %zu: "
                          "-%.0f%%</title></circle>\n",
                          yo_curve_x(c, (double)i), yo_curve_y(c->rate[i]), i, 100 * c->drop[i]);
    yo_buf_str(out, "</svg>\n");
}
