/* The forward pass that the x86 vector kernels share. Each kernel passes its own steps, which are
 * inlined. */
#pragma once

#include "eval/shogi/kernel.h"

#if defined(YOMI_X86)
#include <immintrin.h>

/* Clips the sums of a side to bytes. */
typedef void shogi_net_clip_fn(uint8_t *out, const int16_t *sums);
/* Thirty-two outputs from 4 * groups inputs. */
typedef void shogi_net_layer_fn(const int32_t *biases, const int8_t (*weights)[SHOGI_NET_HIDDEN][4],
                                const int32_t *inputs, int groups, uint8_t *out);
/* The products of the last layer, in eight sums. */
typedef __m256i shogi_net_products_fn(const uint8_t *inputs, const int8_t *row);

static inline int32_t shogi_net_sum_eight(__m256i v) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
}

static inline int32_t shogi_net_forward(const struct shogi_net_layers *l, const int16_t *us,
                                        const int16_t *them, shogi_net_clip_fn *clip_sums,
                                        shogi_net_layer_fn *layer,
                                        shogi_net_products_fn *products) {
    union {
        _Alignas(64) uint8_t bytes[2 * SHOGI_NET_SUMS];
        int32_t words[SHOGI_NET_SUMS / 2];
    } inputs, hidden1;
    _Alignas(32) uint8_t hidden2[SHOGI_NET_HIDDEN];
    clip_sums(inputs.bytes, us);
    clip_sums(inputs.bytes + SHOGI_NET_SUMS, them);
    layer(l->biases1, l->groups1, inputs.words, SHOGI_NET_SUMS / 2, hidden1.bytes);
    layer(l->biases2, l->groups2, hidden1.words, SHOGI_NET_HIDDEN / 4, hidden2);
    int32_t sum = shogi_net_sum_eight(products(hidden2, l->row3));
    return (int32_t)((uint32_t)l->bias3 + (uint32_t)sum);
}
#endif
