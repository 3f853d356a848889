/* Device primitives of the kernels: barriers, matrix fragments, bulk copies.
 * tests/support/simt_host.h provides the same functions on the host. */
#pragma once

#include <stdint.h>

#define DEV __device__ __forceinline__

DEV uint32_t dev_shared(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
DEV int dev_thread() { return (int)threadIdx.x; }
DEV int dev_threads() { return (int)blockDim.x; }
DEV int dev_block() { return (int)blockIdx.x; }
DEV int dev_blocks() { return (int)gridDim.x; }

/* ---- barriers ---- */

DEV void dev_sync() { __syncthreads(); }
DEV void dev_sync_warp() { __syncwarp(); }
/* Of `threads` threads; barrier 0 is that of the block. */
DEV void dev_sync_some(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
DEV float dev_swap(float x, int lanes) { return __shfl_xor_sync(0xffffffffu, x, lanes); }
/* x is the same in all lanes; the shuffle makes this known to the compiler. */
DEV int dev_uniform(int x) { return __shfl_sync(0xffffffffu, x, 0); }

/* Barriers in shared memory that count arrivals and bytes copied. */
DEV void dev_mbar_init(uint64_t *bar, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(dev_shared(bar)), "r"(arrivals));
}
DEV void dev_mbar_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
DEV void dev_mbar_arrive(uint64_t *bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(dev_shared(bar)) : "memory");
}
DEV void dev_mbar_wait(uint64_t *bar, uint32_t phase) {
    asm volatile("{.reg .pred p;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;}" ::"r"(dev_shared(bar)),
                 "r"(phase)
                 : "memory");
}
/* The same, for a thread that has nothing else to do: it naps between two looks, so that it takes
 * no turns from the warps that compute. (Nvcc 13.0 ignores a time given to try_wait itself.) */
DEV void dev_mbar_nap(uint64_t *bar, uint32_t phase) {
    asm volatile("{.reg .pred p;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra over;\n"
                 "nanosleep.u32 20;\n"
                 "bra again;\n"
                 "over:}" ::"r"(dev_shared(bar)),
                 "r"(phase)
                 : "memory");
}
/* Sleeps for about so many cycles. */
DEV void dev_pause(int cycles) {
    const long long begun = clock64();
    while (clock64() - begun < cycles)
        __nanosleep(100);
}
/* Arrives at the barrier, which completes when the bytes are there. */
DEV void dev_copy_in(uint32_t to, const void *from, uint32_t bytes, uint64_t *bar) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(dev_shared(bar)),
                 "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(to),
        "l"(from), "r"(bytes), "r"(dev_shared(bar))
        : "memory");
}

/* Sixteen bytes; dev_copy_wait waits for those of the thread. */
DEV void dev_copy_16(void *to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(dev_shared(to)), "l"(from)
                 : "memory");
}
DEV void dev_copy_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/* Registers of the warpgroup's threads: a block of 384 threads starts with 168, one of 512 with
 * 128.
 */
DEV void dev_registers_fewer() { asm volatile("setmaxnreg.dec.sync.aligned.u32 24;" ::: "memory"); }
template <int COUNT> DEV void dev_registers_more() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT) : "memory");
}

/* ---- matrices ---- */

DEV void dev_ldmatrix(uint32_t (&a)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address)
                 : "memory");
}
/* D[16][8] += A[16][16] B[16][8] of a warp. */
DEV void dev_mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b0));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[2]), "r"(a[3]), "r"(b1));
#endif
}

/* ---- Hopper's matrix instructions ---- */

/* B as [2 halves of 8 inputs][N][8]: no swizzle, halves N * 16 bytes apart, 8 rows in 128 bytes. */
template <int N> DEV uint64_t dev_slice(uint32_t address) {
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(N) << 16 | (uint64_t)(128 >> 4) << 32;
}
/* The slice that lies `by` slices behind. */
template <int N> DEV uint64_t dev_slice_after(uint64_t slice, int by) {
    return slice + (uint64_t)(by * N * 32 / 16); /* addresses count 16 bytes */
}
/* A as planes of 8 inputs, 16 bytes a row, PLANE rows apart: the tile of 64 rows from an address
 * on. Adding rows or planes (as rows) to the number gives another. */
template <int PLANE> DEV uint32_t dev_rows(uint32_t address) {
    return (address & 0x3ffff) >> 4 | (uint32_t)PLANE << 16;
}
/* What was written to shared memory, for matrix products that read it there. */
DEV void dev_products_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
DEV void dev_wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
DEV void dev_wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int PENDING> DEV void dev_wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}
template <int N> struct wgmma; /* wgmma.cuh */
template <int N>
DEV void dev_wgmma(float (&d)[N / 2], const uint32_t (&a)[4], uint64_t b, int accumulate) {
    wgmma<N>::run(d, a, b, accumulate);
}
template <int N> DEV void dev_wgmma(float (&d)[N / 2], uint32_t rows, uint64_t b, int accumulate) {
    wgmma<N>::run(d, (uint64_t)(128 >> 4) << 32 | rows, b, accumulate);
}

/* ---- numbers ---- */

/* Two fp16 in a word, the first in the low half. */
DEV uint32_t dev_pack(float x, float y) {
    uint32_t r;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(y), "f"(x));
#else
    asm("{.reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h};}"
        : "=r"(r)
        : "f"(x), "f"(y));
#endif
    return r;
}
/* What is less than zero becomes zero. */
DEV uint32_t dev_pack_relu(float x, float y) {
    uint32_t r;
    asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(y), "f"(x));
    return r;
}
DEV uint32_t dev_max2(uint32_t a, uint32_t b) {
    uint32_t r;
    asm("max.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
/* a b + c, rounded once. */
DEV uint32_t dev_fma2(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
DEV uint32_t dev_fma2_relu(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r;
    asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
DEV void dev_unpack(uint32_t w, float &x, float &y) {
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
        : "=f"(x), "=f"(y)
        : "r"(w));
}
DEV float dev_float(uint32_t bits) { return __uint_as_float(bits); }
DEV float dev_exp(float x) { return __expf(x); }
DEV float dev_tanh(float x) { return tanhf(x); }
DEV float dev_divide(float x, float y) { return __fdividef(x, y); }
template <class T> DEV T dev_read(const T *from) { return __ldg(from); }
