/* PNG images with up to 256 colours, by libpng where the program was built with it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct yo_png_color {
    uint8_t red, green, blue;
};

/* Whether libpng is built in. */
bool yo_png_available(void);
/* The version of libpng in use; "" without it. */
const char *yo_png_version(void);
/* pixels: width * height indices into colors, row by row from the top. Sets out->failed if memory
 * ran out or libpng is not built in. */
void yo_png_write(struct yo_buf *out, int width, int height, const uint8_t *pixels,
                  const struct yo_png_color *colors, int color_count);
