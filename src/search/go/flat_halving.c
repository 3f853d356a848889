/* Distributes playouts over the moves: sequential halving, in batches short enough to stop in
 * time. */
#include <stdlib.h>

#include "base/diag.h"
#include "base/time.h"
#include "search/go/flat_internal.h"

/* Games for each move in the first round of a search that has no playout limit. */
#define FIRST_GAMES 8
/* Target duration of a batch: short, so that the search can stop in time. */
#define BATCH_MS  30
#define BATCH_MIN 1024
#define BATCH_MAX (1 << 22)
#define TOTAL_MAX ((uint64_t)1 << 30) /* the counters of a move have 31 bits */
#define REPORT_MS 100

/* One batch: `games` more for each of some arms. */
static enum yo_err play_batch(struct flat *f, struct flat_arm *const *arms, size_t count,
                              uint64_t games, struct yo_diag *diag) {
    for (size_t i = 0; i < count; i++) {
        f->results[i] = (struct yo_eval_result){.playouts = arms[i]->sum};
        f->items[i] = (struct yo_eval_item){.position = &f->position,
                                            .children = &arms[i]->move,
                                            .child_count = 1,
                                            .want = YO_EVAL_PLAYOUTS,
                                            .results = &f->results[i],
                                            .playout_policy = (int)f->options.policy,
                                            .playouts = games,
                                            .seed = f->options.seed,
                                            .first_game = arms[i]->sum.games};
    }
    enum yo_err err = yo_eval_run(f->eval, f->items, count, diag);
    if (err) return err;
    for (size_t i = 0; i < count; i++) {
        arms[i]->sum = f->results[i].playouts;
        yo_flat_update(f, arms[i]);
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
    int64_t end = yo_search_clock_end(f->clock);
    if (end && yo_time_ms() >= end) return true;
    return f->stop && atomic_load(f->stop);
}

static void maybe_report(struct flat *f, yo_search_report_fn report, void *user) {
    if (!report || yo_time_ms() - f->reported_ms < REPORT_MS) return;
    struct yo_search_result so_far;
    yo_flat_fill_result(f, &so_far);
    report(user, &so_far);
    f->reported_ms = yo_time_ms();
}

/* Plays one batch for as many of the first arms as fit into it, or a part of the games of the first
 * one. *done: how many arms are complete. */
static enum yo_err play_some(struct flat *f, struct flat_arm *const *arms, size_t count,
                             uint64_t games, size_t *done, struct yo_diag *diag) {
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

/* Plays `games` more for each of the first `count` arms, one after the other, so that the batch
 * size does not change a result. Stops early when a limit is reached, but never before the first
 * batch. */
static enum yo_err play_round(struct flat *f, size_t count, uint64_t games,
                              yo_search_report_fn report, void *user, struct yo_diag *diag) {
    uint64_t rest = games; /* games left for the next arm */
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

/* Sequential halving: each round costs the same and goes to the better half of the round before it.
 * While there is time, it starts again with twice the playouts. */
enum yo_err yo_flat_think(struct flat *f, yo_search_report_fn report, void *user,
                          struct yo_diag *diag) {
    size_t rounds = rounds_for(f->arm_count);
    f->batch_games = BATCH_MIN;
    uint64_t per_round = FIRST_GAMES * f->arm_count;
    if (f->limits->playouts && !yo_search_clock_end(f->clock))
        per_round = f->limits->playouts / rounds;
    for (; f->total == 0 || !is_over(f); per_round *= 2) {
        size_t left = f->arm_count;
        for (size_t round = 0; round < rounds; round++) {
            uint64_t games = per_round / left;
            enum yo_err err = play_round(f, left, games ? games : 1, report, user, diag);
            if (err) return err;
            if (is_over(f)) return YO_OK;
            qsort(f->order, left, sizeof f->order[0], yo_flat_by_value);
            left = (left + 1) / 2;
        }
    }
    return YO_OK;
}
