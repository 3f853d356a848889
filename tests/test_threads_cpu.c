/* cpu.c: the same answer in every thread that asks at once, and the one the kernel gives. */
#include "test.h"

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
        /* Three are spelled otherwise there. */
        char word[32], spelled[32];
        snprintf(spelled, sizeof spelled, "%s", name);
        if (strcmp(name, "avx512vbmi2") == 0) strcpy(spelled, "avx512_vbmi2");
        if (strcmp(name, "avx512bitalg") == 0) strcpy(spelled, "avx512_bitalg");
        if (strcmp(name, "avx512vpopcntdq") == 0) strcpy(spelled, "avx512_vpopcntdq");
        snprintf(word, sizeof word, " %s ", spelled);
        if (present != (strstr(line, word) != NULL)) fail_msg("%s: %d here", name, present);
    }
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
#endif
#if defined(__linux__)
        cmocka_unit_test(test_count_respects_affinity),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
