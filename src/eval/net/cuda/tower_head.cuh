/* The heads in the fused kernel: convolutions of the trunk and of each other, whose channels are
 * activated, pooled, put through dense layers and written out, column by column, by the tables of
 * job.h. */
#pragma once

#include "eval/net/cuda/tower.cuh"

template <int N, int BLOCK_TILES> struct tower_head {
    tower<N, BLOCK_TILES> &here;
    const yo_tower_job &job;

    DEV explicit tower_head(tower<N, BLOCK_TILES> &t) : here(t), job(t.job) {}

    /* The skip tensor is not needed any more: its memory holds the boards' vectors, and copies of
     * the step's columns and of all vector operations. */
    DEV uint8_t *memory() { return here.shared + job.at_skip + here.group() * job.skip_bytes; }
    DEV float *vectors(int board) { return (float *)memory() + board * job.head_room; }
    DEV yo_tower_column *column_table() {
        return (yo_tower_column *)(memory() + ((job.boards * job.head_room * 4 + 15) & ~15));
    }
    DEV yo_tower_vector *vector_table() { return (yo_tower_vector *)(column_table() + N / 8); }

    template <class T> DEV void copy(T *to, const T *from, int count) {
        const int words = count * (int)(sizeof(T) / 4);
        for (int i = here.group_thread(); i < words; i += job.group_threads)
            ((int32_t *)to)[i] = dev_read((const int32_t *)from + i);
    }

    /* Eight channels of a point, from where they lie in the buffer and back. */
    DEV void finish(const yo_tower_column &column, int j, int row, int board, int point) {
        const size_t number = (size_t)(here.first_board() + board);
        uint4 *cell = (uint4 *)here.cell(j, here.group_row() + row);
        uint32_t words[4] = {cell->x, cell->y, cell->z, cell->w};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int c = column.channel + i * 2;
            float x, y;
            dev_unpack(words[i], x, y);
            if (column.vector >= 0) {
                const float *extra = vectors(board) + column.vector + i * 2;
                if (c < column.channels) x += extra[0];
                if (c + 1 < column.channels) y += extra[1];
            }
            x = activate(column.activation, x), y = activate(column.activation, y);
            words[i] = dev_pack(x, y);
            if (column.role < 0) continue;
            float *to = job.outputs[column.role] +
                        (number * (size_t)column.channels + (size_t)c) * (size_t)job.points + point;
            if (c < column.channels) to[0] = x;
            if (c + 1 < column.channels) to[job.points] = y;
        }
        const uint4 all = make_uint4(words[0], words[1], words[2], words[3]);
        *cell = all;
        if (column.keep < 0) return;
        const size_t at = number * (size_t)job.points + (size_t)point;
        *(uint4 *)(job.kept[column.keep] + at * (size_t)job.kept_strides[column.keep] +
                   column.channel) = all;
    }

    DEV void columns(int phase) {
#pragma unroll 1
        for (int unit = here.group_thread(); unit < here.rows(); unit += job.group_threads) {
            const int board = unit / job.points, point = unit - board * job.points;
            const int row = here.row_of(board, point);
#pragma unroll 1
            for (int j = 0; j < N / 8; j++) {
                const yo_tower_column &column = column_table()[j];
                if (column.used && column.phase == phase) finish(column, j, row, board, point);
            }
        }
    }

    /* A warp takes 8 channels of a board at a time. */
    DEV void pool(const yo_tower_vector &op) {
        const int planes = (op.in_count + 7) / 8, units = here.boards() * planes;
        for (int unit = here.group_warp(); unit < units; unit += job.group_threads >> 5) {
            const int board = unit / planes, plane = unit - board * planes, pair = here.lane() * 2;
            const pooled_pair sums = here.pool_plane(op.plane + plane, board);
            const float w = (float)(job.size - 14), width = w * 0.1f;
            const float third = w * w * 0.01f - 0.1f;
            const bool trunk = op.pool == YO_NET_POOL_TRUNK;
            float *to = vectors(board) + op.out + plane * 8 + pair;
            const int left = here.lane() < 4 ? op.in_count - plane * 8 - pair : 0;
            if (left > 0) {
                to[0] = sums.mean_x, to[op.in_count] = sums.mean_x * width;
                to[2 * op.in_count] = trunk ? sums.max_x : sums.mean_x * third;
            }
            if (left > 1) {
                to[1] = sums.mean_y, to[op.in_count + 1] = sums.mean_y * width;
                to[2 * op.in_count + 1] = trunk ? sums.max_y : sums.mean_y * third;
            }
        }
    }

    /* A thread takes one output of four boards at a time. */
    DEV void dense(const yo_tower_vector &op) {
        const int ins = op.in_count, outs = op.out_count;
        const float *weights = job.constants + op.weights, *bias = weights + ins * outs;
        const int units = (here.boards() + 3) / 4 * outs;
        for (int unit = here.group_thread(); unit < units; unit += job.group_threads) {
            const int first = unit / outs * 4, c = unit - first / 4 * outs;
            const float *v[4];
            float sum[4];
#pragma unroll
            for (int b = 0; b < 4; b++) {
                v[b] = vectors(first + b < here.boards() ? first + b : first) + op.in;
                sum[b] = dev_read(bias + c);
            }
#pragma unroll 16
            for (int i = 0; i < ins; i++) {
                const float k = dev_read(weights + i * outs + c);
#pragma unroll
                for (int b = 0; b < 4; b++)
                    sum[b] += k * v[b][i];
            }
#pragma unroll
            for (int b = 0; b < 4; b++) {
                if (first + b >= here.boards()) break;
                const float x = activate(op.activation, sum[b]);
                vectors(first + b)[op.out + c] = x;
                if (op.role >= 0)
                    job.outputs[op.role][(size_t)(here.first_board() + first + b) * (size_t)outs +
                                         (size_t)c] = x;
            }
        }
    }

    /* The sums are in the buffer. */
    DEV void run(const yo_tower_step &step) {
        copy(column_table(), job.columns + step.columns, N / 8);
        copy(vector_table(), job.vectors, job.vector_count);
        here.sync_group();
#pragma unroll 1
        for (int phase = 0; phase < 2; phase++) {
            columns(phase);
            here.sync_group();
#pragma unroll 1
            for (int i = 0; i < step.vector_counts[phase]; i++) {
                const yo_tower_vector &op = vector_table()[step.vectors[phase] + i];
                if (op.pool >= 0)
                    pool(op);
                else
                    dense(op);
                here.sync_group();
            }
        }
    }
};

template <int N, int BLOCK_TILES>
DEV void finish_head(tower<N, BLOCK_TILES> &here, const yo_tower_step &step) {
    tower_head<N, BLOCK_TILES> head(here);
    head.run(step);
}
