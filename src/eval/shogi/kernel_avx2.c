/* The kernel for AVX2. */
#include "eval/shogi/kernel_vector.h"

#if defined(YOMI_X86)
#include "base/cpu.h"

enum { LANES = 16, VECTORS = SHOGI_NET_SUMS / LANES }; /* of the sums */

static bool available(void) { return yo_cpu_get()->level >= 3; }

static __m256i load(const void *at) { return _mm256_load_si256((const __m256i *)at); }

/* Half of the sums at a time: sixteen registers do not hold them all. */
static void update(int16_t *out, const int16_t *in, const int16_t *const *on, int on_count,
                   const int16_t *const *off, int off_count) {
    for (int first = 0; first < VECTORS; first += VECTORS / 2) {
        __m256i sums[VECTORS / 2];
        for (int i = 0; i < VECTORS / 2; i++)
            sums[i] = load(in + LANES * (first + i));
        for (int j = 0; j < on_count; j++)
            for (int i = 0; i < VECTORS / 2; i++)
                sums[i] = _mm256_add_epi16(sums[i], load(on[j] + LANES * (first + i)));
        for (int j = 0; j < off_count; j++)
            for (int i = 0; i < VECTORS / 2; i++)
                sums[i] = _mm256_sub_epi16(sums[i], load(off[j] + LANES * (first + i)));
        for (int i = 0; i < VECTORS / 2; i++)
            _mm256_store_si256((__m256i *)(out + LANES * (first + i)), sums[i]);
    }
}

/* Packing works within 128-bit halves of a register, so its quarters are permuted afterwards. */
static void clip_sums(uint8_t *out, const int16_t *sums) {
    const __m256i top = _mm256_set1_epi8(127);
    for (int i = 0; i < VECTORS; i += 2) {
        __m256i v = _mm256_packus_epi16(load(sums + LANES * i), load(sums + LANES * (i + 1)));
        v = _mm256_permute4x64_epi64(_mm256_min_epu8(v, top), 0xd8);
        _mm256_store_si256((__m256i *)(out + LANES * i), v);
    }
}

/* Pairs of products fit into 16 bits: 2 * 127 * 128 < 2^15. */
static __m256i add_products(__m256i sum, __m256i inputs, __m256i weights) {
    __m256i pairs = _mm256_maddubs_epi16(inputs, weights);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline void layer(const int32_t *biases, const int8_t (*weights)[SHOGI_NET_HIDDEN][4],
                         const int32_t *inputs, int groups, uint8_t *out) {
    __m256i sums[4];
    for (int k = 0; k < 4; k++)
        sums[k] = load(biases + 8 * k);
    for (int i = 0; i < groups; i++) {
        __m256i input = _mm256_set1_epi32(inputs[i]);
        for (int k = 0; k < 4; k++)
            sums[k] = add_products(sums[k], input, load(weights[i][8 * k]));
    }
    for (int k = 0; k < 4; k++)
        sums[k] = _mm256_srai_epi32(sums[k], 6);
    __m256i v = _mm256_packus_epi16(_mm256_packs_epi32(sums[0], sums[1]),
                                    _mm256_packs_epi32(sums[2], sums[3]));
    v = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_store_si256((__m256i *)out, _mm256_min_epu8(v, _mm256_set1_epi8(127)));
}

static __m256i products(const uint8_t *inputs, const int8_t *row) {
    return add_products(_mm256_setzero_si256(), load(inputs), load(row));
}

static int32_t forward(const struct shogi_net_layers *l, const int16_t *us, const int16_t *them) {
    return shogi_net_forward(l, us, them, clip_sums, layer, products);
}

const struct shogi_net_kernel yo_shogi_net_avx2 = {
    .name = "avx2", .available = available, .update = update, .forward = forward};
#endif
