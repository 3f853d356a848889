#include "eval/net/cpu/arena.h"

#include <stdint.h>

#include "base/alloc.h"

enum { LINE = 64, CHUNK = 2 << 20 };

/* Stands at the beginning of its own memory. */
struct yo_net_arena_chunk {
    _Alignas(LINE) struct yo_net_arena_chunk *next;
    size_t size, used;
};

static size_t rounded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

static struct yo_net_arena_chunk *chunk_with(struct yo_net_arena *arena, size_t bytes) {
    for (struct yo_net_arena_chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
        if (chunk->size - chunk->used >= bytes) return chunk;
    size_t size = rounded(sizeof *arena->chunks + bytes, CHUNK);
    struct yo_net_arena_chunk *chunk = yo_alloc_large(size);
    if (!chunk) return NULL;
    *chunk = (struct yo_net_arena_chunk){
        .next = arena->chunks, .size = size, .used = sizeof *arena->chunks};
    arena->chunks = chunk;
    return chunk;
}

void *yo_net_arena_alloc(struct yo_net_arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = rounded(bytes, LINE);
    struct yo_net_arena_chunk *chunk = chunk_with(arena, bytes);
    if (!chunk) return NULL;
    void *block = (char *)chunk + chunk->used;
    chunk->used += bytes;
    return block;
}

void yo_net_arena_free(struct yo_net_arena *arena) {
    struct yo_net_arena_chunk *next;
    for (struct yo_net_arena_chunk *chunk = arena->chunks; chunk; chunk = next) {
        next = chunk->next;
        yo_free_large(chunk, chunk->size);
    }
    arena->chunks = NULL;
}
