/* Products of bytes by tiles: 16 rows by 64 bytes times 64 bytes by 16 outputs. The including file
 * defines the instructions: AMX's own (kernels_amx.c), or an emulation in plain C, with which the
 * tests check this on any processor. Tiles are numbered by constants: 0 to 3 hold sums, 4 and 5
 * inputs, 6 and 7 weights. */
#pragma once

/* Up to two tiles of rows by two of outputs, from row `m` * 16 and output `n` * 16 on. */
static inline __attribute__((always_inline)) void
amx_block(const struct yo_net_bytes *b, int m, int n, bool two_m, bool two_n, bool is_signed) {
    enum { TILE = YO_NET_BYTES_ROWS * YO_NET_BYTES_K };
    int parts = yo_net_bytes_parts(b->channels);
    const int8_t *w = b->weights + (ptrdiff_t)n * 3 * parts * TILE;
    const int8_t *w_next = w + (ptrdiff_t)3 * parts * TILE;
    TILE_ZERO(0);
    if (two_n) TILE_ZERO(1);
    if (two_m) TILE_ZERO(2);
    if (two_m && two_n) TILE_ZERO(3);
    for (int dy = 0; dy < 3; dy++) {
        const uint8_t *a = b->board + (ptrdiff_t)(m * 16 + dy * b->pitch) * b->channels;
        const uint8_t *a_next = a + (ptrdiff_t)16 * b->channels;
        for (int part = 0; part < parts; part++, w += TILE, w_next += TILE) {
            TILE_LOAD(4, a + part * YO_NET_BYTES_K, b->channels);
            TILE_LOAD(6, w, YO_NET_BYTES_K);
            TILE_DOT(is_signed, 0, 4, 6);
            if (two_n) {
                TILE_LOAD(7, w_next, YO_NET_BYTES_K);
                TILE_DOT(is_signed, 1, 4, 7);
            }
            if (two_m) {
                TILE_LOAD(5, a_next + part * YO_NET_BYTES_K, b->channels);
                TILE_DOT(is_signed, 2, 5, 6);
            }
            if (two_m && two_n) TILE_DOT(is_signed, 3, 5, 7);
        }
    }
    int32_t *out = b->out + (ptrdiff_t)m * 16 * b->outs + n * 16;
    ptrdiff_t step = (ptrdiff_t)b->outs * (ptrdiff_t)sizeof *out;
    TILE_STORE(0, out, step);
    if (two_n) TILE_STORE(1, out + 16, step);
    if (two_m) TILE_STORE(2, out + (ptrdiff_t)16 * b->outs, step);
    if (two_m && two_n) TILE_STORE(3, out + (ptrdiff_t)16 * b->outs + 16, step);
}

static inline __attribute__((always_inline)) void amx_blocks(const struct yo_net_bytes *b,
                                                             bool is_signed) {
    int tall = b->rows / YO_NET_BYTES_ROWS, wide = b->outs / 16;
    for (int n = 0; n < wide; n += 2)
        for (int m = 0; m < tall; m += 2) {
            bool two_m = m + 1 < tall, two_n = n + 1 < wide;
            if (two_m && two_n)
                amx_block(b, m, n, true, true, is_signed);
            else if (two_n)
                amx_block(b, m, n, false, true, is_signed);
            else if (two_m)
                amx_block(b, m, n, true, false, is_signed);
            else
                amx_block(b, m, n, false, false, is_signed);
        }
}

static void amx_bytes(const struct yo_net_bytes *b) {
    TILES_BEGIN();
    if (b->is_signed)
        amx_blocks(b, true);
    else
        amx_blocks(b, false);
    TILES_END();
}
