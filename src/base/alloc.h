/* All heap allocation goes through here, so that a test can make the n-th allocation fail. Returned
 * memory is zeroed. The caller that allocates also frees. */
#pragma once

#include <stddef.h>

void *yo_alloc(size_t count, size_t size);
/* Keeps the old block on failure, as realloc does; new bytes are not zeroed. */
void *yo_realloc(void *block, size_t count, size_t size);
/* Aligned to a cache line and to the widest vector (64 bytes); release with yo_free_aligned. */
void *yo_alloc_aligned(size_t size);
/* For blocks of many megabytes with random access: uses huge pages where the system has them.
 * Aligned to 64 bytes; release with yo_free_large and the same size. */
void *yo_alloc_large(size_t size);
void yo_free_large(void *block, size_t size);
/* Zeroes the whole block. On Linux, a block of 256 MB or more returns its pages to the system
 * instead, which is faster than writing zeros, and takes new ones with several threads, for at most
 * ten seconds. */
void yo_clear_large(void *block, size_t size);
/* Memory of this machine in megabytes; 0 if unknown. */
size_t yo_memory_mb(void);
void yo_free(void *block);
void yo_free_aligned(void *block);

/* For tests: after n more successful allocations every one fails; -1 turns it off. */
void yo_alloc_fail_after(long n);
