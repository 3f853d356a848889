/* The kernels in plain C: for any processor, and the reference for the others. */
#include "eval/net/cpu/kernels.h"

#include "eval/net/cpu/body/vec_plain.h"

#include "eval/net/cpu/body/kernels_body.h"

static int32_t bytes_sum(const struct yo_net_bytes *b, int row, int output) {
    int parts = yo_net_bytes_parts(b->kernel, b->channels), sum = 0;
    const int8_t *w =
        b->weights + (ptrdiff_t)(output / 16) * b->kernel * parts * 16 * YO_NET_BYTES_K;
    row = b->tile_row[row / YO_NET_BYTES_ROWS] + row % YO_NET_BYTES_ROWS;
    for (int dy = 0; dy < b->kernel; dy++) {
        const uint8_t *a = b->board + (ptrdiff_t)(row + dy * b->pitch) * b->channels;
        for (int k = 0; k < b->kernel * b->channels; k++) {
            ptrdiff_t at = (ptrdiff_t)(dy * parts + k / YO_NET_BYTES_K) * 16 * YO_NET_BYTES_K;
            at += k % YO_NET_BYTES_K / 4 * 64 + output % 16 * 4 + k % 4;
            sum += (b->is_signed ? (int8_t)a[k] : a[k]) * w[at];
        }
    }
    return sum;
}

/* 16 outputs of one point. */
static void bytes_finish(const struct yo_net_bytes *b, int point, int output, const int32_t *sums) {
    ptrdiff_t at = (ptrdiff_t)point * b->outs + output;
    struct yo_net_finish f = {
        .in = sums, .scale = b->scale + output, .points = 1, .channels = 16, .after = b->after};
    f.after.base += output;
    f.after.out += at;
    if (f.after.add) f.after.add += at;
    if (f.after.then_scale) {
        f.after.then_scale += output;
        f.after.then_base += output;
    }
    if (f.after.then_out) f.after.then_out += at;
    finish_i(&f);
}

static void bytes(const struct yo_net_bytes *b) {
    for (int i = 0; i < b->tile_first[b->tiles]; i++)
        for (int output = 0; output < b->outs; output += 16) {
            int32_t sums[16];
            for (int j = 0; j < 16; j++)
                sums[j] = bytes_sum(b, b->on_board[i].row, output + j);
            bytes_finish(b, b->on_board[i].point, output, sums);
        }
}

static bool available(void) { return true; }

YO_NET_KERNELS(plain, .bytes = bytes);
