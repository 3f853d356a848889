/* base/png: pictures read back by a slow reader of the parts of PNG and deflate that it writes. */
#include "support/test.h"

#include <stdbool.h>
#include <string.h>

#include "base/png.h"

static uint32_t get32(const char *p) {
    const uint8_t *b = (const uint8_t *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The next chunk, its checksum looked at; *p is behind it. */
static const char *next_chunk(const char **p, const char *type, uint32_t *len) {
    const char *start = *p;
    *len = get32(start);
    assert_memory_equal(start + 4, type, 4);
    uint32_t crc = 0xffffffffu;
    for (uint32_t i = 0; i < *len + 4; i++)
        for (int bit = 0; bit < 8; bit++) {
            uint32_t one = (crc ^ (uint32_t)(uint8_t)start[4 + i] >> bit) & 1;
            crc = crc >> 1 ^ (one ? 0xedb88320u : 0);
        }
    assert_int_equal(get32(start + 8 + *len), ~crc);
    *p = start + 12 + *len;
    return start + 8;
}

struct bits {
    const uint8_t *bytes;
    size_t at;
};

static unsigned bit(struct bits *b) {
    unsigned value = b->bytes[b->at / 8] >> b->at % 8 & 1;
    b->at++;
    return value;
}

static unsigned number(struct bits *b, int count) {
    unsigned value = 0;
    for (int i = 0; i < count; i++)
        value |= bit(b) << i;
    return value;
}

static unsigned code(struct bits *b, unsigned so_far, int count) {
    for (int i = 0; i < count; i++)
        so_far = so_far << 1 | bit(b);
    return so_far;
}

/* A symbol of the fixed code, by the table of RFC 1951. */
static unsigned symbol(struct bits *b) {
    unsigned c = code(b, 0, 7);
    if (c <= 23) return 256 + c;
    c = code(b, c, 1);
    if (c >= 48 && c <= 191) return c - 48;
    if (c >= 192 && c <= 199) return 280 + c - 192;
    return 144 + code(b, c, 1) - 400;
}

static size_t inflate(const char *bytes, uint8_t *out) {
    static const unsigned base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const int extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    struct bits b = {(const uint8_t *)bytes, 0};
    size_t len = 0;
    assert_int_equal(number(&b, 1), 1);
    assert_int_equal(number(&b, 2), 1);
    for (unsigned s; (s = symbol(&b)) != 256;) {
        if (s < 256) {
            out[len++] = (uint8_t)s;
            continue;
        }
        assert_in_range(s, 257, 285);
        unsigned count = base[s - 257] + number(&b, extra[s - 257]);
        assert_int_equal(code(&b, 0, 5), 0);
        assert_true(len > 0);
        for (; count > 0; count--, len++)
            out[len] = out[len - 1];
    }
    return len;
}

static uint32_t adler(const uint8_t *bytes, size_t len) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < len; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

#define SIDE_MAX 300

static void assert_comes_back(int width, int height, const uint8_t *pixels) {
    static const struct yo_png_color colors[256] = {{1, 2, 3}, {255, 254, 0}};
    static uint8_t raw[(SIDE_MAX + 1) * SIDE_MAX];
    struct yo_buf png = {0};
    uint32_t len;
    yo_png_write(&png, width, height, pixels, colors, 256);
    assert_int_equal(yo_buf_status(&png), YO_OK);
    assert_memory_equal(png.data, "\x89PNG\r\n\x1a\n", 8);
    const char *p = png.data + 8, *chunk = next_chunk(&p, "IHDR", &len);
    assert_int_equal(get32(chunk), width);
    assert_int_equal(get32(chunk + 4), height);
    assert_memory_equal(chunk + 8, "\x08\x03\0\0\0", 5);
    chunk = next_chunk(&p, "PLTE", &len);
    assert_int_equal(len, 3 * 256);
    assert_memory_equal(chunk, "\x01\x02\x03\xff\xfe\0", 6);
    chunk = next_chunk(&p, "IDAT", &len);
    size_t raw_len = inflate(chunk + 2, raw);
    assert_int_equal(get32(chunk + len - 4), adler(raw, raw_len));
    assert_int_equal(raw_len, (size_t)(width + 1) * (size_t)height);
    next_chunk(&p, "IEND", &len);
    assert_ptr_equal(p, png.data + png.len);
    for (int y = 0; y < height; y++) {
        uint8_t *row = raw + (size_t)y * (size_t)(width + 1);
        for (int x = 1; x <= width; x++) {
            if (y > 0 && row[0] == 2) row[x] = (uint8_t)(row[x] + row[x - width - 1]);
            assert_int_equal(row[x], pixels[y * width + x - 1]);
        }
    }
    yo_buf_free(&png);
}

static void pictures_come_back(void **state) {
    (void)state;
    static uint8_t pixels[SIDE_MAX * SIDE_MAX];
    assert_comes_back(1, 1, pixels);
    assert_comes_back(SIDE_MAX, SIDE_MAX, pixels); /* long runs */
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof pixels; i++) {
        random = random * 1664525 + 1013904223;
        pixels[i] = (uint8_t)(random >> 24); /* every literal */
    }
    assert_comes_back(SIDE_MAX, 50, pixels);
    for (size_t i = 0, run = 1; i < sizeof pixels; run++) /* runs of every length */
        for (size_t k = 0; k < run % 280 && i < sizeof pixels; k++)
            pixels[i++] = (uint8_t)run;
    assert_comes_back(SIDE_MAX, SIDE_MAX, pixels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
