#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "search/go/flat_internal.h"

/* Judging whether the game is over may take 1/JUDGE_SHARE of the time; the rest is for the
 * moves. */
#define JUDGE_SHARE 3
/* If the judgement is for a pass, it is played unless the winrate of a move is better by this
 * much. */
#define PASS_LOSS 0.1

static void begin(struct flat *f, const struct yo_go_game *game,
                  const struct yo_search_limits *limits, const atomic_bool *stop) {
    f->game = game;
    f->limits = limits;
    f->stop = stop;
    f->me = yo_go_game_to_move(game);
    f->size = yo_go_game_size(game);
    f->points = f->size * f->size;
    f->komi2 = yo_judge_area_komi2(game, false);
    f->judged = false;
    f->total = 0;
    f->arm_count = 0;
    f->start_ms = f->reported_ms = yo_time_ms();
    f->clock = yo_search_clock_begin(limits, &f->own_clock);
    memset(&f->judgement, 0, sizeof f->judgement);
    yo_go_position_from_game(game, &f->position);
}

/* The moves that the limits name, useful or not, a pass too. */
static enum yo_err gather_named(struct flat *f) {
    for (size_t i = 0; i < f->limits->only_count; i++) {
        yo_move move = f->limits->only[i];
        if (yo_search_allows(f->limits, move) &&
            yo_go_game_legal(f->game, f->me, (yo_go_point)move))
            f->roots[f->arm_count++] = move;
    }
    return YO_OK;
}

static enum yo_err gather_useful(struct flat *f) {
    bool must_capture = f->limits->clean_up || !yo_go_game_rules(f->game)->friendly_pass_ok;
    enum yo_err err = yo_root_moves(f->game, f->judged ? &f->judgement : NULL, must_capture,
                                    f->roots, &f->arm_count);
    size_t kept = 0;
    for (size_t i = 0; !err && i < f->arm_count; i++)
        if (yo_search_allows(f->limits, f->roots[i])) f->roots[kept++] = f->roots[i];
    f->arm_count = kept;
    return err;
}

/* Where the limits leave no move, a pass is played out: it is not the end of the game, which a
 * judgement values. */
static enum yo_err gather(struct flat *f) {
    bool some_left_out = f->limits->only || f->limits->avoid_count > 0;
    enum yo_err err = f->limits->only ? gather_named(f) : gather_useful(f);
    if (err) return err;
    if (f->arm_count == 0 && some_left_out) f->roots[f->arm_count++] = YO_GO_PASS;
    for (size_t i = 0; i < f->arm_count; i++) {
        memset(f->histograms[i], 0, sizeof f->histograms[i]);
        memset(f->ownerships[i], 0, sizeof f->ownerships[i]);
        f->arms[i] = (struct flat_arm){
            .move = f->roots[i], .sum = {.histogram = f->histograms[i], .owner = f->ownerships[i]}};
        f->order[i] = &f->arms[i];
    }
    return YO_OK;
}

static enum yo_err judge(struct flat *f, struct yo_diag *diag) {
    if (f->judged) return YO_OK;
    struct yo_judge_limits limits = {.seed = f->options.seed,
                                     .games = FLAT_JUDGE_GAMES,
                                     .nodes = YO_JUDGE_NODES_IN_SEARCH,
                                     .stop = f->stop};
    int64_t time_ms = yo_search_clock_time_ms(f->clock);
    if (time_ms) limits.deadline_ms = f->start_ms + time_ms / JUDGE_SHARE;
    enum yo_err err = yo_judge_go(f->eval, f->game, &limits, &f->judgement, diag);
    f->judged = !err;
    f->komi2 = yo_judge_area_komi2(f->game, f->judgement.closed);
    return err;
}

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct flat *f = ctx;
    begin(f, game, limits, stop);
    yo_flat_fill_result(f, result);

    /* 1. Is the game over? */
    enum yo_err err = yo_judge_may_be_over(f->game) ? judge(f, diag) : YO_OK;
    if (err) return err;
    bool may_pass = yo_search_allows(limits, YO_GO_PASS);
    bool over =
        may_pass && f->judged && yo_judge_should_pass(&f->judgement, f->game, limits->clean_up);
    /* 2. The moves; pass if every move fills an own eye. */
    err = gather(f);
    if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
    if (f->arm_count == 0) {
        err = judge(f, diag);
        if (!err) yo_flat_put_pass_first(f, result);
        return err;
    }
    /* 3. The playouts and their result. */
    err = yo_flat_think(f, report, user, diag);
    if (err) return err;
    yo_flat_fill_result(f, result);
    double best = result->moves[0].winrate_to_move;
    bool searched = limits->only || result->moves[0].move == YO_GO_PASS;
    bool gives_in = may_pass && f->judged && best <= YO_JUDGE_HOPELESS &&
                    yo_judge_should_give_in(&f->judgement, f->game, limits->clean_up);
    if (!searched && (gives_in || (over && best - yo_flat_judged_winrate(f) < PASS_LOSS)))
        yo_flat_put_pass_first(f, result);
    return YO_OK;
}

static void clear(void *ctx) { (void)ctx; /* nothing is kept between moves */ }

static const struct yo_search_ops flat_ops = {.name = "flat",
                                              .limits = YO_LIMIT_TIME | YO_LIMIT_PLAYOUTS |
                                                        YO_LIMIT_MOVES | YO_LIMIT_CLEAN_UP |
                                                        YO_LIMIT_DETAILS | YO_LIMIT_LINES,
                                              .run = run,
                                              .clear = clear,
                                              .destroy = yo_free};

enum yo_err yo_flat_new(struct yo_eval eval, const struct yo_flat_options *options,
                        struct yo_search *search) {
    struct flat *f = yo_alloc(1, sizeof *f);
    if (!f) return YO_ERR_NOMEM;
    f->eval = eval;
    f->options = *options;
    *search = (struct yo_search){.ops = &flat_ops, .ctx = f};
    return YO_OK;
}
