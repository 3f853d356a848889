#include "search/flat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "game/go/board.h"
#include "search/judge.h"

#define EXPLORATION 0.6
/* How much the margin weighs against winning; it decides among moves that all win or all lose. */
#define MARGIN_WEIGHT 0.1
#define BATCH_MIN     32
#define BATCH_MAX     4096
#define JUDGE_GAMES   1000
#define REPORT_MS     100
/* Below this no playout finds a way to win. */
#define HOPELESS 0.02

struct arm {
    yo_go_point move;
    struct yo_playout_position position; /* after the move */
    uint64_t visits;
    double wins;
    int64_t score_sum;
};

struct flat {
    struct yo_playouts *playouts;
    struct yo_flat_options options;

    /* The search that runs, or ran last. */
    const struct yo_go_game *game;
    enum yo_go_color me;
    int size, points, komi2;
    struct yo_judgement judgement;
    bool judged;
    uint64_t total;
    int64_t start_ms, reported_ms;
    size_t arm_count;
    struct arm arms[YO_GO_POINTS_MAX + 1];
    int32_t ownership_sum[YO_GO_POINTS_MAX];
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];

    /* What a result points to. */
    struct yo_search_move moves[YO_GO_POINTS_MAX + 1];
    float ownership[YO_GO_POINTS_MAX];
};

/* ---- Which moves to look at ---- */

static unsigned pattern_at(const struct yo_go_game *game, const struct yo_go_geometry *g, int p) {
    unsigned pattern = 0;
    for (int d = 0; d < 8; d++) {
        unsigned q = g->nbr[p][d];
        unsigned color =
            q == YO_GO_OFF_POINT ? YO_GO_OFF : (unsigned)yo_go_game_at(game, (yo_go_point)q);
        pattern |= color << (2 * d);
    }
    return pattern;
}

/* Does p touch a stone that was judged dead and is not ours? */
static bool touches_prey(const struct flat *f, const struct yo_go_geometry *g, int p) {
    for (int d = 0; d < 4; d++) {
        unsigned q = g->nbr[p][d];
        if (q != YO_GO_OFF_POINT && f->judgement.dead[q] &&
            yo_go_game_at(f->game, (yo_go_point)q) != f->me)
            return true;
    }
    return false;
}

/* Marks with 1 the points worth a look: empty, no eye of ours, not where Benson has decided. */
static void mark_useful(const struct flat *f, bool must_capture, uint8_t *useful) {
    const struct yo_go_geometry *g = yo_go_geometry(f->size);
    uint8_t alive[YO_GO_POINTS_MAX] = {0};
    yo_go_game_benson(f->game, alive);
    for (int p = 0; p < f->points; p++) {
        if (yo_go_game_at(f->game, (yo_go_point)p) != YO_GO_EMPTY) continue;
        if (yo_go_pattern_is_eye(pattern_at(f->game, g, p), f->me)) continue;
        bool decided = alive[p] != YO_GO_EMPTY && !(must_capture && alive[p] == f->me);
        useful[p] = !decided;
    }
}

/* When nothing is left to do but take dead stones off, only the moves that do it count. */
static void keep_captures(const struct flat *f, uint8_t *useful) {
    const struct yo_go_geometry *g = yo_go_geometry(f->size);
    uint8_t kept[YO_GO_POINTS_MAX] = {0};
    bool any = false;
    for (int p = 0; p < f->points; p++) {
        kept[p] = useful[p] && touches_prey(f, g, p);
        any = any || kept[p];
    }
    if (any) memcpy(useful, kept, sizeof kept);
}

/* Every useful move that the rules allow, superko included, with the position after it. */
static enum yo_err gather(struct flat *f, const struct yo_search_limits *limits) {
    struct yo_go_game *copy;
    enum yo_err err = yo_go_game_copy(f->game, &copy);
    if (err) return err;
    bool must_capture = limits->clean_up || !yo_go_game_rules(f->game)->friendly_pass_ok;
    uint8_t useful[YO_GO_POINTS_MAX] = {0};
    mark_useful(f, must_capture, useful);
    if (must_capture && f->judged && f->judgement.settled) keep_captures(f, useful);
    for (int p = 0; p < f->points; p++) {
        if (!useful[p] || yo_go_game_play(copy, f->me, (yo_go_point)p, NULL) != YO_OK) continue;
        struct arm *arm = &f->arms[f->arm_count++];
        *arm = (struct arm){.move = (yo_go_point)p};
        yo_playout_position_from_game(copy, &arm->position);
        yo_go_game_undo(copy, NULL);
    }
    yo_go_game_delete(copy);
    return YO_OK;
}

/* ---- Statistics ---- */

static double winrate(const struct arm *arm) {
    return arm->visits ? arm->wins / (double)arm->visits : 0;
}

static double score_to_move(const struct flat *f, const struct arm *arm) {
    if (arm->visits == 0) return 0;
    double lead = (double)arm->score_sum / (double)arm->visits - f->komi2 / 2.0;
    return f->me == YO_GO_BLACK ? lead : -lead;
}

/* Winning first, the margin second, both in 0..1. */
static double value(const struct flat *f, const struct arm *arm) {
    double margin = 0.5 + 0.5 * tanh(score_to_move(f, arm) / f->size);
    return (1 - MARGIN_WEIGHT) * winrate(arm) + MARGIN_WEIGHT * margin;
}

static struct arm *select_arm(struct flat *f) {
    struct arm *best = NULL;
    double best_bound = -1, log_total = log((double)f->total + 1);
    for (size_t i = 0; i < f->arm_count; i++) {
        struct arm *arm = &f->arms[i];
        if (arm->visits == 0) return arm;
        double bound = value(f, arm) + EXPLORATION * sqrt(log_total / (double)arm->visits);
        if (bound > best_bound) {
            best_bound = bound;
            best = arm;
        }
    }
    return best;
}

/* A quarter more than a move has, so that large searches go in large batches; and at first so
 * few that every move gets its turn. */
static uint64_t batch_size(const struct flat *f, const struct arm *arm, uint64_t limit) {
    uint64_t batch = arm->visits / 4;
    if (batch < BATCH_MIN) batch = BATCH_MIN;
    if (batch > BATCH_MAX) batch = BATCH_MAX;
    if (limit == 0) return batch;
    uint64_t fair = limit / (4 * f->arm_count) + 1;
    if (arm->visits == 0 && batch > fair) batch = fair;
    return batch < limit - f->total ? batch : limit - f->total;
}

static enum yo_err pull(struct flat *f, struct arm *arm, uint64_t batch, struct yo_diag *diag) {
    memset(f->histogram, 0, sizeof f->histogram);
    struct yo_playout_result result = {.histogram = f->histogram, .ownership = f->ownership_sum};
    enum yo_err err = yo_playouts_run(f->playouts, f->options.policy, &arm->position,
                                      f->options.seed, arm->visits, batch, &result, diag);
    if (err) return err;
    uint64_t black, white, draws;
    yo_playout_count_wins(f->histogram, f->size, f->komi2, &black, &white, &draws);
    arm->wins += (double)(f->me == YO_GO_BLACK ? black : white) + 0.5 * (double)draws;
    arm->score_sum += result.score_sum;
    arm->visits += result.games;
    f->total += result.games;
    return YO_OK;
}

/* ---- The result ---- */

static int by_strength(const void *a, const void *b) {
    const struct yo_search_move *x = a, *y = b;
    if (x->visits != y->visits) return x->visits < y->visits ? 1 : -1;
    if (x->winrate_to_move != y->winrate_to_move)
        return x->winrate_to_move < y->winrate_to_move ? 1 : -1;
    if (x->score_to_move != y->score_to_move) return x->score_to_move < y->score_to_move ? 1 : -1;
    return x->move < y->move ? -1 : 1;
}

static void fill_result(struct flat *f, struct yo_search_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < f->arm_count; i++) {
        const struct arm *arm = &f->arms[i];
        if (arm->visits == 0) continue;
        f->moves[count++] = (struct yo_search_move){.move = arm->move,
                                                    .visits = arm->visits,
                                                    .winrate_to_move = winrate(arm),
                                                    .score_to_move = score_to_move(f, arm)};
    }
    qsort(f->moves, count, sizeof f->moves[0], by_strength);
    for (int p = 0; p < f->points; p++)
        f->ownership[p] = f->total ? (float)f->ownership_sum[p] / (float)f->total : 0;
    *result = (struct yo_search_result){.moves = f->moves,
                                        .move_count = count,
                                        .playouts = f->total,
                                        .elapsed_ms = yo_time_ms() - f->start_ms,
                                        .ownership = f->ownership};
}

/* Puts a pass before the other moves, with what the judgement thinks of it. */
static void put_pass_first(struct flat *f, struct yo_search_result *result) {
    memmove(f->moves + 1, f->moves, result->move_count * sizeof f->moves[0]);
    double black = f->judgement.winrate_black, lead = f->judgement.score.lead2 / 2.0;
    bool is_black = f->me == YO_GO_BLACK;
    f->moves[0] = (struct yo_search_move){.move = YO_GO_PASS,
                                          .visits = f->judged ? JUDGE_GAMES : 0,
                                          .winrate_to_move = is_black ? black : 1 - black,
                                          .score_to_move = is_black ? lead : -lead};
    result->move_count++;
    if (f->total == 0) memcpy(f->ownership, f->judgement.ownership, sizeof f->ownership);
}

/* ---- The search, in steps ---- */

static void begin(struct flat *f, const struct yo_go_game *game) {
    f->game = game;
    f->me = yo_go_game_to_move(game);
    f->size = yo_go_game_size(game);
    f->points = f->size * f->size;
    f->komi2 = yo_judge_komi2(game);
    f->judged = false;
    f->total = 0;
    f->arm_count = 0;
    f->start_ms = f->reported_ms = yo_time_ms();
    memset(&f->judgement, 0, sizeof f->judgement);
    memset(f->ownership_sum, 0, sizeof f->ownership_sum);
}

/* Judging costs playouts, so only when the game may be near its end. */
static bool may_be_over(const struct flat *f) {
    int stones = 0;
    for (int p = 0; p < f->points; p++)
        stones += yo_go_game_at(f->game, (yo_go_point)p) != YO_GO_EMPTY;
    return yo_judge_opponent_passed(f->game) || 5 * stones > 2 * f->points;
}

static bool is_over(const struct flat *f, const struct yo_search_limits *limits) {
    if (limits->playouts && f->total >= limits->playouts) return true;
    return limits->time_ms && yo_time_ms() - f->start_ms >= limits->time_ms;
}

static enum yo_err think(struct flat *f, const struct yo_search_limits *limits,
                         const atomic_bool *stop, yo_search_report_fn report, void *user,
                         struct yo_diag *diag) {
    do {
        struct arm *arm = select_arm(f);
        enum yo_err err = pull(f, arm, batch_size(f, arm, limits->playouts), diag);
        if (err) return err;
        if (report && yo_time_ms() - f->reported_ms >= REPORT_MS) {
            struct yo_search_result so_far;
            fill_result(f, &so_far);
            report(user, &so_far);
            f->reported_ms = yo_time_ms();
        }
    } while (!is_over(f, limits) && !(stop && atomic_load(stop)));
    return YO_OK;
}

/* Lost, and the opponent would have it end, or there is nothing left to play: then pass. */
static bool should_give_in(const struct flat *f, const struct yo_search_result *result,
                           bool clean_up) {
    if (!f->judged || clean_up || result->moves[0].winrate_to_move > HOPELESS) return false;
    int lead2 = f->me == YO_GO_BLACK ? f->judgement.score.lead2 : -f->judgement.score.lead2;
    return lead2 < 0 && (f->judgement.settled || yo_judge_opponent_passed(f->game));
}

static enum yo_err run(void *ctx, const void *position, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct flat *f = ctx;
    begin(f, position);
    fill_result(f, result);

    /* 1. Is the game over? */
    enum yo_err err;
    if (may_be_over(f)) {
        err = yo_judge_go(f->playouts, f->game, f->options.seed, JUDGE_GAMES, &f->judgement, diag);
        if (err) return err;
        f->judged = true;
        if (yo_judge_should_pass(&f->judgement, f->game, limits->clean_up)) {
            put_pass_first(f, result);
            return YO_OK;
        }
    }
    /* 2. The moves; none but filling eyes: pass. */
    err = gather(f, limits);
    if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
    if (f->arm_count == 0) {
        put_pass_first(f, result);
        return YO_OK;
    }
    /* 3. Playouts, and what they found. */
    err = think(f, limits, stop, report, user, diag);
    if (err) return err;
    fill_result(f, result);
    if (should_give_in(f, result, limits->clean_up)) put_pass_first(f, result);
    return YO_OK;
}

static void clear(void *ctx) { (void)ctx; /* nothing is kept between moves */ }

static const struct yo_search_ops flat_ops = {
    .name = "flat", .run = run, .clear = clear, .destroy = yo_free};

enum yo_err yo_flat_new(struct yo_playouts *playouts, const struct yo_flat_options *options,
                        struct yo_search *search) {
    struct flat *f = yo_alloc(1, sizeof *f);
    if (!f) return YO_ERR_NOMEM;
    f->playouts = playouts;
    f->options = *options;
    *search = (struct yo_search){.ops = &flat_ops, .ctx = f};
    return YO_OK;
}
