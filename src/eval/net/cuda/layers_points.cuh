/* A network one operation at a time: operations that take each number by itself. */
#pragma once

#include "eval/net/cuda/activation.cuh"
#include "eval/net/cuda/layer_job.h"

namespace layers {

DEV float half_at(const void *tensor, size_t index) {
    float x, y;
    dev_unpack(((const uint16_t *)tensor)[index], x, y);
    return x;
}
DEV size_t first_item() {
    return (size_t)dev_block() * (size_t)dev_threads() + (size_t)dev_thread();
}
DEV size_t item_step() { return (size_t)dev_blocks() * (size_t)dev_threads(); }

/* Boards: eight channels of a point at a time, also in place. Channels past the last are zero. */
struct affine_boards {
    const yo_layer_job &job;

    DEV explicit affine_boards(const yo_layer_job &j) : job(j) {}

    static DEV uint4 read(const void *tensor, uint32_t row, int stride, int c) {
        return *(const uint4 *)((const uint16_t *)tensor + (size_t)row * (size_t)stride +
                                (size_t)c);
    }

    DEV float finish(uint32_t board, int c, float x, float added) const {
        if (c >= job.out_channels) return 0;
        if (job.weights) x *= ((const float *)job.weights)[c];
        if (job.bias) x += job.bias[c];
        if (job.vector) x += job.vector[(size_t)board * (size_t)job.vector_stride + (size_t)c];
        return activate(job.activation, x + added);
    }

    DEV void write_planar(uint32_t row, uint32_t board, int c, float x) const {
        if (job.planar && c < job.out_channels)
            job.planar[((size_t)board * (size_t)job.out_channels + (size_t)c) * (size_t)job.points +
                       row % (uint32_t)job.points] = x;
    }

    DEV void finish_row(uint32_t row, uint32_t board, int c) const {
        const uint4 in = read(job.in, row, job.in_stride, c);
        const uint4 other =
            job.add ? read(job.add, row, job.add_stride, c) : make_uint4(0, 0, 0, 0);
        const uint32_t from[4] = {in.x, in.y, in.z, in.w};
        const uint32_t add[4] = {other.x, other.y, other.z, other.w};
        uint32_t to[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float x, y, p, q;
            dev_unpack(from[k], x, y);
            dev_unpack(add[k], p, q);
            x = finish(board, c + 2 * k, x, p);
            y = finish(board, c + 2 * k + 1, y, q);
            write_planar(row, board, c + 2 * k, x);
            write_planar(row, board, c + 2 * k + 1, y);
            to[k] = dev_pack(x, y);
        }
        if (job.out)
            *(uint4 *)((uint16_t *)job.out + (size_t)row * (size_t)job.out_stride + (size_t)c) =
                make_uint4(to[0], to[1], to[2], to[3]);
    }

    DEV void run() const {
        const uint32_t groups = (uint32_t)job.out_stride / 8, points = (uint32_t)job.points;
        const uint32_t all = (uint32_t)job.count * points * groups;
        for (uint32_t i = (uint32_t)first_item(); i < all; i += (uint32_t)item_step())
            finish_row(i / groups, i / groups / points, (int)(i % groups * 8));
    }
};

DEV void affine_vectors(const yo_layer_job &job) {
    const float *scale = (const float *)job.weights;
    const size_t all = (size_t)job.count * (size_t)job.out_stride;
    for (size_t i = first_item(); i < all; i += item_step()) {
        const int c = (int)(i % (size_t)job.out_stride);
        const size_t board = i / (size_t)job.out_stride;
        if (c >= job.out_channels) continue;
        float x = ((const float *)job.in)[board * (size_t)job.in_stride + (size_t)c];
        if (scale) x *= scale[c];
        if (job.bias) x += job.bias[c];
        if (job.vector) x += job.vector[board * (size_t)job.vector_stride + (size_t)c];
        if (job.add) x += ((const float *)job.add)[board * (size_t)job.add_stride + (size_t)c];
        x = activate(job.activation, x);
        if (job.planar) job.planar[board * (size_t)job.out_channels + (size_t)c] = x;
        if (job.out) ((float *)job.out)[i] = x;
    }
}

DEV void affine(const yo_layer_job &job) {
    if (!job.spatial) return affine_vectors(job);
    affine_boards here(job);
    here.run();
}

DEV void flatten(const yo_layer_job &job) {
    const size_t all = (size_t)job.count * (size_t)job.out_channels;
    for (size_t i = first_item(); i < all; i += item_step()) {
        const size_t board = i / (size_t)job.out_channels;
        const int k = (int)(i % (size_t)job.out_channels), c = k / job.points, p = k % job.points;
        const float x = half_at(
            job.in, (board * (size_t)job.points + (size_t)p) * (size_t)job.in_stride + (size_t)c);
        if (job.out) ((float *)job.out)[i] = x;
        if (job.planar) job.planar[i] = x;
    }
}

/* Copies a tensor to the caller's layout, where its operation could not write it so. */
DEV void planar(const yo_layer_job &job) {
    const size_t all = (size_t)job.count * (size_t)(job.out_channels * job.points);
    for (size_t i = first_item(); i < all; i += item_step()) {
        const size_t board = i / (size_t)(job.out_channels * job.points);
        const int c = (int)(i / (size_t)job.points % (size_t)job.out_channels);
        const size_t p = i % (size_t)job.points;
        job.planar[i] =
            half_at(job.in, (board * (size_t)job.points + p) * (size_t)job.in_stride + (size_t)c);
    }
}

/* Copies the numbers that are wanted of vectors: a warp takes a board. */
DEV void pick(const yo_layer_job &job) {
    const int lane = dev_thread() % 32, warps = dev_blocks() * dev_threads() / 32;
    for (int board = (int)first_item() / 32; board < job.count; board += warps) {
        const float *from = (const float *)job.in + (size_t)board * (size_t)job.in_stride;
        const uint32_t end = job.starts[board + 1];
        for (uint32_t i = job.starts[board] + (uint32_t)lane; i < end; i += 32)
            ((float *)job.out)[i] = from[job.entries[i]];
    }
}

} // namespace layers
