#include "search/alphabeta/alphabeta.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/time.h"
#include "eval/shogi/unit.h"
#include "game/shogi/movegen.h"
#include "search/alphabeta/internal.h"
#include "search/mate/dfpn.h"

const struct yo_ab_options yo_ab_options_default = {.threads = 1,
                                                    .pruning = YO_AB_FULL,
                                                    .margins = YO_AB_MARGINS_DEFAULT,
                                                    .mate_search = true,
                                                    .rule = &yo_ab_rule_plain,
                                                    .eval = &yo_shogi_eval_material};

/* The mate solver searches the root only, with a small part of the search's budget. */
enum { MATE_TABLE_MB = 2, MATE_PART = 32, MATE_NODES_MAX = 20000 };

struct yo_ab {
    struct ab_shared shared;
    struct yo_dfpn *mate;
    struct yo_dfpn_answer mate_answer;
};

/* A value other than zero stays other than zero. */
static int scale(int value, int percent) {
    int scaled = value * percent / 100;
    return scaled == 0 && value > 0 ? 1 : scaled;
}

/* Values of the table in the unit of the evaluation. Reductions grow with the logarithms of depth
 * and move number. */
static void prepare_margins(struct ab_shared *s) {
    struct yo_ab_margins *m = &s->margins;
    *m = s->options.margins;
    int unit = yo_shogi_eval_unit(s->options.eval) * m->unit / 100;
    if (unit < 1) unit = 1;
#define X(name, initial, least, most, help) m->name = scale(m->name, unit);
    YO_AB_VALUE_LIST(X)
#undef X
    const int weights[AB_BEFORE] = {m->history_weight_1, m->history_weight_2, m->history_weight_4};
    for (int i = 0; i < AB_BEFORE; i++)
        s->history_weights[i] = weights[i] * 128 / 100;
    m->futility_history = m->futility_history * 100 / unit + 1;
    double factor = m->reduction_factor / 100.0 * (double)YO_AB_PLY;
    for (int plies = 1; plies < AB_REDUCTIONS; plies++)
        for (int move = 1; move < AB_REDUCTIONS; move++)
            s->reductions[plies][move] =
                (int16_t)(m->reduction_base + factor * log(plies) * log(move));
}

enum yo_err yo_ab_new(size_t table_mb, struct yo_ab **out) {
    struct yo_ab *search = yo_alloc(1, sizeof *search);
    if (!search) return YO_ERR_NOMEM;
    struct ab_shared *s = &search->shared;
    s->options = yo_ab_options_default;
    enum yo_err err = yo_ab_table_init(&s->table, table_mb);
    if (!err) err = yo_ab_exchange_init(&s->exchange);
    if (!err) err = yo_dfpn_new(MATE_TABLE_MB, &search->mate);
    if (!err) err = yo_ab_set_options(search, &yo_ab_options_default);
    if (err)
        yo_ab_delete(search);
    else
        *out = search;
    return err;
}

static void free_workers(struct ab_shared *s, int from) {
    for (int i = from; i < s->worker_count; i++)
        yo_ab_worker_delete(s->workers[i]);
    if (from < s->worker_count) s->worker_count = from;
}

void yo_ab_delete(struct yo_ab *search) {
    if (!search) return;
    yo_pool_delete(search->shared.pool);
    free_workers(&search->shared, 0);
    yo_free(search->shared.workers);
    yo_ab_lines_free(&search->shared);
    yo_dfpn_delete(search->mate);
    yo_ab_exchange_free(&search->shared.exchange);
    yo_ab_table_free(&search->shared.table);
    yo_free(search);
}

void yo_ab_clear(struct yo_ab *search) {
    struct ab_shared *s = &search->shared;
    yo_ab_table_clear(&s->table);
    for (int i = 0; i < s->worker_count; i++) {
        struct ab_worker *w = s->workers[i];
        memset(&w->histories, 0, sizeof w->histories);
        memset(&w->corrections, 0, sizeof w->corrections);
    }
}

static enum yo_err add_workers(struct ab_shared *s, int count) {
    void *grown = yo_realloc(s->workers, (size_t)count, sizeof *s->workers);
    if (!grown) return YO_ERR_NOMEM;
    s->workers = grown;
    while (s->worker_count < count) {
        enum yo_err err = yo_ab_worker_new(s, s->worker_count, &s->workers[s->worker_count]);
        if (err) return err;
        s->worker_count++;
    }
    return YO_OK;
}

/* Threads for all workers but the first. */
static enum yo_err set_pool(struct ab_shared *s, int threads) {
    struct yo_pool *pool = NULL;
    if ((s->pool ? yo_pool_threads(s->pool) : 0) == threads - 1) return YO_OK;
    enum yo_err err = threads > 1 ? yo_pool_new(threads - 1, &pool, NULL) : YO_OK;
    if (err) return err;
    yo_pool_delete(s->pool);
    s->pool = pool;
    return YO_OK;
}

enum yo_err yo_ab_set_options(struct yo_ab *search, const struct yo_ab_options *options) {
    struct ab_shared *s = &search->shared;
    struct yo_ab_options before = s->options;
    enum yo_err err = YO_OK;
    int had = s->worker_count;
    s->options = *options;
    for (int i = 0; !err && i < had; i++)
        err = yo_ab_worker_set_eval(s->workers[i], options->eval);
    for (int i = 0; i < had; i++)
        memset(s->workers[i]->values, 0, sizeof s->workers[i]->values);
    if (!err && options->threads > had) err = add_workers(s, options->threads);
    if (!err) err = set_pool(s, options->threads);
    if (err) {
        free_workers(s, had);
        s->options = before;
        return err;
    }
    free_workers(s, options->threads);
    prepare_margins(s);
    return YO_OK;
}

/* ---- A run ---- */

/* Returns false: a worker that ends before the first has nothing left to search, so no other should
 * start. */
static bool help(void *shared, int thread) {
    yo_ab_worker_think(((struct ab_shared *)shared)->workers[thread + 1]);
    return false;
}

/* The first worker runs in the caller's thread; when it ends, it halts the others. */
static void think(struct ab_shared *s) {
    struct yo_job job = {.run = help, .ctx = s, .threads = s->worker_count - 1};
    if (s->pool) yo_pool_submit(s->pool, &job);
    yo_ab_worker_think(s->workers[0]);
    atomic_store(&s->halt, true);
    if (s->pool) yo_pool_recall(s->pool, &job);
}

/* The worker with the deepest finished iteration; among equals the one with the higher score. */
static const struct ab_worker *best_worker(const struct ab_shared *s) {
    const struct ab_worker *best = s->workers[0];
    if (s->limits.lines > 1 || s->limits.depth) return best;
    for (int i = 1; i < s->worker_count; i++) {
        const struct ab_worker *w = s->workers[i];
        bool deeper = w->done_depth > best->done_depth;
        bool as_deep = w->done_depth == best->done_depth;
        if (deeper || (as_deep && w->root_moves[0].score > best->root_moves[0].score)) best = w;
    }
    return best;
}

/* Runs the mate solver at the root. */
static bool find_mate(struct yo_ab *search, struct yo_search_result *r) {
    struct ab_shared *s = &search->shared;
    bool asked = s->options.mate_search && s->options.pruning != YO_AB_PLAIN && !s->limits.only &&
                 !s->limits.avoid_count && s->limits.lines <= 1;
    if (!asked || s->limits.depth) return false;
    struct yo_dfpn_limits limits = {.nodes = MATE_NODES_MAX};
    if (s->limits.nodes && s->limits.nodes / MATE_PART < limits.nodes)
        limits.nodes = s->limits.nodes / MATE_PART + 1;
    int64_t end = yo_search_clock_end(s->clock), time_ms = end - s->started_ms;
    if (end) limits.time_ms = (time_ms > 0 ? time_ms : 0) / MATE_PART + 1;
    yo_dfpn_solve(search->mate, shogi_game_now(s->game), &limits, s->stop, &search->mate_answer);
    const struct yo_dfpn_answer *a = &search->mate_answer;
    if (a->result != YO_DFPN_MATE || a->length == 0 || a->length >= YO_AB_PLY_MAX) return false;
    if (!yo_shogi_mate_is_in_time(shogi_game_now(s->game), &s->rules, a->length)) return false;
    yo_ab_fill_line(s, (int)a->length, YO_AB_MATE - (int)a->length, a->line, a->length, r);
    r->nodes = a->nodes;
    return true;
}

/* A best move found just before the end may have no reply in its line; takes one from the table. */
static void add_answer(const struct ab_shared *s, const struct yo_shogi_position *pos,
                       struct ab_root_move *root) {
    struct yo_shogi_position next = *pos;
    struct ab_entry entry;
    if (root->length != 1) return;
    yo_shogi_play(&next, root->move);
    if (yo_ab_table_find(&s->table, shogi_hash(&next), &entry) && entry.move &&
        yo_shogi_move_is_sound(&next, entry.move))
        root->line[root->length++] = entry.move;
}

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_ab *search = ctx;
    struct ab_shared *s = &search->shared;
    s->limits = *limits;
    s->game = game;
    s->rules = s->game->rules;
    /* A client may have a game analysed that goes on after the rules have ended it. */
    if (shogi_game_now(game)->ply >= s->rules.max_moves) s->rules.max_moves = 0;
    s->stop = stop;
    s->report = report;
    s->user = user;
    s->started_ms = yo_time_ms();
    s->clock = yo_search_clock_begin(limits, &s->own_clock);
    atomic_store(&s->halt, false);
    yo_ab_table_grow_old(&s->table);
    enum yo_err err = yo_ab_lines_reserve(s);
    for (int i = 0; !err && i < s->worker_count; i++)
        err = yo_ab_worker_prepare(s->workers[i]);
    if (err) return yo_diag_set(diag, err, "no memory for the search");
    *result = (struct yo_search_result){.moves = s->lines};
    if (s->workers[0]->root_count == 0) return YO_OK;
    if (find_mate(search, result)) {
        if (report) report(user, result);
        return YO_OK;
    }
    think(s);
    const struct ab_worker *best = best_worker(s);
    add_answer(s, shogi_game_now(s->game), &best->root_moves[0]);
    yo_ab_fill_result(s, best, 0, yo_ab_line_count(best), result);
    return YO_OK;
}

static void clear(void *ctx) { yo_ab_clear(ctx); }
static void destroy(void *ctx) { yo_ab_delete(ctx); }

/* ---- Exchange with other processes ---- */

/* Entries hold values of the evaluation, and depths of the rule. */
static uint64_t entry_kind(void *ctx) {
    const struct yo_ab_options *o = &((struct yo_ab *)ctx)->shared.options;
    enum { VERSION = 1 };
    uint64_t kind = yo_mix64(yo_shogi_eval_mark(o->eval) + VERSION);
    for (const char *c = o->rule->name; *c; c++)
        kind = yo_mix64(kind + (uint64_t)*c);
    return kind ? kind : 1;
}

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    return yo_ab_exchange_take(&((struct yo_ab *)ctx)->shared.exchange, entries, most);
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    yo_ab_exchange_give(&((struct yo_ab *)ctx)->shared.table, entries, count);
}

struct yo_search yo_ab_as_search(struct yo_ab *search) {
    static const struct yo_search_ops ops = {.name = "alphabeta",
                                             .limits = YO_AB_LIMITS,
                                             .run = run,
                                             .clear = clear,
                                             .destroy = destroy,
                                             .entry_kind = entry_kind,
                                             .take_entries = take_entries,
                                             .give_entries = give_entries};
    return (struct yo_search){&ops, search};
}
