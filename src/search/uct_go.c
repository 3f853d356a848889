#include "search/uct_go.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "eval/playout/leaves.h"
#include "eval/playout/rollout.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"
#include "search/go_kept.h"
#include "search/go_prior.h"
#include "search/go_scope.h"
#include "search/judge.h"
#include "search/root.h"
#include "search/uct.h"

#define JUDGE_GAMES 1000
/* Whether the game is over may take this part of the time; the rest is for the search. */
#define JUDGE_SHARE 3
/* In less time than this there is none for it, unless the opponent has passed. */
#define JUDGE_MS_MIN 40

/* Where the judgement would pass, this part of the limits looks at what the opponent can do about
 * it; or so many playouts where there is no limit. */
#define PASS_SHARE    4
#define PASS_PLAYOUTS 1000
/* With this chance to win a pass is good enough; with less it must be as good as the best move, but
 * for so much, and better than even. */
#define PASS_SURE 0.9
#define PASS_LOSS 0.05
/* With a chance below this a game that has no open points ends when the opponent passes. */
#define GIVE_IN 0.25

struct uct_go {
    struct yo_eval eval;
    struct yo_uct *uct;
    struct yo_uct_options options;
    struct yo_go_kept kept;
    int kept_komi2; /* what the results in its tree were counted with */
    struct yo_go_scope scope;
    bool scope_was_on; /* the tree that is kept has moves of a part of the board only */

    /* The search that runs, or ran last. */
    struct yo_go_position position;
    struct yo_judgement judgement;
    bool judged;
    double pass_chance; /* to win after a pass, and in how many visits it was found */
    uint64_t pass_visits;
    struct yo_search_limits left; /* of what was asked for */
    struct yo_root_move roots[YO_GO_POINTS_MAX];
    yo_move only[YO_GO_POINTS_MAX + 1];
    size_t only_count;

    /* What a result points to when a pass was put before the tree's moves. */
    struct yo_search_move moves[YO_GO_POINTS_MAX + 2];
    float ownership[YO_GO_POINTS_MAX];
};

/* ---- keeping the tree ---- */

static void keep(struct uct_go *g, const struct yo_go_game *game) {
    bool was_over = g->kept.valid && yo_go_game_passes(game) >= 2; /* taken up again: a new root */
    bool same_scope = !g->scope.on && !g->scope_was_on;
    g->scope_was_on = g->scope.on;
    bool same_komi = g->kept_komi2 == g->position.rules.komi2;
    g->kept_komi2 = g->position.rules.komi2;
    if (g->options.reuse && !was_over && same_scope && same_komi &&
        yo_go_kept_continues(&g->kept, game))
        for (size_t i = g->kept.count; i < game->count; i++)
            yo_uct_advance(g->uct, game->moves[i].move);
    else
        yo_uct_clear(g->uct);
    yo_go_kept_set(&g->kept, game);
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
    bool is_black = yo_go_game_to_move(game) == YO_GO_BLACK;
    g->pass_chance = is_black ? g->judgement.winrate_black : 1 - g->judgement.winrate_black;
    g->pass_visits = JUDGE_GAMES;
    return err;
}

/* Puts a pass before the other moves, with what is thought of it. */
static void put_pass_first(struct uct_go *g, const struct yo_go_game *game,
                           struct yo_search_result *result) {
    static const yo_move pass = YO_GO_PASS;
    bool is_black = yo_go_game_to_move(game) == YO_GO_BLACK;
    double lead = g->judgement.score.lead2 / 2.0;
    size_t count = 1;
    g->moves[0] = (struct yo_search_move){.move = pass,
                                          .visits = g->pass_visits,
                                          .winrate_to_move = g->pass_chance,
                                          .score_to_move = is_black ? lead : -lead,
                                          .lcb_to_move =
                                              yo_search_lower_bound(g->pass_chance, g->pass_visits),
                                          .pv = &pass,
                                          .pv_visits = &g->pass_visits,
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

/* Do dead stones have to be taken off the board by moves? */
static bool must_capture(const struct yo_go_game *game, const struct yo_search_limits *limits) {
    return limits->clean_up || !yo_go_game_rules(game)->friendly_pass_ok;
}

/* The moves to look at, without what the limits avoid; only such as take dead stones off if a
 * judgement is given under which that remains to be done. */
static enum yo_err gather(struct uct_go *g, const struct yo_go_game *game,
                          const struct yo_judgement *judgement,
                          const struct yo_search_limits *limits) {
    size_t count = 0;
    enum yo_err err = yo_root_moves(game, judgement, must_capture(game, limits), g->roots, &count);
    g->only_count = 0;
    for (size_t i = 0; !err && i < count; i++)
        if (!yo_search_avoids(limits, g->roots[i].move))
            g->only[g->only_count++] = g->roots[i].move;
    return err;
}

static enum yo_err search_tree(struct uct_go *g, const struct yo_go_game *game,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               yo_search_report_fn report, void *user,
                               struct yo_search_result *result, struct yo_diag *diag) {
    yo_go_position_from_game(game, &g->position);
    yo_go_position_use_area(&g->position, g->judgement.closed);
    keep(g, game);
    bool counted = limits->playouts && !limits->time_ms;
    g->scope.zone.policy = yo_uct_policy(&g->options, yo_go_game_size(game), counted);
    return yo_uct_run(g->uct, &g->position, g->only, g->only_count, limits, stop, report, user,
                      result, diag);
}

/* The judgement knows of no good moves. So if the opponent does not pass in turn: what is his best
 * move, and what is left for us then? */
static enum yo_err look_at_pass(struct uct_go *g, const struct yo_go_game *game,
                                const struct yo_search_limits *limits, const atomic_bool *stop,
                                uint64_t *playouts, struct yo_diag *diag) {
    static const yo_move pass = YO_GO_PASS;
    struct yo_search_result result;
    struct yo_go_game *passed;
    g->left = (struct yo_search_limits){.clean_up = true, .avoid = &pass, .avoid_count = 1};
    if (limits->time_ms) g->left.time_ms = limits->time_ms / PASS_SHARE + 1;
    if (limits->playouts) g->left.playouts = limits->playouts / PASS_SHARE + 1;
    if (!limits->time_ms && !limits->playouts) g->left.playouts = PASS_PLAYOUTS;
    enum yo_err err = yo_go_game_copy(game, &passed);
    if (err) return yo_diag_set(diag, err, "no memory to look at a pass");
    err = yo_go_game_play(passed, yo_go_game_to_move(game), YO_GO_PASS, diag);
    if (!err) err = gather(g, passed, NULL, &g->left);
    g->scope.on = g->scope.zone.on = false;
    g->pass_chance = 1;
    if (!err && g->only_count > 0) {
        err = search_tree(g, passed, &g->left, stop, NULL, NULL, &result, diag);
        if (!err && result.move_count > 0) {
            g->pass_chance = 1 - result.moves[0].winrate_to_move;
            g->pass_visits = *playouts = result.playouts;
        }
    }
    yo_go_game_delete(passed);
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

/* By territory a move into one's own costs a point, if the opponent passes: can the lead bear it?
 */
static bool can_afford_move(const struct uct_go *g, const struct yo_go_game *game) {
    return game->rules.scoring == YO_GO_AREA || !g->judgement.closed ||
           abs(g->judgement.score.lead2) > 2;
}

/* A pass that the judgement is for: what does the search say? */
static bool prefers_pass(const struct uct_go *g, const struct yo_go_game *game,
                         const struct yo_search_result *result) {
    double gain = result->moves[0].winrate_to_move - g->pass_chance;
    return g->pass_chance >= PASS_SURE ||
           (g->pass_chance > 0.5 && (gain < PASS_LOSS || !can_afford_move(g, game)));
}

/* A game that is lost by the judgement: does the search know better? Playouts always have some hope
 * of dead stones, in every move alike, and it would fill its own territory for that. */
static bool is_hopeless(const struct uct_go *g, const struct yo_go_game *game,
                        const struct yo_search_result *result) {
    bool ended = g->judgement.closed && yo_judge_opponent_passed(game);
    return result->moves[0].winrate_to_move <= YO_JUDGE_HOPELESS ||
           (ended && yo_search_root_winrate(result) < GIVE_IN);
}

/* What the tree may still use of the limits. */
static void take_off(struct uct_go *g, const struct yo_search_limits *limits, int64_t start_ms,
                     uint64_t playouts) {
    g->left = *limits;
    if (limits->time_ms) {
        g->left.time_ms = start_ms + limits->time_ms - yo_time_ms();
        if (g->left.time_ms < 1) g->left.time_ms = 1;
    }
    if (limits->playouts)
        g->left.playouts = limits->playouts > playouts ? limits->playouts - playouts : 1;
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

    /* 1. Is the game over, and stays so if we pass? */
    enum yo_err err = YO_OK;
    bool hurries = limits->time_ms && limits->time_ms < JUDGE_MS_MIN;
    if (yo_judge_may_be_over(game) && (!hurries || yo_judge_opponent_passed(game)))
        err = judge(g, game, limits, stop, start_ms, diag);
    if (err) return err;
    bool may_pass = !yo_search_avoids(limits, YO_GO_PASS);
    bool over =
        may_pass && g->judged && yo_judge_should_pass(&g->judgement, game, limits->clean_up);
    bool behind =
        may_pass && g->judged && yo_judge_should_give_in(&g->judgement, game, limits->clean_up);
    bool looks = over || (g->judgement.settled && must_capture(game, limits));
    uint64_t spent = 0;
    if (looks) err = look_at_pass(g, game, limits, stop, &spent, diag);
    if (err) return err;
    bool safe = looks && g->pass_chance >= PASS_SURE;
    bool is_move_enough = !limits->whole && (limits->time_ms || limits->playouts);
    bool pass = over && safe && is_move_enough;
    /* Dead stones are taken off where that costs nothing: what is lost anyway cannot be lost. */
    bool lost = looks && limits->clean_up && g->pass_chance < YO_JUDGE_HOPELESS;
    /* 2. The moves; none but filling eyes: pass. A pass is among them only near the end: sekis are
     * kept by passing, but an open board is not. */
    if (!pass) {
        err = gather(g, game, safe || lost ? &g->judgement : NULL, limits);
        if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
        pass = g->only_count == 0;
        if (!pass && g->judged && !limits->clean_up && may_pass)
            g->only[g->only_count++] = YO_GO_PASS;
        if (pass) err = judge(g, game, limits, stop, start_ms, diag);
    }
    if (err) return err;
    if (!pass) {
        /* 3. The tree. */
        err = find_scope(g, game, limits, stop, start_ms, diag);
        if (err) return err;
        take_off(g, limits, start_ms, spent);
        err = search_tree(g, game, &g->left, stop, report, user, result, diag);
        if (err) return err;
        bool gives_in = result->move_count > 0 && behind && is_hopeless(g, game, result);
        if (gives_in) g->pass_chance = fmin(g->pass_chance, result->moves[0].winrate_to_move);
        pass = result->move_count == 0 || (over && prefers_pass(g, game, result)) || gives_in;
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
