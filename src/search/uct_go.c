#include "search/uct_go.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "eval/playout/leaves.h"
#include "eval/playout/rollout.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"
#include "search/go_prior.h"
#include "search/go_scope.h"
#include "search/judge.h"
#include "search/root.h"
#include "search/uct.h"

#define JUDGE_GAMES 1000
/* Whether the game is over may take this part of the time; the rest is for the search. */
#define JUDGE_SHARE 3

/* The game whose tree is kept: enough of it to see whether another game is its continuation. */
struct kept {
    bool valid;
    int size, handicap;
    struct yo_go_rules rules;
    enum yo_go_color to_move;
    size_t count;     /* moves played */
    uint64_t history; /* all situations so far, mixed */
};

struct uct_go {
    struct yo_eval eval;
    struct yo_uct *uct;
    struct yo_uct_options options;
    struct kept kept;
    struct yo_go_scope scope;
    bool scope_was_on; /* the tree that is kept has moves of a part of the board only */

    /* The search that runs, or ran last. */
    struct yo_go_position position;
    struct yo_judgement judgement;
    bool judged;
    struct yo_root_move roots[YO_GO_POINTS_MAX];
    yo_move only[YO_GO_POINTS_MAX + 1];
    size_t only_count;

    /* What a result points to when a pass was put before the tree's moves. */
    struct yo_search_move moves[YO_GO_POINTS_MAX + 2];
    float ownership[YO_GO_POINTS_MAX];
};

/* ---- keeping the tree ---- */

static uint64_t mix_history(const struct yo_go_game *game, size_t count) {
    uint64_t h = 0;
    for (size_t i = 0; i <= count; i++)
        h = (h ^ game->situations[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return h;
}

static bool same_rules(const struct yo_go_rules *a, const struct yo_go_rules *b) {
    return a->ko == b->ko && a->scoring == b->scoring && a->tax == b->tax &&
           a->handicap_bonus == b->handicap_bonus && a->suicide == b->suicide &&
           a->friendly_pass_ok == b->friendly_pass_ok && a->komi2 == b->komi2;
}

/* Do the moves since then follow one another, one side and then the other? */
static bool alternates(const struct kept *kept, const struct yo_go_game *game) {
    enum yo_go_color color = kept->to_move;
    for (size_t i = kept->count; i < game->count; i++, color = yo_go_other(color))
        if (game->moves[i].color != color) return false;
    return game->to_move == color;
}

static bool continues(const struct kept *kept, const struct yo_go_game *game) {
    return kept->valid && kept->size == yo_go_game_size(game) && kept->handicap == game->handicap &&
           same_rules(&kept->rules, &game->rules) && game->count >= kept->count &&
           alternates(kept, game) && mix_history(game, kept->count) == kept->history;
}

static void keep(struct uct_go *g, const struct yo_go_game *game) {
    bool was_over = g->kept.valid && yo_go_game_passes(game) >= 2; /* taken up again: a new root */
    bool same_scope = !g->scope.on && !g->scope_was_on;
    g->scope_was_on = g->scope.on;
    if (g->options.reuse && !was_over && same_scope && continues(&g->kept, game))
        for (size_t i = g->kept.count; i < game->count; i++)
            yo_uct_advance(g->uct, game->moves[i].move);
    else
        yo_uct_clear(g->uct);
    g->kept = (struct kept){.valid = true,
                            .size = yo_go_game_size(game),
                            .handicap = game->handicap,
                            .rules = game->rules,
                            .to_move = game->to_move,
                            .count = game->count,
                            .history = mix_history(game, game->count)};
}

/* ---- passing ---- */

static enum yo_err judge(struct uct_go *g, const struct yo_go_game *game,
                         const struct yo_search_limits *limits, const atomic_bool *stop,
                         int64_t start_ms, struct yo_diag *diag) {
    if (g->judged) return YO_OK;
    struct yo_judge_limits judging = {.seed = g->options.seed, .games = JUDGE_GAMES, .stop = stop};
    if (limits->time_ms) judging.deadline_ms = start_ms + limits->time_ms / JUDGE_SHARE;
    enum yo_err err = yo_judge_go(g->eval, game, &judging, &g->judgement, diag);
    g->judged = !err;
    return err;
}

/* Puts a pass before the other moves, with what the judgement thinks of it. */
static void put_pass_first(struct uct_go *g, const struct yo_go_game *game,
                           struct yo_search_result *result) {
    static const yo_move pass = YO_GO_PASS;
    static const uint64_t visits = JUDGE_GAMES;
    bool is_black = yo_go_game_to_move(game) == YO_GO_BLACK;
    double black = g->judgement.winrate_black, lead = g->judgement.score.lead2 / 2.0;
    double winrate = is_black ? black : 1 - black;
    size_t count = 1;
    g->moves[0] = (struct yo_search_move){.move = pass,
                                          .visits = visits,
                                          .winrate_to_move = winrate,
                                          .score_to_move = is_black ? lead : -lead,
                                          .lcb_to_move = yo_search_lower_bound(winrate, visits),
                                          .pv = &pass,
                                          .pv_visits = &visits,
                                          .pv_count = 1};
    for (size_t i = 0; i < result->move_count; i++)
        if (result->moves[i].move != YO_GO_PASS) g->moves[count++] = result->moves[i];
    result->moves = g->moves;
    result->move_count = count;
    if (result->playouts > 0) return;
    memcpy(g->ownership, g->judgement.ownership, sizeof g->ownership);
    result->ownership = g->ownership;
}

/* ---- the search, in steps ---- */

/* A pass is looked at only near the end: sekis are kept by passing, but an open board is not. */
static enum yo_err gather(struct uct_go *g, const struct yo_go_game *game,
                          const struct yo_search_limits *limits) {
    bool clean_up = limits->clean_up;
    size_t count = 0;
    bool must_capture = clean_up || !yo_go_game_rules(game)->friendly_pass_ok;
    enum yo_err err =
        yo_root_moves(game, g->judged ? &g->judgement : NULL, must_capture, g->roots, &count);
    g->only_count = 0;
    for (size_t i = 0; !err && i < count; i++)
        if (!yo_search_avoids(limits, g->roots[i].move))
            g->only[g->only_count++] = g->roots[i].move;
    if (!err && g->only_count > 0 && g->judged && !clean_up &&
        !yo_search_avoids(limits, YO_GO_PASS))
        g->only[g->only_count++] = YO_GO_PASS;
    return err;
}

/* In group mode only the group's moves, where it has any that are worth while. */
static enum yo_err find_scope(struct uct_go *g, const struct yo_go_game *game,
                              const struct yo_search_limits *limits, const atomic_bool *stop,
                              int64_t start_ms, struct yo_diag *diag) {
    int64_t deadline_ms = limits->time_ms ? start_ms + limits->time_ms / JUDGE_SHARE : 0;
    enum yo_err err =
        yo_go_scope_find(&g->scope, game, g->eval, g->options.seed, deadline_ms, stop, diag);
    if (err || !g->scope.on) return err;
    size_t kept = 0;
    for (size_t i = 0; i < g->only_count; i++)
        kept += g->only[i] != YO_GO_PASS && g->scope.in_group[g->only[i]];
    g->scope.on = kept > 1;
    g->scope.zone.on &= g->scope.on;
    return YO_OK;
}

static enum yo_err run(void *ctx, const void *position, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct uct_go *g = ctx;
    const struct yo_go_game *game = position;
    int64_t start_ms = yo_time_ms();
    *result = (struct yo_search_result){.moves = g->moves, .ownership = g->ownership};
    g->judged = false;
    memset(&g->judgement, 0, sizeof g->judgement);

    /* 1. Is the game over? */
    enum yo_err err =
        yo_judge_may_be_over(game) ? judge(g, game, limits, stop, start_ms, diag) : YO_OK;
    if (err) return err;
    bool may_pass = !yo_search_avoids(limits, YO_GO_PASS);
    bool pass =
        may_pass && g->judged && yo_judge_should_pass(&g->judgement, game, limits->clean_up);
    /* 2. The moves; none but filling eyes: pass. */
    if (!pass) {
        err = gather(g, game, limits);
        if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
        pass = g->only_count == 0;
        if (pass) err = judge(g, game, limits, stop, start_ms, diag);
    }
    if (err) return err;
    if (!pass) {
        /* 3. The tree. */
        err = find_scope(g, game, limits, stop, start_ms, diag);
        if (err) return err;
        keep(g, game);
        bool counted = limits->playouts && !limits->time_ms;
        g->scope.zone.policy = yo_uct_policy(&g->options, yo_go_game_size(game), counted);
        yo_go_position_from_game(game, &g->position);
        err = yo_uct_run(g->uct, &g->position, g->only, g->only_count, limits, stop, report, user,
                         result, diag);
        if (err) return err;
        pass = result->move_count == 0 ||
               (may_pass && g->judged && !limits->clean_up &&
                yo_judge_should_give_in(&g->judgement, game, result->moves[0].winrate_to_move));
        if (result->move_count == 0) err = judge(g, game, limits, stop, start_ms, diag);
    }
    if (!err && pass) put_pass_first(g, game, result);
    result->elapsed_ms = yo_time_ms() - start_ms;
    return err;
}

static void clear(void *ctx) {
    struct uct_go *g = ctx;
    g->kept.valid = false;
    yo_uct_clear(g->uct);
}

static void destroy(void *ctx) {
    struct uct_go *g = ctx;
    yo_uct_delete(g->uct);
    yo_free(g);
}

static const struct yo_search_ops uct_go_ops = {
    .name = "uct", .run = run, .clear = clear, .destroy = destroy};

enum yo_err yo_uct_go_new(struct yo_eval eval, const struct yo_uct_options *options,
                          struct yo_search *search, struct yo_diag *diag) {
    struct uct_go *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    g->eval = eval;
    g->options = *options;
    g->scope.options =
        (struct yo_go_scope_options){(int)options->group, options->zone, options->even};
    enum yo_err err = yo_uct_options_check(options, diag);
    if (!err)
        err = yo_uct_new(&yo_go_ops, yo_playout_zone_rollouts(&g->scope.zone),
                         yo_go_scope_priors(&g->scope, yo_go_priors(options)), options, &g->uct,
                         diag);
    if (!err && (options->leaves > 1 || options->leaf_playouts > 1))
        err = yo_uct_use_leaves(
            g->uct, yo_playout_leaves(eval, yo_uct_policy(options, YO_GO_SIZE_MAX, false)), diag);
    if (err) {
        destroy(g);
        return err;
    }
    *search = (struct yo_search){.ops = &uct_go_ops, .ctx = g};
    return YO_OK;
}
