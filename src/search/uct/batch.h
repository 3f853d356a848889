/* Batches of leaves, for the two files of UCT that fill them: in batch.c leaves wait for the
 * evaluator, in beside.c they do not. */
#pragma once

#include "search/uct/internal.h"

/* Only some leaves of a batch request ownership: it is only displayed, and it costs time. */
#define OWNER_LEAVES 64

struct leaf {
    size_t depth;
    yo_node_index path[UCT_DEPTH_MAX + 1];
    uint8_t to_move[UCT_DEPTH_MAX + 1];
};

struct uct_batch {
    struct yo_eval_batch eval;
    struct yo_eval_item *items;
    struct yo_eval_result *results;
    struct leaf *leaves;
    unsigned char *positions; /* of the leaves, position_stride bytes each */
    size_t position_stride;
    int32_t *owners; /* for OWNER_LEAVES of the leaves, UCT_CELLS_MAX entries each */
    size_t owner_count;
    bool in_flight; /* launched, and its results are wanted */
    bool is_left;   /* launched and not finished, but its results are not wanted any more */
    unsigned level; /* of its worker's pace */
    bool is_odd;    /* its duration is not comparable with those of its level */
    int64_t start_ns, took_ns;
};

/* Takes numbers for up to `wanted` games. Returns how many it got. */
uint64_t yo_uct_take_numbers(struct yo_uct *uct, uint64_t wanted, uint64_t *first);
/* Call it before the first leaf is added. */
void yo_uct_batch_empty(struct uct_batch *batch);
/* Adds the leaf that the worker holds, for `games` games numbered from `first` on. */
void yo_uct_batch_put(struct uct_worker *w, struct uct_batch *batch, bool want_owner,
                      uint64_t games, uint64_t first);
/* False where only playouts limit the search: then batches have the size of the options and the
 * search waits for each, so that it is reproducible. */
bool yo_uct_may_end_any_time(const struct yo_uct *uct);
/* How many leaves the next batch should have. */
size_t yo_uct_batch_size(const struct uct_worker *w);
void yo_uct_batch_launch(struct uct_worker *w, struct uct_batch *batch);
/* Waits for a batch, if it was launched, backs its results up, and passes its duration to the
 * worker's pace. */
void yo_uct_batch_land(struct uct_worker *w, struct uct_batch *batch);

/* At the end of the search: lands a finished batch. Where the search may end at any time, it
 * abandons one that is not finished. */
void yo_uct_batch_end(struct uct_worker *w, struct uct_batch *batch);
/* Waits for an abandoned batch, so that its memory can be used again. */
void yo_uct_batch_regain(struct uct_worker *w, struct uct_batch *batch);

/* Returns when the search is over, when the tree is full, or when the evaluator failed; no batch
 * whose results are wanted is in flight then. */
void yo_uct_beside_work(struct uct_worker *w);
