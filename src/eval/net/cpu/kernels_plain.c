/* The kernels in plain C: for any processor, and the reference for the others. */
#include "eval/net/cpu/kernels.h"

#include "eval/net/cpu/body/vec_plain.h"

#define YO_NET_BYTES bytes
static void bytes(const struct yo_net_bytes *b);
#include "eval/net/cpu/body/kernels_body.h"

static int32_t bytes_sum(const struct yo_net_bytes *b, int row, int output) {
    int parts = yo_net_bytes_parts(b->channels), sum = 0;
    const int8_t *w = b->weights + (ptrdiff_t)(output / 16) * 3 * parts * 16 * YO_NET_BYTES_K;
    for (int dy = 0; dy < 3; dy++) {
        const uint8_t *a = b->board + (ptrdiff_t)(row + dy * b->pitch) * b->channels;
        for (int k = 0; k < 3 * b->channels; k++) {
            ptrdiff_t at = (ptrdiff_t)(dy * parts + k / YO_NET_BYTES_K) * 16 * YO_NET_BYTES_K;
            at += k % YO_NET_BYTES_K / 4 * 64 + output % 16 * 4 + k % 4;
            sum += (b->is_signed ? (int8_t)a[k] : a[k]) * w[at];
        }
    }
    return sum;
}

static void bytes(const struct yo_net_bytes *b) {
    for (int row = 0; row < b->rows; row++)
        for (int o = 0; o < b->outs; o++)
            b->out[(ptrdiff_t)row * b->outs + o] = bytes_sum(b, row, o);
}

static bool available(void) { return true; }

YO_NET_KERNELS(plain);
