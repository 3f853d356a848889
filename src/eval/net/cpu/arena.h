/* Memory for the weights of one program. Blocks lie one after the other: layers that each began a
 * large page of their own would compete for the same sets of the caches. */
#pragma once

#include <stddef.h>

struct yo_net_arena {
    struct yo_net_arena_chunk *chunks;
};

/* Zeroed, aligned to 64 bytes, valid until the arena is freed; NULL when there is no memory. */
void *yo_net_arena_alloc(struct yo_net_arena *arena, size_t bytes);
void yo_net_arena_free(struct yo_net_arena *arena);
