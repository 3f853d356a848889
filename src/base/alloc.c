#include "base/alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/pool.h"
#include "base/time.h"

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

/* Mapped from the system, whose pages read as zeros. The size is rounded up to whole huge pages,
 * since the kernel cannot back a partial one. */
#define HUGE_PAGE ((size_t)2 << 20)

/* The leak sanitizer scans mapped memory for pointers only after it is registered. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define LEAKS_LOOK_IN(block, size)   __lsan_register_root_region(block, size)
#define LEAKS_LOOK_AWAY(block, size) __lsan_unregister_root_region(block, size)
#endif
#endif
#ifndef LEAKS_LOOK_IN
#define LEAKS_LOOK_IN(block, size)   ((void)0)
#define LEAKS_LOOK_AWAY(block, size) ((void)0)
#endif

static size_t large_size(size_t size) { return (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE; }

void *yo_alloc_large(size_t size) {
    if (must_fail() || size > SIZE_MAX - 2 * HUGE_PAGE) return NULL;
    void *block =
        mmap(NULL, large_size(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(block, large_size(size), MADV_HUGEPAGE); /* only a hint: failure is harmless */
#endif
    LEAKS_LOOK_IN(block, large_size(size));
    return block;
}

void yo_free_large(void *block, size_t size) {
    if (!block) return;
    LEAKS_LOOK_AWAY(block, large_size(size));
    munmap(block, large_size(size));
}

/* Below this size, writing zeros is faster than the page faults of new pages. */
enum { GIVEN_BACK = 256 << 20, PAGE = 4096, TOUCH_MS = 10000, TOUCHERS = 8 };

struct touch {
    char *block;
    size_t size;
    atomic_size_t next;
    int64_t end_ms;
};

static bool touch_some(void *ctx, int thread) {
    struct touch *t = ctx;
    size_t at;
    (void)thread;
    while ((at = atomic_fetch_add(&t->next, HUGE_PAGE)) < t->size && yo_time_ms() < t->end_ms)
        for (size_t i = at; i < at + HUGE_PAGE && i < t->size; i += PAGE)
            ((volatile char *)t->block)[i] = 0;
    return false;
}

/* Takes the pages of a block from the system, for at most TOUCH_MS. A huge page takes a
 * millisecond: a search would wait for one at nearly every node until it has met them all. */
static void touch_pages(void *block, size_t size) {
    struct touch t = {.block = block, .size = size, .end_ms = yo_time_ms() + TOUCH_MS};
    int threads = yo_cpu_count() < TOUCHERS ? yo_cpu_count() : TOUCHERS;
    struct yo_job job = {.run = touch_some, .ctx = &t, .threads = threads};
    struct yo_pool *pool;
    if (threads < 2 || yo_pool_new(threads, &pool, NULL)) {
        touch_some(&t, 0);
        return;
    }
    yo_pool_submit(pool, &job);
    yo_pool_wait(pool, &job);
    yo_pool_delete(pool);
}

void yo_clear_large(void *block, size_t size) {
#ifdef __linux__
    /* Anonymous pages read as zeros after MADV_DONTNEED. */
    if (size >= GIVEN_BACK && madvise(block, large_size(size), MADV_DONTNEED) == 0) {
        touch_pages(block, size);
        return;
    }
#endif
    memset(block, 0, size);
}

size_t yo_memory_mb(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages / 1024 * (size_t)size / 1024 : 0;
}

void yo_free(void *block) { free(block); }

void yo_free_aligned(void *block) { free(block); }
