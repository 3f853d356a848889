/* All kernels, for the vectors that were included before. */
#pragma once

#include <math.h>

#include "eval/net/cpu/body/activation.h"
#include "eval/net/cpu/body/epilogue.h"
#include "eval/net/cpu/body/gemm.h"
#include "eval/net/cpu/body/winograd.h"

/* Works on a copy: stores of vectors may change the original, as far as the compiler knows. */
YO_INLINE void finish(const struct yo_net_finish *original, bool integers, bool simple, bool then) {
    struct yo_net_finish copy = *original, *f = &copy;
    struct epilogue_vectors v = epilogue_begin(&f->after);
    for (int p = 0; p < f->points; p++)
        for (int c = 0; c < f->channels; c += LANES) {
            ptrdiff_t from = p * f->in_step + c, to = p * f->out_step + c;
            vf x = integers ? vi_to_vf(vi_load((const int32_t *)f->in + from))
                            : vf_load((const float *)f->in + from);
            vf base = vf_load(f->after.base + c);
            vf sum = f->scale ? vf_fma(x, vf_load(f->scale + c), base) : vf_add(x, base);
            epilogue(&f->after, &v, to, c, sum, simple, then);
        }
    epilogue_end(&f->after, &v);
}

YO_INLINE void finish_any(const struct yo_net_finish *f, bool integers) {
    bool simple = activation_is_simple(f->after.activation), then = f->after.then_scale != NULL;
    if (simple && then)
        finish(f, integers, true, true);
    else if (simple)
        finish(f, integers, true, false);
    else
        finish(f, integers, false, then);
}

static void finish_f(const struct yo_net_finish *f) { finish_any(f, false); }
static void finish_i(const struct yo_net_finish *f) { finish_any(f, true); }

/* `vecs` sums stay in registers while the rows of weights are added to them. */
YO_INLINE void gather_vecs(const struct yo_net_gather *g, int c, int vecs) {
    vf sum[6];
    for (int j = 0; j < vecs; j++)
        sum[j] = vf_load(g->base + c + j * LANES);
    for (int i = 0; i < g->row_count; i++) {
        const float *row = g->weights + (ptrdiff_t)g->rows[i] * g->channels + c;
        for (int j = 0; j < vecs; j++)
            sum[j] = vf_add(sum[j], vf_load(row + j * LANES));
    }
    for (int j = 0; j < vecs; j++)
        vf_store(g->out + c + j * LANES, sum[j]);
}

static void gather(const struct yo_net_gather *g) {
    int c = 0;
    for (; c + 6 * LANES <= g->channels; c += 6 * LANES)
        gather_vecs(g, c, 6);
    for (; c < g->channels; c += LANES)
        gather_vecs(g, c, 1);
}

YO_INLINE void store_h(const struct yo_net_quantise *q, int16_t *out, vi x) {
    (void)q;
    vh_store_half(out, x);
}
YO_INLINE void store_b(const struct yo_net_quantise *q, uint8_t *out, vi x) {
    (void)q;
    vb_store_quarter(out, x);
}
YO_INLINE void store_split(const struct yo_net_quantise *q, uint8_t *out, vi x) {
    vb_store_quarter(out, vi_over_256(x));
    vb_store_quarter(out + q->low, x);
}

/* Column by column, so that the numbers of a channel stay in registers. */
#define QUANTISE(suffix, type)                                                                     \
    YO_INLINE void quantise_any_##suffix(const struct yo_net_quantise *q, bool then) {             \
        vf by = vf_set(q->scale), floor = vf_set(q->then_floor);                                   \
        for (int c = 0; c < q->channels; c += LANES) {                                             \
            const float *in = q->in + c;                                                           \
            type *out = (type *)q->out + c;                                                        \
            vf scale = then ? vf_load(q->then_scale + c) : by;                                     \
            vf base = then ? vf_load(q->then_base + c) : by;                                       \
            for (int p = 0; p < q->points; p++, in += q->in_step, out += q->out_step) {            \
                vf x = vf_load(in);                                                                \
                if (then) x = vf_max(vf_fma(x, scale, base), floor);                               \
                store_##suffix(q, out, vf_round(vf_mul(x, by)));                                   \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void quantise_##suffix(const struct yo_net_quantise *q) {                               \
        if (q->then_scale)                                                                         \
            quantise_any_##suffix(q, true);                                                        \
        else                                                                                       \
            quantise_any_##suffix(q, false);                                                       \
    }
QUANTISE(h, int16_t)
QUANTISE(b, uint8_t)
QUANTISE(split, uint8_t)

static void pool(const float *in, ptrdiff_t step, int points, int channels, float *sum,
                 float *max) {
    for (int c = 0; c < channels; c += LANES) {
        vf total = vf_load(in + c), most = total;
        for (int p = 1; p < points; p++) {
            vf x = vf_load(in + p * step + c);
            total = vf_add(total, x);
            most = vf_max(x, most);
        }
        vf_store(sum + c, total);
        vf_store(max + c, most);
    }
}

/* With the members that are not of every set: `bytes`, and what belongs to it. */
#define YO_NET_KERNELS(isa, ...)                                                                   \
    const struct yo_net_kernels yo_net_kernels_##isa = {.name = #isa,                              \
                                                        .available = available,                    \
                                                        .panel = PANEL * LANES,                    \
                                                        .gemm_f = gemm_f,                          \
                                                        .gemm_h = gemm_h,                          \
                                                        .finish_f = finish_f,                      \
                                                        .finish_i = finish_i,                      \
                                                        .tile_in_f = tile_in_f,                    \
                                                        .tile_in_h = tile_in_h,                    \
                                                        .tile_out_f = tile_out_f,                  \
                                                        .tile_out_i = tile_out_i,                  \
                                                        .gather = gather,                          \
                                                        .quantise_h = quantise_h,                  \
                                                        .quantise_b = quantise_b,                  \
                                                        .quantise_split = quantise_split,          \
                                                        .pool = pool,                              \
                                                        __VA_ARGS__}
