/* What a step of the fused kernel does with channels and vectors of a board besides its
 * convolution, by the table of struct yo_tower_op: pools channels, computes dense layers, writes
 * outputs. */
#pragma once

#include "eval/net/cuda/tower_convolve.cuh"
#include "eval/net/cuda/tower_finish.cuh"

struct pooled_pair { /* of two channels */
    float mean_x, mean_y, max_x, max_y;
};

template <class KIND> struct tower_ops {
    tower<KIND> &here;
    const yo_tower_job &job;
    const bool head;

    DEV tower_ops(tower<KIND> &t, bool heads) : here(t), job(t.job), head(heads) {}

    /* ---- pooling ---- */

    /* Eight channels of a board, by a warp: a lane takes two channels of every eighth point. Lanes
     * 0 to 3 have the results. */
    DEV pooled_pair pool_plane(int plane, int board) {
        const uint8_t *from = here.cell(plane, here.group_row()) + (here.lane() & 3) * 4;
        float sum_x = 0, sum_y = 0, max_x = -INFINITY, max_y = -INFINITY;
#pragma unroll 4
        for (int p = here.lane() >> 2; p < job.points; p += 8) {
            float x, y;
            dev_unpack(*(const uint32_t *)(from + here.row_of(board, p) * 16), x, y);
            sum_x += x, sum_y += y;
            max_x = fmaxf(max_x, x), max_y = fmaxf(max_y, y);
        }
        for (int by = 4; by < 32; by *= 2) {
            sum_x += dev_swap(sum_x, by), sum_y += dev_swap(sum_y, by);
            max_x = fmaxf(max_x, dev_swap(max_x, by)), max_y = fmaxf(max_y, dev_swap(max_y, by));
        }
        const float over = 1.0f / (float)job.points;
        return pooled_pair{sum_x * over, sum_y * over, max_x, max_y};
    }

    DEV void put_pooled(const yo_tower_op &op, uint16_t *to, float mean, float most) {
        const float w = (float)(job.size - 14);
        const float third = op.pool == YO_NET_POOL_TRUNK ? most : mean * (w * w * 0.01f - 0.1f);
        to[0] = (uint16_t)dev_pack(mean, 0);
        to[op.in_count] = (uint16_t)dev_pack(mean * w * 0.1f, 0);
        to[2 * op.in_count] = (uint16_t)dev_pack(third, 0);
    }

    /* A warp takes 8 channels of a board at a time. */
    DEV void pool(const yo_tower_op &op) {
        const int planes = (op.in_count + 7) / 8, units = dev_uniform(here.boards() * planes);
        for (int unit = dev_uniform(here.group_warp()); unit < units;
             unit += job.group_threads >> 5) {
            const int board = unit / planes, plane = unit - board * planes;
            const pooled_pair sums = pool_plane(op.plane + plane, board);
            const int c = plane * 8 + here.lane() * 2;
            uint16_t *to = here.vector(board, head) + op.out + c;
            const int left = here.lane() < 4 ? op.in_count - c : 0;
            if (left > 0) put_pooled(op, to, sums.mean_x, sums.max_x);
            if (left > 1) put_pooled(op, to + 1, sums.mean_y, sums.max_y);
        }
    }

    /* ---- dense layers ---- */

    /* Inputs k and k + 1 of a board. Behind the vector's own come two ones, whose weights are the
     * bias, and zeros. */
    DEV uint32_t inputs(const uint16_t *vector, int k, int count) {
        if (k + 1 < count) return *(const uint32_t *)(vector + k);
        const uint32_t low = k < count ? vector[k] : k < count + 2 ? 0x3c00 : 0;
        return low | (k < count + 1 ? 0x3c000000 : 0);
    }

    /* Two outputs of a board. */
    DEV void give(const yo_tower_op &op, int board, int c, float x, float y) {
        if (board >= here.boards()) return;
        x = activate(op.activation, x), y = activate(op.activation, y);
        if (op.out >= 0) *(uint32_t *)(here.vector(board, head) + op.out + c) = dev_pack(x, y);
        if (op.added >= 0) {
            float *to = here.added(board) + op.added + c;
            to[0] = x, to[1] = y;
        }
        if (op.role < 0) return;
        float *to =
            job.outputs[op.role] + (size_t)(here.first_board() + board) * (size_t)op.out_count + c;
        if (c < op.out_count) to[0] = x;
        if (c + 1 < op.out_count) to[1] = y;
    }

    /* A product of the boards' vectors with weights from the ring: a row is a board, a warp takes 8
     * outputs at a time (job.h has the order of weights). Every warp takes and releases all slots;
     * all lanes have read a slot when it is released, as mma.sync needs what they read. */
    DEV void dense(const yo_tower_op &op, uint32_t taken) {
        constexpr int UNITS = YO_TOWER_UNITS(KIND::CHANNELS, KIND::SLICES);
        const int row = here.lane() >> 2, pair = (here.lane() & 3) * 2, boards = here.boards();
        const int tiles = dev_uniform((op.out_count + 7) / 8), blocks = dev_uniform(op.blocks);
        const int count = op.in_count, end = dev_uniform(op.slots) * tower<KIND>::SPLIT * UNITS;
        const uint16_t *low = here.vector(row, head) + op.in;
        const uint16_t *high = here.vector(row + 8, head) + op.in;
        int begin = 0; /* the first unit of the slot */
        here.seek(taken);
        here.take();
#pragma unroll 1
        for (int tile = dev_uniform(here.group_warp()); tile < tiles;
             tile += job.group_threads >> 5) {
            float d[4] = {0, 0, 0, 0};
#pragma unroll 1
            for (int block = 0; block < blocks; block++) {
                const int unit = tile * blocks + block, k = block * 16 + pair;
                for (; unit >= begin + UNITS; begin += UNITS)
                    here.next_slot();
                const uint32_t *weights =
                    (const uint32_t *)(here.slot_memory() + (unit - begin) * YO_TOWER_UNIT_BYTES) +
                    here.lane();
                const uint32_t a[4] = {row < boards ? inputs(low, k, count) : 0,
                                       row + 8 < boards ? inputs(high, k, count) : 0,
                                       row < boards ? inputs(low, k + 8, count) : 0,
                                       row + 8 < boards ? inputs(high, k + 8, count) : 0};
                dev_mma(d, a, weights[0], weights[32]);
            }
            give(op, row, tile * 8 + pair, d[0], d[1]);
            give(op, row + 8, tile * 8 + pair, d[2], d[3]);
        }
        for (; begin + UNITS < end; begin += UNITS)
            here.next_slot();
        dev_sync_warp();
        here.release(0);
    }

    /* ---- outputs ---- */

    /* Channels of all points, in the order of the output: adjacent threads write adjacent numbers.
     */
    DEV void put_out(const yo_tower_op &op) {
        const int channels = op.out_count, all = here.boards() * channels * job.points;
        float *to =
            job.outputs[op.role] + (size_t)here.first_board() * (size_t)(channels * job.points);
        int board = 0, c = 0, point = here.group_thread();
#pragma unroll 1
        for (int i = here.group_thread(); i < all; i += job.group_threads) {
            for (; point >= job.points; point -= job.points)
                if (++c == channels) c = 0, board++;
            const int row = here.group_row() + here.row_of(board, point);
            float x, y;
            dev_unpack(((const uint16_t *)here.cell(op.plane + (c >> 3), row))[c & 7], x, y);
            if (op.in >= 0) x += dev_read(job.constants + op.in + c * job.points + point);
            to[i] = activate(op.activation, x);
            point += job.group_threads;
        }
    }

    /* A tensor that other kernels read, eight channels of a point at a time. */
    DEV void keep(const yo_tower_op &op) {
        const int columns = (op.out_count + 7) / 8, stride = job.kept_strides[op.role];
        const int all = here.rows() * columns;
        uint16_t *to =
            job.kept[op.role] + (size_t)here.first_board() * (size_t)job.points * (size_t)stride;
        for (int i = here.group_thread(); i < all; i += job.group_threads) {
            const int unit = i / columns, column = i - unit * columns, board = unit / job.points;
            const int row = here.group_row() + here.row_of(board, unit - board * job.points);
            *(uint4 *)(to + (size_t)unit * (size_t)stride + column * 8) =
                *(const uint4 *)here.cell(op.plane + column, row);
        }
    }

    /* The operations from a place in the step's table on. `taken`: slots of the ring before those
     * of its dense layers. */
    DEV void run(const yo_tower_op *ops, int count, uint32_t taken) {
#pragma unroll 1
        for (int i = 0; i < count; i++) {
            const yo_tower_op &op = ops[i];
            const int kind = dev_uniform(op.kind);
            if (dev_uniform(op.sync)) here.sync_group();
            if (kind == YO_TOWER_POOLS)
                pool(op);
            else if (kind == YO_TOWER_DENSE)
                dense(op, taken + (uint32_t)(op.slots_before * tower<KIND>::SPLIT));
            else if (kind == YO_TOWER_OUTPUT)
                put_out(op);
            else
                keep(op);
        }
    }
};

template <class KIND> DEV void run_ops(tower<KIND> &here, const yo_tower_step &step, int phase) {
    const bool head = (step.flags & YO_TOWER_HEAD) != 0;
    tower_ops<KIND> all(here, head);
    all.run(here.ops(head) + (phase ? step.op_counts[0] : 0), dev_uniform(step.op_counts[phase]),
            here.taken() - (uint32_t)(step.after * tower<KIND>::SPLIT));
}
