/* cpu.c: the same answer in every thread that asks at once, and the one the kernel gives. */
#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include "base/cpu.h"

enum { THREADS = 8 };

static void *ask(void *out) {
    *(struct yo_cpu *)out = *yo_cpu_get();
    return NULL;
}

/* Must be the first test, while the answer is still to be found out. */
static void test_first_call_from_many_threads(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    static struct yo_cpu seen[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &seen[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_memory_equal(&seen[i], yo_cpu_get(), sizeof seen[i]);
    assert_true(seen[0].model[0] != '\0');
}

#if defined(__linux__) && defined(__x86_64__)

/* Some are spelled otherwise there. */
static const char *kernel_name(const char *name) {
    static const char *const names[][2] = {
        {"sse3", "pni"},
        {"lahf", "lahf_lm"},
        {"lzcnt", "abm"},
        {"avx512vbmi2", "avx512_vbmi2"},
        {"avx512vnni", "avx512_vnni"},
        {"avx512bitalg", "avx512_bitalg"},
        {"avx512vpopcntdq", "avx512_vpopcntdq"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i][0], name) == 0) return names[i][1];
    return name;
}

/* The kernel leaves out what it does not save the registers of, as we must. */
static void test_features_as_the_kernel_sees_them(void **state) {
    (void)state;
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) skip();
    static char line[16384];
    bool found = false;
    while (!found && fgets(line, sizeof line, file))
        found = strncmp(line, "flags", 5) == 0;
    fclose(file);
    if (!found) skip();
    line[strcspn(line, "\n")] = ' ';
    bool present;
    const char *name;
    for (size_t i = 0; (name = yo_cpu_feature(i, &present)); i++) {
        char word[32];
        snprintf(word, sizeof word, " %s ", kernel_name(name));
        if (present != (strstr(line, word) != NULL)) fail_msg("%s: %d here", name, present);
    }
}

/* The compiler's own notion of the levels is the judge. */
static void test_level(void **state) {
    (void)state;
    const struct yo_cpu *cpu = yo_cpu_get();
    assert_in_range(cpu->level, 1, 4);
#if !defined(__clang__) || __clang_major__ >= 18 /* older ones do not know the names */
    assert_int_equal(cpu->level >= 2, __builtin_cpu_supports("x86-64-v2") != 0);
    assert_int_equal(cpu->level >= 3, __builtin_cpu_supports("x86-64-v3") != 0);
    assert_int_equal(cpu->level >= 4, __builtin_cpu_supports("x86-64-v4") != 0);
#endif
}

#endif

#if defined(__linux__)

static void test_count_respects_affinity(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_in_range(yo_cpu_count(), 1, CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(yo_cpu_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_call_from_many_threads),
#if defined(__linux__) && defined(__x86_64__)
        cmocka_unit_test(test_features_as_the_kernel_sees_them),
        cmocka_unit_test(test_level),
#endif
#if defined(__linux__)
        cmocka_unit_test(test_count_respects_affinity),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
