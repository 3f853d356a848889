/* A network one operation at a time: for graphs and GPUs that the fused kernel does not support.
 * Written in terms of device.cuh, so that a test runs the same source on the host. */
#pragma once

#include "eval/net/cuda/layers_points.cuh"

namespace layers {

/* ---- the input: bits to numbers, eight planes at a time ---- */

DEV void expand(const yo_layer_job &job) {
    const int groups = job.out_stride / 8;
    const size_t all = (size_t)job.count * (size_t)(job.points * groups);
    for (size_t i = first_item(); i < all; i += item_step()) {
        const int group = (int)(i % (size_t)groups),
                  point = (int)(i / (size_t)groups % (size_t)job.points);
        const size_t board = i / (size_t)(groups * job.points);
        const uint64_t *bits =
            (const uint64_t *)job.in +
            (board * (size_t)job.out_channels + (size_t)group * 8) * (size_t)job.plane_words +
            point / 64;
        uint32_t word[4] = {0, 0, 0, 0};
#pragma unroll
        for (int c = 0; c < 8; c++)
            if (group * 8 + c < job.out_channels && bits[c * job.plane_words] >> (point % 64) & 1)
                word[c / 2] |= 0x3c00u << (c % 2 * 16);
        ((uint4 *)job.out)[i] = make_uint4(word[0], word[1], word[2], word[3]);
    }
}

/* ---- convolution: an implicit matrix product ---- */

/* A block makes 128 rows x 64 channels. It reads 32 channels of a tap at a time into shared memory,
 * the next AHEAD times 32 into registers while the tensor cores work: where blocks are few, nothing
 * else hides how long memory takes. */
struct conv {
    enum { ROWS = YO_LAYER_ROWS, OUTPUTS = YO_LAYER_OUTPUTS, INPUTS = YO_LAYER_INPUTS };
    enum { STRIDE = INPUTS + 8 }; /* rows 80 bytes apart: ldmatrix meets no bank twice */
    enum { STAGE = (ROWS + OUTPUTS) * STRIDE };
    enum { AHEAD = 3 };

    const yo_layer_job &job;
    uint16_t *shared;
    int first_row, first_output, all_rows, chunks;
    /* what is read next: 32 channels of a tap, `column` of them this thread's first */
    int chunk, dy, dx, column;
    int y[2], x[2]; /* of this thread's rows; far outside if there is no such row */
    const uint16_t *from_a[2], *from_b;
    bool inside[2];                        /* the tap lies on the board */
    uint4 next_a[AHEAD][2], next_b[AHEAD]; /* what was read, in a ring */

    DEV conv(const yo_layer_job &j, uint16_t *memory) : job(j), shared(memory) {}

    DEV int row(int i) const { return first_row + dev_thread() / 4 + i * 64; }

    /* The next tap: its rows, and whether they are on the board. */
    DEV void find_rows() {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            inside[i] = (unsigned)(y[i] + dy) < (unsigned)job.size &&
                        (unsigned)(x[i] + dx) < (unsigned)job.size;
            from_a[i] = (const uint16_t *)job.in +
                        (size_t)(row(i) + dy * job.size + dx) * (size_t)job.in_stride +
                        (size_t)(job.first_channel + column);
        }
    }

    DEV void begin() {
        chunk = 0, column = dev_thread() % 4 * 8;
        dy = -(job.kernel_y / 2) * job.dilation_y, dx = -(job.kernel_x / 2) * job.dilation_x;
#pragma unroll
        for (int i = 0; i < 2; i++) { /* divisions are slow: once, not for every tap */
            const int point = row(i) % job.points;
            y[i] = row(i) < all_rows ? point / job.size : -(1 << 16);
            x[i] = point % job.size;
        }
        from_b = (const uint16_t *)job.weights +
                 (size_t)(first_output + dev_thread() / 4) * (size_t)job.padded_in + column;
        find_rows();
    }

    /* Into registers, and on to the next: chunks inside, taps outside. */
    DEV void read(uint4 (&a)[2], uint4 &b) {
        const int at = chunk * INPUTS;
#pragma unroll
        for (int i = 0; i < 2; i++) {
            a[i] = make_uint4(0, 0, 0, 0);
            if (inside[i] && job.first_channel + column + at < job.in_stride)
                a[i] = *(const uint4 *)(from_a[i] + at);
        }
        b = *(const uint4 *)(from_b + at);
        if (++chunk < chunks) return;
        chunk = 0;
        from_b += (size_t)job.padded_out * (size_t)job.padded_in;
        dx += job.dilation_x;
        if (dx > job.kernel_x / 2 * job.dilation_x) {
            dx = -(job.kernel_x / 2) * job.dilation_x;
            dy += job.dilation_y;
        }
        find_rows();
    }

    DEV void write(int stage, const uint4 (&from_a)[2], const uint4 &from_b) {
        uint16_t *a = shared + stage * STAGE, *b = a + ROWS * STRIDE;
        const int row = dev_thread() / 4, column = dev_thread() % 4 * 8;
        *(uint4 *)(a + row * STRIDE + column) = from_a[0];
        *(uint4 *)(a + (row + 64) * STRIDE + column) = from_a[1];
        *(uint4 *)(b + row * STRIDE + column) = from_b;
    }

    DEV void multiply(int stage, float (&d)[2][4][4]) {
        const int warp = dev_thread() / 32, lane = dev_thread() % 32;
        const uint16_t *a = shared + stage * STAGE + warp / 2 * 32 * STRIDE;
        const uint16_t *b = shared + stage * STAGE + (ROWS + warp % 2 * 32) * STRIDE;
#pragma unroll
        for (int k = 0; k < INPUTS; k += 16) {
            uint32_t fa[2][4], fb[2][4];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                dev_ldmatrix(fa[i],
                             dev_shared(a + (i * 16 + lane % 16) * STRIDE + k + lane / 16 * 8));
                dev_ldmatrix(fb[i], dev_shared(b + (i * 16 + lane / 16 * 8 + lane % 8) * STRIDE +
                                               k + lane / 8 % 2 * 8));
            }
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    dev_mma(d[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
        }
    }

    DEV void finish(const float (&d)[2][4][4]) {
        const int warp = dev_thread() / 32, lane = dev_thread() % 32;
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = first_row + warp / 2 * 32 + i * 16 + h * 8 + lane / 4;
                if (row >= all_rows) continue;
                const size_t board = (size_t)(row / job.points);
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    const int c = first_output + warp % 2 * 32 + j * 8 + lane % 4 * 2;
                    if (c >= job.out_stride) continue;
                    finish_pair(row, board, c, d[i][j][2 * h], d[i][j][2 * h + 1]);
                }
            }
    }

    /* Two channels. Channels past the last are zero, since readers read a whole stride. */
    DEV void finish_pair(int row, size_t board, int c, float x, float y) {
        const bool has_x = c < job.out_channels, has_y = c + 1 < job.out_channels;
        if (job.bias) {
            if (has_x) x += job.bias[c];
            if (has_y) y += job.bias[c + 1];
        }
        if (job.vector) {
            const float *v = job.vector + board * (size_t)job.vector_stride + c;
            if (has_x) x += v[0];
            if (has_y) y += v[1];
        }
        if (job.add) {
            float p, q;
            dev_unpack(*(const uint32_t *)((const uint16_t *)job.add +
                                           (size_t)row * (size_t)job.add_stride + c),
                       p, q);
            x += p, y += q;
        }
        x = has_x ? activate(job.activation, x) : 0;
        y = has_y ? activate(job.activation, y) : 0;
        if (job.out)
            *(uint32_t *)((uint16_t *)job.out + (size_t)row * (size_t)job.out_stride + c) =
                dev_pack(x, y);
        if (job.planar) {
            float *to = job.planar +
                        (board * (size_t)job.out_channels + (size_t)c) * (size_t)job.points +
                        row % job.points;
            if (has_x) to[0] = x;
            if (has_y) to[job.points] = y;
        }
    }

    DEV void run() {
        const int columns = job.padded_out / OUTPUTS;
        float d[2][4][4];
#pragma unroll
        for (int i = 0; i < 32; i++)
            d[i / 16][i / 4 % 4][i % 4] = 0;
        first_row = dev_block() / columns * ROWS;
        first_output = dev_block() % columns * OUTPUTS;
        all_rows = job.count * job.points;
        chunks = job.padded_in / INPUTS;
        const int steps = job.kernel_y * job.kernel_x * chunks;
        begin();
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            if (i < steps) read(next_a[i], next_b[i]);
        for (int first = 0; first < steps; first += AHEAD) {
#pragma unroll
            for (int i = 0; i < AHEAD; i++) { /* unrolled, so that the ring stays in registers */
                const int step = first + i;
                if (step >= steps) break;
                write(step & 1, next_a[i], next_b[i]);
                if (step + AHEAD < steps) read(next_a[i], next_b[i]);
                dev_sync();
                multiply(step & 1, d);
            }
        }
        finish(d);
    }
};

/* ---- pooling: a warp takes 8 channels of a board ---- */

DEV void pool(const yo_layer_job &job) {
    const int lane = dev_thread() % 32, planes = job.in_stride / 8, channels = job.in_channels;
    const int units = job.count * planes, warps = dev_blocks() * dev_threads() / 32;
    for (int unit = dev_block() * dev_threads() / 32 + dev_thread() / 32; unit < units;
         unit += warps) {
        const int board = unit / planes, plane = unit % planes;
        const uint16_t *from = (const uint16_t *)job.in +
                               (size_t)board * (size_t)(job.points * job.in_stride) + plane * 8 +
                               lane % 4 * 2;
        float sum[2] = {0, 0}, most[2] = {-INFINITY, -INFINITY};
        for (int p = lane / 4; p < job.points; p += 8) {
            float x, y;
            dev_unpack(*(const uint32_t *)(from + (size_t)p * (size_t)job.in_stride), x, y);
            sum[0] += x, sum[1] += y;
            most[0] = fmaxf(most[0], x), most[1] = fmaxf(most[1], y);
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
            for (int by = 4; by < 32; by *= 2) {
                sum[i] += dev_swap(sum[i], by);
                most[i] = fmaxf(most[i], dev_swap(most[i], by));
            }
        const float w = (float)(job.size - 14);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int c = plane * 8 + lane * 2 + i;
            if (lane >= 4 || c >= channels) continue;
            const float mean = sum[i] / (float)job.points;
            const float third =
                job.pool == YO_NET_POOL_TRUNK ? most[i] : mean * (w * w * 0.01f - 0.1f);
            const float results[3] = {mean, mean * w * 0.1f, third};
            for (int k = 0; k < 3; k++) {
                const int o = k * channels + c;
                float x = results[k];
                if (job.bias) x += job.bias[o];
                if (job.vector)
                    x += job.vector[(size_t)board * (size_t)job.vector_stride + (size_t)o];
                if (job.add)
                    x += ((const float *)
                              job.add)[(size_t)board * (size_t)job.add_stride + (size_t)o];
                x = activate(job.activation, x);
                if (job.out)
                    ((float *)job.out)[(size_t)board * (size_t)job.out_stride + (size_t)o] = x;
                if (job.planar)
                    job.planar[(size_t)board * (size_t)job.out_channels + (size_t)o] = x;
            }
        }
    }
}

/* ---- dense layers: a block makes 32 boards x 64 channels, in float ---- */

struct dense {
    enum { BOARDS = YO_DENSE_BOARDS, OUTPUTS = YO_DENSE_OUTPUTS, INPUTS = 32, EACH = 8 };

    static DEV void finish(const yo_layer_job &job, size_t board, int c, float x) {
        if (job.bias) x += job.bias[c];
        if (job.vector) x += job.vector[board * (size_t)job.vector_stride + (size_t)c];
        if (job.add) x += ((const float *)job.add)[board * (size_t)job.add_stride + (size_t)c];
        x = activate(job.activation, x);
        if (job.out) ((float *)job.out)[board * (size_t)job.out_stride + (size_t)c] = x;
        if (job.planar) job.planar[board * (size_t)job.out_channels + (size_t)c] = x;
    }

    static DEV void run(const yo_layer_job &job, float *shared) {
        float *in = shared, *weights = shared + BOARDS * INPUTS;
        const int columns = job.padded_out / OUTPUTS, t = dev_thread();
        const int first_board = dev_block() / columns * BOARDS,
                  first = dev_block() % columns * OUTPUTS;
        float sum[EACH] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int k = 0; k < job.in_channels; k += INPUTS) {
            dev_sync();
            for (int i = t; i < BOARDS * INPUTS; i += YO_LAYER_THREADS) {
                const int board = first_board + i / INPUTS, c = k + i % INPUTS;
                in[i] = board < job.count && c < job.in_channels
                            ? ((const float *)job.in)[(size_t)board * (size_t)job.in_stride +
                                                      (size_t)(job.first_channel + c)]
                            : 0;
            }
            for (int i = t; i < INPUTS * OUTPUTS; i += YO_LAYER_THREADS) {
                const int c = k + i / OUTPUTS;
                weights[i] = c < job.in_channels
                                 ? ((const float *)job.weights)[(size_t)c * (size_t)job.padded_out +
                                                                (size_t)(first + i % OUTPUTS)]
                                 : 0;
            }
            dev_sync();
#pragma unroll
            for (int c = 0; c < INPUTS; c++) {
                const float w = weights[c * OUTPUTS + t % OUTPUTS];
#pragma unroll
                for (int i = 0; i < EACH; i++)
                    sum[i] += w * in[(t / OUTPUTS * EACH + i) * INPUTS + c];
            }
        }
        const int c = first + t % OUTPUTS;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int board = first_board + t / OUTPUTS * EACH + i;
            if (board < job.count && c < job.out_channels) finish(job, (size_t)board, c, sum[i]);
        }
    }
};

} // namespace layers
