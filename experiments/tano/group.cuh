/* Threads that play in step, one for each row of each board. The kernel is written as phases; a
 * phase is a function of (set, row) that may read any row but writes only what belongs to its own,
 * and between two phases stands a barrier. So the same source runs on a GPU, a thread a row, and on
 * the host, one row after another.
 *
 *   each(f)              every row does f
 *   any(f)               every row does f; says whether one of them answered true
 *   update(read, write)  every row reads, then, when all have read, writes what it made of it;
 *                        says whether one of them answered true
 *
 * A group goes on until its last board is done: in a group of many boards, many wait. */
#pragma once

#include "game.h"

#ifdef __CUDACC__
#define TANO_DEVICE __device__ __forceinline__
#else
#define TANO_DEVICE inline
#endif

enum { TANO_WARP_SETS = 3 }; /* 3 sets of 9 rows take 27 of the 32 lanes of a warp */

#ifdef __CUDACC__

/* A thread for each of the 11 integers, as section 4.3 can be read too; then boards cross warps,
 * the barrier is the block's, and the whole block waits for its slowest board. */
template <class Set> struct tano_block_group {
    Set *sets;
    int set, row;

    static int threads(int set_count) { return set_count * TANO_ROWS; }
    TANO_DEVICE explicit tano_block_group(Set *sets) : sets(sets) {
        set = threadIdx.x / TANO_ROWS;
        row = threadIdx.x % TANO_ROWS % (TANO_ROWS - 1); /* 0 for both sentinel rows */
    }
    template <class F> TANO_DEVICE void each(F f) const {
        if (row) f(set, row);
        __syncthreads();
    }
    template <class F> TANO_DEVICE bool any(F f) const {
        return __syncthreads_or(row && f(set, row));
    }
    template <class R, class W> TANO_DEVICE bool update(R read, W write) const {
        const uint32_t value = row ? read(set, row) : 0;
        __syncthreads();
        return any([&](int s, int r) { return write(s, r, value); });
    }
};

/* Ours: the sentinel rows never change and need no thread, so three boards fit into a warp; no
 * board crosses warps, and only a warp waits for its slowest board. */
template <class Set> struct tano_warp_group {
    enum { LANES = 32, SETS = TANO_WARP_SETS };
    Set *sets;
    int set, row; /* row 0: nothing to do */

    static int threads(int set_count) { return set_count / SETS * LANES; }
    TANO_DEVICE explicit tano_warp_group(Set *sets) : sets(sets) {
        const int lane = threadIdx.x % LANES;
        set = threadIdx.x / LANES * SETS + lane / TANO_SIDE;
        row = lane < SETS * TANO_SIDE ? lane % TANO_SIDE + 1 : 0;
    }
    template <class F> TANO_DEVICE void each(F f) const {
        if (row) f(set, row);
        __syncwarp();
    }
    template <class F> TANO_DEVICE bool any(F f) const {
        const bool yes = row && f(set, row);
        __syncwarp();
        return __any_sync(0xffffffffu, yes);
    }
    template <class R, class W> TANO_DEVICE bool update(R read, W write) const {
        const uint32_t value = row ? read(set, row) : 0;
        __syncwarp();
        return any([&](int s, int r) { return write(s, r, value); });
    }
};

#else

/* The rows one after another, on the host. */
template <class Set> struct tano_host_group {
    Set *sets;
    int set_count;

    template <class F> void each(F f) const {
        for (int i = 0; i < set_count * TANO_SIDE; i++)
            f(i / TANO_SIDE, i % TANO_SIDE + 1);
    }
    template <class F> bool any(F f) const {
        bool yes = false;
        each([&](int set, int row) { yes = f(set, row) || yes; });
        return yes;
    }
    template <class R, class W> bool update(R read, W write) const {
        uint32_t values[64 * TANO_SIDE];
        each([&](int set, int row) { values[set * TANO_SIDE + row - 1] = read(set, row); });
        return any([&](int s, int r) { return write(s, r, values[s * TANO_SIDE + r - 1]); });
    }
};

#endif
