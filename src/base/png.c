#include "base/png.h"

#include <stdbool.h>
#include <string.h>

static void put32(struct yo_buf *out, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        yo_buf_char(out, (char)(value >> shift));
}

static uint32_t crc32_of(const char *bytes, size_t len) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < len; i++) {
        crc ^= (uint8_t)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put_chunk(struct yo_buf *out, const char *type, const char *bytes, size_t len) {
    struct yo_buf body = {0};
    yo_buf_add(&body, type, 4);
    yo_buf_add(&body, bytes, len);
    put32(out, (uint32_t)len);
    yo_buf_add(out, yo_buf_text(&body), body.len);
    put32(out, crc32_of(yo_buf_text(&body), body.len));
    out->failed = out->failed || body.failed;
    yo_buf_free(&body);
}

/* ---- deflate, RFC 1951, section 3.2.6 ---- */

struct bits {
    struct yo_buf *out;
    uint32_t held;
    int count;
};

static void put_bits(struct bits *b, uint32_t value, int count) {
    b->held |= value << b->count;
    for (b->count += count; b->count >= 8; b->count -= 8, b->held >>= 8)
        yo_buf_char(b->out, (char)(b->held & 0xff));
}

/* Huffman codes go out with their highest bit first. */
static void put_code(struct bits *b, uint32_t code, int count) {
    for (int i = count - 1; i >= 0; i--)
        put_bits(b, code >> i & 1, 1);
}

/* Literals, the end, and lengths. */
static void put_symbol(struct bits *b, unsigned symbol) {
    if (symbol < 144)
        put_code(b, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(b, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(b, symbol - 256, 7);
    else
        put_code(b, 0xc0 + symbol - 280, 8);
}

/* The byte before once more, `len` times: 3 to 258. */
static void put_run(struct bits *b, unsigned len) {
    static const uint16_t base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    int i = 28;
    while (base[i] > len)
        i--;
    int extra = i < 8 || i == 28 ? 0 : (i - 4) / 4;
    put_symbol(b, 257 + (unsigned)i);
    put_bits(b, len - base[i], extra);
    put_code(b, 0, 5); /* distance 1 */
}

static void deflate(struct yo_buf *out, const uint8_t *bytes, size_t len) {
    struct bits b = {.out = out};
    put_bits(&b, 1, 1); /* the last block */
    put_bits(&b, 1, 2); /* fixed codes */
    for (size_t i = 0; i < len;) {
        size_t run = 0;
        while (i > 0 && run < 258 && i + run < len && bytes[i + run] == bytes[i - 1])
            run++;
        if (run >= 3) {
            put_run(&b, (unsigned)run);
            i += run;
        } else {
            put_symbol(&b, bytes[i++]);
        }
    }
    put_symbol(&b, 256);
    put_bits(&b, 0, (8 - b.count) % 8);
}

static uint32_t adler32_of(const uint8_t *bytes, size_t len) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < len; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* Every row as its difference to the one above, which in a chart is mostly nothing. */
static void filter(struct yo_buf *out, int width, int height, const uint8_t *pixels) {
    for (int y = 0; y < height; y++) {
        const uint8_t *row = pixels + (size_t)y * (size_t)width;
        yo_buf_char(out, y == 0 ? 0 : 2);
        for (int x = 0; x < width; x++)
            yo_buf_char(out, (char)(y == 0 ? row[x] : (uint8_t)(row[x] - row[x - width])));
    }
}

void yo_png_write(struct yo_buf *out, int width, int height, const uint8_t *pixels,
                  const struct yo_png_color *colors, int color_count) {
    struct yo_buf part = {0}, raw = {0};
    yo_buf_add(out, "\x89PNG\r\n\x1a\n", 8);
    put32(&part, (uint32_t)width);
    put32(&part, (uint32_t)height);
    yo_buf_add(&part, "\x08\x03\0\0\0", 5); /* 8 bits, palette */
    put_chunk(out, "IHDR", yo_buf_text(&part), part.len);
    yo_buf_clear(&part);
    for (int i = 0; i < color_count; i++) {
        yo_buf_char(&part, (char)colors[i].red);
        yo_buf_char(&part, (char)colors[i].green);
        yo_buf_char(&part, (char)colors[i].blue);
    }
    put_chunk(out, "PLTE", yo_buf_text(&part), part.len);
    yo_buf_clear(&part);
    filter(&raw, width, height, pixels);
    yo_buf_add(&part, "\x78\x01", 2);
    deflate(&part, (const uint8_t *)yo_buf_text(&raw), raw.len);
    put32(&part, adler32_of((const uint8_t *)yo_buf_text(&raw), raw.len));
    put_chunk(out, "IDAT", yo_buf_text(&part), part.len);
    put_chunk(out, "IEND", "", 0);
    out->failed = out->failed || part.failed || raw.failed;
    yo_buf_free(&raw);
    yo_buf_free(&part);
}
