/* Convolutions by tiles of bytes: 16 rows by 64 bytes times 64 bytes by 16 outputs. The including
 * file defines the instructions: AMX's own (kernels_amx.c), or a model of them in plain C, with
 * which the tests check this on any processor. Tiles are numbered by constants: 0 to 3 hold sums, 4
 * and 5 inputs, 6 and 7 weights.
 *
 * A block is up to two tiles of rows by two of outputs, so that each tile that is loaded serves two
 * products. Its sums leave through 4 KB that stay in the first-level cache. Their epilogue is
 * computed between the products of the next block: those take 16 cycles each of a unit that
 * nothing else needs. */
#pragma once

/* The sums of a block, and how far its epilogue has come. */
struct amx_sums {
    _Alignas(64) int32_t tile[4][16][16]; /* [2 * tile of rows + tile of outputs] */
    int m, n, wide;                       /* tiles before it; tiles of outputs */
    int next, end;                        /* of on_board: what is left */
};

/* Rows of a block that are finished together, each with a largest value of its own. */
enum { AMX_CHUNK = 4 };

/* The sum of products whose factors are split: the high byte of one by the low byte of the other
 * has 8 bits less than high by high, low by low has 16 less. Exact, since a sum fits 32 bits and
 * what wraps around on the way wraps around in whole. */
YO_INLINE vi amx_joined(const int32_t *sums) {
    vi high_high = vi_load(sums), high_low = vi_load(sums + 256);
    vi low_high = vi_load(sums + 512), low_low = vi_load(sums + 768);
    vi middle = vi_add(vi_times_256(high_high), vi_add(high_low, low_high));
    return vi_add(vi_times_256(middle), low_low);
}

YO_INLINE void amx_finish(const struct yo_net_bytes *b, const struct amx_sums *s, int rows,
                          bool split, bool simple, bool then) {
    struct yo_net_epilogue e = b->after; /* a copy: stores of vectors may change the original */
    struct epilogue_vectors v = epilogue_begin(&e);
    const struct yo_net_byte_row *on_board = b->on_board + s->next;
    const float *scales = b->scale;
    const int32_t *sums[AMX_CHUNK];
    ptrdiff_t at[AMX_CHUNK];
    vf most[AMX_CHUNK];
    int first = s->n * 16, wide = s->wide * 16;
    for (int r = 0; r < rows; r++) {
        int row = on_board[r].row - s->m * 16;
        sums[r] = s->tile[row / 16 * 2][row % 16];
        at[r] = (ptrdiff_t)on_board[r].point * b->outs;
        most[r] = v.most;
    }
    for (int j = 0; j < wide; j += LANES) {
        int c = first + j, next_tile = j / 16 * 240; /* from the end of a row to the next tile */
        vf base = vf_load(e.base + c), scale = vf_load(scales + c);
        for (int r = 0; r < rows; r++) {
            vi whole = split ? amx_joined(sums[r] + j) : vi_load(sums[r] + j + next_tile);
            vf sum = vf_fma(vi_to_vf(whole), scale, base);
            most[r] = vf_max(epilogue_value(&e, &v, at[r] + c, c, sum, simple, then), most[r]);
        }
    }
    for (int r = 0; r < rows; r++)
        v.most = vf_max(most[r], v.most);
    epilogue_end(&e, &v);
}

/* The number of rows is a constant nearly always, so that the loops are unrolled. */
YO_INLINE void amx_finish_rows(const struct yo_net_bytes *b, const struct amx_sums *s, int rows,
                               bool split, bool simple, bool then) {
    if (rows == AMX_CHUNK)
        amx_finish(b, s, AMX_CHUNK, split, simple, then);
    else
        amx_finish(b, s, rows, split, simple, then);
}

YO_INLINE void amx_finish_any(const struct yo_net_bytes *b, struct amx_sums *s, bool split) {
    int left = s->end - s->next, rows = left < AMX_CHUNK ? left : AMX_CHUNK;
    bool then = b->after.then_scale != NULL;
    if (!activation_is_simple(b->after.activation))
        amx_finish_rows(b, s, rows, split, false, then);
    else if (then)
        amx_finish_rows(b, s, rows, split, true, true);
    else
        amx_finish_rows(b, s, rows, split, true, false);
    s->next += rows;
}

static void amx_finish_chunk(const struct yo_net_bytes *b, struct amx_sums *s) {
    amx_finish_any(b, s, false);
}

static void amx_finish_split_chunk(const struct yo_net_bytes *b, struct amx_sums *s) {
    amx_finish_any(b, s, true);
}

/* How many chunks of the block before are finished after each of `steps` steps. */
YO_INLINE int amx_chunks_a_step(const struct amx_sums *s, int steps) {
    int chunks = (s->end - s->next + AMX_CHUNK - 1) / AMX_CHUNK;
    return (chunks + steps - 1) / steps;
}

YO_INLINE void amx_sums_are_of(const struct yo_net_bytes *b, struct amx_sums *s, int m, int n,
                               int tall, int wide) {
    s->m = m;
    s->n = n;
    s->wide = wide;
    s->next = b->tile_first[m];
    s->end = b->tile_first[m + tall];
}

/* From tile `m` of the rows and output `n` * 16 on. `s` holds the block before. */
YO_INLINE void amx_block(const struct yo_net_bytes *b, struct amx_sums *s, int m, int n, bool two_m,
                         bool two_n, bool is_signed) {
    enum { TILE = YO_NET_BYTES_ROWS * YO_NET_BYTES_K };
    int parts = yo_net_bytes_parts(b->kernel, b->channels), steps = b->kernel * parts;
    int chunks_a_step = amx_chunks_a_step(s, steps);
    const int8_t *w = b->weights + (ptrdiff_t)n * steps * TILE;
    const int8_t *w_next = w + (ptrdiff_t)steps * TILE;
    TILE_ZERO(0);
    if (two_n) TILE_ZERO(1);
    if (two_m) TILE_ZERO(2);
    if (two_m && two_n) TILE_ZERO(3);
    int row = b->tile_row[m], row_next = b->tile_row[two_m ? m + 1 : m];
    for (int dy = 0; dy < b->kernel; dy++) {
        const uint8_t *a = b->board + (ptrdiff_t)(row + dy * b->pitch) * b->channels;
        const uint8_t *a_next = a + (ptrdiff_t)(row_next - row) * b->channels;
        for (int part = 0; part < parts; part++, w += TILE, w_next += TILE) {
            TILE_LOAD(4, a + part * YO_NET_BYTES_K, b->channels);
            TILE_LOAD(6, w, YO_NET_BYTES_K);
            TILE_DOT(is_signed, true, 0, 4, 6);
            if (two_n) {
                TILE_LOAD(7, w_next, YO_NET_BYTES_K);
                TILE_DOT(is_signed, true, 1, 4, 7);
            }
            if (two_m) {
                TILE_LOAD(5, a_next + part * YO_NET_BYTES_K, b->channels);
                TILE_DOT(is_signed, true, 2, 5, 6);
            }
            if (two_m && two_n) TILE_DOT(is_signed, true, 3, 5, 7);
            for (int i = 0; i < chunks_a_step && s->next < s->end; i++)
                amx_finish_chunk(b, s);
        }
    }
    TILE_STORE(0, s->tile[0], 64);
    if (two_n) TILE_STORE(1, s->tile[1], 64);
    if (two_m) TILE_STORE(2, s->tile[2], 64);
    if (two_m && two_n) TILE_STORE(3, s->tile[3], 64);
    amx_sums_are_of(b, s, m, n, two_m ? 2 : 1, two_n ? 2 : 1);
}

YO_INLINE void amx_blocks(const struct yo_net_bytes *b, bool is_signed) {
    int tall = b->tiles, wide = b->outs / 16;
    struct amx_sums sums;
    sums.next = sums.end = 0;
    for (int n = 0; n < wide; n += 2)
        for (int m = 0; m < tall; m += 2) {
            bool two_m = m + 1 < tall, two_n = n + 1 < wide;
            if (two_m && two_n)
                amx_block(b, &sums, m, n, true, true, is_signed);
            else if (two_n)
                amx_block(b, &sums, m, n, false, true, is_signed);
            else if (two_m)
                amx_block(b, &sums, m, n, true, false, is_signed);
            else
                amx_block(b, &sums, m, n, false, false, is_signed);
        }
    while (sums.next < sums.end)
        amx_finish_chunk(b, &sums);
}

static void amx_bytes(const struct yo_net_bytes *b) {
    if (b->is_signed)
        amx_blocks(b, true);
    else
        amx_blocks(b, false);
}

/* One tile of rows by one of outputs, as high and low bytes: again two by two tiles. */
static void amx_split_block(const struct yo_net_bytes *b, struct amx_sums *s, int m, int n) {
    enum { TILE = YO_NET_BYTES_ROWS * YO_NET_BYTES_K };
    int half = b->channels / 2, parts = half / YO_NET_BYTES_K;
    int chunks_a_step = amx_chunks_a_step(s, parts);
    const int8_t *w = b->weights + (ptrdiff_t)n * parts * 2 * TILE;
    const uint8_t *high = b->board + (ptrdiff_t)b->tile_row[m] * b->channels, *low = high + half;
    TILE_ZERO(0);
    TILE_ZERO(1);
    TILE_ZERO(2);
    TILE_ZERO(3);
    for (int part = 0; part < parts; part++, w += 2 * TILE) {
        TILE_LOAD(4, high + part * YO_NET_BYTES_K, b->channels);
        TILE_LOAD(6, w, YO_NET_BYTES_K);
        TILE_DOT(true, true, 0, 4, 6);
        TILE_LOAD(7, w + TILE, YO_NET_BYTES_K);
        TILE_DOT(true, false, 1, 4, 7);
        TILE_LOAD(5, low + part * YO_NET_BYTES_K, b->channels);
        TILE_DOT(false, true, 2, 5, 6);
        TILE_DOT(false, false, 3, 5, 7);
        for (int i = 0; i < chunks_a_step && s->next < s->end; i++)
            amx_finish_split_chunk(b, s);
    }
    TILE_STORE(0, s->tile[0], 64);
    TILE_STORE(1, s->tile[1], 64);
    TILE_STORE(2, s->tile[2], 64);
    TILE_STORE(3, s->tile[3], 64);
    amx_sums_are_of(b, s, m, n, 1, 1);
}

static void amx_split(const struct yo_net_bytes *b) {
    struct amx_sums sums;
    sums.next = sums.end = 0;
    for (int n = 0; n < b->outs / 16; n++)
        for (int m = 0; m < b->tiles; m++)
            amx_split_block(b, &sums, m, n);
    while (sums.next < sums.end)
        amx_finish_split_chunk(b, &sums);
}

static void amx_begin(void) { TILES_BEGIN(); }
static void amx_end(void) { TILES_END(); }
