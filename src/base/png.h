/* Pictures with up to 256 colours as PNG. Compression is deflate with its fixed codes and runs of
 * equal bytes only, which is enough for charts and needs no library. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

struct yo_png_color {
    uint8_t red, green, blue;
};

/* pixels: width * height indices into colors, row by row from the top. */
void yo_png_write(struct yo_buf *out, int width, int height, const uint8_t *pixels,
                  const struct yo_png_color *colors, int color_count);
