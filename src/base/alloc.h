/* The one door to the heap, so that a test can make the n-th allocation fail. Returned memory is
 * zeroed. Whoever allocates frees. */
#pragma once

#include <stddef.h>

void *yo_alloc(size_t count, size_t size);
/* Keeps the old block on failure, as realloc does; new bytes are not zeroed. */
void *yo_realloc(void *block, size_t count, size_t size);
/* Aligned to a cache line and to the widest vector (64 bytes); release with yo_free_aligned. */
void *yo_alloc_aligned(size_t size);
/* For blocks of many megabytes that are read all over: in huge pages where the system has them.
 * Aligned like the other; release with yo_free_large and the same size. */
void *yo_alloc_large(size_t size);
void yo_free_large(void *block, size_t size);
/* Zeros in such a block, all of it. Of gigabytes the pages are given back, which takes no time. */
void yo_clear_large(void *block, size_t size);
/* Memory of this machine in megabytes; 0 if nobody knows. */
size_t yo_memory_mb(void);
void yo_free(void *block);
void yo_free_aligned(void *block);

/* For tests: after n more successful allocations every one fails; -1 turns it off. */
void yo_alloc_fail_after(long n);
