/* The plain C kernel, and the choice of a kernel. */
#include "eval/shogi/kernel.h"

/* A layer's sum, shifted and clipped to 0 .. TOP, is the next layer's input. */
enum { SHIFT = 6, TOP = 127 };

static uint8_t clip(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > TOP ? TOP : value); }

static void update(int16_t *out, const int16_t *in, const int16_t *const *on, int on_count,
                   const int16_t *const *off, int off_count) {
    for (int i = 0; i < SHOGI_NET_SUMS; i++) {
        unsigned sum = (unsigned)in[i];
        for (int j = 0; j < on_count; j++)
            sum += (unsigned)on[j][i];
        for (int j = 0; j < off_count; j++)
            sum -= (unsigned)off[j][i];
        out[i] = (int16_t)(uint16_t)sum;
    }
}

static int32_t dot(int32_t bias, const int8_t *row, const uint8_t *inputs, int count) {
    uint32_t sum = (uint32_t)bias;
    for (int i = 0; i < count; i++)
        sum += (uint32_t)(row[i] * inputs[i]);
    return (int32_t)sum;
}

static int32_t forward(const struct shogi_net_layers *l, const int16_t *us, const int16_t *them) {
    uint8_t inputs[2 * SHOGI_NET_SUMS], hidden1[SHOGI_NET_HIDDEN], hidden2[SHOGI_NET_HIDDEN];
    for (int i = 0; i < SHOGI_NET_SUMS; i++) {
        inputs[i] = clip(us[i]);
        inputs[SHOGI_NET_SUMS + i] = clip(them[i]);
    }
    for (int i = 0; i < SHOGI_NET_HIDDEN; i++)
        hidden1[i] = clip(dot(l->biases1[i], l->rows1[i], inputs, 2 * SHOGI_NET_SUMS) >> SHIFT);
    for (int i = 0; i < SHOGI_NET_HIDDEN; i++)
        hidden2[i] = clip(dot(l->biases2[i], l->rows2[i], hidden1, SHOGI_NET_HIDDEN) >> SHIFT);
    return dot(l->bias3, l->row3, hidden2, SHOGI_NET_HIDDEN);
}

static bool available(void) { return true; }

const struct shogi_net_kernel yo_shogi_net_plain = {
    .name = "plain", .available = available, .update = update, .forward = forward};

const struct shogi_net_kernel *const yo_shogi_net_kernels[] = {
#if defined(YOMI_X86)
    &yo_shogi_net_avx512,
    &yo_shogi_net_avx2,
#endif
    &yo_shogi_net_plain,
    NULL,
};

const struct shogi_net_kernel *yo_shogi_net_kernel(void) {
    const struct shogi_net_kernel *const *kernel = yo_shogi_net_kernels;
    while (!(*kernel)->available())
        kernel++;
    return *kernel;
}
