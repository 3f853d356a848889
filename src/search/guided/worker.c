/* One thread of a search: it selects leaves, sends them to the evaluator together, and selects the
 * next leaves while it waits. */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/time.h"
#include "search/guided/internal.h"

/* A batch that takes this long is worth watching the stop flag and the clock meanwhile. */
#define LONG_MS 8

/* ---- creation ---- */

static enum yo_err batch_init(struct guided_batch *batch, const struct yo_guided *g) {
    size_t count = g->batch, most = g->game->max_moves;
    size_t stride = (g->game->position_size + 63) / 64 * 64;
    batch->items = yo_alloc(2 * count, sizeof *batch->items);
    batch->leaves = yo_alloc(count, sizeof *batch->leaves);
    unsigned char *positions = yo_alloc_aligned((count + 1) * stride);
    yo_move *moves = yo_alloc(count * most, sizeof *moves);
    float *policies = yo_alloc(count * most, sizeof *policies);
    bool mcss = g->search.options.mode == YO_GUIDED_MCSS;
    bool joins = mcss && g->search.options.joining;
    batch->collisions = yo_alloc(GUIDED_COLLISIONS, sizeof *batch->collisions);
    struct yo_eval_result *children = mcss ? yo_alloc(count * most, sizeof *children) : NULL;
    for (size_t i = 0; batch->leaves && i < count; i++) {
        struct guided_leaf *leaf = &batch->leaves[i];
        leaf->position = positions ? positions + i * stride : NULL;
        leaf->below = positions && joins ? positions + count * stride : NULL;
        leaf->moves = moves ? moves + i * most : NULL;
        leaf->policy = policies ? policies + i * most : NULL;
        leaf->children = children ? children + i * most : NULL;
    }
    bool good = batch->items && batch->leaves && batch->collisions && positions && moves &&
                policies && (children || !mcss);
    if (!good && !batch->leaves) {
        yo_free_aligned(positions);
        yo_free(moves);
        yo_free(policies);
        yo_free(children);
    }
    return good ? YO_OK : YO_ERR_NOMEM;
}

static void batch_free(struct guided_batch *batch) {
    if (batch->leaves) {
        yo_free_aligned(batch->leaves[0].position);
        yo_free(batch->leaves[0].moves);
        yo_free(batch->leaves[0].policy);
        yo_free(batch->leaves[0].children);
    }
    yo_free(batch->leaves);
    yo_free(batch->collisions);
    yo_free(batch->items);
}

void guided_worker_seed(struct guided_worker *worker) {
    uint64_t seed = worker->g->search.options.seed;
    worker->random = yo_mix64(seed + (uint64_t)worker->index * YO_SPLITMIX_STEP);
}

enum yo_err guided_worker_init(struct guided_worker *worker, struct yo_guided *g, int index) {
    worker->g = g;
    worker->index = index;
    worker->took_ms = LONG_MS; /* until a batch shows otherwise */
    guided_worker_seed(worker);
    enum yo_err err = batch_init(&worker->batches[0], g);
    return err ? err : batch_init(&worker->batches[1], g);
}

void guided_worker_free(struct guided_worker *worker) {
    batch_free(&worker->batches[0]);
    batch_free(&worker->batches[1]);
}

/* ---- batches ---- */

static void put(struct yo_guided *g, struct guided_batch *batch) {
    struct guided_leaf *leaf = &batch->leaves[batch->count];
    leaf->move_count = g->game->moves(leaf->position, leaf->moves);
    leaf->result = (struct yo_eval_result){.policy = leaf->policy};
    batch->items[batch->item_count++] =
        (struct yo_eval_item){.position = leaf->position,
                              .want = YO_EVAL_VALUE | (leaf->move_count ? YO_EVAL_POLICY : 0),
                              .results = &leaf->result,
                              .moves = leaf->moves,
                              .move_count = leaf->move_count};
    if (g->search.options.mode == YO_GUIDED_MCSS && leaf->move_count > 0) {
        memset(leaf->children, 0, leaf->move_count * sizeof *leaf->children);
        batch->items[batch->item_count++] = (struct yo_eval_item){.position = leaf->position,
                                                                  .want = YO_EVAL_VALUE,
                                                                  .results = leaf->children,
                                                                  .children = leaf->moves,
                                                                  .child_count = leaf->move_count};
    }
    batch->count++;
}

/* Reserves one more simulation of the budget. */
static bool begin_one(struct yo_guided *g) {
    uint64_t limit = g->budget;
    if (!limit) return true;
    if (atomic_fetch_add_explicit(&g->begun, 1, memory_order_relaxed) < limit) return true;
    atomic_fetch_sub_explicit(&g->begun, 1, memory_order_relaxed);
    return false;
}

static void unbegin_one(struct yo_guided *g) {
    if (g->budget) atomic_fetch_sub_explicit(&g->begun, 1, memory_order_relaxed);
}

/* A simulation that met a node in evaluation has no leaf to add. Its visits stay pending until the
 * batch is back, so that the next simulations go elsewhere. */
static void keep_collision(struct guided_batch *batch, const struct guided_leaf *leaf) {
    struct guided_collision *c = &batch->collisions[batch->collision_count++];
    c->depth = leaf->depth;
    memcpy(c->path, leaf->path, (leaf->depth + 1) * sizeof *leaf->path);
}

static void drop_collisions(struct yo_guided *g, struct guided_batch *batch) {
    for (size_t i = 0; i < batch->collision_count; i++)
        guided_turn_back(g, batch->collisions[i].path, batch->collisions[i].depth);
    batch->collision_count = 0;
}

/* Leaves of the next batch. A search without a number of visits has its batches grow with the tree,
 * so that at most about an eighth of its visits are in flight from the beginning on. */
static size_t width_now(const struct yo_guided *g) {
    if (!g->grows) return g->width;
    const struct yo_guided_tree *tree = &g->search.tree;
    size_t visits = yo_guided_visits(yo_guided_node(tree, tree->root));
    size_t width = visits / GUIDED_IN_FLIGHT / (size_t)g->threads;
    return width < 1 ? 1 : width < g->width ? width : g->width;
}

/* False when no simulation is left to begin. */
static bool fill(struct guided_worker *w, struct guided_batch *batch) {
    struct yo_guided *g = w->g;
    size_t width = width_now(g);
    bool gumbel = g->search.options.gumbel; /* its schedule counts what is pending */
    unsigned busy = 0;
    batch->count = batch->item_count = batch->collision_count = 0;
    batch->only_busy = true;
    w->proved = false;
    /* Simulations that need no evaluation count towards the batch too: otherwise a node whose value
     * is known would get all visits while those of its siblings are in flight. */
    for (size_t i = 0; i < width && busy < GUIDED_COLLISIONS && !w->proved;) {
        if (guided_is_over(g)) return false;
        if (atomic_load_explicit(&g->search.tree.full, memory_order_relaxed)) return false;
        if (!begin_one(g)) return false;
        struct guided_leaf *leaf = &batch->leaves[batch->count];
        switch (guided_descend(w, leaf)) {
        case GUIDED_NEW:
            put(g, batch);
            i++;
            break;
        case GUIDED_OLD:
            guided_back_up(g, leaf);
            batch->only_busy = false;
            i++;
            break;
        case GUIDED_BUSY:
            if (gumbel)
                guided_turn_back(g, leaf->path, leaf->depth);
            else
                keep_collision(batch, leaf);
            unbegin_one(g);
            busy++;
            break;
        }
    }
    return true;
}

static void launch(struct guided_worker *w, struct guided_batch *batch) {
    struct yo_guided *g = w->g;
    struct yo_diag diag = {0};
    if (batch->count == 0) {
        drop_collisions(g, batch);
        return;
    }
    batch->eval = (struct yo_eval_batch){.items = batch->items, .item_count = batch->item_count};
    batch->sent_ms = yo_time_ms();
    enum yo_err err = g->eval.ops->submit(g->eval.ctx, &batch->eval, &diag);
    batch->in_flight = err == YO_OK;
    if (!err) return;
    drop_collisions(g, batch);
    for (size_t i = 0; i < batch->count; i++)
        guided_close_again(g, &batch->leaves[i]);
    guided_fail(g, err, &diag);
}

static bool is_cut(const struct yo_guided *g) {
    return atomic_load_explicit(&g->cut, memory_order_relaxed);
}

/* Waits for a batch. If batches take long, the first thread watches stop flag and clock while it
 * waits, and a search that must end at once drops what the evaluator has not begun. */
static enum yo_err await(struct guided_worker *w, struct guided_batch *batch) {
    struct yo_guided *g = w->g;
    const struct yo_eval_ops *ops = g->eval.ops;
    const struct timespec nap = {.tv_nsec = 500000};
    bool watches = w->took_ms >= LONG_MS;
    while (watches && !is_cut(g) && !ops->poll(g->eval.ctx, &batch->eval)) {
        if (w->index == 0) guided_look_around(g);
        nanosleep(&nap, NULL);
    }
    if (is_cut(g)) ops->cancel(g->eval.ctx, &batch->eval);
    enum yo_err err = ops->wait(g->eval.ctx, &batch->eval);
    w->took_ms = yo_time_ms() - batch->sent_ms;
    return err;
}

static void land(struct guided_worker *w, struct guided_batch *batch) {
    struct yo_guided *g = w->g;
    if (!batch->in_flight) return;
    batch->in_flight = false;
    enum yo_err err = await(w, batch);
    if (err && err != YO_ERR_CANCELLED) guided_fail(g, err, &batch->eval.diag);
    drop_collisions(g, batch);
    for (size_t i = 0; i < batch->count; i++) {
        if (err) {
            guided_close_again(g, &batch->leaves[i]);
            continue;
        }
        guided_finish(g, &batch->leaves[i]);
    }
}

void guided_work(struct guided_worker *w) {
    struct yo_guided *g = w->g;
    bool more = true;
    /* Where batches have one leaf, a second batch in flight gains nothing. */
    bool two = g->width > 1;
    for (int b = 0; more; b ^= two) {
        struct guided_batch *batch = &w->batches[b], *other = &w->batches[b ^ 1];
        more = fill(w, batch);
        launch(w, batch);
        bool idle = batch->count == 0 && batch->only_busy;
        if (idle && !other->in_flight && more) sched_yield();
        land(w, two ? other : batch);
        if (w->index == 0) guided_look_around(g);
    }
    land(w, &w->batches[0]);
    land(w, &w->batches[1]);
}

/* The values of the root's children, for MC softmax search. Sets g->half_open if the search has to
 * end before they are there. */
static enum yo_err evaluate_children(struct guided_worker *w, struct yo_diag *diag) {
    struct yo_guided *g = w->g;
    struct guided_batch *batch = &w->batches[0];
    batch->eval = (struct yo_eval_batch){.items = batch->items + 1, .item_count = 1};
    batch->sent_ms = yo_time_ms();
    enum yo_err err = g->eval.ops->submit(g->eval.ctx, &batch->eval, diag);
    if (err) return err;
    w->took_ms = LONG_MS;
    err = await(w, batch);
    g->half_open = err == YO_ERR_CANCELLED;
    if (err && diag) *diag = batch->eval.diag;
    return g->half_open ? YO_OK : err;
}

enum yo_err guided_open_root(struct guided_worker *w, struct yo_diag *diag) {
    struct yo_guided *g = w->g;
    struct guided_batch *batch = &w->batches[0];
    struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    if (yo_guided_state(root) != YO_GUIDED_FRESH) return YO_OK;
    batch->count = batch->item_count = 0;
    guided_descend(w, &batch->leaves[0]);
    put(g, batch);
    enum yo_err err = yo_eval_run(g->eval, batch->items, 1, diag);
    if (!err && batch->item_count > 1) err = evaluate_children(w, diag);
    if (err) {
        guided_close_again(g, &batch->leaves[0]);
        return err;
    }
    /* The score of the root sets the score centre, and the utility of the root depends on the
     * centre: so it is computed after. */
    size_t cells = g->hooks.cells ? g->hooks.cells(g->position) : 0;
    float sign = root->to_move == 0 ? 1.0f : -1.0f;
    if (root->own_weight == 0)
        guided_set_center(&g->search, sign * batch->leaves[0].result.value.score_mean, cells);
    guided_open_node(g, &batch->leaves[0]);
    guided_back_up(g, &batch->leaves[0]);
    return YO_OK;
}
