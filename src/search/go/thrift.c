#include "search/go/thrift.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "search/around.h"
#include "search/go/pass.h"
#include "search/go/root.h"

struct thrift {
    struct yo_search_around around;
    struct yo_eval playouts;
    uint64_t seed;
    struct yo_go_pass pass;
    yo_search_report_fn report;
    void *report_user;
    yo_move only[YO_GO_POINTS_MAX];
};

static bool counts_territory(const struct yo_go_game *game) {
    return yo_go_game_rules(game)->scoring == YO_GO_TERRITORY;
}

/* By area another move costs nothing, so the end has to be proven, or the search has to know the
 * pass and no string may be in doubt. */
static bool may_pass(const struct yo_go_pass *pass, bool searched) {
    const struct yo_judgement *judgement = &pass->judgement;
    return counts_territory(pass->game) || judgement->certain ||
           (pass->over && judgement->quiet && searched);
}

/* Puts a pass first, if the judgement is for it and the search does not find much more in another
 * move. The search's own value of the pass counts, where there is one. */
static void pass_if_best(struct yo_go_pass *pass, struct yo_search_result *result) {
    bool searched = false;
    for (size_t i = 0; i < result->move_count && !pass->certain; i++) {
        const struct yo_search_move *move = &result->moves[i];
        if (move->move != YO_GO_PASS || move->visits == 0) continue;
        pass->chance = move->winrate_to_move;
        pass->visits = move->visits;
        searched = true;
    }
    if (result->move_count > 0 && may_pass(pass, searched) && yo_go_pass_is_best(pass, result))
        yo_go_pass_put_first(pass, result);
}

static void report_pass_too(void *user, const struct yo_search_result *so_far) {
    struct thrift *t = user;
    struct yo_search_result result = *so_far;
    pass_if_best(&t->pass, &result);
    t->report(t->report_user, &result);
}

/* Only a player wants a single move; an analysis wants what the search says of all. By area the
 * judgement is for opponents who pass and wait for the end: to the network a move in the own
 * territory is as good as a pass. */
static bool wants_judgement(const struct thrift *t, const struct yo_go_game *game,
                            const struct yo_search_limits *limits) {
    bool may_end = limits->clean_up || counts_territory(game) || yo_judge_opponent_passed(game);
    return may_end && !limits->whole && !limits->only && yo_go_pass_asks(&t->pass);
}

/* In a clean-up, as long as the opponent has dead stones, no pass is searched, and on a settled
 * board only what takes them off. */
static enum yo_err clean_up(struct thrift *t, const struct yo_go_game *game,
                            struct yo_search_limits *limits, struct yo_diag *diag) {
    const struct yo_judgement *judgement = &t->pass.judgement;
    size_t count = 0, kept = 0;
    if (!limits->clean_up ||
        !yo_judge_has_dead(judgement, game, yo_go_other(yo_go_game_to_move(game))))
        return YO_OK;
    enum yo_err err = yo_root_moves(game, judgement, true, t->only, &count);
    if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
    for (size_t i = 0; i < count; i++)
        if (yo_search_allows(limits, t->only[i])) t->only[kept++] = t->only[i];
    if (kept == 0) return YO_OK;
    limits->only = t->only;
    limits->only_count = kept;
    return YO_OK;
}

/* With the judgement before it, and the pass. */
static enum yo_err run_judged(struct thrift *t, const struct yo_go_game *game,
                              struct yo_search_limits *limits, const atomic_bool *stop,
                              struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search inner = t->around.inner;
    enum yo_err err = yo_go_pass_judge(&t->pass, t->playouts, t->seed, stop, diag);
    if (!err) err = clean_up(t, game, limits, diag);
    if (!err)
        err = inner.ops->run(inner.ctx, game, limits, stop, t->report ? report_pass_too : NULL, t,
                             result, diag);
    if (!err) pass_if_best(&t->pass, result);
    return err;
}

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *asked,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct thrift *t = ctx;
    struct yo_search inner = t->around.inner;
    struct yo_search_limits limits = *asked;
    struct yo_search_clock own;
    t->report = report;
    t->report_user = user;
    /* One clock for the judgement and the search. */
    if (asked->time_ms) limits.clock = yo_search_clock_begin(asked, &own);
    limits.time_ms = limits.extra_ms = 0;
    yo_go_pass_begin(&t->pass, game, &limits);
    enum yo_err err =
        wants_judgement(t, game, &limits)
            ? run_judged(t, game, &limits, stop, result, diag)
            : inner.ops->run(inner.ctx, game, &limits, stop, report, user, result, diag);
    if (!err) result->elapsed_ms = yo_time_ms() - t->pass.start_ms; /* what came before counts */
    return err;
}

static void destroy(void *ctx) {
    struct thrift *t = ctx;
    t->around.inner.ops->destroy(t->around.inner.ctx);
    yo_free(t);
}

enum yo_err yo_go_thrift_new(struct yo_search inner, struct yo_eval playouts, uint64_t seed,
                             struct yo_search *search, struct yo_diag *diag) {
    struct thrift *t = yo_alloc(1, sizeof *t);
    if (!t) {
        inner.ops->destroy(inner.ctx);
        return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    }
    static const struct yo_search_ops outer = {.run = run, .destroy = destroy};
    t->playouts = playouts;
    t->seed = seed;
    *search = yo_search_around_new(&t->around, inner, &outer);
    return YO_OK;
}
