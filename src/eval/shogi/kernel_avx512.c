/* The kernel for AVX-512 with VNNI: four products of bytes and their sum in one instruction. */
#include "eval/shogi/kernel_vector.h"

#if defined(YOMI_X86)
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

/* Several independent sums hide the latency of the dependent instructions on each. */
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

static __m256i products(const uint8_t *inputs, const int8_t *row) {
    return _mm256_dpbusd_epi32(_mm256_setzero_si256(), _mm256_load_si256((const __m256i *)inputs),
                               _mm256_load_si256((const __m256i *)row));
}

static int32_t forward(const struct shogi_net_layers *l, const int16_t *us, const int16_t *them) {
    return shogi_net_forward(l, us, them, clip_sums, layer, products);
}

const struct shogi_net_kernel yo_shogi_net_avx512 = {
    .name = "avx512-vnni", .available = available, .update = update, .forward = forward};
#endif
