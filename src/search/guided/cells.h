/* Memory for a tree that grows and shrinks while threads search it: one block of 64-byte cells,
 * given out in runs. A run is named by the index of its first cell; 0 names none. Freed runs are
 * kept in lists by length and used again. All functions but init and free may be called from any
 * thread. */
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
    uint64_t *is_free;     /* a bit for each cell, for yo_cells_join alone */
    pthread_mutex_t mutex; /* guards the rest */
    uint32_t next;         /* the first cell that was never given out */
    uint32_t in_use;
    yo_cell free[YO_CELLS_RUN_MAX + 1]; /* by length: the first of a list, linked by first words */
};

enum yo_err yo_cells_init(struct yo_cells *cells, size_t bytes, struct yo_diag *diag);
void yo_cells_free(struct yo_cells *cells);
/* Takes everything back. Not while another thread uses the cells. */
void yo_cells_clear(struct yo_cells *cells);

/* A run of so many cells, not zeroed; 0 if there is none. */
yo_cell yo_cells_take(struct yo_cells *cells, unsigned count);
void yo_cells_give(struct yo_cells *cells, yo_cell first, unsigned count);
/* Joins freed runs that lie side by side, so that long ones can be had again. */
void yo_cells_join(struct yo_cells *cells);
uint32_t yo_cells_in_use(struct yo_cells *cells);

static inline void *yo_cells_at(const struct yo_cells *cells, yo_cell cell) {
    return cells->base + (size_t)cell * YO_CELL_SIZE;
}
