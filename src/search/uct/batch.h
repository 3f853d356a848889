/* Batches of leaves, for the two files of UCT that fill them: batch.c, whose leaves wait for
 * what the evaluator says, and beside.c, whose do not. */
#pragma once

#include "search/uct/internal.h"

/* Ownership is asked for at some leaves of a batch only: it is for people, and costs. */
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
    bool in_flight; /* launched, and what it finds is wanted */
    bool is_left;   /* launched, and still to come back, but nobody waits for what it finds */
    unsigned level; /* of its worker's pace */
    bool is_odd;    /* what it takes says nothing of its level */
    int64_t start_ns, took_ns;
};

/* Takes numbers for up to `wanted` games; how many there still were. */
uint64_t yo_uct_take_numbers(struct yo_uct *uct, uint64_t wanted, uint64_t *first);
/* Before the first leaf of it. */
void yo_uct_batch_empty(struct uct_batch *batch);
/* Adds the leaf that the worker holds, for so many games from the first one's number on. */
void yo_uct_batch_put(struct uct_worker *w, struct uct_batch *batch, bool want_owner,
                      uint64_t games, uint64_t first);
/* Not where playouts alone count: there batches are as large as was asked for and waited for, so
 * that the search is the same every time. */
bool yo_uct_may_end_any_time(const struct yo_uct *uct);
/* The leaves that the next batch is to have. */
size_t yo_uct_batch_size(const struct uct_worker *w);
void yo_uct_batch_launch(struct uct_worker *w, struct uct_batch *batch);
/* Waits for a batch, if it was launched, and adds what was found to the tree; the worker's pace
 * hears of how long it took. */
void yo_uct_batch_land(struct uct_worker *w, struct uct_batch *batch);

/* As the search ends: lands a batch that is back, and where the search may end at any time leaves
 * one that is not. */
void yo_uct_batch_end(struct uct_worker *w, struct uct_batch *batch);
/* Waits for a batch that was left, so that its place can be used again. */
void yo_uct_batch_regain(struct uct_worker *w, struct uct_batch *batch);

/* Comes back when the search is over, when it wants room in the tree, or when the evaluator failed;
 * nothing that is wanted is on its way then. */
void yo_uct_beside_work(struct uct_worker *w);
