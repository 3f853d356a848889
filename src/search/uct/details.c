/* Details of each root move for analysis: ownership after it, and the standard deviation of the
 * score. They cover the simulations of one search. Each worker has its own sums, allocated only
 * when the limits ask for details: on 19x19 half a megabyte per worker. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "search/uct/internal.h"

struct sums {
    _Atomic(uint64_t) games;
    _Atomic(int64_t) score2, score2_squared;
    _Atomic(uint64_t) owned_games; /* games with ownership */
};

/* Only the worker writes; atomic because a report reads meanwhile. By child of the root. */
struct uct_details {
    struct sums *sums;
    _Atomic(int32_t) *owner; /* cells entries for each */
};

static void free_details(struct uct_details *details) {
    if (!details) return;
    yo_free(details->sums);
    yo_free(details->owner);
    yo_free(details);
}

void yo_uct_details_free(struct yo_uct *uct) {
    for (int t = 0; uct->workers && t < uct->options.threads; t++) {
        free_details(uct->workers[t].details);
        uct->workers[t].details = NULL;
    }
    yo_free(uct->move_ownership);
    uct->move_ownership = NULL;
    uct->detail_cells = 0;
}

static bool allocate(struct yo_uct *uct) {
    size_t moves = uct->game->max_moves;
    uct->move_ownership = yo_alloc(moves * uct->cells, sizeof *uct->move_ownership);
    bool good = uct->move_ownership;
    for (int t = 0; good && t < uct->options.threads; t++) {
        struct uct_details *d = uct->workers[t].details = yo_alloc(1, sizeof *d);
        if (!d) return false;
        d->sums = yo_alloc(moves, sizeof *d->sums);
        d->owner = yo_alloc(moves * uct->cells, sizeof *d->owner);
        good = d->sums && d->owner;
    }
    uct->detail_cells = uct->cells;
    return good;
}

bool yo_uct_details_begin(struct yo_uct *uct) {
    if (!uct->limits->details) {
        yo_uct_details_free(uct);
        return true;
    }
    size_t moves = uct->game->max_moves;
    if (uct->detail_cells != uct->cells) {
        yo_uct_details_free(uct);
        if (allocate(uct)) return true;
        yo_uct_details_free(uct);
        return false;
    }
    for (int t = 0; t < uct->options.threads; t++) {
        memset(uct->workers[t].details->sums, 0, moves * sizeof(struct sums));
        memset((void *)uct->workers[t].details->owner, 0, moves * uct->cells * sizeof(int32_t));
    }
    return true;
}

/* The root's child that the worker's path goes through; false where it ends at the root. */
static bool find_child(const struct uct_worker *w, size_t *i) {
    const struct yo_tree *tree = &w->uct->tree;
    size_t count = 0;
    const struct yo_node *first = yo_tree_children(tree, yo_tree_node(tree, YO_NODE_ROOT), &count);
    if (w->depth == 0 || !first) return false;
    *i = (size_t)(yo_tree_node(tree, w->path[1]) - first);
    return true;
}

static void add_sums(struct sums *s, uint64_t games, int64_t score2, int64_t squared, bool owned) {
    atomic_fetch_add_explicit(&s->games, games, memory_order_relaxed);
    atomic_fetch_add_explicit(&s->score2, score2, memory_order_relaxed);
    atomic_fetch_add_explicit(&s->score2_squared, squared, memory_order_relaxed);
    if (owned) atomic_fetch_add_explicit(&s->owned_games, games, memory_order_relaxed);
}

static void add_owner(_Atomic(int32_t) *to, int32_t value) {
    int32_t sum = atomic_load_explicit(to, memory_order_relaxed);
    atomic_store_explicit(to, sum + value, memory_order_relaxed);
}

void yo_uct_details_add_rollout(struct uct_worker *w, int64_t score2,
                                const struct yo_rollout *rollout) {
    size_t i, cells = w->uct->cells;
    if (!find_child(w, &i)) return;
    add_sums(&w->details->sums[i], 1, score2, score2 * score2, rollout->owner);
    for (size_t c = 0; rollout->owner && c < cells; c++)
        add_owner(&w->details->owner[i * cells + c], rollout->owner[c]);
}

void yo_uct_details_add_sums(struct uct_worker *w, const struct yo_eval_playouts *sums) {
    size_t i, cells = w->uct->cells;
    if (!find_child(w, &i)) return;
    add_sums(&w->details->sums[i], sums->games, sums->score2_first, (int64_t)sums->score2_squared,
             sums->owner);
    for (size_t c = 0; sums->owner && c < cells; c++)
        add_owner(&w->details->owner[i * cells + c], sums->owner[c]);
}

static void fill_ownership(const struct yo_uct *uct, size_t i, struct yo_search_move *move) {
    uint64_t games = 0;
    float *out = uct->move_ownership + i * uct->cells;
    for (int t = 0; t < uct->options.threads; t++)
        games += atomic_load_explicit(&uct->workers[t].details->sums[i].owned_games,
                                      memory_order_relaxed);
    if (games == 0) return;
    for (size_t c = 0; c < uct->cells; c++) {
        int64_t sum = 0;
        for (int t = 0; t < uct->options.threads; t++)
            sum += atomic_load_explicit(&uct->workers[t].details->owner[i * uct->cells + c],
                                        memory_order_relaxed);
        float mean = (float)sum / (float)games;
        out[c] = mean > 1 ? 1 : mean < -1 ? -1 : mean; /* workers may be writing */
    }
    move->ownership = out;
}

void yo_uct_details_fill(const struct yo_uct *uct, size_t i, struct yo_search_move *move) {
    if (!uct->move_ownership) return;
    double games = 0, score2 = 0, squared = 0;
    for (int t = 0; t < uct->options.threads; t++) {
        const struct sums *s = &uct->workers[t].details->sums[i];
        games += (double)atomic_load_explicit(&s->games, memory_order_relaxed);
        score2 += (double)atomic_load_explicit(&s->score2, memory_order_relaxed);
        squared += (double)atomic_load_explicit(&s->score2_squared, memory_order_relaxed);
    }
    if (games == 0) return;
    double mean = score2 / games, variance = squared / games - mean * mean;
    move->score_stdev = variance > 0 ? 0.5 * sqrt(variance) : 0;
    fill_ownership(uct, i, move);
}
