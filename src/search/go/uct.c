#include "search/go/uct.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "eval/playout/rollout.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"
#include "search/go/pass.h"
#include "search/go/prior.h"
#include "search/go/root.h"
#include "search/go/scope.h"
#include "search/go/urgent.h"
#include "search/share.h"
#include "search/uct/uct.h"

/* Scoring the board outside the zone may take 1/SCOPE_SHARE of the time. */
#define SCOPE_SHARE 3

/* Where the judgement is for a pass, 1/PASS_SHARE of the limits searches the opponent's answers to
 * a pass; PASS_PLAYOUTS playouts if there is no limit. */
#define PASS_SHARE    4
#define PASS_PLAYOUTS 1000

/* Reading for the priors of the root may take 1/URGENT_SHARE of the time, if there are at least
 * URGENT_MS_MIN. */
#define URGENT_SHARE  10
#define URGENT_MS_MIN 100
/* The visits, all won, that such a move is worth before it is searched: for the move, and for each
 * stone that it decides. */
#define VISITS     30
#define PER_STONE  5
#define STONES_MAX 14
/* Its probability is at least this. */
#define CHANCE 0.3f

/* With more moves than this since the last search the game counts as a new one. */
#define GONE_ON_MAX 64

struct uct_go {
    struct yo_eval eval;
    struct yo_uct *uct;
    struct yo_uct_go_options options;
    struct yo_game_mark mark; /* the game that the tree belongs to */
    int kept_komi2;           /* the komi of the results in the tree */
    struct yo_go_scope scope;
    bool scope_was_on; /* the kept tree is restricted to a part of the board */

    /* The search that runs, or ran last. */
    struct yo_go_position position;
    struct yo_go_pass pass;
    yo_search_report_fn report;
    void *report_user;
    struct yo_search_clock clock;  /* used if the limits have no clock */
    struct yo_search_limits asked; /* the limits of the call, with a clock if time is limited */
    struct yo_search_limits left;  /* what is left of the limits */
    struct yo_uct_advice advice[YO_GO_POINTS_MAX];
    yo_move roots[YO_GO_POINTS_MAX];
    yo_move only[YO_GO_POINTS_MAX + 1];
    size_t only_count;
};

/* ---- keeping the tree ---- */

static void keep(struct uct_go *g, const struct yo_go_game *game) {
    bool was_over = yo_go_game_passes(game) >= 2; /* play resumes: a new root */
    bool same_scope = !g->scope.on && !g->scope_was_on;
    g->scope_was_on = g->scope.on;
    bool same_komi = g->kept_komi2 == g->position.rules.komi2;
    g->kept_komi2 = g->position.rules.komi2;
    yo_move moves[GONE_ON_MAX];
    size_t count = 0;
    if (g->options.tree.reuse && !was_over && same_scope && same_komi &&
        yo_go_ops.since(game, &g->mark, moves, GONE_ON_MAX, &count))
        for (size_t i = 0; i < count; i++)
            yo_uct_advance(g->uct, moves[i]);
    else
        yo_uct_clear(g->uct);
    g->mark = yo_go_ops.mark(game);
    yo_uct_set_key(g->uct, g->mark.key);
}

/* ---- the search, in steps ---- */

/* The moves that the limits name, useful or not, a pass too. */
static enum yo_err gather_named(struct uct_go *g, const struct yo_go_game *game,
                                const struct yo_search_limits *limits) {
    enum yo_go_color color = yo_go_game_to_move(game);
    for (size_t i = 0; i < limits->only_count; i++) {
        yo_move move = limits->only[i];
        if (yo_search_allows(limits, move) && yo_go_game_legal(game, color, (yo_go_point)move))
            g->only[g->only_count++] = move;
    }
    return YO_OK;
}

/* The root moves that the limits allow. If a judgement is given and settled, only those that take
 * dead stones off, if there are any. */
static enum yo_err gather(struct uct_go *g, const struct yo_go_game *game,
                          const struct yo_judgement *judgement,
                          const struct yo_search_limits *limits) {
    size_t count = 0;
    g->only_count = 0;
    if (limits->only) return gather_named(g, game, limits);
    enum yo_err err =
        yo_root_moves(game, judgement, yo_go_pass_must_capture(game, limits), g->roots, &count);
    for (size_t i = 0; !err && i < count; i++)
        if (yo_search_allows(limits, g->roots[i])) g->only[g->only_count++] = g->roots[i];
    return err;
}

/* Takes a while for a tree of many gigabytes. */
static void set_root(struct uct_go *g, const struct yo_go_game *game) {
    yo_go_position_from_game(game, &g->position);
    yo_go_position_use_area(&g->position, g->pass.judgement.closed);
    keep(g, game);
}

static enum yo_err search_tree(struct uct_go *g, const struct yo_go_game *game,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               yo_search_report_fn report, void *user,
                               struct yo_search_result *result, struct yo_diag *diag) {
    bool counted = limits->playouts && !limits->time_ms && !limits->clock;
    g->scope.zone.policy = yo_uct_policy(&g->options, yo_go_game_size(game), counted);
    return yo_uct_run(g->uct, &g->position, g->only, g->only_count, limits, stop, report, user,
                      result, diag);
}

/* Reports show the same best move that the search would return now, a pass included. */
static void report_pass_too(void *user, const struct yo_search_result *so_far) {
    struct uct_go *g = user;
    struct yo_search_result result = *so_far;
    if (result.move_count > 0 && !g->asked.only && yo_go_pass_is_best(&g->pass, &result))
        yo_go_pass_put_first(&g->pass, &result);
    g->report(g->report_user, &result);
}

/* The judgement does not consider moves. So this searches the position after a pass: the opponent's
 * best move there gives the winrate of the pass. */
static enum yo_err look_at_pass(struct uct_go *g, const struct yo_go_game *game,
                                const struct yo_search_limits *limits, const atomic_bool *stop,
                                uint64_t *playouts, struct yo_diag *diag) {
    static const yo_move pass = YO_GO_PASS;
    struct yo_search_result result;
    struct yo_go_game *passed;
    g->left = (struct yo_search_limits){.clean_up = true, .avoid = &pass, .avoid_count = 1};
    int64_t time_ms = yo_search_time_ms(limits);
    if (time_ms) g->left.time_ms = time_ms / PASS_SHARE + 1;
    if (limits->playouts) g->left.playouts = limits->playouts / PASS_SHARE + 1;
    if (!time_ms && !limits->playouts) g->left.playouts = PASS_PLAYOUTS;
    enum yo_err err = yo_go_game_copy(game, &passed);
    if (err) return yo_diag_set(diag, err, "no memory to look at a pass");
    err = yo_go_game_play(passed, yo_go_game_to_move(game), YO_GO_PASS, diag);
    if (!err) err = gather(g, passed, NULL, &g->left);
    g->scope.on = g->scope.zone.on = false;
    g->pass.chance = 1;
    if (!err && g->only_count > 0) {
        set_root(g, passed);
        err = search_tree(g, passed, &g->left, stop, NULL, NULL, &result, diag);
        if (!err && result.move_count > 0) {
            g->pass.chance = 1 - result.moves[0].winrate_to_move;
            g->pass.visits = *playouts = result.playouts;
        }
    }
    yo_go_game_delete(passed);
    return err;
}

/* Nothing but a pass is left. The judgement's playouts begin with either side to move, so their
 * winrate is not that of a pass, and may contradict the score of a board that is closed. */
static enum yo_err value_forced_pass(struct uct_go *g, const struct yo_go_game *game,
                                     const struct yo_search_limits *limits, const atomic_bool *stop,
                                     struct yo_diag *diag) {
    uint64_t playouts = 0;
    double lead = yo_judge_lead(&g->pass.judgement, game);
    enum yo_err err = look_at_pass(g, game, limits, stop, &playouts, diag);
    if (!err && playouts == 0) g->pass.chance = lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
    return err;
}

/* Group mode: turns the scope off unless at least two root moves are in the group. */
static enum yo_err find_scope(struct uct_go *g, const struct yo_go_game *game,
                              const struct yo_search_limits *limits, const atomic_bool *stop,
                              int64_t start_ms, struct yo_diag *diag) {
    int64_t time_ms = yo_search_time_ms(limits);
    int64_t deadline_ms = time_ms ? start_ms + time_ms / SCOPE_SHARE : 0;
    enum yo_err err =
        yo_go_scope_find(&g->scope, game, g->eval, g->options.tree.seed, deadline_ms, stop, diag);
    if (err || !g->scope.on) return err;
    size_t kept = 0;
    for (size_t i = 0; i < g->only_count; i++)
        kept += g->only[i] != YO_GO_PASS && g->scope.in_group[g->only[i]];
    g->scope.on = kept > 1;
    g->scope.zone.on &= g->scope.on;
    return YO_OK;
}

/* Reads fights, for the priors of the root. Not near the end of a game counted by territory, where
 * a move that need not be made costs a point, and the judgement has read what there is. */
static enum yo_err read_fights(struct uct_go *g, const struct yo_go_game *game,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               struct yo_diag *diag) {
    int64_t time_ms = yo_search_time_ms(limits);
    struct yo_urgent_limits urgent = {.seed = g->options.tree.seed, .stop = stop};
    struct yo_urgent found[2];
    bool costs = g->pass.judged && yo_go_game_rules(game)->scoring == YO_GO_TERRITORY;
    if (!g->options.reading || costs || limits->only || (time_ms && time_ms < URGENT_MS_MIN))
        return YO_OK;
    if (time_ms) urgent.deadline_ms = yo_time_ms() + time_ms / URGENT_SHARE;
    enum yo_err err = yo_urgent_find(g->eval, game, &urgent, found, diag);
    if (err) return err;
    for (size_t i = 0; i < found[0].count; i++) {
        unsigned stones = found[0].stones[i] < STONES_MAX ? found[0].stones[i] : STONES_MAX;
        g->advice[i] = (struct yo_uct_advice){.move = found[0].moves[i],
                                              .visits = (float)(VISITS + PER_STONE * stones),
                                              .chance = CHANCE};
    }
    yo_uct_advise(g->uct, g->advice, found[0].count);
    return YO_OK;
}

/* Subtracts playouts that were spent before the tree search from the limits. */
static void take_off(struct uct_go *g, const struct yo_search_limits *limits, uint64_t playouts) {
    g->left = *limits;
    if (limits->playouts)
        g->left.playouts = limits->playouts > playouts ? limits->playouts - playouts : 1;
}

/* Starts the clock at the call, so that the steps before the tree search count too. */
static const struct yo_search_limits *start_clock(struct uct_go *g,
                                                  const struct yo_search_limits *limits) {
    g->asked = *limits;
    if (!limits->clock && limits->time_ms)
        g->asked.clock = yo_search_clock_begin(limits, &g->clock);
    g->asked.time_ms = g->asked.extra_ms = 0;
    return &g->asked;
}

static enum yo_err run(void *ctx, const void *position, const struct yo_search_limits *asked,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct uct_go *g = ctx;
    const struct yo_go_game *game = position;
    const struct yo_search_limits *limits = start_clock(g, asked);
    struct yo_go_pass *pass = &g->pass;
    *result = (struct yo_search_result){.moves = pass->moves, .ownership = pass->ownership};
    g->report = report;
    g->report_user = user;

    /* 1. Is the game over, and does it stay won after a pass? */
    yo_go_pass_begin(pass, game, limits);
    enum yo_err err = YO_OK;
    if (yo_go_pass_asks(pass))
        err = yo_go_pass_judge(pass, g->eval, g->options.tree.seed, stop, diag);
    if (err) return err;
    bool must_capture = yo_go_pass_must_capture(game, limits);
    bool looks = pass->over || (pass->judgement.settled && must_capture);
    uint64_t spent = 0;
    if (looks && !pass->certain) err = look_at_pass(g, game, limits, stop, &spent, diag);
    if (err) return err;
    bool safe = looks && yo_go_pass_is_safe(pass);
    bool is_move_enough = !limits->whole && (yo_search_time_ms(limits) || limits->playouts);
    bool passes = pass->over && safe && is_move_enough && !limits->only;
    /* In a lost game clean-up costs nothing: take dead stones off. */
    bool lost = looks && limits->clean_up && yo_go_pass_is_lost(pass);
    /* 2. The moves; pass if every move fills an own eye. A pass is a candidate only near the end of
     * the game, where a seki may require it. */
    bool forced = false;
    if (!passes) {
        err = gather(g, game, safe || lost ? &pass->judgement : NULL, limits);
        if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
        /* Moves that are left out do not make it the end of the game, which a judgement values. */
        bool nothing = g->only_count == 0, some_left_out = limits->only || limits->avoid_count > 0;
        forced = passes = nothing && !some_left_out;
        bool may_pass = !limits->only && yo_search_allows(limits, YO_GO_PASS);
        bool adds_pass = pass->judged && !limits->clean_up && may_pass;
        if (!passes && (nothing || adds_pass)) g->only[g->only_count++] = YO_GO_PASS;
    }
    if (!passes) {
        /* 3. The tree. */
        err = find_scope(g, game, limits, stop, pass->start_ms, diag);
        if (err) return err;
        err = read_fights(g, game, limits, stop, diag);
        if (err) return err;
        set_root(g, game);
        take_off(g, limits, spent);
        err =
            search_tree(g, game, &g->left, stop, report ? report_pass_too : NULL, g, result, diag);
        if (err) return err;
        passes = !limits->only && yo_go_pass_is_best(pass, result);
    }
    /* 4. If the search passes: the value of the pass. */
    if (passes) err = yo_go_pass_judge(pass, g->eval, g->options.tree.seed, stop, diag);
    if (!err && forced && !looks) err = value_forced_pass(g, game, limits, stop, diag);
    if (!err && passes) yo_go_pass_put_first(pass, result);
    result->elapsed_ms = yo_time_ms() - pass->start_ms;
    return err;
}

static void clear(void *ctx) {
    struct uct_go *g = ctx;
    g->mark = (struct yo_game_mark){0};
    yo_uct_clear(g->uct);
}

static void destroy(void *ctx) {
    struct uct_go *g = ctx;
    yo_uct_delete(g->uct);
    yo_free(g);
}

/* ---- exchange with other processes ---- */

static uint64_t entry_kind(void *ctx) {
    (void)ctx;
    return yo_share_kind("uct", "playouts");
}

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    return yo_share_take(yo_uct_share_of(((struct uct_go *)ctx)->uct), entries, most);
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    yo_share_give(yo_uct_share_of(((struct uct_go *)ctx)->uct), entries, count);
}

static const struct yo_search_ops uct_go_ops = {.name = "uct",
                                                .limits = YO_LIMIT_TIME | YO_LIMIT_PLAYOUTS |
                                                          YO_LIMIT_MOVES | YO_LIMIT_CLEAN_UP |
                                                          YO_LIMIT_DETAILS | YO_LIMIT_LINES,
                                                .run = run,
                                                .clear = clear,
                                                .destroy = destroy,
                                                .entry_kind = entry_kind,
                                                .take_entries = take_entries,
                                                .give_entries = give_entries};

enum yo_err yo_uct_go_new(struct yo_eval eval, const struct yo_uct_go_options *options,
                          struct yo_search *search, struct yo_diag *diag) {
    struct uct_go *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    g->eval = eval;
    g->options = *options;
    g->scope.options =
        (struct yo_go_scope_options){(int)options->group, options->zone, options->even};
    g->scope.zone.patterns = options->patterns;
    const struct yo_uct_options *tree = &options->tree;
    enum yo_err err = yo_uct_go_options_check(options, diag);
    if (!err)
        err = yo_uct_new(&yo_go_ops, yo_playout_zone_rollouts(&g->scope.zone),
                         yo_go_scope_priors(&g->scope, yo_go_priors(tree, options->patterns)), tree,
                         &g->uct, diag);
    if (!err && (tree->leaves > 1 || tree->leaf_playouts > 1))
        err =
            yo_uct_use_eval(g->uct, eval, (int)yo_uct_policy(options, YO_GO_SIZE_MAX, false), diag);
    if (err) {
        destroy(g);
        return err;
    }
    *search = (struct yo_search){.ops = &uct_go_ops, .ctx = g};
    return YO_OK;
}
