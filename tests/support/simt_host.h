/* The functions of src/eval/net/cuda/device.cuh on the host: the threads of a block are fibers, run
 * in turn up to the next barrier, matrix instruction or wait. So a test runs a kernel's own source,
 * with its indices, barriers and layouts, and without a GPU. Waits that nobody can end abort. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "eval/net/cuda/half.h"

#define DEV inline
/* The device needs whole vectors aligned: compile with -fsanitize=alignment. */
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
struct alignas(8) uint2 {
    uint32_t x, y;
};
static inline uint2 make_uint2(uint32_t x, uint32_t y) { return uint2{x, y}; }
struct alignas(8) float2 {
    float x, y;
};
static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
    return uint4{x, y, z, w};
}

namespace simt {

enum { THREADS_MAX = 384, STACK = 64 * 1024, WARP = 32, GROUP = 128 };

struct meeting { /* of a warp, a warpgroup or a barrier */
    int arrived;
    uint64_t round;
};

struct block {
    int threads, index, count, current, running;
    bool moved; /* since the fibers were last gone through */
    bool over[THREADS_MAX];
    ucontext_t scheduler, fibers[THREADS_MAX];
    uint8_t *stacks, *shared;
    size_t shared_bytes;
    meeting warps[THREADS_MAX / WARP], groups[THREADS_MAX / GROUP], barriers[16];
    /* what the threads of a warp or warpgroup bring to a meeting */
    uint32_t address[THREADS_MAX];
    float value[THREADS_MAX];
    uint32_t a[THREADS_MAX][4], b[THREADS_MAX][2];
    float *d[THREADS_MAX];
    void (*kernel)(void *);
    void *argument;
};
inline block *here;

inline void yield() { swapcontext(&here->fibers[here->current], &here->scheduler); }

/* The last to come does the work of all. */
template <class WORK> void meet(meeting &m, int count, WORK work) {
    uint64_t round = m.round;
    here->moved = true;
    if (++m.arrived == count) {
        m.arrived = 0;
        m.round++;
        work();
        return;
    }
    while (m.round == round)
        yield();
}

struct mbar { /* in the eight bytes of a barrier */
    int16_t needed, left;
    int32_t bytes; /* the sign of phase is in `needed`'s */
};
/* Parities are kept beside, by address. */
inline uint8_t parity[64];
inline int number(const uint64_t *bar) { return (int)(bar - (const uint64_t *)here->shared); }
inline void settle(uint64_t *at) {
    mbar *bar = (mbar *)at;
    if (bar->left > 0 || bar->bytes != 0) return;
    bar->left = bar->needed;
    parity[number(at)] ^= 1;
    here->moved = true;
}

inline void enter() {
    here->kernel(here->argument);
    here->over[here->current] = true;
    here->running--;
    here->moved = true;
    yield();
}

inline void run_block(block &b) {
    here = &b;
    b.running = b.threads;
    b.stacks = (uint8_t *)malloc((size_t)b.threads * STACK);
    b.shared = (uint8_t *)aligned_alloc(1024, (b.shared_bytes + 1023) / 1024 * 1024);
    if (!b.stacks || !b.shared) abort();
    memset(b.shared, 0x7e, b.shared_bytes); /* not a number, as fp16 */
    memset(parity, 0, sizeof parity);
    for (int t = 0; t < b.threads; t++) {
        getcontext(&b.fibers[t]);
        b.fibers[t].uc_stack.ss_sp = b.stacks + (size_t)t * STACK;
        b.fibers[t].uc_stack.ss_size = STACK;
        b.fibers[t].uc_link = NULL;
        makecontext(&b.fibers[t], enter, 0);
    }
    while (b.running > 0) {
        b.moved = false;
        for (int t = 0; t < b.threads; t++) {
            b.current = t;
            if (!b.over[t]) swapcontext(&b.scheduler, &b.fibers[t]);
        }
        if (!b.moved) {
            fprintf(stderr, "all threads wait for something that will not happen\n");
            abort();
        }
    }
    free(b.stacks);
    free(b.shared);
}

/* A grid, one block after the other. */
template <class KERNEL> void launch(int blocks, int threads, size_t shared_bytes, KERNEL kernel) {
    static_assert(sizeof(block) < 8 << 20, "");
    for (int i = 0; i < blocks; i++) {
        block *b = (block *)calloc(1, sizeof *b);
        if (!b || threads > THREADS_MAX) abort();
        b->threads = threads, b->index = i, b->count = blocks, b->shared_bytes = shared_bytes;
        b->argument = &kernel;
        b->kernel = [](void *k) { (*(KERNEL *)k)(here->shared); };
        run_block(*b);
        free(b);
    }
}

/* An address in shared memory, checked. */
inline uint8_t *at(uint32_t address, size_t bytes) {
    if (address + bytes > here->shared_bytes || address % bytes % 16) abort();
    return here->shared + address;
}

} // namespace simt

inline uint32_t dev_shared(const void *p) {
    return (uint32_t)((const uint8_t *)p - simt::here->shared);
}
inline int dev_thread() { return simt::here->current; }
inline int dev_threads() { return simt::here->threads; }
inline int dev_block() { return simt::here->index; }
inline int dev_blocks() { return simt::here->count; }

inline void dev_sync_some(int barrier, int threads) {
    simt::meet(simt::here->barriers[barrier], threads, [] {});
}
inline void dev_sync() { dev_sync_some(0, simt::here->threads); }
inline void dev_sync_warp() {
    simt::meet(simt::here->warps[dev_thread() / 32], 32, [] {});
}
inline float dev_swap(float x, int lanes) {
    int me = dev_thread();
    simt::here->value[me] = x;
    dev_sync_warp();
    float other = simt::here->value[me ^ lanes];
    dev_sync_warp();
    return other;
}
inline int dev_uniform(int x) { return x; }

inline void dev_mbar_init(uint64_t *bar, int arrivals) {
    simt::mbar *m = (simt::mbar *)bar;
    m->needed = m->left = (int16_t)arrivals;
    m->bytes = 0;
    simt::parity[simt::number(bar)] = 0;
}
inline void dev_mbar_fence() {}
inline void dev_mbar_arrive(uint64_t *bar) {
    simt::mbar *m = (simt::mbar *)bar;
    if (--m->left < 0) abort();
    simt::settle(bar);
}
inline void dev_mbar_wait(uint64_t *bar, uint32_t phase) {
    while (simt::parity[simt::number(bar)] == phase)
        simt::yield();
}
inline bool dev_mbar_test(uint64_t *bar, uint32_t phase) {
    if (simt::parity[simt::number(bar)] == phase) simt::yield();
    return simt::parity[simt::number(bar)] != phase;
}
inline void dev_copy_in(uint32_t to, const void *from, uint32_t bytes, uint64_t *bar) {
    if (to % 16 || bytes % 16) abort();
    memcpy(simt::here->shared + to, from, bytes);
    dev_mbar_arrive(bar);
}

inline void dev_registers_fewer() {}
inline void dev_registers_more() {}

inline void dev_copy_16(void *to, const void *from) {
    if ((uintptr_t)from % 16) abort();
    memcpy(simt::at(dev_shared(to), 16), from, 16);
}
inline void dev_copy_wait() {}

inline void dev_ldmatrix(uint32_t (&a)[4], uint32_t address) {
    int me = dev_thread(), lane = me % 32, first = me - lane;
    simt::here->address[me] = address;
    dev_sync_warp();
    for (int m = 0; m < 4; m++) {
        uint32_t row = simt::here->address[first + m * 8 + lane / 4];
        if (row % 16) abort();
        memcpy(&a[m], simt::at(row, 16) + lane % 4 * 4, 4);
    }
    dev_sync_warp();
}
inline void dev_mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    simt::block *here = simt::here;
    int me = dev_thread(), first = me / 32 * 32, row = me % 32 / 4, column = me % 4 * 2;
    memcpy(here->a[me], a, sizeof a);
    here->b[me][0] = b0, here->b[me][1] = b1;
    dev_sync_warp();
    for (int i = 0; i < 4; i++) {
        int m = row + i / 2 * 8, n = column + i % 2;
        for (int k = 0; k < 16; k++) {
            uint32_t left = here->a[first + m % 8 * 4 + k % 8 / 2][m / 8 + k / 8 * 2];
            uint32_t right = here->b[first + n * 4 + k % 8 / 2][k / 8];
            d[i] += yo_half_to((uint16_t)(left >> (k % 2 * 16))) *
                    yo_half_to((uint16_t)(right >> (k % 2 * 16)));
        }
    }
    dev_sync_warp();
}
template <int N> uint64_t dev_slice(uint32_t address) {
    if (address % 16) abort();
    return address;
}
template <int N> uint64_t dev_slice_after(uint64_t slice, int by) {
    return slice + (uint64_t)(by * N * 32);
}
/* A as rows of 16 bytes and planes of PLANE rows. */
template <int PLANE> uint32_t dev_rows(uint32_t address) {
    if (address % 16) abort();
    return address / 16 | (uint32_t)PLANE << 16;
}
inline void dev_products_fence() {}
inline void dev_wgmma_fence() {}
inline void dev_wgmma_commit() {}
template <int PENDING> void dev_wgmma_wait() {}

namespace simt {

/* D of a warpgroup whose first thread is given. */
template <int N>
void products(int first, const float (&left)[64][16], uint32_t weights, int accumulate) {
    static float right[16][N], sums[64][N];
    for (int k = 0; k < 16; k++)
        for (int n = 0; n < N; n++) {
            uint16_t h;
            memcpy(&h, at(weights + (uint32_t)(k / 8 * N * 16 + n * 16), 16) + k % 8 * 2, 2);
            right[k][n] = yo_half_to(h);
        }
    for (int m = 0; m < 64; m++) {
        for (int n = 0; n < N; n++)
            sums[m][n] = 0;
        for (int k = 0; k < 16; k++)
            for (int n = 0; n < N; n++)
                sums[m][n] += left[m][k] * right[k][n];
    }
    for (int t = 0; t < 128; t++)
        for (int i = 0; i < N / 2; i++) {
            int row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8;
            int column = i / 4 * 8 + t % 4 * 2 + i % 2;
            float old = accumulate ? here->d[first + t][i] : 0;
            here->d[first + t][i] = old + sums[row][column];
        }
}

} // namespace simt

template <int N>
void dev_wgmma(float (&d)[N / 2], const uint32_t (&a)[4], uint64_t b, int accumulate) {
    simt::block *here = simt::here;
    int me = dev_thread(), first = me / 128 * 128;
    here->d[me] = d;
    memcpy(here->a[me], a, sizeof a);
    here->address[me] = (uint32_t)b;
    simt::meet(here->groups[me / 128], 128, [&] {
        static float left[64][16];
        for (int t = 0; t < 128; t++) {
            if (here->address[first + t] != (uint32_t)b) abort();
            for (int r = 0; r < 4; r++)
                for (int k = 0; k < 2; k++)
                    left[t / 32 * 16 + t % 32 / 4 + r % 2 * 8][t % 4 * 2 + k + r / 2 * 8] =
                        yo_half_to((uint16_t)(here->a[first + t][r] >> (16 * k)));
        }
        simt::products<N>(first, left, (uint32_t)b, accumulate);
    });
}
template <int N> void dev_wgmma(float (&d)[N / 2], uint32_t rows, uint64_t b, int accumulate) {
    simt::block *here = simt::here;
    int me = dev_thread(), first = me / 128 * 128;
    here->d[me] = d;
    here->address[me] = (uint32_t)b;
    here->a[me][0] = rows;
    simt::meet(here->groups[me / 128], 128, [&] {
        static float left[64][16];
        for (int t = 0; t < 128; t++)
            if (here->address[first + t] != (uint32_t)b || here->a[first + t][0] != rows) abort();
        for (int m = 0; m < 64; m++)
            for (int k = 0; k < 16; k++) {
                uint16_t h;
                uint32_t row = (rows & 0xffff) + (uint32_t)m + (uint32_t)(k / 8) * (rows >> 16);
                memcpy(&h, simt::at(row * 16, 16) + k % 8 * 2, 2);
                left[m][k] = yo_half_to(h);
            }
        simt::products<N>(first, left, (uint32_t)b, accumulate);
    });
}

inline uint32_t dev_pack(float x, float y) {
    return yo_half_from(x) | (uint32_t)yo_half_from(y) << 16;
}
inline void dev_unpack(uint32_t w, float &x, float &y) {
    x = yo_half_to((uint16_t)w), y = yo_half_to((uint16_t)(w >> 16));
}
inline float dev_exp(float x) { return expf(x); }
inline float dev_tanh(float x) { return tanhf(x); }
inline float dev_divide(float x, float y) { return x / y; }
template <class T> T dev_read(const T *from) { return *from; }
