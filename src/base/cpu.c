#include "base/cpu.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static struct yo_cpu cpu;
static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;

#if defined(__x86_64__)

enum reg { EAX, EBX, ECX, EDX };
enum state { STATE_NONE, STATE_AVX, STATE_AVX512, STATE_AMX };

static void leaf(uint32_t number, uint32_t out[4]) {
    memset(out, 0, 4 * sizeof *out);
    __get_cpuid_count(number, 0, &out[EAX], &out[EBX], &out[ECX], &out[EDX]);
}

/* XCR0: the registers that the system saves. In assembly, because the intrinsic would need -mxsave
 * for the whole file. */
static uint64_t saved_state(void) {
    uint32_t one[4];
    leaf(1, one);
    if (!(one[ECX] >> 27 & 1)) return 0; /* OSXSAVE: xgetbv is allowed */
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool state_is_saved(enum state state, uint64_t xcr0) {
    const uint64_t avx = 0x6;     /* xmm, ymm */
    const uint64_t avx512 = 0xe6; /* and opmask, upper zmm, high zmm */
    const uint64_t amx = 0x60000; /* tile configuration and data */
    uint64_t need = state == STATE_AMX      ? amx
                    : state == STATE_AVX512 ? avx512
                    : state == STATE_AVX    ? avx
                                            : 0;
    return (xcr0 & need) == need;
}

static void read_features(void) {
    uint64_t xcr0 = saved_state();
    uint32_t leaf_1[4], leaf_7[4], leaf_ext[4];
    leaf(1, leaf_1);
    leaf(7, leaf_7);
    leaf(0x80000001u, leaf_ext);
#define X(name, number, reg, bit, state)                                                           \
    cpu.name = (leaf_##number[reg] >> (bit)&1) && state_is_saved(STATE_##state, xcr0);
    YO_CPU_FEATURE_LIST(X)
#undef X
}

/* The levels of the x86-64 psABI. */
static int level(void) {
    bool v2 =
        cpu.sse3 && cpu.ssse3 && cpu.sse4_1 && cpu.sse4_2 && cpu.popcnt && cpu.cx16 && cpu.lahf;
    bool v3 = v2 && cpu.avx && cpu.avx2 && cpu.bmi1 && cpu.bmi2 && cpu.f16c && cpu.fma &&
              cpu.lzcnt && cpu.movbe;
    bool v4 = v3 && cpu.avx512f && cpu.avx512bw && cpu.avx512cd && cpu.avx512dq && cpu.avx512vl;
    return 1 + v2 + v3 + v4;
}

static void read_model(void) {
    char text[49] = "";
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t part[4];
        leaf(0x80000002u + i, part);
        memcpy(text + 16 * i, part, 16);
    }
    const char *start = text + strspn(text, " ");
    if (*start) snprintf(cpu.model, sizeof cpu.model, "%s", start);
}

static void detect(void) {
    snprintf(cpu.model, sizeof cpu.model, "unknown");
    read_features();
    cpu.level = level();
    read_model();
}

#else

static void detect(void) { snprintf(cpu.model, sizeof cpu.model, "unknown"); }

#endif

const struct yo_cpu *yo_cpu_get(void) {
    pthread_once(&cpu_once, detect);
    return &cpu;
}

const char *yo_cpu_feature(size_t i, bool *present) {
    static const struct {
        const char *name;
        size_t offset;
    } features[] = {
#define X(name, leaf, reg, bit, state) {#name, offsetof(struct yo_cpu, name)},
        YO_CPU_FEATURE_LIST(X)
#undef X
    };
    if (i >= sizeof features / sizeof features[0]) return NULL;
    const bool *flag = (const bool *)((const char *)yo_cpu_get() + features[i].offset);
    if (present) *present = *flag;
    return features[i].name;
}

/* Whole cores that a cgroup v2 quota allows ("200000 100000": two), or 0 without a quota. */
static int quota_count(void) {
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file) return 0;
    long long quota = 0, period = 0;
    int fields = fscanf(file, "%lld %lld", &quota, &period);
    fclose(file);
    if (fields != 2 || quota <= 0 || period <= 0) return 0; /* "max 100000" */
    long long cores = quota / period;
    return cores < 1 ? 1 : cores > 4096 ? 4096 : (int)cores;
}

static int affinity_count(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (int)online;
}

int yo_cpu_count(void) {
    int count = affinity_count();
    int quota = quota_count();
    if (quota > 0 && quota < count) count = quota;
    return count < 1 ? 1 : count;
}
