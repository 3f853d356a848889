#include "search/uct/uct.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/time.h"
#include "search/uct/internal.h"

#define REPORT_MS 100
/* The clock is read after this many simulations of the first thread: less than a millisecond. */
#define CLOCK_EVERY 8

/* ---- creation and deletion ---- */

static bool init_worker(struct yo_uct *uct, int index) {
    struct uct_worker *w = &uct->workers[index];
    const struct yo_game_ops *game = uct->game;
    w->uct = uct;
    w->index = index;
    w->position = yo_alloc_aligned(game->position_size);
    w->scratch = yo_alloc_aligned(uct->rollouts.ops ? uct->rollouts.ops->scratch_size : 1);
    w->moves = yo_alloc(game->max_moves, sizeof *w->moves);
    w->priors = yo_alloc(game->max_moves, sizeof *w->priors);
    w->order = yo_alloc(game->max_moves, sizeof *w->order);
    w->rank = yo_alloc(game->max_moves, sizeof *w->rank);
    w->first_by = yo_alloc(game->move_bound, sizeof *w->first_by);
    w->grand = yo_alloc(game->move_bound, sizeof *w->grand);
    w->owner = yo_alloc(UCT_CELLS_MAX, sizeof *w->owner);
    return w->position && w->scratch && w->moves && w->priors && w->order && w->rank &&
           w->first_by && w->grand && w->owner;
}

static void free_worker(struct uct_worker *w) {
    yo_free_aligned(w->position);
    yo_free_aligned(w->scratch);
    yo_free(w->moves);
    yo_free(w->priors);
    yo_free(w->order);
    yo_free(w->rank);
    yo_free(w->first_by);
    yo_free(w->grand);
    yo_free(w->owner);
    yo_uct_batches_delete(w);
}

void yo_uct_delete(struct yo_uct *uct) {
    if (!uct) return;
    yo_pool_delete(uct->pool);
    yo_uct_details_free(uct);
    yo_share_free(&uct->share);
    for (int t = 0; uct->workers && t < uct->options.threads; t++)
        free_worker(&uct->workers[t]);
    yo_free(uct->workers);
    yo_tree_free(&uct->tree);
    yo_free(uct->moves);
    yo_free(uct->pv);
    yo_free(uct->pv_visits);
    yo_free(uct->ownership);
    yo_free(uct->root_priors);
    yo_free(uct);
}

static enum yo_err allocate(struct yo_uct *uct, struct yo_diag *diag) {
    size_t moves = uct->game->max_moves;
    uct->workers = yo_alloc((size_t)uct->options.threads, sizeof *uct->workers);
    uct->moves = yo_alloc(moves, sizeof *uct->moves);
    uct->pv = yo_alloc(UCT_PV_MAX * moves, sizeof *uct->pv);
    uct->pv_visits = yo_alloc(UCT_PV_MAX * moves, sizeof *uct->pv_visits);
    uct->ownership = yo_alloc(UCT_CELLS_MAX, sizeof *uct->ownership);
    uct->root_priors = yo_alloc(moves, sizeof *uct->root_priors);
    bool good = uct->workers && uct->moves && uct->pv && uct->pv_visits && uct->ownership &&
                uct->root_priors;
    for (int t = 0; good && t < uct->options.threads; t++)
        good = init_worker(uct, t);
    if (!good) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    if (uct->options.threads > 1) {
        enum yo_err err = yo_pool_new(uct->options.threads - 1, &uct->pool, diag);
        if (err) return err;
    }
    return yo_tree_init(&uct->tree, uct->options.memory_mb << 20, diag);
}

/* At least one, or a leaf in flight would look unvisited. */
static unsigned pending_visits(float virtual_loss, unsigned playouts) {
    float visits = virtual_loss * (float)playouts + 0.5f;
    return visits < 1 ? 1 : (unsigned)visits;
}

enum yo_err yo_uct_new(const struct yo_game_ops *game, struct yo_rollouts rollouts,
                       struct yo_priors priors, const struct yo_uct_options *options,
                       struct yo_uct **out, struct yo_diag *diag) {
    struct yo_uct *uct = yo_alloc(1, sizeof *uct);
    if (!uct) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    yo_share_init(&uct->share);
    uct->game = game;
    uct->rollouts = rollouts;
    uct->priors = priors;
    uct->options = *options;
    if (!priors.has_chances) uct->options.bias = uct->options.widen = 0;
    uct->pending = pending_visits(options->virtual_loss, 1);
    uct->weight = 1;
    enum yo_err err = allocate(uct, diag);
    if (err)
        yo_uct_delete(uct);
    else
        *out = uct;
    return err;
}

enum yo_err yo_uct_use_eval(struct yo_uct *uct, struct yo_eval eval, int playout_policy,
                            struct yo_diag *diag) {
    struct yo_eval_about about;
    eval.ops->describe(eval.ctx, playout_policy, &about);
    uct->eval = eval;
    uct->playout_policy = playout_policy;
    uct->at_once = about.at_once;
    uct->want = about.wants & YO_EVAL_PLAYOUTS ? YO_EVAL_PLAYOUTS : YO_EVAL_VALUE;
    if (!(about.wants & uct->want) || (about.game && about.game != uct->game))
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s gives no values for this search",
                           about.name);
    if (uct->want == YO_EVAL_VALUE) {
        /* A value is one visit, and has no later moves for AMAF. */
        uct->options.leaf_wait = true;
        uct->options.leaf_playouts = 1;
        uct->options.rave = 0;
    }
    if (uct->options.leaves == 0) uct->options.leaves = 1;
    if (uct->options.leaf_wait) {
        unsigned playouts = uct->options.leaf_playouts;
        uct->pending = pending_visits(uct->options.virtual_loss, playouts);
        /* Many playouts of one leaf carry less information than as many of different leaves,
         * because they share one line of play. So they count for fewer visits in the formulas of
         * exploration, priors and AMAF. */
        uct->weight = yo_uct_leaf_weight(&uct->options) / (float)playouts;
    }
    enum yo_err err = YO_OK;
    for (int t = 0; !err && t < uct->options.threads; t++)
        err = yo_uct_batches_new(&uct->workers[t], diag);
    return err;
}

void yo_uct_clear(struct yo_uct *uct) {
    yo_tree_clear(&uct->tree);
    yo_share_begin(&uct->share, 0, 0);
    uct->number_base = 0;
}

struct yo_share *yo_uct_share_of(struct yo_uct *uct) {
    return &uct->share;
}

void yo_uct_set_key(struct yo_uct *uct, uint64_t key) { uct->root_key = key; }

void yo_uct_advance(struct yo_uct *uct, yo_move move) {
    if (!yo_tree_advance(&uct->tree, move)) uct->number_base = 0;
}

size_t yo_uct_nodes(const struct yo_uct *uct, bool *full) {
    *full = atomic_load(&uct->tree.full) || uct->tree.thinned;
    return atomic_load(&uct->tree.used) - YO_NODE_ROOT;
}

/* ---- the threads ---- */

static void maybe_report(struct yo_uct *uct) {
    if (!uct->report || yo_time_ms() - uct->reported_ms < REPORT_MS) return;
    struct yo_search_result so_far;
    yo_uct_fill_result(uct, &so_far);
    uct->report(uct->user, &so_far);
    uct->reported_ms = yo_time_ms();
}

void yo_uct_look_around(struct yo_uct *uct) {
    if (yo_uct_is_over(uct)) atomic_store(&uct->over, true);
    yo_uct_share(uct, false);
    maybe_report(uct);
}

static void work(struct uct_worker *w) {
    struct yo_uct *uct = w->uct;
    if (w->batches) yo_uct_batches_work(w);
    /* Then the rest, one at a time. Without rollouts there is no rest: batches end only with the
     * search, or when another thread saw the evaluator fail and is about to end it. */
    if (!uct->rollouts.ops) return;
    for (unsigned done = 0; !atomic_load_explicit(&uct->over, memory_order_relaxed); done++) {
        if (uct_wants_room(uct)) break;
        uint64_t number = atomic_fetch_add_explicit(&uct->next_number, 1, memory_order_relaxed);
        if (uct->limits->playouts && number >= uct->limits->playouts) break;
        yo_uct_simulate(w, uct_number(uct, number));
        if (w->index > 0 || done % CLOCK_EVERY) continue;
        yo_uct_look_around(uct);
    }
}

/* False: when a worker returns, there is no work left for any worker. */
static bool help(void *uct, int thread) {
    work(&((struct yo_uct *)uct)->workers[thread + 1]);
    return false;
}

/* The caller's thread is the first worker. */
static void work_together(struct yo_uct *uct) {
    struct yo_job job = {.run = help, .ctx = uct, .threads = uct->options.threads - 1};
    if (uct->pool) yo_pool_submit(uct->pool, &job);
    work(&uct->workers[0]);
    if (!uct_wants_room(uct)) atomic_store(&uct->over, true);
    if (uct->pool) yo_pool_recall(uct->pool, &job);
}

static bool enough(void *user) { return yo_uct_is_over(user); }

/* Searches until the search is over. Threads that return before that need room in the tree. */
static void work_on(struct yo_uct *uct) {
    for (;;) {
        work_together(uct);
        if (atomic_load(&uct->over)) return;
        uct->grows = yo_tree_thin(&uct->tree, enough, uct);
    }
}

/* ---- a search, in steps ---- */

static void begin(struct yo_uct *uct, const void *position, const struct yo_search_limits *limits,
                  const atomic_bool *stop) {
    uct->position = position;
    uct->cells = uct->rollouts.ops ? uct->rollouts.ops->cells(position) : 0;
    uct->limits = limits;
    uct->clock = yo_search_clock_begin(limits, &uct->own_clock);
    uct->stop = stop;
    uct->start_ms = uct->reported_ms = yo_time_ms();
    uct->visits_before = uct_visits(yo_tree_node(&uct->tree, YO_NODE_ROOT));
    uct->grows = true;
    atomic_store(&uct->over, false);
    if (!uct->rollouts.ops) atomic_store(&uct->batches_failed, false);
    atomic_store(&uct->next_number, 0);
    for (int t = 0; t < uct->options.threads; t++) {
        struct uct_worker *w = &uct->workers[t];
        for (size_t c = 0; c < UCT_CELLS_MAX; c++)
            atomic_store_explicit(&w->owner[c], 0, memory_order_relaxed);
        atomic_store(&w->rollouts, 0);
    }
}

static bool contains(const yo_move *moves, size_t count, yo_move move) {
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

/* Creates the children of the root and bans those that the search leaves out. Returns how many are
 * left. */
static size_t open_root(struct yo_uct *uct, const yo_move *only, size_t only_count) {
    struct uct_worker *w = &uct->workers[0];
    struct yo_node *root = yo_tree_node(&uct->tree, YO_NODE_ROOT);
    size_t count = 0, left = 0;
    if (!yo_tree_children(&uct->tree, root, &count)) {
        memcpy(w->position, uct->position, uct->game->position_size);
        yo_uct_expand(w, YO_NODE_ROOT, 0);
    }
    struct yo_node *child = yo_tree_children(&uct->tree, root, &count);
    for (size_t i = 0; child && i < count; i++) {
        child[i].banned = only && !contains(only, only_count, child[i].move);
        left += !child[i].banned;
        /* Moves that the caller names are compared by the search alone, so that each of them is
         * tried: the prior knowledge against a pass would leave it out. */
        if (uct->limits->only && !child[i].banned)
            child[i].prior_visits = child[i].prior_half_wins = 0;
    }
    return left;
}

void yo_uct_advise(struct yo_uct *uct, const struct yo_uct_advice *advice, size_t count) {
    uct->advice = advice;
    uct->advice_count = count;
}

/* Sets uct->advised_end, behind the last advised child. */
static void take_advice(struct yo_uct *uct) {
    size_t count = 0;
    struct yo_node *child =
        yo_tree_children(&uct->tree, yo_tree_node(&uct->tree, YO_NODE_ROOT), &count);
    uct->advised_end = 0;
    for (size_t i = 0; child && i < count; i++) {
        for (size_t k = 0; k < uct->advice_count && !child[i].advised; k++) {
            const struct yo_uct_advice *advice = &uct->advice[k];
            if (advice->move != child[i].move || child[i].banned) continue;
            float visits = uct->options.prior * advice->visits;
            child[i].advised = true;
            child[i].prior_visits = (uint16_t)((float)child[i].prior_visits + visits);
            child[i].prior_half_wins = (uint16_t)((float)child[i].prior_half_wins + 2 * visits);
            child[i].chance = fmaxf(child[i].chance, advice->chance);
        }
        if (child[i].advised) uct->advised_end = i + 1;
    }
    uct->advice_count = 0;
}

enum yo_err yo_uct_run(struct yo_uct *uct, const void *position, const yo_move *only,
                       size_t only_count, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    begin(uct, position, limits, stop);
    yo_share_begin(&uct->share, uct->root_key, limits->number);
    if (!yo_uct_details_begin(uct))
        return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for what is asked of each move");
    uct->report = report;
    uct->user = user;
    size_t left = open_root(uct, only, only_count);
    take_advice(uct);
    if (left > 0) {
        yo_uct_share(uct, false);
        work_on(uct);
        yo_uct_share(uct, true);
    }
    uint64_t begun = atomic_load(&uct->next_number);
    uct->number_base += limits->playouts && begun > limits->playouts ? limits->playouts : begun;
    yo_uct_fill_result(uct, result);
    if (uct->rollouts.ops || !atomic_load(&uct->batches_failed)) return YO_OK;
    if (diag) *diag = uct->failure;
    return uct->failure.err;
}
