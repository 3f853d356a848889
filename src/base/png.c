#include "base/png.h"

#ifdef YOMI_PNG

#include <png.h>
#include <setjmp.h>

#include "base/alloc.h"

bool yo_png_available(void) { return true; }

const char *yo_png_version(void) { return png_get_libpng_ver(NULL); }

static png_voidp alloc(png_structp png, png_alloc_size_t size) {
    (void)png;
    return yo_alloc(size, 1);
}

static void release(png_structp png, png_voidp block) {
    (void)png;
    yo_free(block);
}

static void put(png_structp png, png_bytep bytes, size_t len) {
    yo_buf_add(png_get_io_ptr(png), (const char *)bytes, len);
}

static void flush(png_structp png) { (void)png; }

static void give_up(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void write_all(png_structp png, png_infop info, int width, int height, const uint8_t *pixels,
                      const struct yo_png_color *colors, int color_count) {
    png_color palette[256];
    for (int i = 0; i < color_count; i++)
        palette[i] = (png_color){colors[i].red, colors[i].green, colors[i].blue};
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, color_count);
    png_write_info(png, info);
    for (int y = 0; y < height; y++)
        png_write_row(png, pixels + (size_t)y * (size_t)width);
    png_write_end(png, NULL);
}

void yo_png_write(struct yo_buf *out, int width, int height, const uint8_t *pixels,
                  const struct yo_png_color *colors, int color_count) {
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, give_up, ignore, NULL,
                                                alloc, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        out->failed = true;
    } else {
        png_set_write_fn(png, out, put, flush);
        write_all(png, info, width, height, pixels, colors, color_count);
    }
    png_destroy_write_struct(&png, &info);
}

#else

bool yo_png_available(void) { return false; }

const char *yo_png_version(void) { return ""; }

void yo_png_write(struct yo_buf *out, int width, int height, const uint8_t *pixels,
                  const struct yo_png_color *colors, int color_count) {
    (void)width, (void)height, (void)pixels, (void)colors, (void)color_count;
    out->failed = true;
}

#endif
