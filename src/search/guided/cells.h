/* Memory for a tree that grows and shrinks while threads search it: one block of 64-byte cells,
 * allocated in runs. The index of its first cell identifies a run; 0: none. Freed runs are kept in
 * lists by length and used again. All functions but init and free may be called from any thread. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

#define YO_CELL_SIZE     64
#define YO_CELLS_RUN_MAX 128 /* cells of one run */
#define YO_CELLS_MIN     1024

typedef uint32_t yo_cell;

struct yo_cells {
    unsigned char *base;
    size_t bytes;
    uint32_t capacity;
    uint64_t *is_free;     /* a bit for each cell; only yo_cells_join uses it */
    pthread_mutex_t mutex; /* guards the rest */
    uint32_t next;         /* the first cell that was never allocated */
    uint32_t in_use;
    yo_cell free[YO_CELLS_RUN_MAX + 1]; /* by length: head of a list, linked by first words */
};

enum yo_err yo_cells_init(struct yo_cells *cells, size_t bytes, struct yo_diag *diag);
void yo_cells_free(struct yo_cells *cells);
/* Frees all runs. Not while another thread uses the cells. */
void yo_cells_clear(struct yo_cells *cells);

/* Allocates a run of `count` cells, not zeroed; 0 if there is no memory. */
yo_cell yo_cells_take(struct yo_cells *cells, unsigned count);
void yo_cells_give(struct yo_cells *cells, yo_cell first, unsigned count);
/* Joins adjacent freed runs, so that long runs can be allocated again. */
void yo_cells_join(struct yo_cells *cells);
uint32_t yo_cells_in_use(struct yo_cells *cells);

static inline void *yo_cells_at(const struct yo_cells *cells, yo_cell cell) {
    return cells->base + (size_t)cell * YO_CELL_SIZE;
}
