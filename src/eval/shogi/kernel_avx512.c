/* The kernel for AVX-512 with VNNI: four products of bytes and their sum in one instruction. */
#include "eval/shogi/kernel.h"

#if defined(YOMI_X86)
#include <immintrin.h>

#include "base/cpu.h"

enum { LANES = 32, VECTORS = SHOGI_NET_SUMS / LANES }; /* of the sums */

static bool available(void) {
    const struct yo_cpu *cpu = yo_cpu_get();
    return cpu->level >= 4 && cpu->avx512vnni;
}

static void update(int16_t *out, const int16_t *in, const int16_t *const *on, int on_count,
                   const int16_t *const *off, int off_count) {
    __m512i sums[VECTORS];
    for (int i = 0; i < VECTORS; i++)
        sums[i] = _mm512_load_si512(in + LANES * i);
    for (int j = 0; j < on_count; j++)
        for (int i = 0; i < VECTORS; i++)
            sums[i] = _mm512_add_epi16(sums[i], _mm512_load_si512(on[j] + LANES * i));
    for (int j = 0; j < off_count; j++)
        for (int i = 0; i < VECTORS; i++)
            sums[i] = _mm512_sub_epi16(sums[i], _mm512_load_si512(off[j] + LANES * i));
    for (int i = 0; i < VECTORS; i++)
        _mm512_store_si512(out + LANES * i, sums[i]);
}

/* The sums of a side, clipped to bytes. */
static void clip_sums(uint8_t *out, const int16_t *sums) {
    const __m512i zero = _mm512_setzero_si512(), top = _mm512_set1_epi16(127);
    for (int i = 0; i < VECTORS; i++) {
        __m512i v = _mm512_load_si512(sums + LANES * i);
        v = _mm512_min_epi16(_mm512_max_epi16(v, zero), top);
        _mm256_store_si256((__m256i *)(out + LANES * i), _mm512_cvtepi16_epi8(v));
    }
}

static __m128i clip_layer(__m512i v) {
    v = _mm512_srai_epi32(v, 6);
    v = _mm512_max_epi32(v, _mm512_setzero_si512());
    return _mm512_cvtepi32_epi8(_mm512_min_epi32(v, _mm512_set1_epi32(127)));
}

/* Thirty-two outputs from 4 * groups inputs. Several sums run side by side, since each instruction
 * waits for the last one on its sum. */
static inline void layer(const int32_t *biases, const int8_t (*weights)[SHOGI_NET_HIDDEN][4],
                         const int32_t *inputs, int groups, uint8_t *out) {
    __m512i low[4], high[4];
    low[0] = _mm512_load_si512(biases);
    high[0] = _mm512_load_si512(biases + 16);
    for (int k = 1; k < 4; k++)
        low[k] = high[k] = _mm512_setzero_si512();
    for (int i = 0; i < groups; i += 4)
        for (int k = 0; k < 4; k++) {
            __m512i input = _mm512_set1_epi32(inputs[i + k]);
            low[k] = _mm512_dpbusd_epi32(low[k], input, _mm512_load_si512(weights[i + k][0]));
            high[k] = _mm512_dpbusd_epi32(high[k], input, _mm512_load_si512(weights[i + k][16]));
        }
    for (int k = 2; k > 0; k /= 2)
        for (int j = 0; j < k; j++) {
            low[j] = _mm512_add_epi32(low[j], low[j + k]);
            high[j] = _mm512_add_epi32(high[j], high[j + k]);
        }
    _mm_store_si128((__m128i *)out, clip_layer(low[0]));
    _mm_store_si128((__m128i *)(out + 16), clip_layer(high[0]));
}

static int32_t forward(const struct shogi_net_layers *l, const int16_t *us, const int16_t *them) {
    union {
        _Alignas(64) uint8_t bytes[2 * SHOGI_NET_SUMS];
        int32_t words[SHOGI_NET_SUMS / 2];
    } inputs, hidden1;
    _Alignas(32) uint8_t hidden2[SHOGI_NET_HIDDEN];
    clip_sums(inputs.bytes, us);
    clip_sums(inputs.bytes + SHOGI_NET_SUMS, them);
    layer(l->biases1, l->groups1, inputs.words, SHOGI_NET_SUMS / 2, hidden1.bytes);
    layer(l->biases2, l->groups2, hidden1.words, SHOGI_NET_HIDDEN / 4, hidden2);
    __m256i products =
        _mm256_dpbusd_epi32(_mm256_setzero_si256(), _mm256_load_si256((const __m256i *)hidden2),
                            _mm256_load_si256((const __m256i *)l->row3));
    __m128i sum =
        _mm_add_epi32(_mm256_castsi256_si128(products), _mm256_extracti128_si256(products, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return (int32_t)((uint32_t)l->bias3 + (uint32_t)_mm_cvtsi128_si32(sum));
}

const struct shogi_net_kernel yo_shogi_net_avx512 = {
    .name = "avx512-vnni", .available = available, .update = update, .forward = forward};
#endif
