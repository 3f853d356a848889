/* The vectors of the kernels in plain C: the same lanes, the same operations in the same order and
 * with the same rounding, so that every processor computes the same numbers. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#define YO_INLINE static inline

enum { LANES = 8, PANEL = 2, ROWS_F = 4, ROWS_H = 4 };

typedef struct {
    float v[LANES];
} vf;
typedef struct {
    int32_t v[LANES];
} vi;
typedef struct {
    int16_t v[2 * LANES];
} vh;

#define EACH(type, count, expression)                                                              \
    type r;                                                                                        \
    for (int i = 0; i < (count); i++)                                                              \
        r.v[i] = (expression);                                                                     \
    return r

YO_INLINE vf vf_load(const float *p) { EACH(vf, LANES, p[i]); }
YO_INLINE void vf_store(float *p, vf a) { memcpy(p, a.v, sizeof a.v); }
YO_INLINE vf vf_set(float a) { EACH(vf, LANES, a); }
YO_INLINE vf vf_add(vf a, vf b) { EACH(vf, LANES, a.v[i] + b.v[i]); }
YO_INLINE vf vf_sub(vf a, vf b) { EACH(vf, LANES, a.v[i] - b.v[i]); }
YO_INLINE vf vf_mul(vf a, vf b) { EACH(vf, LANES, a.v[i] * b.v[i]); }
YO_INLINE vf vf_div(vf a, vf b) { EACH(vf, LANES, a.v[i] / b.v[i]); }
YO_INLINE vf vf_max(vf a, vf b) { EACH(vf, LANES, a.v[i] > b.v[i] ? a.v[i] : b.v[i]); }
YO_INLINE vf vf_min(vf a, vf b) { EACH(vf, LANES, a.v[i] < b.v[i] ? a.v[i] : b.v[i]); }
YO_INLINE vf vf_fma(vf a, vf b, vf c) { EACH(vf, LANES, fmaf(a.v[i], b.v[i], c.v[i])); }
YO_INLINE vf vf_fnma(vf a, vf b, vf c) { EACH(vf, LANES, fmaf(-a.v[i], b.v[i], c.v[i])); }
YO_INLINE vf vf_abs(vf a) { EACH(vf, LANES, fabsf(a.v[i])); }
/* a > b ? x : y in each lane */
YO_INLINE vf vf_pick_greater(vf a, vf b, vf x, vf y) {
    EACH(vf, LANES, a.v[i] > b.v[i] ? x.v[i] : y.v[i]);
}
/* Out of range gives INT32_MIN, as in x86's instruction. */
YO_INLINE int32_t round_float(float a) {
    float r = rintf(a);
    return r >= -0x1p31f && r < 0x1p31f ? (int32_t)r : INT32_MIN;
}
YO_INLINE vi vf_round(vf a) { EACH(vi, LANES, round_float(a.v[i])); }
/* 2^a, for -126 <= a <= 127 */
YO_INLINE vf vf_two_to(vi a) {
    vf r;
    for (int i = 0; i < LANES; i++) {
        uint32_t bits = ((uint32_t)a.v[i] + 127) << 23;
        memcpy(&r.v[i], &bits, sizeof bits);
    }
    return r;
}

YO_INLINE vi vi_zero(void) { EACH(vi, LANES, 0); }
YO_INLINE vi vi_load(const int32_t *p) { EACH(vi, LANES, p[i]); }
YO_INLINE void vi_store(int32_t *p, vi a) { memcpy(p, a.v, sizeof a.v); }
/* Sums and products may wrap around. */
YO_INLINE vi vi_add(vi a, vi b) { EACH(vi, LANES, (int32_t)((uint32_t)a.v[i] + (uint32_t)b.v[i])); }
YO_INLINE vi vi_times_256(vi a) { EACH(vi, LANES, (int32_t)((uint32_t)a.v[i] * 256)); }
/* Rounded down. */
YO_INLINE vi vi_over_256(vi a) { EACH(vi, LANES, a.v[i] >> 8); }
YO_INLINE vf vi_to_vf(vi a) { EACH(vf, LANES, (float)a.v[i]); }

YO_INLINE vh vh_load(const int16_t *p) { EACH(vh, 2 * LANES, p[i]); }
YO_INLINE void vh_store(int16_t *p, vh a) { memcpy(p, a.v, sizeof a.v); }
/* The pair p[0], p[1] in every 32 bits. */
YO_INLINE vh vh_pair(const int16_t *p) { EACH(vh, 2 * LANES, p[i % 2]); }
YO_INLINE vh vh_add(vh a, vh b) { EACH(vh, 2 * LANES, (int16_t)(a.v[i] + b.v[i])); }
YO_INLINE vh vh_sub(vh a, vh b) { EACH(vh, 2 * LANES, (int16_t)(a.v[i] - b.v[i])); }
YO_INLINE vh vh_twice(vh a) { EACH(vh, 2 * LANES, (int16_t)(a.v[i] * 2)); }
YO_INLINE vh vh_four_times(vh a) { EACH(vh, 2 * LANES, (int16_t)(a.v[i] * 4)); }
/* In each 32 bits: the sum of both products, added to `sum`. Sums fit. */
YO_INLINE vi vh_dot(vi sum, vh a, vh b) {
    EACH(vi, LANES, sum.v[i] + a.v[2 * i] * b.v[2 * i] + a.v[2 * i + 1] * b.v[2 * i + 1]);
}
/* The low half of each; the values fit. */
YO_INLINE void vh_store_half(int16_t *p, vi a) {
    for (int i = 0; i < LANES; i++)
        p[i] = (int16_t)a.v[i];
}
/* The low byte of each. */
YO_INLINE void vb_store_quarter(uint8_t *p, vi a) {
    for (int i = 0; i < LANES; i++)
        p[i] = (uint8_t)a.v[i];
}
#undef EACH
