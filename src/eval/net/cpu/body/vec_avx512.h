/* The vectors of the kernels: 16 floats or 32-bit integers, 32 integers of 16 bits. */
#pragma once

#include <immintrin.h>
#include <stdint.h>

#define YO_INLINE static inline __attribute__((always_inline))

/* Registers: 9 rows x 3 vectors of sums, 3 of weights, one of inputs. */
enum { LANES = 16, PANEL = 3, ROWS_F = 9, ROWS_H = 9 };

typedef __m512 vf;
typedef __m512i vi;
typedef __m512i vh;

YO_INLINE vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
YO_INLINE void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
YO_INLINE vf vf_set(float a) { return _mm512_set1_ps(a); }
YO_INLINE vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
YO_INLINE vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
YO_INLINE vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
YO_INLINE vf vf_div(vf a, vf b) { return _mm512_div_ps(a, b); }
YO_INLINE vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }
YO_INLINE vf vf_min(vf a, vf b) { return _mm512_min_ps(a, b); }
YO_INLINE vf vf_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
YO_INLINE vf vf_fnma(vf a, vf b, vf c) { return _mm512_fnmadd_ps(a, b, c); }
YO_INLINE vf vf_abs(vf a) { return _mm512_abs_ps(a); }
/* a > b ? x : y in each lane */
YO_INLINE vf vf_pick_greater(vf a, vf b, vf x, vf y) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_GT_OQ), y, x);
}
YO_INLINE vi vf_round(vf a) { return _mm512_cvtps_epi32(a); }
/* 2^a, for -126 <= a <= 127 */
YO_INLINE vf vf_two_to(vi a) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(a, _mm512_set1_epi32(127)), 23));
}

YO_INLINE vi vi_zero(void) { return _mm512_setzero_si512(); }
YO_INLINE vi vi_load(const int32_t *p) { return _mm512_loadu_si512(p); }
YO_INLINE void vi_store(int32_t *p, vi a) { _mm512_storeu_si512(p, a); }
YO_INLINE vi vi_add(vi a, vi b) { return _mm512_add_epi32(a, b); }
YO_INLINE vi vi_times_256(vi a) { return _mm512_slli_epi32(a, 8); }
YO_INLINE vi vi_over_256(vi a) { return _mm512_srai_epi32(a, 8); }
YO_INLINE vf vi_to_vf(vi a) { return _mm512_cvtepi32_ps(a); }

YO_INLINE vh vh_load(const int16_t *p) { return _mm512_loadu_si512(p); }
YO_INLINE void vh_store(int16_t *p, vh a) { _mm512_storeu_si512(p, a); }
/* The pair p[0], p[1] in every 32 bits. */
YO_INLINE vh vh_pair(const int16_t *p) { return _mm512_set1_epi32(*(const yo_pair *)p); }
YO_INLINE vh vh_add(vh a, vh b) { return _mm512_add_epi16(a, b); }
YO_INLINE vh vh_sub(vh a, vh b) { return _mm512_sub_epi16(a, b); }
YO_INLINE vh vh_twice(vh a) { return _mm512_slli_epi16(a, 1); }
YO_INLINE vh vh_four_times(vh a) { return _mm512_slli_epi16(a, 2); }
/* In each 32 bits: the sum of both products, added to `sum`. In assembly, since clang splits the
 * intrinsic into two instructions unless it tunes for a processor where that is slower. */
YO_INLINE vi vh_dot(vi sum, vh a, vh b) {
#if defined(__AVX512VNNI__)
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
    return sum;
#else
    return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
#endif
}
/* The low half of each; the values fit. */
YO_INLINE void vh_store_half(int16_t *p, vi a) {
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16(a));
}
/* The low byte of each. */
YO_INLINE void vb_store_quarter(uint8_t *p, vi a) {
    _mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8(a));
}
