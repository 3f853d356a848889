/* Winograd's minimal filtering F(m x m, 3 x 3): a tile of m x m results of a 3x3 convolution from
 * (m + 2)^2 products a channel instead of 9 m^2 (S. Winograd, Arithmetic Complexity of
 * Computations, 1980; A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks,
 * 2016). The interpolation points are 0, 1, -1, 2 and infinity for m = 3, and -2 too for m = 4; the
 * transform of the weights is in pack.c.
 *
 * In integers the inputs' transform is exact: it has integer coefficients, and pack.h bounds the
 * inputs so that 16 bits hold the results. Sums on the way may wrap around. */
#pragma once

/* The transform of the inputs along one axis, for both kinds of vector. */
#define WINOGRAD_IN(V)                                                                             \
    YO_INLINE void V##_in_3(const V d[5], V out[5]) {                                              \
        V a = V##_sub(d[3], d[1]), b = V##_sub(d[1], d[2]);                                        \
        out[0] = V##_add(a, V##_times_2(V##_sub(d[0], d[2])));                                     \
        out[1] = V##_sub(V##_sub(d[3], d[2]), V##_times_2(d[1]));                                  \
        out[2] = V##_add(V##_sub(d[3], d[2]), V##_times_2(b));                                     \
        out[3] = a;                                                                                \
        out[4] = V##_sub(V##_sub(d[4], d[2]), V##_times_2(a));                                     \
    }                                                                                              \
    YO_INLINE void V##_in_4(const V d[6], V out[6]) {                                              \
        V even = V##_sub(d[4], V##_times_4(d[2])), odd = V##_sub(d[3], V##_times_4(d[1]));         \
        V far = V##_sub(d[4], d[2]), near = V##_sub(d[3], d[1]);                                   \
        V twice = V##_times_2(near);                                                               \
        out[0] = V##_add(far, V##_times_4(V##_sub(d[0], d[2])));                                   \
        out[1] = V##_add(even, odd);                                                               \
        out[2] = V##_sub(even, odd);                                                               \
        out[3] = V##_add(far, twice);                                                              \
        out[4] = V##_sub(far, twice);                                                              \
        out[5] = V##_sub(V##_sub(d[5], d[3]), V##_times_4(near));                                  \
    }

YO_INLINE vf vf_times_2(vf a) { return vf_add(a, a); }
YO_INLINE vf vf_times_4(vf a) { return vf_mul(a, vf_set(4.0f)); }
YO_INLINE vh vh_times_2(vh a) { return vh_twice(a); }
YO_INLINE vh vh_times_4(vh a) { return vh_four_times(a); }
WINOGRAD_IN(vf)
WINOGRAD_IN(vh)

/* The transform of the products along one axis. */
YO_INLINE void vf_out_3(const vf m[5], vf out[3]) {
    vf sum = vf_add(m[1], m[2]), difference = vf_sub(m[1], m[2]);
    out[0] = vf_add(vf_add(m[0], sum), m[3]);
    out[1] = vf_fma(vf_set(2.0f), m[3], difference);
    out[2] = vf_add(vf_fma(vf_set(4.0f), m[3], sum), m[4]);
}

YO_INLINE void vf_out_4(const vf m[6], vf out[4]) {
    vf sum_1 = vf_add(m[1], m[2]), difference_1 = vf_sub(m[1], m[2]);
    vf sum_2 = vf_add(m[3], m[4]), difference_2 = vf_sub(m[3], m[4]);
    out[0] = vf_add(vf_add(m[0], sum_1), sum_2);
    out[1] = vf_fma(vf_set(2.0f), difference_2, difference_1);
    out[2] = vf_fma(vf_set(4.0f), sum_2, sum_1);
    out[3] = vf_add(vf_fma(vf_set(8.0f), difference_2, difference_1), m[5]);
}

#define TILE_IN(V, type, lanes, m)                                                                 \
    YO_INLINE void V##_tile_in_##m(const struct yo_net_tile_in *t) {                               \
        enum { SIDE = m + 2 };                                                                     \
        for (int c = 0; c < t->channels; c += (lanes)) {                                           \
            const type *in = (const type *)t->in + c;                                              \
            type *out = (type *)t->out + c;                                                        \
            V half[SIDE][SIDE]; /* [x][transformed y] */                                           \
            for (int x = 0; x < SIDE; x++) {                                                       \
                V column[SIDE];                                                                    \
                for (int y = 0; y < SIDE; y++)                                                     \
                    column[y] = V##_load(in + y * t->row_step + x * t->point_step);                \
                V##_in_##m(column, half[x]);                                                       \
            }                                                                                      \
            for (int y = 0; y < SIDE; y++) {                                                       \
                V row[SIDE], result[SIDE];                                                         \
                for (int x = 0; x < SIDE; x++)                                                     \
                    row[x] = half[x][y];                                                           \
                V##_in_##m(row, result);                                                           \
                for (int x = 0; x < SIDE; x++)                                                     \
                    V##_store(out + (y * SIDE + x) * t->tile_step, result[x]);                     \
            }                                                                                      \
        }                                                                                          \
    }
TILE_IN(vf, float, LANES, 3)
TILE_IN(vf, float, LANES, 4)
TILE_IN(vh, int16_t, 2 * LANES, 3)
TILE_IN(vh, int16_t, 2 * LANES, 4)

static void tile_in_f(const struct yo_net_tile_in *t) {
    if (t->outs == 3)
        vf_tile_in_3(t);
    else
        vf_tile_in_4(t);
}

static void tile_in_h(const struct yo_net_tile_in *t) {
    if (t->outs == 3)
        vh_tile_in_3(t);
    else
        vh_tile_in_4(t);
}

YO_INLINE vf tile_load(const struct yo_net_tile_out *t, bool integers, int point, int c) {
    if (!integers) return vf_load((const float *)t->in + point * t->tile_step + c);
    vi sum = vi_load((const int32_t *)t->in + point * t->tile_step + c);
    return vf_mul(vi_to_vf(sum), vf_load(t->scales + (ptrdiff_t)point * t->channels + c));
}

YO_INLINE void tile_finish(const struct yo_net_tile_out *t, struct epilogue_vectors *v, int y,
                           int x, int c, vf result, bool integers, bool simple, bool then) {
    if (y >= t->rows || x >= t->columns) return;
    ptrdiff_t at = y * t->row_step + x * t->point_step + c;
    vf base = vf_load(t->after.base + c);
    vf sum = integers ? vf_fma(result, vf_set(t->scale), base) : vf_add(result, base);
    epilogue(&t->after, v, at, c, sum, simple, then);
}

#define TILE_OUT(m)                                                                                \
    YO_INLINE void tile_out_##m(const struct yo_net_tile_out *original, bool integers,             \
                                bool simple, bool then) {                                          \
        enum { SIDE = m + 2 };                                                                     \
        struct yo_net_tile_out copy = *original, *t = &copy;                                       \
        struct epilogue_vectors v = epilogue_begin(&t->after);                                     \
        for (int c = 0; c < t->channels; c += LANES) {                                             \
            vf half[SIDE][m]; /* [x][y] */                                                         \
            for (int x = 0; x < SIDE; x++) {                                                       \
                vf column[SIDE];                                                                   \
                for (int y = 0; y < SIDE; y++)                                                     \
                    column[y] = tile_load(t, integers, y * SIDE + x, c);                           \
                vf_out_##m(column, half[x]);                                                       \
            }                                                                                      \
            for (int y = 0; y < m; y++) {                                                          \
                vf row[SIDE], result[m];                                                           \
                for (int x = 0; x < SIDE; x++)                                                     \
                    row[x] = half[x][y];                                                           \
                vf_out_##m(row, result);                                                           \
                for (int x = 0; x < m; x++)                                                        \
                    tile_finish(t, &v, y, x, c, result[x], integers, simple, then);                \
            }                                                                                      \
        }                                                                                          \
        epilogue_end(&t->after, &v);                                                               \
    }
TILE_OUT(3)
TILE_OUT(4)

YO_INLINE void tile_out_any(const struct yo_net_tile_out *t, bool integers, bool simple,
                            bool then) {
    if (t->outs == 3)
        tile_out_3(t, integers, simple, then);
    else
        tile_out_4(t, integers, simple, then);
}

YO_INLINE void tile_out(const struct yo_net_tile_out *t, bool integers) {
    bool simple = activation_is_simple(t->after.activation), then = t->after.then_scale != NULL;
    if (simple && then)
        tile_out_any(t, integers, true, true);
    else if (simple)
        tile_out_any(t, integers, true, false);
    else
        tile_out_any(t, integers, false, then);
}

static void tile_out_f(const struct yo_net_tile_out *t) { tile_out(t, false); }
static void tile_out_i(const struct yo_net_tile_out *t) { tile_out(t, true); }
