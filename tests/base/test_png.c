/* base/png: pictures come back when libpng reads them, and a failed allocation is an error. Without
 * libpng the only thing to check is that writing fails and says so. */
#include "support/test.h"

#include <string.h>

#include "base/alloc.h"
#include "base/png.h"

#ifdef YOMI_PNG
#include <png.h>

#define SIDE_MAX 300

static const struct yo_png_color colors[256] = {{1, 2, 3}, {255, 254, 0}};

/* Read as RGB by libpng's own short interface: our colours, not the indices, must come out. */
static void assert_comes_back(int width, int height, const uint8_t *pixels) {
    static uint8_t rgb[3 * SIDE_MAX * SIDE_MAX];
    struct yo_buf file = {0};
    yo_png_write(&file, width, height, pixels, colors, 256);
    assert_int_equal(yo_buf_status(&file), YO_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, file.data, file.len));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    for (int i = 0; i < width * height; i++)
        assert_memory_equal(rgb + 3 * i, &colors[pixels[i]], 3);
    yo_buf_free(&file);
}

static void pictures_come_back(void **state) {
    (void)state;
    static uint8_t pixels[SIDE_MAX * SIDE_MAX];
    assert_comes_back(1, 1, pixels);
    assert_comes_back(SIDE_MAX, SIDE_MAX, pixels);
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof pixels; i++) {
        random = random * 1664525 + 1013904223;
        pixels[i] = (uint8_t)(random >> 24);
    }
    assert_comes_back(SIDE_MAX, 50, pixels);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    static uint8_t pixels[20 * 20];
    int failures = 0;
    for (long n = 0;; n++) {
        struct yo_buf file = {0};
        yo_alloc_fail_after(n);
        yo_png_write(&file, 20, 20, pixels, colors, 256);
        yo_alloc_fail_after(-1);
        bool done = !file.failed;
        yo_buf_free(&file);
        if (done) break;
        failures++;
    }
    assert_true(failures > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_come_back),
                                       cmocka_unit_test(no_memory_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void writing_fails_without_libpng(void **state) {
    (void)state;
    static const struct yo_png_color black = {0};
    static const uint8_t pixel = 0;
    struct yo_buf file = {0};
    assert_false(yo_png_available());
    yo_png_write(&file, 1, 1, &pixel, &black, 1);
    assert_true(file.failed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(writing_fails_without_libpng)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
