/* Matrix products of a Hopper warpgroup, D[64][N] += A[64][16] B[16][N]: A from registers or from
 * shared memory, B from shared memory. For nvcc alone; simt_host.h has the same for tests. */
#pragma once

#include <stdint.h>

/* Numbers of asm operands, eight a line: strings are composed of these. */
#define WG_R0  "%0, %1, %2, %3, %4, %5, %6, %7"
#define WG_R1  "%8, %9, %10, %11, %12, %13, %14, %15"
#define WG_R2  "%16, %17, %18, %19, %20, %21, %22, %23"
#define WG_R3  "%24, %25, %26, %27, %28, %29, %30, %31"
#define WG_R4  "%32, %33, %34, %35, %36, %37, %38, %39"
#define WG_R5  "%40, %41, %42, %43, %44, %45, %46, %47"
#define WG_R6  "%48, %49, %50, %51, %52, %53, %54, %55"
#define WG_R7  "%56, %57, %58, %59, %60, %61, %62, %63"
#define WG_R8  "%64, %65, %66, %67, %68, %69, %70, %71"
#define WG_R9  "%72, %73, %74, %75, %76, %77, %78, %79"
#define WG_R10 "%80, %81, %82, %83, %84, %85, %86, %87"
#define WG_R11 "%88, %89, %90, %91, %92, %93, %94, %95"
#define WG_D(i)                                                                                    \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),    \
        "+f"(d[i + 6]), "+f"(d[i + 7])

/* N and the numbers of the operands behind D's: %N/2 and on. */
#define WG_PRODUCTS(N, LINES, A0, A1, A2, A3, A4, A5, ...)                                         \
    template <> struct wgmma<N> {                                                                  \
        static __device__ __forceinline__ void run(float (&d)[N / 2], const uint32_t (&a)[4],      \
                                                   uint64_t b, int accumulate) {                   \
            asm volatile("{.reg .pred p; setp.ne.b32 p, %" #A5 ", 0;"                              \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 {" LINES          \
                         "}, {%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}, %" #A4 ", p, 1, 1, 0;}"     \
                         : __VA_ARGS__                                                             \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));   \
        }                                                                                          \
        static __device__ __forceinline__ void run(float (&d)[N / 2], uint64_t a, uint64_t b,      \
                                                   int accumulate) {                               \
            asm volatile("{.reg .pred p; setp.ne.b32 p, %" #A2 ", 0;"                              \
                         "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 {" LINES          \
                         "}, %" #A0 ", %" #A1 ", p, 1, 1, 0, 0;}"                                  \
                         : __VA_ARGS__                                                             \
                         : "l"(a), "l"(b), "r"(accumulate));                                       \
        }                                                                                          \
    };

template <int N> struct wgmma;
WG_PRODUCTS(64, WG_R0 ", " WG_R1 ", " WG_R2 ", " WG_R3, 32, 33, 34, 35, 36, 37, WG_D(0), WG_D(8),
            WG_D(16), WG_D(24))
WG_PRODUCTS(96, WG_R0 ", " WG_R1 ", " WG_R2 ", " WG_R3 ", " WG_R4 ", " WG_R5, 48, 49, 50, 51, 52,
            53, WG_D(0), WG_D(8), WG_D(16), WG_D(24), WG_D(32), WG_D(40))
WG_PRODUCTS(128, WG_R0 ", " WG_R1 ", " WG_R2 ", " WG_R3 ", " WG_R4 ", " WG_R5 ", " WG_R6 ", " WG_R7,
            64, 65, 66, 67, 68, 69, WG_D(0), WG_D(8), WG_D(16), WG_D(24), WG_D(32), WG_D(40),
            WG_D(48), WG_D(56))
WG_PRODUCTS(192,
            WG_R0 ", " WG_R1 ", " WG_R2 ", " WG_R3 ", " WG_R4 ", " WG_R5 ", " WG_R6 ", " WG_R7
                  ", " WG_R8 ", " WG_R9 ", " WG_R10 ", " WG_R11,
            96, 97, 98, 99, 100, 101, WG_D(0), WG_D(8), WG_D(16), WG_D(24), WG_D(32), WG_D(40),
            WG_D(48), WG_D(56), WG_D(64), WG_D(72), WG_D(80), WG_D(88))
