#include "search/guided/cells.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

enum yo_err yo_cells_init(struct yo_cells *cells, size_t bytes, struct yo_diag *diag) {
    size_t capacity = bytes / YO_CELL_SIZE;
    if (capacity < YO_CELLS_MIN) capacity = YO_CELLS_MIN;
    if (capacity > UINT32_MAX) capacity = UINT32_MAX;
    *cells = (struct yo_cells){.bytes = capacity * YO_CELL_SIZE, .capacity = (uint32_t)capacity};
    cells->base = yo_alloc_large(cells->bytes);
    cells->is_free = yo_alloc(capacity / 64 + 1, sizeof *cells->is_free);
    if (!cells->base || !cells->is_free) {
        if (cells->base) yo_free_large(cells->base, cells->bytes);
        yo_free(cells->is_free);
        cells->base = NULL;
        yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a tree of %zu MB", bytes >> 20);
        yo_diag_hint(diag, "ask for less with --memory");
        return YO_ERR_NOMEM;
    }
    pthread_mutex_init(&cells->mutex, NULL);
    yo_cells_clear(cells);
    return YO_OK;
}

void yo_cells_free(struct yo_cells *cells) {
    if (!cells->base) return;
    pthread_mutex_destroy(&cells->mutex);
    yo_free_large(cells->base, cells->bytes);
    yo_free(cells->is_free);
    cells->base = NULL;
}

void yo_cells_clear(struct yo_cells *cells) {
    memset(cells->free, 0, sizeof cells->free);
    cells->next = 1;
    cells->in_use = 0;
}

static void put(struct yo_cells *cells, yo_cell first, unsigned count) {
    memcpy(yo_cells_at(cells, first), &cells->free[count], sizeof(yo_cell));
    cells->free[count] = first;
}

static yo_cell pop(struct yo_cells *cells, unsigned count) {
    yo_cell first = cells->free[count];
    if (first) memcpy(&cells->free[count], yo_cells_at(cells, first), sizeof(yo_cell));
    return first;
}

/* A freed run of the right length, or cells that were never used, or a part of a longer run. */
static yo_cell find(struct yo_cells *cells, unsigned count) {
    yo_cell first = pop(cells, count);
    if (first) return first;
    if (cells->capacity - cells->next >= count) {
        first = cells->next;
        cells->next += count;
        return first;
    }
    for (unsigned longer = count + 1; longer <= YO_CELLS_RUN_MAX; longer++) {
        first = pop(cells, longer);
        if (!first) continue;
        put(cells, first + count, longer - count);
        return first;
    }
    return 0;
}

yo_cell yo_cells_take(struct yo_cells *cells, unsigned count) {
    pthread_mutex_lock(&cells->mutex);
    yo_cell first = find(cells, count);
    if (first) cells->in_use += count;
    pthread_mutex_unlock(&cells->mutex);
    return first;
}

void yo_cells_give(struct yo_cells *cells, yo_cell first, unsigned count) {
    pthread_mutex_lock(&cells->mutex);
    put(cells, first, count);
    cells->in_use -= count;
    pthread_mutex_unlock(&cells->mutex);
}

uint32_t yo_cells_in_use(struct yo_cells *cells) {
    pthread_mutex_lock(&cells->mutex);
    uint32_t in_use = cells->in_use;
    pthread_mutex_unlock(&cells->mutex);
    return in_use;
}

static bool is_free(const struct yo_cells *cells, yo_cell cell) {
    return cells->is_free[cell / 64] >> cell % 64 & 1;
}

static void mark_free_runs(struct yo_cells *cells) {
    memset(cells->is_free, 0, ((size_t)cells->capacity / 64 + 1) * sizeof *cells->is_free);
    for (unsigned count = 1; count <= YO_CELLS_RUN_MAX; count++)
        for (yo_cell first; (first = pop(cells, count));)
            for (unsigned i = 0; i < count; i++)
                cells->is_free[(first + i) / 64] |= UINT64_C(1) << (first + i) % 64;
}

void yo_cells_join(struct yo_cells *cells) {
    pthread_mutex_lock(&cells->mutex);
    mark_free_runs(cells);
    while (cells->next > 1 && is_free(cells, cells->next - 1))
        cells->next--;
    for (yo_cell at = 1; at < cells->next;) {
        unsigned count = 0;
        while (count < YO_CELLS_RUN_MAX && at + count < cells->next && is_free(cells, at + count))
            count++;
        if (count) put(cells, at, count);
        at += count ? count : 1;
    }
    pthread_mutex_unlock(&cells->mutex);
}
