#include "search/flat.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "search/judge.h"
#include "search/root.h"

/* How much the margin weighs against winning; it decides among moves that all win or all lose. */
#define MARGIN_WEIGHT 0.1
#define JUDGE_GAMES   1000
/* Whether the game is over may take this part of the time; the rest is for the moves. */
#define JUDGE_SHARE 3
/* A pass that the judgement is for is played if no move's chance is better by so much. */
#define PASS_LOSS 0.1
/* Games for each move in the first round of a search that has no playout limit. */
#define FIRST_GAMES 8
/* Batches are made so large that one takes about this long: no longer, to stop in time. */
#define BATCH_MS  30
#define BATCH_MIN 1024
#define BATCH_MAX (1 << 22)
#define TOTAL_MAX ((uint64_t)1 << 30) /* the counters of a move have 31 bits */
#define REPORT_MS 100

#define HISTOGRAM_MAX (2 * YO_GO_POINTS_MAX + 1)

struct arm {
    struct yo_root_move root;
    struct yo_playout_result sum;
    double winrate, score, value; /* for the side to move, from `sum` */
};

struct flat {
    struct yo_eval eval;
    struct yo_flat_options options;

    /* The search that runs, or ran last. */
    const struct yo_go_game *game;
    const struct yo_search_limits *limits;
    const atomic_bool *stop;
    enum yo_go_color me;
    int size, points, komi2;
    struct yo_judgement judgement;
    bool judged;
    uint64_t total, batch_games;
    int64_t start_ms, reported_ms;
    size_t arm_count;
    struct arm *order[YO_GO_POINTS_MAX]; /* best first, as far as is known */
    struct arm arms[YO_GO_POINTS_MAX];
    struct yo_root_move roots[YO_GO_POINTS_MAX];
    struct yo_eval_item items[YO_GO_POINTS_MAX];
    struct yo_eval_result results[YO_GO_POINTS_MAX];
    uint32_t histograms[YO_GO_POINTS_MAX][HISTOGRAM_MAX];
    int32_t ownerships[YO_GO_POINTS_MAX][YO_GO_POINTS_MAX];

    /* What a result points to. */
    struct yo_search_move moves[YO_GO_POINTS_MAX + 1];
    float ownership[YO_GO_POINTS_MAX];
};

/* ---- Statistics ---- */

static void update(const struct flat *f, struct arm *arm) {
    uint64_t black, white, draws, games = arm->sum.games;
    if (games == 0) return;
    yo_playout_count_wins(arm->sum.histogram, f->size, f->komi2, &black, &white, &draws);
    uint64_t wins = f->me == YO_GO_BLACK ? black : white;
    double lead = (double)arm->sum.score_sum / (double)games - f->komi2 / 2.0;
    arm->winrate = ((double)wins + 0.5 * (double)draws) / (double)games;
    arm->score = f->me == YO_GO_BLACK ? lead : -lead;
    double margin = 0.5 + 0.5 * arm->score / f->points;
    arm->value = (1 - MARGIN_WEIGHT) * arm->winrate + MARGIN_WEIGHT * margin;
}

static int by_value(const void *a, const void *b) {
    const struct arm *x = *(struct arm *const *)a, *y = *(struct arm *const *)b;
    if (x->value != y->value) return x->value < y->value ? 1 : -1;
    return x->root.move < y->root.move ? -1 : 1;
}

static int by_games(const void *a, const void *b) {
    const struct arm *x = *(struct arm *const *)a, *y = *(struct arm *const *)b;
    if (x->sum.games != y->sum.games) return x->sum.games < y->sum.games ? 1 : -1;
    return by_value(a, b);
}

/* ---- The result ---- */

static void sum_ownership(struct flat *f) {
    for (int p = 0; p < f->points; p++) {
        int64_t sum = 0;
        for (size_t i = 0; i < f->arm_count; i++)
            sum += f->arms[i].sum.ownership[p];
        f->ownership[p] = f->total ? (float)sum / (float)f->total : 0;
    }
}

static struct yo_search_move move_of(yo_move move, uint64_t visits, double winrate, double score) {
    return (struct yo_search_move){.move = move,
                                   .visits = visits,
                                   .winrate_to_move = winrate,
                                   .score_to_move = score,
                                   .lcb_to_move = yo_search_lower_bound(winrate, visits)};
}

/* Nothing is known of what follows: the moves alone, out of the array that holds them. */
static void link_pv(struct flat *f, size_t count) {
    for (size_t i = 0; i < count; i++) {
        f->moves[i].pv = &f->moves[i].move;
        f->moves[i].pv_visits = &f->moves[i].visits;
        f->moves[i].pv_count = 1;
    }
}

static void fill_result(struct flat *f, struct yo_search_result *result) {
    struct arm *sorted[YO_GO_POINTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < f->arm_count; i++)
        if (f->arms[i].sum.games) sorted[count++] = &f->arms[i];
    qsort(sorted, count, sizeof sorted[0], by_games);
    for (size_t i = 0; i < count; i++)
        f->moves[i] = move_of(sorted[i]->root.move, sorted[i]->sum.games, sorted[i]->winrate,
                              sorted[i]->score);
    link_pv(f, count);
    sum_ownership(f);
    *result = (struct yo_search_result){.moves = f->moves,
                                        .move_count = count,
                                        .playouts = f->total,
                                        .elapsed_ms = yo_time_ms() - f->start_ms,
                                        .ownership = f->ownership};
}

static double judged_winrate(const struct flat *f) {
    double black = f->judgement.winrate_black;
    return f->me == YO_GO_BLACK ? black : 1 - black;
}

/* Puts a pass before the other moves, with what the judgement thinks of it. */
static void put_pass_first(struct flat *f, struct yo_search_result *result) {
    memmove(f->moves + 1, f->moves, result->move_count * sizeof f->moves[0]);
    double lead = f->judgement.score.lead2 / 2.0;
    f->moves[0] =
        move_of(YO_GO_PASS, JUDGE_GAMES, judged_winrate(f), f->me == YO_GO_BLACK ? lead : -lead);
    link_pv(f, ++result->move_count);
    if (f->total == 0) memcpy(f->ownership, f->judgement.ownership, sizeof f->ownership);
}

/* ---- Playouts ---- */

/* One batch: `games` more for each of some arms. */
static enum yo_err play_batch(struct flat *f, struct arm *const *arms, size_t count, uint64_t games,
                              struct yo_diag *diag) {
    for (size_t i = 0; i < count; i++) {
        f->results[i] = (struct yo_eval_result){.playouts = arms[i]->sum};
        f->items[i] = (struct yo_eval_item){.position = &arms[i]->root.after,
                                            .want = YO_EVAL_PLAYOUTS,
                                            .results = &f->results[i],
                                            .policy = f->options.policy,
                                            .playouts = games,
                                            .seed = f->options.seed,
                                            .first_game = arms[i]->sum.games};
    }
    struct yo_eval_batch batch = {.items = f->items, .item_count = count};
    enum yo_err err = f->eval.ops->submit(f->eval.ctx, &batch, diag);
    if (err) return err;
    err = f->eval.ops->wait(f->eval.ctx, &batch);
    if (err) return yo_diag_set(diag, err, "playouts failed: %s", yo_err_text(err));
    for (size_t i = 0; i < count; i++) {
        arms[i]->sum = f->results[i].playouts;
        update(f, arms[i]);
    }
    f->total += games * count;
    return YO_OK;
}

static void adapt_batch(struct flat *f, uint64_t games, int64_t took_ms) {
    uint64_t fitting = games * BATCH_MS / (uint64_t)(took_ms > 0 ? took_ms : 1);
    f->batch_games = fitting < BATCH_MIN ? BATCH_MIN : fitting > BATCH_MAX ? BATCH_MAX : fitting;
}

static bool is_over(const struct flat *f) {
    if (f->total >= TOTAL_MAX) return true;
    if (f->limits->playouts && f->total >= f->limits->playouts) return true;
    if (f->limits->time_ms && yo_time_ms() - f->start_ms >= f->limits->time_ms) return true;
    return f->stop && atomic_load(f->stop);
}

static void maybe_report(struct flat *f, yo_search_report_fn report, void *user) {
    if (!report || yo_time_ms() - f->reported_ms < REPORT_MS) return;
    struct yo_search_result so_far;
    fill_result(f, &so_far);
    report(user, &so_far);
    f->reported_ms = yo_time_ms();
}

/* One batch for as many of the first arms as fit into it, or for a part of what the first one is
 * to get. Says how many arms are done. */
static enum yo_err play_some(struct flat *f, struct arm *const *arms, size_t count, uint64_t games,
                             size_t *done, struct yo_diag *diag) {
    int64_t before = yo_time_ms();
    uint64_t fitting = f->batch_games / games, each = games;
    if (fitting > count) fitting = count;
    if (fitting == 0) {
        fitting = 1;
        each = f->batch_games;
    }
    enum yo_err err = play_batch(f, arms, (size_t)fitting, each, diag);
    adapt_batch(f, fitting * each, yo_time_ms() - before);
    *done = each == games ? (size_t)fitting : 0;
    return err;
}

/* `games` more for each of the first `count` arms, one after the other, so that how the batches
 * are cut changes no result. Stops early when a limit is reached, but never before the first
 * batch. */
static enum yo_err play_round(struct flat *f, size_t count, uint64_t games,
                              yo_search_report_fn report, void *user, struct yo_diag *diag) {
    uint64_t rest = games; /* of the arm that is next */
    for (size_t i = 0; i < count && (f->total == 0 || !is_over(f));) {
        uint64_t left = f->limits->playouts ? f->limits->playouts - f->total : UINT64_MAX;
        uint64_t each = rest < left ? rest : left, before = f->total;
        size_t arms = rest < games ? 1 : count - i, done;
        if (arms > left / each) arms = (size_t)(left / each);
        enum yo_err err = play_some(f, f->order + i, arms, each, &done, diag);
        if (err) return err;
        maybe_report(f, report, user);
        rest = done ? games : rest - (f->total - before);
        i += done;
    }
    return YO_OK;
}

static size_t rounds_for(size_t arms) {
    size_t rounds = 1;
    for (; arms > 2; arms = (arms + 1) / 2)
        rounds++;
    return rounds;
}

/* Sequential halving: each round costs the same and goes to the better half of the round before
 * it. While there is time, the whole begins again with twice the playouts. */
static enum yo_err think(struct flat *f, yo_search_report_fn report, void *user,
                         struct yo_diag *diag) {
    size_t rounds = rounds_for(f->arm_count);
    uint64_t per_round = FIRST_GAMES * f->arm_count;
    if (f->limits->playouts && !f->limits->time_ms) per_round = f->limits->playouts / rounds;
    for (; f->total == 0 || !is_over(f); per_round *= 2) {
        size_t left = f->arm_count;
        for (size_t round = 0; round < rounds; round++) {
            uint64_t games = per_round / left;
            enum yo_err err = play_round(f, left, games ? games : 1, report, user, diag);
            if (err) return err;
            if (is_over(f)) return YO_OK;
            qsort(f->order, left, sizeof f->order[0], by_value);
            left = (left + 1) / 2;
        }
    }
    return YO_OK;
}

/* ---- The search, in steps ---- */

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
    f->batch_games = BATCH_MIN;
    f->arm_count = 0;
    f->start_ms = f->reported_ms = yo_time_ms();
    memset(&f->judgement, 0, sizeof f->judgement);
}

static enum yo_err gather(struct flat *f) {
    bool must_capture = f->limits->clean_up || !yo_go_game_rules(f->game)->friendly_pass_ok;
    enum yo_err err = yo_root_moves(f->game, f->judged ? &f->judgement : NULL, must_capture,
                                    f->roots, &f->arm_count);
    if (err) return err;
    size_t kept = 0;
    for (size_t i = 0; i < f->arm_count; i++)
        if (!yo_search_avoids(f->limits, f->roots[i].move)) f->roots[kept++] = f->roots[i];
    f->arm_count = kept;
    for (size_t i = 0; i < f->arm_count; i++) {
        memset(f->histograms[i], 0, sizeof f->histograms[i]);
        memset(f->ownerships[i], 0, sizeof f->ownerships[i]);
        f->arms[i] =
            (struct arm){.root = f->roots[i],
                         .sum = {.histogram = f->histograms[i], .ownership = f->ownerships[i]}};
        f->order[i] = &f->arms[i];
    }
    return YO_OK;
}

static enum yo_err judge(struct flat *f, struct yo_diag *diag) {
    if (f->judged) return YO_OK;
    struct yo_judge_limits limits = {
        .seed = f->options.seed, .games = JUDGE_GAMES, .stop = f->stop};
    if (f->limits->time_ms) limits.deadline_ms = f->start_ms + f->limits->time_ms / JUDGE_SHARE;
    enum yo_err err = yo_judge_go(f->eval, f->game, &limits, &f->judgement, diag);
    f->judged = !err;
    f->komi2 = yo_judge_area_komi2(f->game, f->judgement.closed);
    return err;
}

static enum yo_err run(void *ctx, const void *position, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct flat *f = ctx;
    begin(f, position, limits, stop);
    fill_result(f, result);

    /* 1. Is the game over? */
    enum yo_err err = yo_judge_may_be_over(f->game) ? judge(f, diag) : YO_OK;
    if (err) return err;
    bool may_pass = !yo_search_avoids(limits, YO_GO_PASS);
    bool over =
        may_pass && f->judged && yo_judge_should_pass(&f->judgement, f->game, limits->clean_up);
    /* 2. The moves; none but filling eyes: pass. */
    err = gather(f);
    if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
    if (f->arm_count == 0) {
        err = judge(f, diag);
        if (!err) put_pass_first(f, result);
        return err;
    }
    /* 3. Playouts, and what they found. */
    err = think(f, report, user, diag);
    if (err) return err;
    fill_result(f, result);
    double best = result->moves[0].winrate_to_move;
    bool gives_in = may_pass && f->judged && best <= YO_JUDGE_HOPELESS &&
                    yo_judge_should_give_in(&f->judgement, f->game, limits->clean_up);
    if (gives_in || (over && best - judged_winrate(f) < PASS_LOSS)) put_pass_first(f, result);
    return YO_OK;
}

static void clear(void *ctx) { (void)ctx; /* nothing is kept between moves */ }

static const struct yo_search_ops flat_ops = {
    .name = "flat", .run = run, .clear = clear, .destroy = yo_free};

enum yo_err yo_flat_new(struct yo_eval eval, const struct yo_flat_options *options,
                        struct yo_search *search) {
    struct flat *f = yo_alloc(1, sizeof *f);
    if (!f) return YO_ERR_NOMEM;
    f->eval = eval;
    f->options = *options;
    *search = (struct yo_search){.ops = &flat_ops, .ctx = f};
    return YO_OK;
}
