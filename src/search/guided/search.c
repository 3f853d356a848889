#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/time.h"
#include "search/decide.h"
#include "search/guided/internal.h"

#define REPORT_MS  100
#define VISITS_MAX ((unsigned)1 << 30)
/* Visits of an only move: its winrate decides whether to resign. */
#define ONLY_VISITS 20

/* ---- creation ---- */

static enum yo_err make(struct yo_guided *g, struct yo_diag *diag) {
    const struct yo_guided_options *o = &g->search.options;
    size_t most = g->game->max_moves;
    g->workers = yo_alloc((size_t)o->threads, sizeof *g->workers);
    g->banned = yo_alloc(g->game->move_bound, 1);
    g->moves = yo_alloc(most, sizeof *g->moves);
    g->pv = yo_alloc(most * GUIDED_PV_MAX, sizeof *g->pv);
    g->pv_visits = yo_alloc(most * GUIDED_PV_MAX, sizeof *g->pv_visits);
    g->priors = yo_alloc(most, sizeof *g->priors);
    g->gumbel = yo_alloc(most, sizeof *g->gumbel);
    g->search.banned = g->banned;
    bool good =
        g->workers && g->banned && g->moves && g->pv && g->pv_visits && g->priors && g->gumbel;
    for (int t = 0; good && t < o->threads; t++)
        good = !guided_worker_init(&g->workers[t], g, t);
    if (!good) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    enum yo_err err = o->threads > 1 ? yo_pool_new(o->threads - 1, &g->pool, diag) : YO_OK;
    if (!err)
        err = yo_guided_tree_init(&g->search.tree, o->memory_mb << 20,
                                  o->joining && g->hooks.position_key, diag);
    bool corrects = g->hooks.surroundings && o->value_bias > 0 && o->mode == YO_GUIDED_PUCT;
    if (!err && corrects && guided_bias_init(&g->search))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    return err;
}

static enum yo_err check(const struct yo_game_ops *game, struct yo_eval eval,
                         struct yo_eval_about *about, struct yo_diag *diag) {
    unsigned wants = YO_EVAL_VALUE | YO_EVAL_POLICY;
    eval.ops->describe(eval.ctx, 0, about);
    if ((about->wants & wants) != wants || (about->game && about->game != game)) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s gives no values and policies for %s", about->name,
                    game->name);
        yo_diag_hint(diag, "this search needs a network: --net FILE");
        return YO_ERR_UNSUPPORTED;
    }
    if (game->move_bound > 65536 || game->max_moves > GUIDED_CHILDREN_MAX)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s has too many moves", game->name);
    return YO_OK;
}

enum yo_err yo_guided_new(const struct yo_game_ops *game, struct yo_eval eval,
                          const struct yo_guided_hooks *hooks,
                          const struct yo_guided_options *options, struct yo_guided **out,
                          struct yo_diag *diag) {
    struct yo_eval_about about;
    enum yo_err err = check(game, eval, &about, diag);
    if (err) return err;
    struct yo_guided *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    yo_share_init(&g->share);
    g->game = game;
    g->eval = eval;
    if (hooks) g->hooks = *hooks;
    g->search.options = *options;
    if (g->search.options.threads > YO_POOL_THREADS_MAX)
        g->search.options.threads = YO_POOL_THREADS_MAX;
    g->batch = options->batch ? options->batch : about.batch ? about.batch : 1;
    if (about.batch_max && g->batch > about.batch_max) g->batch = about.batch_max;
    err = make(g, diag);
    if (err)
        yo_guided_delete(g);
    else
        *out = g;
    return err;
}

void yo_guided_delete(struct yo_guided *g) {
    if (!g) return;
    yo_pool_delete(g->pool);
    for (int t = 0; g->workers && t < g->search.options.threads; t++)
        guided_worker_free(&g->workers[t]);
    yo_guided_tree_free(&g->search.tree);
    guided_bias_free(&g->search);
    yo_share_free(&g->share);
    yo_free(g->workers);
    yo_free(g->banned);
    yo_free(g->moves);
    yo_free(g->pv);
    yo_free(g->pv_visits);
    yo_free(g->priors);
    yo_free(g->gumbel);
    guided_owners_free(g);
    yo_free(g);
}

void yo_guided_clear(struct yo_guided *g) {
    yo_guided_tree_clear(&g->search.tree);
    guided_bias_clear(&g->search);
    yo_share_begin(&g->share, 0, 0);
    g->noisy = 0;
}

void yo_guided_advance(struct yo_guided *g, yo_move move) {
    yo_guided_tree_advance(&g->search.tree, move);
}

void yo_guided_set_key(struct yo_guided *g, uint64_t key) { g->root_key = key; }

struct yo_share *yo_guided_share_of(struct yo_guided *g) {
    return &g->share;
}

/* Only PUCT adds up what others found. */
uint64_t yo_guided_share_kind(const struct yo_guided *g) {
    const struct yo_guided_options *o = &g->search.options;
    struct yo_eval_about about;
    if (o->mode == YO_GUIDED_MCSS || o->gumbel) return 0;
    g->eval.ops->describe(g->eval.ctx, 0, &about);
    return yo_share_kind("puct", about.name);
}

size_t yo_guided_nodes(struct yo_guided *g) {
    struct yo_guided_tree *tree = &g->search.tree;
    return tree->root ? yo_guided_tree_count(tree, tree->root) : 0;
}

/* ---- when it is over ---- */

static size_t choices(const struct yo_guided *g) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    size_t count = 0;
    for (unsigned i = 0; edges && i < root->edge_count; i++)
        count += !g->banned[edges[i].move];
    return count;
}

static struct yo_search_lead lead_of(const struct yo_guided *g) {
    const struct yo_guided_tree *tree = &g->search.tree;
    const struct yo_guided_node *root = yo_guided_node(tree, tree->root);
    const struct yo_guided_edge *edges = yo_guided_edges(tree, root);
    float sign = root->to_move == 0 ? 1.0f : -1.0f, value[2] = {0, 0};
    struct yo_search_lead lead = {.alone = choices(g) == 1};
    for (unsigned i = 0; edges && i < atomic_load(&root->reach); i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        if (!cell || g->banned[edges[i].move]) continue;
        const struct yo_guided_node *child = yo_guided_node(tree, cell);
        double n = yo_guided_edge_visits(tree, &edges[i]);
        float u = sign * yo_guided_get(&child->mean.utility);
        if (n > lead.first) {
            lead.second = lead.first;
            value[1] = value[0];
            lead.first = n;
            value[0] = u;
        } else if (n > lead.second) {
            lead.second = n;
            value[1] = u;
        }
    }
    lead.second_is_better = lead.second > 0 && value[1] > value[0];
    return lead;
}

static bool is_over_by_clock(const struct yo_guided *g) {
    if (!yo_search_clock_end(g->clock)) return false;
    struct yo_search_progress progress = {
        .clock = g->clock,
        .start_ms = g->start_ms,
        .made = (double)atomic_load_explicit(&g->finished, memory_order_relaxed),
        .only_visits = ONLY_VISITS,
        .whole = g->limits->whole,
        .by_value = true};
    struct yo_search_lead lead = lead_of(g);
    return yo_search_is_over_by_clock(&progress, &lead);
}

/* Is the best move proven? Not if a move that proves the root may be one that the limits exclude.
 */
static bool is_solved(const struct yo_guided *g, const struct yo_guided_node *root) {
    if (g->limits->whole || g->limits->only || g->limits->avoid_count) return false;
    return yo_guided_solved(root) != YO_GUIDED_UNSOLVED;
}

static bool has_ended(const struct yo_guided *g) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    return yo_guided_visits(root) >= VISITS_MAX || is_solved(g, root);
}

static bool must_end(const struct yo_guided *g) {
    bool stopped = g->stop && atomic_load_explicit(g->stop, memory_order_relaxed);
    return stopped || is_over_by_clock(g);
}

bool guided_is_over(const struct yo_guided *g) {
    return atomic_load_explicit(&g->over, memory_order_relaxed);
}

void guided_look_around(struct yo_guided *g) {
    if (must_end(g)) {
        atomic_store(&g->cut, true);
        atomic_store(&g->over, true);
    }
    if (has_ended(g)) atomic_store(&g->over, true);
    if (!guided_is_over(g)) guided_share(g, false);
    if (!g->report || yo_time_ms() - g->reported_ms < REPORT_MS) return;
    struct yo_search_result so_far;
    guided_fill_result(g, &so_far);
    g->report(g->user, &so_far);
    g->reported_ms = yo_time_ms();
}

void guided_fail(struct yo_guided *g, enum yo_err err, const struct yo_diag *diag) {
    if (!atomic_exchange(&g->failed, true)) {
        g->err = err;
        g->diag = *diag;
    }
    atomic_store(&g->over, true);
}

/* Simulations in flight know nothing of each other's values: if they are most of a small search,
 * they spread over moves that it would not look at one by one. So at most about an eighth of the
 * visits are in flight, with two batches of each thread, unless the options name the size of
 * batches. Without a number of visits, worker.c holds to it. */
static void set_width(struct yo_guided *g) {
    enum { PART = GUIDED_IN_FLIGHT };
    const struct yo_search_limits *l = g->limits;
    uint64_t most = l->visits ? l->visits : l->playouts;
    g->width = g->batch;
    g->threads = g->search.options.threads;
    g->grows = !most && !g->search.options.batch;
    if (!most || g->search.options.batch) return;
    if (most / PART < (uint64_t)g->threads) g->threads = most < PART ? 1 : (int)(most / PART);
    uint64_t width = most / PART / (uint64_t)g->threads;
    if (width < g->width) g->width = width ? (size_t)width : 1;
}

/* ---- a search, in steps ---- */

static bool work(void *ctx, int thread) {
    struct yo_guided *g = ctx;
    guided_work(&g->workers[thread + 1]);
    return !guided_is_over(g);
}

/* The caller's thread is the first worker, those of the pool are the others. */
static void work_together(struct yo_guided *g) {
    struct yo_job job = {.run = work, .ctx = g, .threads = g->threads - 1};
    bool shared = g->pool && g->threads > 1;
    if (shared) yo_pool_submit(g->pool, &job);
    guided_work(&g->workers[0]);
    if (shared) yo_pool_recall(g->pool, &job);
}

static bool all_begun(const struct yo_guided *g) {
    return g->budget && atomic_load(&g->begun) >= g->budget;
}

/* Threads that return before the search is over need memory, or one of them turned back from a node
 * in evaluation when the others had begun all other simulations: that one is still to be made. */
static void work_on(struct yo_guided *g) {
    for (;;) {
        work_together(g);
        if (guided_is_over(g) || all_begun(g)) return;
        if (atomic_load(&g->search.tree.full)) yo_guided_tree_thin(&g->search.tree);
    }
}

static void begin(struct yo_guided *g, const void *position, const struct yo_search_limits *limits,
                  const atomic_bool *stop) {
    g->position = position;
    g->limits = limits;
    g->clock = yo_search_clock_begin(limits, &g->own_clock);
    g->stop = stop;
    g->report = NULL; /* nothing to report before the root is evaluated */
    g->start_ms = g->reported_ms = yo_time_ms();
    g->err = YO_OK;
    atomic_store(&g->over, false);
    atomic_store(&g->cut, false);
    atomic_store(&g->failed, false);
    atomic_store(&g->begun, 0);
    atomic_store(&g->finished, 0);
    atomic_store(&g->joined, 0);
}

static void ban(struct yo_guided *g) {
    const struct yo_search_limits *limits = g->limits;
    memset(g->banned, limits->only != NULL, g->game->move_bound);
    for (size_t i = 0; i < limits->only_count; i++)
        g->banned[limits->only[i]] = 0;
    for (size_t i = 0; i < limits->avoid_count; i++)
        g->banned[limits->avoid[i]] = 1;
}

/* The root of a kept tree was evaluated as another position's child, and lost some of its value. */
static enum yo_err evaluate_raw(struct yo_guided *g, struct yo_diag *diag) {
    struct yo_eval_result result = {0};
    struct yo_eval_item item = {.position = g->position, .want = YO_EVAL_VALUE, .results = &result};
    if (!g->limits->details) return YO_OK;
    enum yo_err err = yo_eval_run(g->eval, &item, 1, diag);
    g->raw = result.value;
    return err;
}

/* How many simulations this search may make; 0: no limit. */
static uint64_t simulations(const struct yo_guided *g) {
    uint64_t most = g->limits->playouts;
    if (!g->limits->visits) return most;
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    uint64_t had = yo_guided_visits(root) - atomic_load(&g->finished), left = 1;
    if (g->limits->visits > had) left = g->limits->visits - had;
    return most && most < left ? most : left;
}

/* Whether the moves of an open root are those of its position. If other moves led to a joined node
 * when it was opened, a repetition may forbid others there. */
static bool root_fits(const struct yo_guided *g, const struct yo_guided_node *root) {
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    yo_move *moves = g->workers[0].batches[0].leaves[0].moves;
    if (!edges || !g->search.tree.joins.entries) return true;
    size_t count = g->game->moves(g->position, moves), same = 0;
    for (unsigned i = 0; i < root->edge_count; i++)
        for (size_t k = 0; k < count; k++)
            same += edges[i].move == moves[k];
    return count == root->edge_count && same == count;
}

/* Can the search go on from the root of a kept tree? Not where the search took the leaf that the
 * game has come to for an end, or had no memory for its moves. */
static bool is_good_root(const struct yo_guided *g) {
    const struct guided_search *s = &g->search;
    if (g->half_open) return false;
    if (!s->tree.root) return true; /* it gets one */
    const struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    enum yo_guided_state state = yo_guided_state(root);
    return state == YO_GUIDED_FRESH ||
           (state == YO_GUIDED_OPEN && root->edges && root_fits(g, root));
}

/* Evaluates the root, and centres the score utility on its score. */
static enum yo_err prepare_root(struct yo_guided *g, struct yo_diag *diag) {
    struct guided_search *s = &g->search;
    if (!is_good_root(g)) yo_guided_clear(g);
    g->half_open = false;
    if (!s->tree.root)
        s->tree.root = yo_guided_tree_add(&s->tree, g->game->side_to_move(g->position));
    if (!s->tree.root) return yo_diag_set(diag, YO_ERR_NOMEM, "the tree has no room");
    struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    if (yo_guided_visits(root) > 0 && g->hooks.cells) {
        guided_set_center(s, yo_guided_get(&root->mean.score), g->hooks.cells(g->position));
        guided_bias_clear(s); /* errors of nodes that the game has left; the others come again */
        guided_recenter(s);
    } else if (s->tree.joins.entries) {
        yo_guided_tree_count(&s->tree, s->tree.root); /* what it meets can be found again */
    }
    return guided_open_root(&g->workers[0], diag);
}

enum yo_err yo_guided_run(struct yo_guided *g, const void *position,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          yo_search_report_fn report, void *user, struct yo_search_result *result,
                          struct yo_diag *diag) {
    begin(g, position, limits, stop);
    *result = (struct yo_search_result){.moves = g->moves};
    if (g->game->outcome(position) != YO_OUTCOME_NONE) return YO_OK;
    ban(g);
    if (!guided_owners_begin(g)) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for ownership");
    enum yo_err err = prepare_root(g, diag);
    if (!err) err = evaluate_raw(g, diag);
    if (err) return err;
    g->report = report;
    g->user = user;
    atomic_store(&g->begun, atomic_load(&g->finished));
    g->budget = simulations(g);
    set_width(g);
    if (g->search.options.noise > 0 && g->noisy != g->search.tree.root) {
        guided_add_noise(&g->search, &g->workers[0].random);
        g->noisy = g->search.tree.root;
    }
    if (g->search.options.gumbel) guided_gumbel_begin(g);
    if (choices(g) > 0 && !g->half_open) {
        yo_share_begin(&g->share, g->root_key, limits->number);
        guided_share(g, false);
        work_on(g);
        guided_share(g, true);
    }
    guided_fill_result(g, result);
    if (g->err && diag) *diag = g->diag;
    return g->err;
}
