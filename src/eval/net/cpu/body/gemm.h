/* Matrix products: a block of rows by up to PANEL vectors of outputs stays in registers. */
#pragma once

/* The block sizes are constants where this is inlined. */
YO_INLINE void gemm_block_f(int rows, int vecs, const struct yo_net_gemm *g, const float *a,
                            const float *w, float *out) {
    vf sum[ROWS_F][PANEL];
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < vecs; j++)
            sum[r][j] = vf_set(0.0f);
    for (int tap = 0; tap < g->tap_count; tap++) {
        const float *in = a + g->taps[tap];
        for (int k = 0; k < g->k; k++, w += vecs * LANES) {
            vf weight[PANEL];
            for (int j = 0; j < vecs; j++)
                weight[j] = vf_load(w + j * LANES);
            for (int r = 0; r < rows; r++) {
                vf x = vf_set(in[r * g->a_step + k]);
                for (int j = 0; j < vecs; j++)
                    sum[r][j] = vf_fma(x, weight[j], sum[r][j]);
            }
        }
    }
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < vecs; j++)
            vf_store(out + r * g->out_step + j * LANES, sum[r][j]);
}

YO_INLINE void gemm_block_h(int rows, int vecs, const struct yo_net_gemm *g, const int16_t *a,
                            const int16_t *w, int32_t *out) {
    vi sum[ROWS_H][PANEL];
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < vecs; j++)
            sum[r][j] = vi_zero();
    for (int tap = 0; tap < g->tap_count; tap++) {
        const int16_t *in = a + g->taps[tap];
        for (int k = 0; k < g->k; k++, w += vecs * 2 * LANES) {
            vh weight[PANEL];
            for (int j = 0; j < vecs; j++)
                weight[j] = vh_load(w + j * 2 * LANES);
            for (int r = 0; r < rows; r++) {
                vh x = vh_pair(in + r * g->a_step + 2 * k);
                for (int j = 0; j < vecs; j++)
                    sum[r][j] = vh_dot(sum[r][j], x, weight[j]);
            }
        }
    }
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < vecs; j++)
            vi_store(out + r * g->out_step + j * LANES, sum[r][j]);
}

/* Rows are cut into blocks of nearly the same size. */
#define GEMM_CASE(n, suffix, most)                                                                 \
    case n:                                                                                        \
        gemm_block_##suffix(n <= most ? n : most, vecs, g, a, w, out);                             \
        break
#define GEMM_PANEL(suffix, in_type, out_type, most)                                                \
    YO_INLINE void gemm_panel_##suffix(int vecs, const struct yo_net_gemm *g, const in_type *w,    \
                                       out_type *out) {                                            \
        const in_type *a = g->a;                                                                   \
        int blocks = (g->rows + most - 1) / most;                                                  \
        for (int block = 0, done = 0; block < blocks; block++) {                                   \
            int rows = (g->rows - done) / (blocks - block);                                        \
            switch (rows) {                                                                        \
                GEMM_CASE(1, suffix, most);                                                        \
                GEMM_CASE(2, suffix, most);                                                        \
                GEMM_CASE(3, suffix, most);                                                        \
                GEMM_CASE(4, suffix, most);                                                        \
                GEMM_CASE(5, suffix, most);                                                        \
                GEMM_CASE(6, suffix, most);                                                        \
                GEMM_CASE(7, suffix, most);                                                        \
                GEMM_CASE(8, suffix, most);                                                        \
                GEMM_CASE(9, suffix, most);                                                        \
            }                                                                                      \
            done += rows;                                                                          \
            a += rows * g->a_step;                                                                 \
            out += rows * g->out_step;                                                             \
        }                                                                                          \
    }                                                                                              \
    static void gemm_##suffix(const struct yo_net_gemm *g) {                                       \
        const in_type *w = g->weights;                                                             \
        out_type *out = g->out;                                                                    \
        for (int left = g->outs / LANES; left > 0; left -= PANEL) {                                \
            if (left >= PANEL)                                                                     \
                gemm_panel_##suffix(PANEL, g, w, out);                                             \
            else if (left == 2)                                                                    \
                gemm_panel_##suffix(2, g, w, out);                                                 \
            else                                                                                   \
                gemm_panel_##suffix(1, g, w, out);                                                 \
            w += (ptrdiff_t)g->tap_count * g->k * PANEL * LANES * GEMM_WIDTH_##suffix;             \
            out += PANEL * LANES;                                                                  \
        }                                                                                          \
    }
#define GEMM_WIDTH_f 1
#define GEMM_WIDTH_h 2

GEMM_PANEL(f, float, float, ROWS_F)
GEMM_PANEL(h, int16_t, int32_t, ROWS_H)
