/* The CPU: its features, its model name, and the number of cores this process may use. Detected
 * once, at the first call, from any thread. A feature counts only if the operating system also
 * saves the registers it needs. On anything but x86-64 every feature is false. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Columns: name; CPUID leaf (ext: 0x80000001), register and bit; the vector state that the system
 * must save for it. */
#define YO_CPU_FEATURE_LIST(X)                                                                     \
    X(sse3, 1, ECX, 0, NONE)                                                                       \
    X(ssse3, 1, ECX, 9, NONE)                                                                      \
    X(cx16, 1, ECX, 13, NONE)                                                                      \
    X(sse4_1, 1, ECX, 19, NONE)                                                                    \
    X(sse4_2, 1, ECX, 20, NONE)                                                                    \
    X(popcnt, 1, ECX, 23, NONE)                                                                    \
    X(lahf, ext, ECX, 0, NONE)                                                                     \
    X(movbe, 1, ECX, 22, NONE)                                                                     \
    X(lzcnt, ext, ECX, 5, NONE)                                                                    \
    X(bmi1, 7, EBX, 3, NONE)                                                                       \
    X(bmi2, 7, EBX, 8, NONE)                                                                       \
    X(avx, 1, ECX, 28, AVX)                                                                        \
    X(fma, 1, ECX, 12, AVX)                                                                        \
    X(f16c, 1, ECX, 29, AVX)                                                                       \
    X(avx2, 7, EBX, 5, AVX)                                                                        \
    X(gfni, 7, ECX, 8, NONE)                                                                       \
    X(avx512f, 7, EBX, 16, AVX512)                                                                 \
    X(avx512bw, 7, EBX, 30, AVX512)                                                                \
    X(avx512cd, 7, EBX, 28, AVX512)                                                                \
    X(avx512dq, 7, EBX, 17, AVX512)                                                                \
    X(avx512vl, 7, EBX, 31, AVX512)                                                                \
    X(avx512vbmi, 7, ECX, 1, AVX512)                                                               \
    X(avx512vnni, 7, ECX, 11, AVX512)                                                              \
    X(avx512vbmi2, 7, ECX, 6, AVX512)                                                              \
    X(avx512bitalg, 7, ECX, 12, AVX512)                                                            \
    X(avx512vpopcntdq, 7, ECX, 14, AVX512)                                                         \
    X(amx_tile, 7, EDX, 24, AMX)                                                                   \
    X(amx_int8, 7, EDX, 25, AMX)

struct yo_cpu {
#define X(name, leaf, reg, bit, state) bool name;
    YO_CPU_FEATURE_LIST(X)
#undef X
    /* The highest complete x86-64 level (1 to 4, what -march=x86-64-vN may use); 0 elsewhere. */
    int level;
    char model[64]; /* as the maker spells it; "unknown" if the CPU does not report it */
};

const struct yo_cpu *yo_cpu_get(void);

/* The name of the i-th feature and whether the CPU has it; NULL past the last. */
const char *yo_cpu_feature(size_t i, bool *present);

/* Cores this process may use: its affinity mask, reduced to a container's CPU quota. At least 1.
 * Read again at each call, since both can change. */
int yo_cpu_count(void);
