/* What follows a convolution of the fused kernel: its sums become the input of the next one. */
#pragma once

#include "eval/net/cuda/tower.cuh"

/* Two channels of a row: the sum with the bias, to fp16 with the rest of the step (but for the
 * vector, which is in the sum). `old` is the skip tensor's and takes its new value. In pairs of
 * fp16, as the skip tensor and the next input are rounded to it anyway: the branch of a block
 * is rounded before it is added, once more than it need be. */
template <class KIND>
template <int FLAGS>
DEV uint32_t tower<KIND>::finish_pair(const epilogue &how, float x, float y, uint32_t &old,
                                      uint32_t scale, uint32_t offset) {
    constexpr uint32_t ONES = 0x3c003c00u, LOWEST = 0xfc00fc00u; /* minus infinity */
    const int flags = FLAGS == ANY ? how.flags : FLAGS;
    uint32_t sum;
    if (FLAGS == ANY) {
        sum = dev_pack(x, y);
        if (flags & YO_TOWER_ADD) sum = dev_fma2(sum, ONES, old);
        sum = dev_max2(sum, flags & YO_TOWER_HEAD ? scale : how.first == YO_NET_RELU ? 0 : LOWEST);
    } else if (flags & YO_TOWER_ADD) {
        sum = dev_pack(x, y);
        sum = flags & RELU_FIRST ? dev_fma2_relu(sum, ONES, old) : dev_fma2(sum, ONES, old);
    } else {
        sum = flags & RELU_FIRST ? dev_pack_relu(x, y) : dev_pack(x, y);
    }
    old = sum;
    if (!(flags & YO_TOWER_AFFINE)) return sum;
    if (FLAGS != ANY && flags & RELU_SECOND) return dev_fma2_relu(sum, scale, offset);
    sum = dev_fma2(sum, scale, offset);
    return FLAGS == ANY ? dev_max2(sum, how.second == YO_NET_RELU ? 0 : LOWEST) : sum;
}

/* The same for smooth activations, in floats. */
template <class KIND>
DEV uint32_t tower<KIND>::finish_smooth(const epilogue &how, const smooth &first,
                                        const smooth &second, float x, float y, uint32_t &old,
                                        uint32_t scale, uint32_t offset) {
    float p, q;
    if (how.flags & YO_TOWER_ADD) {
        dev_unpack(old, p, q);
        x += p, y += q;
    }
    x = first(x), y = first(y);
    old = dev_pack(x, y);
    if (!(how.flags & YO_TOWER_AFFINE)) return old;
    float r, s;
    dev_unpack(scale, p, q);
    dev_unpack(offset, r, s);
    return dev_pack(second(x * p + r), second(y * q + s));
}

/* Columns of the accumulators become the next input: see struct yo_tower_step. A column is 8
 * channels; its constants serve all rows of the thread, and are loaded with what is added while
 * the column before is computed: behind its stores the compiler would not load them sooner.
 * USED tiles have rows. Rows that are no points stay zeros. */
template <class KIND>
template <bool SMOOTH, int FLAGS, int USED>
DEV void tower<KIND>::finish(accumulators &acc, const epilogue &how) {
    const int flags = FLAGS == ANY ? how.flags : FLAGS;
    const smooth first(how.first), second(how.second);
    const yo_tower_pair *pairs = step_pairs() + (lane() & 3);
    /* where the first row lies in shared memory */
    const int row = group_warp() * 16 + (lane() >> 2);
    uint8_t *cells = cell(0, group_row() + row) + (lane() & 3) * 4;
    /* In the order of the accumulators, tile by tile of the group. */
    uint2 *skip = (uint2 *)(shared + job.at_skip + group() * job.skip_bytes) +
                  (group_thread() >> 7) * (COLUMNS * 128) + (group_thread() & 127);
    const int skip_apart = COLUMNS * job.group_threads;
    uint2 next_old[USED];
    uint4 next = *(const uint4 *)pairs;
#pragma unroll
    for (int t = 0; t < USED; t++)
        next_old[t] = flags & YO_TOWER_ADD ? skip[t * skip_apart] : make_uint2(0, 0);
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
        const uint4 pair = next;
        uint2 old[USED];
#pragma unroll
        for (int t = 0; t < USED; t++) {
            old[t] = next_old[t];
            if (j + 1 < COLUMNS && flags & YO_TOWER_ADD)
                next_old[t] = skip[t * skip_apart + (j + 1) * 128];
        }
        if (j + 1 < COLUMNS) next = *(const uint4 *)(pairs + (j + 1) * 4);
        if (FLAGS == ANY && !(how.columns >> j & 1)) continue;
        const smooth kind = SMOOTH && flags & YO_TOWER_HEAD ? smooth((int)pair.w) : first;
        const float bias_x = dev_float(pair.x), bias_y = dev_float(pair.y);
#pragma unroll
        for (int t = 0; t < USED; t++) {
            uint32_t out[2], kept[2] = {old[t].x, old[t].y};
#pragma unroll
            for (int h = 0; h < 2; h++) {
                /* The accumulators themselves are left alone: see docs/net-cuda.md. */
                float x = acc[t][4 * j + 2 * h] + bias_x, y = acc[t][4 * j + 2 * h + 1] + bias_y;
                if (flags & YO_TOWER_VECTOR) {
                    const int board = (int)(places >> (t * 8 + h * 4) & 15);
                    const float2 extra = *(const float2 *)(added(board) + j * 8 + (lane() & 3) * 2);
                    x += extra.x, y += extra.y;
                }
                out[h] = SMOOTH ? finish_smooth(how, kind, second, x, y, kept[h], pair.z, pair.w)
                                : finish_pair<FLAGS>(how, x, y, kept[h], pair.z, pair.w);
            }
            if (flags & YO_TOWER_STORE)
                skip[t * skip_apart + j * 128] = make_uint2(kept[0], kept[1]);
#pragma unroll
            for (int h = 0; h < 2; h++)
                if (places >> (24 + t * 2 + h) & 1)
                    *(uint32_t *)(cells + j * (int)PLANE + t * job.tile_stride * 16 + h * 128) =
                        out[h];
        }
    }
}

template <class KIND>
template <bool SMOOTH, int FLAGS>
DEV void tower<KIND>::finish_used(accumulators &acc, const epilogue &how) {
    if (TILES == 1 || active <= 1)
        finish<SMOOTH, FLAGS, 1>(acc, how);
    else
        finish<SMOOTH, FLAGS, TILES>(acc, how);
}

/* The usual steps of blocks have code of their own; there the skip tensor is also stored where
 * nobody reads it any more. */
template <class KIND> DEV void tower<KIND>::finish_any(accumulators &acc, const epilogue &how) {
    constexpr int SUM = YO_TOWER_ADD | YO_TOWER_STORE;
    const bool all = how.columns == (1u << COLUMNS) - 1;
    int kind = how.flags | (how.first == YO_NET_RELU ? RELU_FIRST : 0) |
               (how.flags & YO_TOWER_AFFINE && how.second == YO_NET_RELU ? RELU_SECOND : 0);
    if (kind & YO_TOWER_ADD) kind |= YO_TOWER_STORE;
    if (is_smooth(how.first) || is_smooth(how.second))
        finish_used<true, ANY>(acc, how);
    else if (all && kind == RELU_FIRST)
        finish_used<false, RELU_FIRST>(acc, how);
    else if (all && kind == (SUM | RELU_FIRST))
        finish_used<false, SUM | RELU_FIRST>(acc, how);
    else if (all && kind == (SUM | YO_TOWER_AFFINE | RELU_SECOND))
        finish_used<false, SUM | YO_TOWER_AFFINE | RELU_SECOND>(acc, how);
    else
        finish_used<false, ANY>(acc, how);
}
