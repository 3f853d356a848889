/* Shared by the files of the flat search; nothing else includes it.
 *   flat.c          runs a search
 *   flat_halving.c  distributes the playouts over the moves
 *   flat_result.c   builds the result */
#pragma once

#include "game/go/game_ops.h"
#include "search/go/flat.h"
#include "search/go/judge.h"
#include "search/go/root.h"

/* Playouts that judge whether the game is over. */
#define FLAT_JUDGE_GAMES 1000

#define FLAT_HISTOGRAM_MAX (2 * YO_GO_POINTS_MAX + 1)
#define FLAT_ARMS_MAX      (YO_GO_POINTS_MAX + 1) /* a pass too, where the limits want it */

struct flat_arm {
    yo_move move;
    struct yo_eval_playouts sum;
    double winrate, score, value; /* for the side to move, from `sum` */
};

struct flat {
    struct yo_eval eval;
    struct yo_flat_options options;

    /* The search that runs, or ran last. */
    const struct yo_go_game *game;
    const struct yo_search_limits *limits;
    const atomic_bool *stop;
    struct yo_search_clock *clock, own_clock; /* the clock in use, and our own */
    enum yo_go_color me;
    int size, points, komi2;
    struct yo_judgement judgement;
    bool judged;
    uint64_t total, batch_games;
    int64_t start_ms, reported_ms;
    size_t arm_count;
    struct yo_go_position position;
    struct flat_arm *order[FLAT_ARMS_MAX]; /* best first, by the results so far */
    struct flat_arm arms[FLAT_ARMS_MAX];
    yo_move roots[FLAT_ARMS_MAX];
    struct yo_eval_item items[FLAT_ARMS_MAX];
    struct yo_eval_result results[FLAT_ARMS_MAX];
    uint32_t histograms[FLAT_ARMS_MAX][FLAT_HISTOGRAM_MAX];
    int32_t ownerships[FLAT_ARMS_MAX][YO_GO_POINTS_MAX];

    /* What a result points to. */
    struct yo_search_move moves[FLAT_ARMS_MAX];
    float ownership[YO_GO_POINTS_MAX];
};

/* Plays until a limit is reached, and at least one batch. */
enum yo_err yo_flat_think(struct flat *f, yo_search_report_fn report, void *user,
                          struct yo_diag *diag);

/* Computes the means anew after `sum` has changed. */
void yo_flat_update(const struct flat *f, struct flat_arm *arm);
/* For qsort, of pointers to arms: the best first. */
int yo_flat_by_value(const void *a, const void *b);
/* The moves that got playouts, best first. */
void yo_flat_fill_result(struct flat *f, struct yo_search_result *result);
/* The winrate of the side to move, if the game ends as judged. */
double yo_flat_judged_winrate(const struct flat *f);
/* Puts a pass before the other moves, with its value by the judgement. */
void yo_flat_put_pass_first(struct flat *f, struct yo_search_result *result);
