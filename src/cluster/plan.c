#include "cluster/plan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/plan_tree.h"

const char *const yo_plan_strategies[] = {
#define X(name, text) text,
    YO_PLAN_STRATEGY_LIST(X)
#undef X
        NULL};

/* ---- life ---- */

static void set_defaults(struct yo_plan_config *c) {
    if (c->recommend_ms <= 0) c->recommend_ms = 1000;
    if (c->width == 0) c->width = 2;
    if (c->leaf_width == 0) c->leaf_width = 3;
    if (c->width > PLAN_WIDTH_MAX) c->width = PLAN_WIDTH_MAX;
    if (c->leaf_width > PLAN_WIDTH_MAX) c->leaf_width = PLAN_WIDTH_MAX;
    if (c->margin <= 0) c->margin = 30;
    if (c->node_limit == 0) c->node_limit = 4096;
}

static bool holds(const yo_move *moves, size_t count, yo_move move) {
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

static void bar(struct yo_plan *plan, const yo_move *only, size_t only_count, const yo_move *avoid,
                size_t avoid_count) {
    struct plan_node *root = &plan->nodes[PLAN_ROOT];
    for (size_t i = 0; i < root->count; i++) {
        struct plan_edge *edge = &root->edges[i];
        edge->barred =
            (only && !holds(only, only_count, edge->move)) || holds(avoid, avoid_count, edge->move);
    }
    yo_plan_back_up(plan, PLAN_ROOT);
}

enum yo_err yo_plan_new(const struct yo_plan_config *config, const struct yo_game_ops *ops,
                        const void *game, struct yo_plan **out, struct yo_diag *diag) {
    struct yo_plan *plan = yo_alloc(1, sizeof *plan);
    if (!plan) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the master's tree");
    plan->config = *config;
    plan->ops = ops;
    set_defaults(&plan->config);
    plan->config.only = plan->config.avoid = NULL;
    plan->moves = yo_alloc(ops->max_moves, sizeof *plan->moves);
    plan->likely = yo_alloc(ops->max_moves, sizeof *plan->likely);
    plan->order = yo_alloc(ops->max_moves, sizeof *plan->order);
    plan->scratch = yo_alloc_aligned(ops->position_size);
    plan->played = yo_alloc(YO_PLAN_PATH_MAX, sizeof *plan->played);
    plan->results = yo_alloc(ops->max_moves, sizeof *plan->results);
    plan->pvs = yo_alloc(ops->max_moves * PLAN_PV_MAX, sizeof *plan->pvs);
    enum yo_err err = YO_ERR_NOMEM;
    if (plan->moves && plan->likely && plan->order && plan->scratch && plan->played &&
        plan->results && plan->pvs)
        err = yo_plan_open_root(plan, game, diag);
    else
        yo_diag_set(diag, err, "no memory for the master's tree");
    if (err) {
        yo_plan_delete(plan);
        return err;
    }
    bar(plan, config->only, config->only_count, config->avoid, config->avoid_count);
    *out = plan;
    return YO_OK;
}

void yo_plan_delete(struct yo_plan *plan) {
    if (!plan) return;
    if (plan->live_count > 0) yo_plan_close(plan, PLAN_ROOT);
    yo_plan_ballots_clear(plan);
    yo_free(plan->ballots);
    yo_free(plan->nodes);
    yo_free(plan->slots);
    yo_free(plan->only);
    yo_free(plan->moves);
    yo_free(plan->likely);
    yo_free(plan->order);
    yo_free_aligned(plan->scratch);
    yo_free(plan->played);
    yo_free(plan->results);
    yo_free(plan->pvs);
    yo_free(plan);
}

void yo_plan_set_recommend(struct yo_plan *plan, int64_t recommend_ms) {
    plan->config.recommend_ms = recommend_ms > 0 ? recommend_ms : 1;
}

/* ---- the game goes on ---- */

enum yo_err yo_plan_advance(struct yo_plan *plan, const void *game,
                            const struct yo_search_limits *limits,
                            struct yo_plan_advanced *advanced, struct yo_diag *diag) {
    size_t count = 0;
    bool live = plan->live_count > 0;
    bool kept = live && plan->ops->since(game, &plan->mark, plan->played, YO_PLAN_PATH_MAX, &count);
    uint32_t at = kept ? yo_plan_node_at(plan, plan->played, count) : PLAN_NONE;
    enum yo_err err = YO_OK;
    yo_plan_ballots_clear(plan);
    plan->own_null = false;
    plan->config.whole = limits && limits->whole;
    plan->slot_count = 0;
    if (at != PLAN_NONE) {
        plan->ops->from_game(game, plan->scratch);
        yo_plan_reroot(plan, at);
        plan->mark = plan->ops->mark(game);
    } else {
        if (live) yo_plan_close(plan, PLAN_ROOT);
        err = yo_plan_open_root(plan, game, diag);
    }
    if (!err)
        bar(plan, limits ? limits->only : NULL, limits ? limits->only_count : 0,
            limits ? limits->avoid : NULL, limits ? limits->avoid_count : 0);
    if (advanced)
        *advanced = (struct yo_plan_advanced){.kept = kept, .played = plan->played, .count = count};
    return err;
}

/* ---- reports ---- */

/* The moves that can be played one after the other. */
static size_t check_pv(struct yo_plan *plan, const struct plan_node *node,
                       const struct yo_search_move *line, yo_move *pv) {
    size_t count = 0;
    pv[count++] = line->move;
    if (line->pv_count < 2 || line->pv[0] != line->move) return count;
    memcpy(plan->scratch, node->position, plan->ops->position_size);
    plan->ops->play(plan->scratch, line->move);
    for (; count < line->pv_count && count < PLAN_PV_MAX; count++) {
        size_t legal = plan->ops->moves(plan->scratch, plan->moves);
        if (!holds(plan->moves, legal, line->pv[count])) break;
        plan->ops->play(plan->scratch, line->pv[count]);
        pv[count] = line->pv[count];
    }
    return count;
}

static struct yo_plan_value value_of(const struct yo_search_result *result,
                                     const struct yo_search_move *line, uint32_t worker,
                                     int64_t now_ms) {
    return (struct yo_plan_value){
        .centipawns = yo_search_centipawns(line),
        .mate = line->mate || !line->proven   ? line->mate
                : line->winrate_to_move > 0.5 ? PLAN_PROVEN
                                              : -PLAN_PROVEN,
        .depth = line->depth ? line->depth : result->depth,
        .nodes = line->visits    ? line->visits
                 : result->nodes ? result->nodes
                                 : result->playouts,
        .at_ms = now_ms,
        .worker = worker,
    };
}

/* Is the move one that the job asks for, and legal there? */
static bool belongs(const struct plan_node *node, const struct yo_plan_job *job, yo_move move) {
    return yo_plan_edge_of(node, move) != PLAN_NONE &&
           (!job->only || holds(job->only, job->only_count, move));
}

static bool has_barred(const struct plan_node *node) {
    for (size_t i = 0; i < node->count; i++)
        if (node->edges[i].barred) return true;
    return false;
}

/* A shallower search replaces nothing: no value, and no bound unless it keeps to it. A bound does
 * not replace a value. */
static void store(struct yo_plan *plan, struct plan_node *node, const struct yo_search_move *line,
                  const struct yo_plan_value *value) {
    struct plan_edge *edge = &node->edges[yo_plan_edge_of(node, line->move)];
    bool has_value = edge->own.any && !edge->own.upper;
    if (edge->final || (has_value && !yo_plan_as_deep(value, &edge->own.value))) return;
    if (has_value && line->bound != YO_BOUND_EXACT) return;
    if (edge->own.any && edge->own.upper && !yo_plan_as_deep(value, &edge->own.value) &&
        yo_plan_score(value) > yo_plan_score(&edge->own.value))
        return;
    /* A worker may know a move of a shared tree from the others alone, without a reply: then the
     * line of one that has read on stays. */
    bool unread = has_value && value->depth == 0 && line->pv_count < 2;
    edge->own.any = true;
    edge->own.upper = false;
    edge->own.value = *value;
    if (!unread) edge->own.pv_count = check_pv(plan, node, line, edge->own.pv);
}

/* The other moves of that search are worth no more than the last line, unless a deeper search says
 * so. */
static void bound_others(struct plan_node *node, const struct yo_plan_job *job,
                         const struct yo_search_move *lines, size_t count,
                         const struct yo_plan_value *last) {
    for (size_t i = 0; i < node->count; i++) {
        struct plan_edge *edge = &node->edges[i];
        bool named = false;
        for (size_t k = 0; k < count; k++)
            named = named || lines[k].move == edge->move;
        if (named || edge->final || (job->only && !holds(job->only, job->only_count, edge->move)))
            continue;
        if (edge->own.any &&
            (!yo_plan_as_deep(last, &edge->own.value) ||
             (!edge->own.upper && yo_plan_score(&edge->own.value) <= yo_plan_score(last))))
            continue;
        edge->own = (struct plan_known){.any = true, .upper = true, .value = *last};
    }
}

enum yo_err yo_plan_report(struct yo_plan *plan, uint32_t worker, const struct yo_plan_job *job,
                           const struct yo_search_result *result, int64_t now_ms,
                           struct yo_diag *diag) {
    uint32_t at = yo_plan_node_at(plan, job->path, job->path_count);
    if (at == PLAN_NONE || result->move_count == 0) return YO_OK;
    struct plan_node *node = &plan->nodes[at];
    for (size_t i = 0; i < result->move_count; i++)
        if (!belongs(node, job, result->moves[i].move))
            return yo_diag_set(diag, YO_ERR_ILLEGAL,
                               "worker %u reports a move that its job does not have", worker);
    if (job->path_count == 0 && !job->only == !has_barred(node)) {
        enum yo_err err = yo_plan_ballot(plan, worker, result, now_ms, diag);
        if (err) return err;
    }
    if (worker == YO_PLAN_MASTER && job->path_count == 0)
        plan->own_null = result->moves[0].move == plan->ops->move_null;
    if (result->moves[0].bound == YO_BOUND_UNKNOWN) return YO_OK;
    /* The moves of a Monte-Carlo tree are in the order of their visits, and the values of the least
     * visited ones are noise: only the best counts. Where trees are shared, values are those of the
     * sum, and only the lines are wanted. */
    bool shared = plan->config.strategy == YO_PLAN_SHARE;
    bool ordered = value_of(result, &result->moves[0], worker, now_ms).depth == 0;
    size_t lines = ordered && !shared ? 1 : result->move_count;
    struct yo_plan_value value = {0};
    for (size_t i = 0; i < lines; i++) {
        value = value_of(result, &result->moves[i], worker, now_ms);
        if (shared && result->moves[i].visits) value.depth = 0; /* the larger tree knows more */
        store(plan, node, &result->moves[i], &value);
    }
    /* A best move of an unfinished iteration: the others have been compared a depth before. */
    if (result->depth > 0 && result->depth < value.depth) value.depth = result->depth;
    if (!shared && result->first == 0 && result->moves[lines - 1].bound == YO_BOUND_EXACT)
        bound_others(node, job, result->moves, lines, &value);
    yo_plan_back_up(plan, at);
    return YO_OK;
}

struct yo_plan_count yo_plan_count(const struct yo_plan *plan) {
    struct yo_plan_count count = {.nodes = plan->live_count};
    for (size_t i = 0; i < plan->node_count; i++)
        if (plan->nodes[i].live && plan->nodes[i].depth > count.depth)
            count.depth = plan->nodes[i].depth;
    return count;
}
