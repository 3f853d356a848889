/* One thread of a search: it selects leaves, sends them to the evaluator together, and selects the
 * next leaves while it waits. */
#include <math.h>
#include <sched.h>
#include <stdlib.h>
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
    unsigned char *positions = yo_alloc_aligned(count * stride);
    yo_move *moves = yo_alloc(count * most, sizeof *moves);
    float *policies = yo_alloc(count * most, sizeof *policies);
    bool mcss = g->search.options.mode == YO_GUIDED_MCSS;
    struct yo_eval_result *children = mcss ? yo_alloc(count * most, sizeof *children) : NULL;
    for (size_t i = 0; batch->leaves && i < count; i++) {
        struct guided_leaf *leaf = &batch->leaves[i];
        leaf->position = positions ? positions + i * stride : NULL;
        leaf->moves = moves ? moves + i * most : NULL;
        leaf->policy = policies ? policies + i * most : NULL;
        leaf->children = children ? children + i * most : NULL;
    }
    bool good =
        batch->items && batch->leaves && positions && moves && policies && (children || !mcss);
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
    yo_free(batch->items);
}

enum yo_err guided_worker_init(struct guided_worker *worker, struct yo_guided *g, int index) {
    worker->g = g;
    worker->index = index;
    worker->took_ms = LONG_MS; /* until a batch shows otherwise */
    worker->random = yo_mix64(g->search.options.seed + (uint64_t)index * YO_SPLITMIX_STEP);
    enum yo_err err = batch_init(&worker->batches[0], g);
    return err ? err : batch_init(&worker->batches[1], g);
}

void guided_worker_free(struct guided_worker *worker) {
    batch_free(&worker->batches[0]);
    batch_free(&worker->batches[1]);
}

/* ---- backup ---- */

/* A node is a win for the side to move if one child is. If all children are solved and none is a
 * win, the node is a draw if one child is, else a loss. */
static void solve(const struct yo_guided *g, struct yo_guided_node *node) {
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, node);
    enum yo_guided_solved won = node->to_move == 0 ? YO_GUIDED_FIRST_WINS : YO_GUIDED_SECOND_WINS;
    enum yo_guided_solved verdict =
        node->to_move == 0 ? YO_GUIDED_SECOND_WINS : YO_GUIDED_FIRST_WINS;
    bool all = true;
    for (unsigned i = 0; i < node->edge_count; i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        enum yo_guided_solved solved =
            cell ? yo_guided_solved(yo_guided_node(&g->search.tree, cell)) : YO_GUIDED_UNSOLVED;
        if (solved == won) {
            atomic_store_explicit(&node->solved, (unsigned char)won, memory_order_relaxed);
            return;
        }
        if (solved == YO_GUIDED_UNSOLVED) all = false;
        if (solved == YO_GUIDED_DRAWN) verdict = YO_GUIDED_DRAWN;
    }
    if (all) atomic_store_explicit(&node->solved, (unsigned char)verdict, memory_order_relaxed);
}

static void leave(struct yo_guided_node *node) {
    atomic_fetch_sub_explicit(&node->pending, 1, memory_order_relaxed);
}

static void back_up(struct yo_guided *g, const struct guided_leaf *leaf) {
    struct guided_search *s = &g->search;
    bool prove = s->options.solve && !g->hooks.unproven;
    for (size_t depth = leaf->depth + 1; depth-- > 0;) {
        struct yo_guided_node *node = yo_guided_node(&s->tree, leaf->path[depth]);
        bool counts_itself = depth == leaf->depth &&
                             (atomic_load_explicit(&node->reach, memory_order_relaxed) == 0 ||
                              yo_guided_solved(node) != YO_GUIDED_UNSOLVED);
        if (counts_itself)
            guided_repeat(node);
        else if (s->options.mode == YO_GUIDED_MCSS)
            guided_mcss_update(s, node);
        else
            guided_update(s, node);
        atomic_fetch_add_explicit(&node->visits, 1, memory_order_relaxed);
        leave(node);
        if (!prove || depth == leaf->depth || node->edges == 0) continue;
        if (yo_guided_solved(yo_guided_node(&s->tree, leaf->path[depth + 1])) != YO_GUIDED_UNSOLVED)
            solve(g, node);
    }
    atomic_fetch_add_explicit(&g->finished, 1, memory_order_relaxed);
}

static void turn_back(struct yo_guided *g, const struct guided_leaf *leaf) {
    for (size_t depth = 0; depth <= leaf->depth; depth++)
        leave(yo_guided_node(&g->search.tree, leaf->path[depth]));
}

/* ---- results of the evaluator ---- */

static int by_prior(const void *a, const void *b) {
    const struct yo_guided_edge *x = a, *y = b;
    if (x->prior != y->prior) return x->prior < y->prior ? 1 : -1;
    return x->move < y->move ? -1 : x->move > y->move;
}

void guided_sort_edges(struct yo_guided_edge *edges, size_t count) {
    qsort(edges, count, sizeof *edges, by_prior);
}

static void sharpen(float *policy, size_t count, float temperature) {
    float sum = 0;
    if (temperature == 1) return;
    for (size_t i = 0; i < count; i++)
        sum += policy[i] = powf(policy[i], 1 / temperature);
    for (size_t i = 0; i < count && sum > 0; i++)
        policy[i] /= sum;
}

/* Searches of the same position in several processes would all take the same paths between two
 * exchanges: their policies differ a little, but for that of the first. */
static void vary(struct yo_guided *g, float *policy, size_t count, uint64_t *random) {
    const double spread = 0.3;
    float sum = 0;
    if (g->limits->number == 0 || !yo_share_is_on(&g->share)) return;
    *random = yo_mix64(*random + g->limits->number);
    for (size_t i = 0; i < count; i++)
        sum += policy[i] *= (float)exp(spread * yo_random_normal(random));
    for (size_t i = 0; i < count && sum > 0; i++)
        policy[i] /= sum;
}

/* The leaf's node becomes OPEN. Without memory for its edges it stays a leaf. */
static void open_node(struct guided_worker *w, struct guided_leaf *leaf) {
    struct yo_guided *g = w->g;
    struct guided_search *s = &g->search;
    struct yo_guided_node *node = yo_guided_node(&s->tree, leaf->path[leaf->depth]);
    float temperature =
        leaf->depth ? s->options.policy_temperature : s->options.root_policy_temperature;
    struct yo_guided_edge *edges = NULL;
    if (leaf->move_count > 0) edges = yo_guided_tree_add_edges(&s->tree, node, leaf->move_count);
    if (edges) {
        sharpen(leaf->policy, leaf->move_count, temperature);
        vary(g, leaf->policy, leaf->move_count, &w->random);
        for (size_t i = 0; i < leaf->move_count; i++) {
            edges[i].move = (uint16_t)leaf->moves[i];
            edges[i].prior = yo_guided_prior_pack(leaf->policy[i]);
            atomic_init(&edges[i].child, 0);
        }
        guided_sort_edges(edges, leaf->move_count);
        if (s->options.mode == YO_GUIDED_MCSS && !g->half_open)
            guided_mcss_open(s, node, edges, leaf);
    }
    if (node->own_weight == 0) {
        guided_value(s, &leaf->result.value, node->to_move, &node->own);
        node->own_weight = 1;
    }
    atomic_store_explicit(&node->state, YO_GUIDED_OPEN, memory_order_release);
}

/* Others have visited the node: its value is no news. What this simulation has found is the policy.
 */
static bool is_known(const struct yo_guided *g, const struct guided_leaf *leaf) {
    return yo_share_is_on(&g->share) &&
           yo_guided_visits(yo_guided_node(&g->search.tree, leaf->path[leaf->depth])) > 0;
}

static void count_opening(struct yo_guided *g, const struct guided_leaf *leaf) {
    turn_back(g, leaf);
    atomic_fetch_add_explicit(&g->finished, 1, memory_order_relaxed);
}

static void close_again(struct yo_guided *g, const struct guided_leaf *leaf) {
    struct yo_guided_node *node = yo_guided_node(&g->search.tree, leaf->path[leaf->depth]);
    atomic_store_explicit(&node->state, YO_GUIDED_FRESH, memory_order_release);
    turn_back(g, leaf);
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

/* After this many simulations that met a node in evaluation, a batch is sent although it is not
 * full. */
#define BUSY_MAX 4

/* False when no simulation is left to begin. */
static bool fill(struct guided_worker *w, struct guided_batch *batch) {
    struct yo_guided *g = w->g;
    unsigned busy = 0;
    batch->count = batch->item_count = 0;
    /* Simulations that need no evaluation count towards the batch too: otherwise a node whose value
     * is known would get all visits while those of its siblings are in flight. */
    for (size_t i = 0; i < g->width && busy < BUSY_MAX; i++) {
        if (guided_is_over(g)) return false;
        if (atomic_load_explicit(&g->search.tree.full, memory_order_relaxed)) return false;
        if (!begin_one(g)) return false;
        struct guided_leaf *leaf = &batch->leaves[batch->count];
        switch (guided_descend(w, leaf)) {
        case GUIDED_NEW:
            put(g, batch);
            break;
        case GUIDED_OLD:
            back_up(g, leaf);
            break;
        case GUIDED_BUSY:
            turn_back(g, leaf);
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
    if (batch->count == 0) return;
    batch->eval = (struct yo_eval_batch){.items = batch->items, .item_count = batch->item_count};
    batch->sent_ms = yo_time_ms();
    enum yo_err err = g->eval.ops->submit(g->eval.ctx, &batch->eval, &diag);
    batch->in_flight = err == YO_OK;
    if (!err) return;
    for (size_t i = 0; i < batch->count; i++)
        close_again(g, &batch->leaves[i]);
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
    for (size_t i = 0; i < batch->count; i++) {
        if (err) {
            close_again(g, &batch->leaves[i]);
            continue;
        }
        bool known = is_known(g, &batch->leaves[i]);
        open_node(w, &batch->leaves[i]);
        if (known)
            count_opening(g, &batch->leaves[i]);
        else
            back_up(g, &batch->leaves[i]);
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
        if (batch->count == 0 && !other->in_flight && more) sched_yield();
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
        close_again(g, &batch->leaves[0]);
        return err;
    }
    /* The score of the root sets the score centre, and the utility of the root depends on the
     * centre: so it is computed after. */
    size_t cells = g->hooks.cells ? g->hooks.cells(g->position) : 0;
    float sign = root->to_move == 0 ? 1.0f : -1.0f;
    if (root->own_weight == 0)
        guided_set_center(&g->search, sign * batch->leaves[0].result.value.score_mean, cells);
    open_node(w, &batch->leaves[0]);
    back_up(g, &batch->leaves[0]);
    return YO_OK;
}
