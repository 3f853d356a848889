/* A plan: the wanted jobs of the strategy, then who gets which. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/plan_tree.h"

static enum yo_err no_memory(struct yo_diag *diag) {
    return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a plan");
}

/* ---- wanted jobs ---- */

enum yo_err yo_plan_want(struct yo_plan *plan, uint32_t at, enum yo_plan_purpose purpose,
                         struct yo_diag *diag) {
    if (plan->slot_count == plan->slot_cap) {
        size_t cap = plan->slot_cap ? 2 * plan->slot_cap : 64;
        struct plan_slot *slots = yo_realloc(plan->slots, cap, sizeof *slots);
        if (!slots) return no_memory(diag);
        plan->slots = slots;
        plan->slot_cap = cap;
    }
    struct plan_slot *slot = &plan->slots[plan->slot_count++];
    memset(slot, 0, sizeof *slot);
    slot->only_at = plan->only_count;
    slot->job.purpose = purpose;
    slot->job.path_count = plan->nodes[at].depth;
    for (struct plan_node *node = &plan->nodes[at]; node->parent != PLAN_NONE;) {
        struct plan_node *parent = &plan->nodes[node->parent];
        slot->job.path[node->depth - 1] = parent->edges[node->parent_edge].move;
        node->wanted = true;
        node = parent;
    }
    return YO_OK;
}

enum yo_err yo_plan_want_only(struct yo_plan *plan, yo_move move, struct yo_diag *diag) {
    if (plan->only_count == plan->only_cap) {
        size_t cap = plan->only_cap ? 2 * plan->only_cap : 256;
        yo_move *only = yo_realloc(plan->only, cap, sizeof *only);
        if (!only) return no_memory(diag);
        plan->only = only;
        plan->only_cap = cap;
    }
    struct plan_slot *slot = &plan->slots[plan->slot_count - 1];
    size_t i = plan->only_count++;
    for (; i > slot->only_at && plan->only[i - 1] > move; i--)
        plan->only[i] = plan->only[i - 1];
    plan->only[i] = move;
    slot->limited = true;
    slot->job.only_count++;
    return YO_OK;
}

enum yo_err yo_plan_want_all(struct yo_plan *plan, uint32_t at, enum yo_plan_purpose purpose,
                             struct yo_diag *diag) {
    enum yo_err err = yo_plan_want(plan, at, purpose, diag);
    const struct plan_node *node = &plan->nodes[at];
    bool barred = false;
    for (size_t i = 0; i < node->count; i++)
        barred = barred || node->edges[i].barred;
    for (size_t i = 0; !err && barred && i < node->count; i++)
        if (!node->edges[i].barred) err = yo_plan_want_only(plan, node->edges[i].move, diag);
    return err;
}

/* `only` does not move any more. */
static void finish_slots(struct yo_plan *plan) {
    for (size_t i = 0; i < plan->slot_count; i++) {
        struct plan_slot *slot = &plan->slots[i];
        if (slot->limited) slot->job.only = plan->only + slot->only_at;
        slot->hash = yo_plan_job_hash(&slot->job);
    }
}

/* Root splitting: the moves in the order of the quick order are dealt to the workers. */
static enum yo_err deal(struct yo_plan *plan, size_t workers, struct yo_diag *diag) {
    struct plan_node *root = &plan->nodes[PLAN_ROOT];
    if (root->begun_ms < 0) { /* once for all: jobs change only with the number of workers */
        yo_plan_rank(plan, root, root->rank);
        root->begun_ms = plan->now_ms;
    }
    size_t allowed = 0;
    for (size_t i = 0; i < root->count; i++)
        allowed += !root->edges[i].barred;
    enum yo_err err = YO_OK;
    for (size_t w = 0; !err && w < workers && w < allowed; w++) {
        err = yo_plan_want(plan, PLAN_ROOT, YO_PLAN_LINE, diag);
        for (size_t r = 0, place = 0; !err && r < root->count; r++) {
            const struct plan_edge *edge = &root->edges[root->rank[r]];
            if (!edge->barred && place++ % workers == w)
                err = yo_plan_want_only(plan, edge->move, diag);
        }
    }
    return err;
}

/* ---- jobs to workers ---- */

bool yo_plan_serves(enum yo_plan_strategy strategy, const struct yo_plan_worker *worker) {
    bool vote = strategy == YO_PLAN_MAJORITY || strategy == YO_PLAN_OPTIMISTIC;
    return worker->gives_values || vote;
}

static bool serves(const struct yo_plan *plan, const struct yo_plan_worker *worker) {
    return yo_plan_serves(plan->config.strategy, worker);
}

/* Workers keep what they search if it is still wanted. */
static void keep(struct yo_plan *plan, const struct yo_plan_worker *workers, size_t count,
                 const struct yo_plan_job **jobs) {
    for (size_t w = 0; w < count; w++) {
        if (!workers[w].current || !serves(plan, &workers[w])) continue;
        uint64_t hash = yo_plan_job_hash(workers[w].current);
        for (size_t i = 0; i < plan->slot_count && !jobs[w]; i++) {
            struct plan_slot *slot = &plan->slots[i];
            if (slot->taken || slot->hash != hash) continue;
            if (!yo_plan_job_equal(&slot->job, workers[w].current)) continue;
            slot->taken = true;
            jobs[w] = &slot->job;
        }
    }
}

static size_t common_path(const struct yo_plan_job *a, const struct yo_plan_job *b) {
    size_t i = 0;
    while (b && i < a->path_count && i < b->path_count && a->path[i] == b->path[i])
        i++;
    return i;
}

/* Is `a` better for the slot than `b`? It should take lists of moves where there is one, know the
 * positions nearby from its last job, and be fast. */
static bool fits_better(const struct plan_slot *slot, const struct yo_plan_worker *a,
                        const struct yo_plan_worker *b) {
    if (a->exchanges != b->exchanges) return a->exchanges == (slot->job.purpose == YO_PLAN_WHOLE);
    if (slot->limited && a->takes_moves != b->takes_moves) return a->takes_moves;
    size_t near_a = common_path(&slot->job, a->current),
           near_b = common_path(&slot->job, b->current);
    if (near_a != near_b) return near_a > near_b;
    if (a->speed != b->speed) return a->speed > b->speed;
    return a->id < b->id;
}

static void hand_out(struct yo_plan *plan, bool limited, const struct yo_plan_worker *workers,
                     size_t count, const struct yo_plan_job **jobs) {
    for (size_t i = 0; i < plan->slot_count; i++) {
        struct plan_slot *slot = &plan->slots[i];
        size_t best = count;
        if (slot->taken || slot->limited != limited) continue;
        for (size_t w = 0; w < count; w++)
            if (!jobs[w] && serves(plan, &workers[w]) &&
                (best == count || fits_better(slot, &workers[w], &workers[best])))
                best = w;
        if (best == count) return;
        slot->taken = true;
        jobs[best] = &slot->job;
    }
}

/* What workers have searched to the end needs no worker any more. */
static void settle(struct yo_plan *plan, const struct yo_plan_worker *worker) {
    const struct yo_plan_job *job = worker->current;
    if (!worker->done || !job) return;
    uint32_t at = yo_plan_node_at(plan, job->path, job->path_count);
    if (at == PLAN_NONE) return;
    struct plan_node *node = &plan->nodes[at];
    if (!job->only && at != PLAN_ROOT) node->settled = true;
    for (size_t i = 0; i < job->only_count; i++) {
        uint32_t edge = yo_plan_edge_of(node, job->only[i]);
        if (edge != PLAN_NONE) node->edges[edge].settled = true;
    }
}

static enum yo_err want_once(struct yo_plan *plan, size_t serving, struct yo_diag *diag) {
    plan->again_ms = -1;
    plan->slot_count = plan->only_count = 0;
    plan->met_end = false;
    for (size_t i = 0; i < plan->node_count; i++)
        plan->nodes[i].wanted = false;
    switch (plan->config.strategy) {
    case YO_PLAN_PREDICT:
        return yo_plan_predict(plan, serving, diag);
    case YO_PLAN_SPLIT:
        return deal(plan, serving, diag);
    default:
        return YO_OK; /* the root for all */
    }
}

/* Once more whenever the tree grew to an end of the game: a plan follows from what is known when it
 * is finished. That ends, since no node is opened twice. */
static enum yo_err want_jobs(struct yo_plan *plan, size_t serving, struct yo_diag *diag) {
    enum yo_err err;
    do {
        err = want_once(plan, serving, diag);
    } while (!err && plan->met_end);
    return err;
}

enum yo_err yo_plan_make(struct yo_plan *plan, const struct yo_plan_worker *workers, size_t count,
                         int64_t now_ms, const struct yo_plan_job **jobs, int64_t *again_ms,
                         struct yo_diag *diag) {
    size_t serving = 0, exchanging = 0;
    plan->now_ms = now_ms;
    for (size_t w = 0; w < count; w++) {
        jobs[w] = NULL;
        serving += serves(plan, &workers[w]);
        exchanging += serves(plan, &workers[w]) && workers[w].exchanges;
        settle(plan, &workers[w]);
    }
    plan->roots = exchanging < 2 ? 0 : (exchanging * (size_t)plan->config.roots + 99) / 100;
    plan->merged = exchanging > 1 && exchanging == serving;
    enum yo_err err = want_jobs(plan, serving, diag);
    size_t wanted = plan->slot_count;
    /* The last slot is for everyone without a job of its own. */
    if (!err) err = yo_plan_want_all(plan, PLAN_ROOT, YO_PLAN_WHOLE, diag);
    if (err) return err;
    finish_slots(plan);
    const struct yo_plan_job *whole = &plan->slots[wanted].job;
    plan->slot_count = wanted;
    keep(plan, workers, count, jobs);
    hand_out(plan, true, workers, count, jobs);
    hand_out(plan, false, workers, count, jobs);
    for (size_t w = 0; w < count; w++)
        if (!jobs[w]) jobs[w] = whole;
    yo_plan_shrink(plan);
    if (again_ms) *again_ms = plan->again_ms;
    return YO_OK;
}
