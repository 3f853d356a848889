/* The functions of src/eval/net/cuda/device.cuh on the host (simt_run.h runs the threads): so a
 * test runs a kernel's own source, with its indices, barriers and layouts, and without a GPU. */
#pragma once

#include <math.h>

#include "eval/net/cuda/half.h"
#include "support/simt_run.h"

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
inline simt::warp &dev_warp() { return simt::here->warps[dev_thread() / 32]; }
inline void dev_sync_warp() {
    simt::meet(dev_warp().meet, 32, [] {});
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
inline void dev_mbar_arrive(uint64_t *bar) { simt::arrive(bar, 0); }
inline void dev_mbar_wait(uint64_t *bar, uint32_t phase) {
    while (simt::parity[simt::number(bar)] == phase)
        simt::yield();
}
inline void dev_mbar_nap(uint64_t *bar, uint32_t phase) { dev_mbar_wait(bar, phase); }
inline void dev_pause(int) { simt::yield(); }
inline void dev_copy_in(uint32_t to, const void *from, uint32_t bytes, uint64_t *bar) {
    if (to % 16 || bytes % 16) abort();
    simt::arrive(bar, bytes);
    simt::start_copy(simt::here->copies, {to, bytes, from, bar, (int)(simt::draw() % 20)});
}

inline void dev_registers_fewer() {}
template <int COUNT> void dev_registers_more() {}

inline void dev_copy_16(void *to, const void *from) {
    if ((uintptr_t)from % 16) abort();
    simt::at(dev_shared(to), 16);
    simt::start_copy(simt::here->parts[dev_thread()], {dev_shared(to), 16, from, nullptr, 0});
}
inline void dev_copy_wait() {
    for (const simt::copy &part : simt::here->parts[dev_thread()])
        simt::deliver(part);
    simt::here->parts[dev_thread()].clear();
}

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
inline void dev_wgmma_commit() {
    simt::meet(dev_warp().meet, 32, [] { dev_warp().committed++; });
}
template <int PENDING> void dev_wgmma_wait() {
    simt::meet(dev_warp().meet, 32, [] { simt::finish_products(dev_warp(), PENDING); });
}

namespace simt {

inline float half_at(uint32_t address, int index) {
    uint16_t h;
    memcpy(&h, at(address, 16) + index * 2, 2);
    return yo_half_to(h);
}

/* A of the warp, row by row. */
inline void left_side(const product &p, float (&left)[16][16]) {
    for (int m = 0; m < 16 && !p.a[0]; m++)
        for (int k = 0; k < 16; k++) {
            uint32_t row = (p.rows & 0xffff) + (uint32_t)(p.warp % 4 * 16 + m) +
                           (uint32_t)(k / 8) * (p.rows >> 16);
            left[m][k] = half_at(row * 16, k % 8);
        }
    for (int t = 0; t < 32 && p.a[0]; t++)
        for (int r = 0; r < 4; r++)
            for (int k = 0; k < 2; k++)
                left[t / 4 + r % 2 * 8][t % 4 * 2 + k + r / 2 * 8] =
                    yo_half_to((uint16_t)(p.a[t][r] >> (16 * k)));
}

template <int N> void multiply(const product &p) {
    static float left[16][16], right[16][N], sums[16][N];
    left_side(p, left);
    for (int k = 0; k < 16; k++)
        for (int n = 0; n < N; n++)
            right[k][n] = half_at((uint32_t)p.b + (uint32_t)(k / 8 * N * 16 + n * 16), k % 8);
    for (int m = 0; m < 16; m++) {
        for (int n = 0; n < N; n++)
            sums[m][n] = 0;
        for (int k = 0; k < 16; k++)
            for (int n = 0; n < N; n++)
                sums[m][n] += left[m][k] * right[k][n];
    }
    for (int t = 0; t < 32; t++)
        for (int i = 0; i < N / 2; i++) {
            int row = t / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + t % 4 * 2 + i % 2;
            p.d[t][i] = (p.accumulate ? p.d[t][i] : 0) + sums[row][column];
        }
}

/* Takes a product of the warp; all warps of the warpgroup must ask for the same. */
template <int N>
void issue(float (&d)[N / 2], const uint32_t *a, uint32_t rows, uint64_t b, int accumulate) {
    int me = dev_thread();
    here->d[me] = d, here->registers[me] = a;
    here->b[me][0] = rows, here->b[me][1] = (uint32_t)b;
    meet(dev_warp().meet, 32, [&] {
        warp &w = dev_warp();
        product p = {multiply<N>, me / 32, accumulate, w.committed, b, rows, {}, {}};
        std::vector<uint64_t> &log = here->log[me / GROUP];
        uint64_t all = (uint64_t)rows << 32 | b << 1 | (uint64_t)accumulate;
        for (int t = 0; t < 32; t++) {
            int thread = me / 32 * 32 + t;
            if (here->b[thread][0] != rows || here->b[thread][1] != (uint32_t)b) abort();
            p.a[t] = here->registers[thread], p.d[t] = here->d[thread];
        }
        if ((size_t)w.issued == log.size())
            log.push_back(all);
        else if (log[(size_t)w.issued] != all)
            abort();
        w.issued++;
        w.products.push_back(p);
        if (!now.late) finish_products(w, -1);
    });
}

} // namespace simt

template <int N>
void dev_wgmma(float (&d)[N / 2], const uint32_t (&a)[4], uint64_t b, int accumulate) {
    simt::issue<N>(d, a, 0, b, accumulate);
}
template <int N> void dev_wgmma(float (&d)[N / 2], uint32_t rows, uint64_t b, int accumulate) {
    simt::issue<N>(d, nullptr, rows, b, accumulate);
}

inline uint32_t dev_pack(float x, float y) {
    return yo_half_from(x) | (uint32_t)yo_half_from(y) << 16;
}
inline void dev_unpack(uint32_t w, float &x, float &y) {
    x = yo_half_to((uint16_t)w), y = yo_half_to((uint16_t)(w >> 16));
}
inline uint32_t dev_pack_relu(float x, float y) { return dev_pack(fmaxf(x, 0), fmaxf(y, 0)); }
inline uint32_t dev_max2(uint32_t a, uint32_t b) {
    float x, y, z, w;
    dev_unpack(a, x, y), dev_unpack(b, z, w);
    return dev_pack(fmaxf(x, z), fmaxf(y, w));
}
inline uint32_t dev_fma2(uint32_t a, uint32_t b, uint32_t c) {
    float x, y, z, w, u, v;
    dev_unpack(a, x, y), dev_unpack(b, z, w), dev_unpack(c, u, v);
    return dev_pack(fmaf(x, z, u), fmaf(y, w, v));
}
inline uint32_t dev_fma2_relu(uint32_t a, uint32_t b, uint32_t c) {
    return dev_max2(dev_fma2(a, b, c), 0);
}
inline float dev_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
inline float dev_exp(float x) { return expf(x); }
inline float dev_tanh(float x) { return tanhf(x); }
inline float dev_divide(float x, float y) { return x / y; }
template <class T> T dev_read(const T *from) { return *from; }
