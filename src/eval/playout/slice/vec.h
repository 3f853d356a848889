/* The vector that a bit-slice is made of: SLICE_BITS games side by side, one bit each. Written with
 * the compiler's vector types, so that one source serves every width; where the CPU has three-input
 * logic (AVX-512), the important operations are one instruction each. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#if SLICE_BITS > 128 || defined(__BMI2__)
#include <immintrin.h>
#endif

#if SLICE_BITS == 64
typedef uint64_t vec;
#else
typedef uint64_t vec __attribute__((vector_size(SLICE_BITS / 8)));
#endif

#define SLICE_WORDS (SLICE_BITS / 64)

static inline vec v_zero(void) { return (vec){0}; }
static inline vec v_ones(void) { return ~(vec){0}; }

#if SLICE_BITS == 512
#define TERNARY(a, b, c, table)                                                                    \
    ((vec)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table))
static inline bool v_any(vec a) { return _mm512_test_epi64_mask((__m512i)a, (__m512i)a) != 0; }
#elif SLICE_BITS == 256
#ifdef __AVX512VL__
#define TERNARY(a, b, c, table)                                                                    \
    ((vec)_mm256_ternarylogic_epi64((__m256i)(a), (__m256i)(b), (__m256i)(c), table))
#endif
static inline bool v_any(vec a) { return !_mm256_testz_si256((__m256i)a, (__m256i)a); }
#elif SLICE_BITS == 128
static inline bool v_any(vec a) { return (a[0] | a[1]) != 0; }
#else
static inline bool v_any(vec a) { return a != 0; }
#endif

/* The truth tables of three-input logic: bit (4a + 2b + c) of the constant. */
#ifdef TERNARY
#define V_OP(name, formula, table)                                                                 \
    static inline vec name(vec a, vec b, vec c) { return TERNARY(a, b, c, table); }
#else
#define V_OP(name, formula, table)                                                                 \
    static inline vec name(vec a, vec b, vec c) { return formula; }
#endif

V_OP(v_xor3, a ^ b ^ c, 0x96)
V_OP(v_maj, (a & b) | (c & (a | b)), 0xe8)
V_OP(v_and3, a &b &c, 0x80)
V_OP(v_or3, a | b | c, 0xfe)
V_OP(v_nor3, ~(a | b | c), 0x01)
V_OP(v_nor_and, ~(a | (b & c)), 0x07)         /* neither a nor b&c */
V_OP(v_or_and, a | (b & c), 0xf8)             /* a | b&c */
V_OP(v_or_andn, a | (b & ~c), 0xf4)           /* a | b&~c */
V_OP(v_xor_and, a ^ (b & c), 0x78)            /* a ^ b&c */
V_OP(v_and_or, a &(b | c), 0xe0)              /* a & (b|c) */
V_OP(v_and_andn, a &b & ~c, 0x40)             /* a & b & ~c */
V_OP(v_andn_or, a & ~(b | c), 0x10)           /* a & ~(b|c) */
V_OP(v_or_xor, a | (b ^ c), 0xf6)             /* a | (b^c) */
V_OP(v_less, (~a & b) | (c & ~(a ^ b)), 0x8e) /* borrow of a - b - c */
V_OP(v_select, (a & b) | (~a & c), 0xca)      /* a ? b : c */
