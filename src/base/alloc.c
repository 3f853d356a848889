#include "base/alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_long fail_after = -1;

void yo_alloc_fail_after(long n) { atomic_store(&fail_after, n); }

static int must_fail(void) {
    long left = atomic_load_explicit(&fail_after, memory_order_relaxed);
    if (left < 0) return 0;
    if (left == 0) return 1;
    atomic_store(&fail_after, left - 1);
    return 0;
}

static int overflows(size_t count, size_t size) { return size != 0 && count > SIZE_MAX / size; }

void *yo_alloc(size_t count, size_t size) {
    if (must_fail() || overflows(count, size)) return NULL;
    return calloc(count ? count : 1, size ? size : 1);
}

void *yo_realloc(void *block, size_t count, size_t size) {
    if (must_fail() || overflows(count, size)) return NULL;
    size_t bytes = count * size;
    return realloc(block, bytes ? bytes : 1);
}

void *yo_alloc_aligned(size_t size) {
    if (must_fail() || size > SIZE_MAX - 63) return NULL;
    size_t rounded = (size + 63) / 64 * 64;
    void *block = aligned_alloc(64, rounded ? rounded : 64);
    if (block) memset(block, 0, rounded);
    return block;
}

void yo_free(void *block) { free(block); }

void yo_free_aligned(void *block) { free(block); }
