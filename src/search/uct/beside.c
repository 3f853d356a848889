/* The plain search with an evaluator beside it. A thread plays its own playouts as it does without
 * an evaluator. The results of the evaluator are backed up when they arrive: no thread waits, so a
 * slow launch or a long batch does not delay the search. */
#include "base/time.h"
#include "search/uct/batch.h"

/* After this many simulations the first thread reads the clock, and each thread polls its last
 * batch. */
#define CLOCK_EVERY 8

/* Is this the first visit of the leaf? */
static bool is_new(const struct uct_worker *w) {
    const struct yo_node *leaf = yo_tree_node(&w->uct->tree, w->path[w->depth]);
    return w->depth > 0 && uct_visits(leaf) == w->uct->pending && !uct_solved(leaf) &&
           w->uct->game->outcome(w->position) == YO_OUTCOME_NONE;
}

/* Can the last batch be landed? Where only playouts limit the search, not before the next batch is
 * full; then the thread waits for it. */
static bool has_landed(const struct uct_worker *w, struct uct_batch *last, bool is_next_full) {
    const struct yo_eval *eval = &w->uct->eval;
    if (!yo_uct_may_end_any_time(w->uct)) return is_next_full;
    return eval->ops->poll(eval->ctx, &last->eval);
}

/* A batch that takes as long as the last one would end after the time limit. */
static bool is_too_late(const struct yo_uct *uct, const struct uct_batch *last) {
    int64_t end = yo_search_clock_end(uct->clock), left_ms = end - yo_time_ms();
    return end && last->took_ns > left_ms * INT64_C(1000000);
}

static bool is_full(const struct uct_worker *w, const struct uct_batch *batch) {
    return batch->eval.item_count >= yo_uct_batch_size(w);
}

/* Lands the last batch, which an earlier search may have abandoned, and launches the full one. True
 * if it was launched. */
static bool exchange(struct uct_worker *w, struct uct_batch *batch, struct uct_batch *last) {
    if (last->in_flight || last->is_left) {
        if (!has_landed(w, last, is_full(w, batch))) return false;
        yo_uct_batch_regain(w, last);
        yo_uct_batch_land(w, last);
        yo_uct_batch_empty(last);
    }
    if (!is_full(w, batch) || is_too_late(w->uct, last)) return false;
    yo_uct_batch_launch(w, batch);
    return true;
}

static bool goes_on(struct yo_uct *uct) {
    return !atomic_load_explicit(&uct->over, memory_order_relaxed) && !uct_wants_room(uct) &&
           !atomic_load_explicit(&uct->batches_failed, memory_order_relaxed);
}

void yo_uct_beside_work(struct uct_worker *w) {
    struct yo_uct *uct = w->uct;
    size_t owner_every = uct->options.leaves / OWNER_LEAVES + 1;
    unsigned playouts = uct->options.leaf_playouts, turn = w->batches[0].is_left;
    for (int b = 0; b < 2; b++) {
        if (!w->batches[b].is_left) yo_uct_batch_empty(&w->batches[b]);
        w->batches[b].took_ns = 0;
    }
    for (unsigned done = 0; goes_on(uct); done++) {
        struct uct_batch *batch = &w->batches[turn];
        uint64_t first, filled = batch->eval.item_count;
        bool is_time = done % CLOCK_EVERY == 0;
        if (yo_uct_take_numbers(uct, 1, &first) == 0) break;
        uint64_t number = uct_number(uct, first);
        yo_uct_descend(w);
        if (!is_full(w, batch) && is_new(w))
            yo_uct_batch_put(w, batch, filled % owner_every == 0, playouts, number * playouts);
        yo_uct_finish(w, number);
        if ((is_time || is_full(w, batch)) && exchange(w, batch, &w->batches[turn ^ 1])) turn ^= 1;
        if (is_time && w->index == 0) yo_uct_look_around(uct);
    }
    yo_uct_batch_end(w, &w->batches[turn ^ 1]);
}
