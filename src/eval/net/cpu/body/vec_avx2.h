/* The vectors of the kernels: 8 floats or 32-bit integers, 16 integers of 16 bits. */
#pragma once

#include <immintrin.h>
#include <stdint.h>

#define YO_INLINE static inline __attribute__((always_inline))

/* Registers: 6 rows x 2 vectors of sums, 2 of weights, one of inputs; the integer product needs one
 * more before it is added. */
enum { LANES = 8, PANEL = 2, ROWS_F = 6, ROWS_H = 5 };

typedef __m256 vf;
typedef __m256i vi;
typedef __m256i vh;

YO_INLINE vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
YO_INLINE void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
YO_INLINE vf vf_set(float a) { return _mm256_set1_ps(a); }
YO_INLINE vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
YO_INLINE vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
YO_INLINE vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
YO_INLINE vf vf_div(vf a, vf b) { return _mm256_div_ps(a, b); }
YO_INLINE vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
YO_INLINE vf vf_min(vf a, vf b) { return _mm256_min_ps(a, b); }
YO_INLINE vf vf_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
YO_INLINE vf vf_fnma(vf a, vf b, vf c) { return _mm256_fnmadd_ps(a, b, c); }
YO_INLINE vf vf_abs(vf a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
/* a > b ? x : y in each lane */
YO_INLINE vf vf_pick_greater(vf a, vf b, vf x, vf y) {
    return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_GT_OQ));
}
YO_INLINE vi vf_round(vf a) { return _mm256_cvtps_epi32(a); }
/* 2^a, for -126 <= a <= 127 */
YO_INLINE vf vf_two_to(vi a) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(a, _mm256_set1_epi32(127)), 23));
}

YO_INLINE vi vi_zero(void) { return _mm256_setzero_si256(); }
YO_INLINE vi vi_load(const int32_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
YO_INLINE void vi_store(int32_t *p, vi a) { _mm256_storeu_si256((__m256i *)p, a); }
YO_INLINE vi vi_over_256(vi a) { return _mm256_srai_epi32(a, 8); }
YO_INLINE vf vi_to_vf(vi a) { return _mm256_cvtepi32_ps(a); }

YO_INLINE vh vh_load(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
YO_INLINE void vh_store(int16_t *p, vh a) { _mm256_storeu_si256((__m256i *)p, a); }
/* The pair p[0], p[1] in every 32 bits. */
YO_INLINE vh vh_pair(const int16_t *p) { return _mm256_set1_epi32(*(const yo_pair *)p); }
YO_INLINE vh vh_add(vh a, vh b) { return _mm256_add_epi16(a, b); }
YO_INLINE vh vh_sub(vh a, vh b) { return _mm256_sub_epi16(a, b); }
YO_INLINE vh vh_twice(vh a) { return _mm256_slli_epi16(a, 1); }
YO_INLINE vh vh_four_times(vh a) { return _mm256_slli_epi16(a, 2); }
/* In each 32 bits: the sum of both products, added to `sum`. */
YO_INLINE vi vh_dot(vi sum, vh a, vh b) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)); }
/* The low half of each; the values fit. */
YO_INLINE void vh_store_half(int16_t *p, vi a) {
    __m128i low = _mm256_castsi256_si128(a), high = _mm256_extracti128_si256(a, 1);
    _mm_storeu_si128((__m128i *)p, _mm_packs_epi32(low, high));
}
/* The low byte of each. */
YO_INLINE void vb_store_quarter(uint8_t *p, vi a) {
    const __m256i low =
        _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12,
                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    __m256i bytes = _mm256_shuffle_epi8(a, low);
    __m128i both =
        _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
    _mm_storel_epi64((__m128i *)p, both);
}
