/* Convolutions of the fused kernel: matrix products of rows in shared memory with slots of weights
 * from the ring. */
#pragma once

#include "eval/net/cuda/tower.cuh"

/* The products of the first ACTIVE tiles from `rows` on with a slice of weights. */
template <class KIND>
template <int ACTIVE>
DEV void tower<KIND>::multiply(accumulators &acc, uint32_t rows, uint64_t weights, bool first) {
#pragma unroll
    for (int t = 0; t < ACTIVE; t++)
        dev_wgmma<N>(acc[t], rows + (uint32_t)(t * job.tile_stride), weights, !first);
}

template <class KIND> DEV uint64_t tower<KIND>::slot_weights() {
    return dev_slice<N>(ring() + slot * SLOT);
}

/* By taps, with the input read where it lies. While a slot is multiplied, the one before it is
 * released and the next one taken. */
template <class KIND>
template <int ACTIVE>
DEV void tower<KIND>::convolve_taps(accumulators &acc, int taps, int tap_slots) {
    const int *shifts = tap_shifts() + (taps == 1 ? 4 : 0);
    const int own = dev_uniform(group_row() + (group_thread() >> 7) * 64);
    const uint32_t input =
        dev_rows<PLANE_ROWS>(dev_shared(shared) + (uint32_t)(job.at_buffer + own * 16));
    bool first = true;
#pragma unroll 1
    for (int i = 0; i < taps; i++) {
        uint32_t rows = input + (uint32_t)dev_uniform(shifts[i]);
#pragma unroll 1
        for (int s = 0; s < tap_slots; s++) {
            take();
            const uint64_t weights = slot_weights();
            dev_wgmma_fence();
#pragma unroll
            for (int k = 0; k < SLICES; k++) {
                multiply<ACTIVE>(acc, rows, dev_slice_after<N>(weights, k), k == 0 && first);
                rows += 2 * PLANE_ROWS;
            }
            dev_wgmma_commit();
            dev_wgmma_wait<1>();
            if (!first) release(1);
            first = false;
            advance();
        }
    }
    dev_wgmma_wait<0>();
    release(1);
}

/* The taps of 5x5 that lie on the board, for the row that this lane gives ldmatrix. */
template <class KIND> DEV uint32_t tower<KIND>::taps_inside(int tile) {
    int board, y, x;
    uint32_t mask = 0;
    if (!find(gather_row(tile), boards(), board, y, x)) return 0;
#pragma unroll 1
    for (int tap = 0; tap < 25; tap++) {
        const int ty = y + tap / 5 - 2, tx = x + tap % 5 - 2;
        if (ty >= 0 && ty < job.size && tx >= 0 && tx < job.size) mask |= 1u << tap;
    }
    return mask;
}

template <class KIND> DEV int tower<KIND>::gather_row(int tile) {
    return group_warp() * 16 + (lane() & 15) + tile * job.tile_stride;
}

/* By the entries of the slots, for any kernel: each lane gathers rows, and where a tap lies
 * beyond the edge a row of zeros that is in the same banks. */
template <class KIND>
template <int ACTIVE>
DEV void tower<KIND>::convolve_entries(accumulators &acc, int slots) {
    const uint32_t zeros = dev_shared(shared) + (uint32_t)job.at_buffer;
    const uint32_t from = zeros + (uint32_t)((group_row() + gather_row(0)) * 16);
    uint32_t inside[ACTIVE];
#pragma unroll
    for (int t = 0; t < ACTIVE; t++)
        inside[t] = taps_inside(t);
#pragma unroll 1
    for (int i = 0; i < slots; i++) {
        take();
        const uint64_t weights = slot_weights();
        const uint32_t *entries =
            (const uint32_t *)(slot_memory() + SLICES * N * 32) + (lane() >> 4) * SLICES;
        uint32_t a[2][4]; /* one is multiplied while the other is loaded */
#pragma unroll
        for (int k = 0; k < SLICES; k++) {
            const int entry = (int)entries[k];
#pragma unroll
            for (int t = 0; t < ACTIVE; t++) {
                const uint32_t at = from + (uint32_t)((entry >> 5) + t * job.tile_stride) * 16;
                uint32_t(&part)[4] = a[(k * ACTIVE + t) & 1];
                dev_ldmatrix(part, inside[t] >> (entry & 31) & 1 ? at : zeros | (at & 0x70));
                dev_wgmma_fence();
                dev_wgmma<N>(acc[t], part, dev_slice_after<N>(weights, k), i + k > 0);
                dev_wgmma_commit();
                dev_wgmma_wait<1>();
            }
        }
        dev_wgmma_wait<0>();
        release(0);
        advance();
    }
}

template <class KIND>
template <int ACTIVE>
DEV void tower<KIND>::convolve(accumulators &acc, const yo_tower_step &step) {
    const int taps = dev_uniform(step.taps);
    if (taps)
        convolve_taps<ACTIVE>(acc, taps, dev_uniform(step.tap_slots) * SPLIT);
    else
        convolve_entries<ACTIVE>(acc, dev_uniform(step.slots) * SPLIT);
}

/* Consumes slots of the ring without computing. */
template <class KIND> DEV void tower<KIND>::pass_by(int slots) {
    for (int i = 0; i < slots; i++) {
        take();
        release(0);
        advance();
    }
}

template <class KIND>
DEV void tower<KIND>::convolve_any(accumulators &acc, const yo_tower_step &step) {
    if (active == TILES)
        convolve<TILES>(acc, step);
    else if (TILES > 3 && active == 3)
        convolve < TILES<3 ? TILES : 3>(acc, step);
    else if (TILES > 2 && active == 2)
        convolve < TILES<2 ? TILES : 2>(acc, step);
    else if (active == 1)
        convolve<1>(acc, step);
    else
        pass_by(step.slots * SPLIT);
}
