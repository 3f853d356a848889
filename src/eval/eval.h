/* An evaluator: a batch of positions in; values, policies or playouts out, asynchronously. Playouts
 * and networks are both evaluators, so that any tree search runs on either. Positions have the type
 * of the game's table (game/game.h), as in a search tree. They hold the board and komi, rules, the
 * last moves, repetition.
 *
 * The caller owns the batch, its items, the positions and all result storage, and does not touch
 * them from submit until the batch has finished. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "yomi/error.h"

enum yo_eval_want {
    YO_EVAL_PLAYOUTS = 1 << 0,  /* result.playouts */
    YO_EVAL_VALUE = 1 << 1,     /* result.value */
    YO_EVAL_POLICY = 1 << 2,    /* result.policy */
    YO_EVAL_OWNERSHIP = 1 << 3, /* result.ownership */
};

/* ---- results: one struct for each want ---- */

/* Sums over playouts. An evaluator adds to them, so the caller zeroes them before the first batch.
 * "First" is the side that moves first in the game. */
struct yo_eval_playouts {
    uint64_t games;
    uint64_t moves;           /* passes counted */
    uint64_t half_wins_first; /* a win counts 2, a draw 1 */
    int64_t score2_first;     /* sum of the first side's margins: half points, with komi */
    uint64_t score2_squared;  /* the squares of the margins */
    /* Optional arrays of the caller, which cost time; NULL if not wanted. Go: histogram counts
     * games by Black's area minus White's, without komi, 2 * cells + 1 entries, the lowest score
     * first; owner counts games in which the first side owned a cell minus those in which the other
     * did. */
    uint32_t *histogram;
    int32_t *owner;
};

/* For the side to move; the probability to lose is 1 minus the others. Scores are in points, with
 * komi, and 0 in a game without points. */
struct yo_eval_value {
    float win, draw;
    float score_mean, score_stdev; /* of the final score */
    float score_lead;              /* points to give away for an even game */
    /* The evaluator's estimates of how far win and score will move soon, and of how long the game
     * stays open; below 0: not known. */
    float win_error, score_error, time_left;
};

struct yo_eval_result {
    struct yo_eval_playouts playouts;
    struct yo_eval_value value;
    float *policy;    /* a probability for each of the item's moves; they add up to 1 */
    float *ownership; /* for each cell: +1 the first side's .. -1 the other's */
};

/* ---- questions ---- */

struct yo_eval_item {
    const void *position;
    unsigned want; /* of enum yo_eval_want */
    struct yo_eval_result *results;

    /* Moves whose policy is wanted: all legal moves or a subset of them. */
    const yo_move *moves;
    size_t move_count;

    /* If given, these children of the position are evaluated in its place, one result each.
     * YO_EVAL_POLICY is not allowed then. */
    const yo_move *children;
    size_t child_count;

    /* Networks of games with symmetric boards: how the position is turned before the network sees
     * it, 1 to 8; 0: as the evaluator is set. */
    uint8_t turn;

    /* For playouts: games first_game .. first_game + playouts - 1 of the stream `seed`, for each
     * position evaluated, with a playout policy of the game (Go: enum yo_playout_policy). */
    int playout_policy;
    uint64_t playouts;
    uint64_t seed;
    uint64_t first_game;
};

static inline size_t yo_eval_result_count(const struct yo_eval_item *item) {
    return item->children ? item->child_count : 1;
}

/* Space for an evaluator's own data about a batch in flight, so that submit allocates nothing. */
#define YO_EVAL_WORK_BYTES 192

struct yo_eval_batch {
    struct yo_eval_item *items;
    size_t item_count;
    /* Called once, from a thread of the evaluator or inside submit, when all results are in; may be
     * NULL. After it the evaluator does not touch the batch again. */
    void (*done)(struct yo_eval_batch *batch);
    void *user;
    enum yo_err err;     /* set when finished */
    struct yo_diag diag; /* filled when err is not YO_OK */

    /* The evaluator's, from submit until finished. */
    atomic_bool finished;
    struct yo_eval_batch *next;
    _Alignas(16) unsigned char work[YO_EVAL_WORK_BYTES];
};

/* ---- evaluators ---- */

/* What an evaluator can do. A search chooses its requests by this alone. */
struct yo_eval_about {
    char name[96];                  /* for display: what evaluates, and on what device */
    const struct yo_game_ops *game; /* whose positions it takes; NULL: any game's */
    unsigned wants;                 /* of enum yo_eval_want */
    /* The most efficient number of items that a search has in flight, its threads together; 1 if
     * one is as efficient. batch_max 0: no limit. */
    size_t batch, batch_max;
    uint64_t playouts; /* recommended for each item; 0: no playouts */
    bool exact;        /* results equal the reference's bit for bit on every machine */
    bool on_gpu;       /* a network's evaluations cost the caller's cores nothing */
    bool at_once;      /* submit evaluates in the calling thread and finishes the batch */
};

struct yo_eval_ops {
    /* Fills *about for items of this playout policy; evaluators without playouts ignore it. */
    void (*describe)(void *ctx, int playout_policy, struct yo_eval_about *about);
    /* Refuses (with a diag) what the evaluator cannot do and leaves the batch untouched. Allocates
     * nothing. May finish the batch before it returns. */
    enum yo_err (*submit)(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag);
    /* Returns whether the batch has finished. Never blocks. Not for a batch with a done callback.
     */
    bool (*poll)(void *ctx, struct yo_eval_batch *batch);
    /* Blocks until the batch has finished and returns its error. Not for a batch with a done
     * callback. */
    enum yo_err (*wait)(void *ctx, struct yo_eval_batch *batch);
    /* Drops the rest of the batch: it finishes soon, with YO_ERR_CANCELLED unless all was done
     * already. The evaluator owns the batch until then. */
    void (*cancel)(void *ctx, struct yo_eval_batch *batch);
    /* Finishes all submitted batches, then frees the evaluator. */
    void (*destroy)(void *ctx);
};

struct yo_eval {
    const struct yo_eval_ops *ops;
    void *ctx;
};

/* Submits and waits: YO_OK, or the batch's error with its diag. */
enum yo_err yo_eval_run(struct yo_eval eval, struct yo_eval_item *items, size_t item_count,
                        struct yo_diag *diag);

/* Converts centipawns to a winning probability by the logistic curve usual in shogi programs: 600
 * is 73%. The second is the inverse, clamped to +-30000. */
double yo_eval_winrate_of(double centipawns);
int yo_eval_centipawns_of(double winrate);
/* The same where `scale` hundredths of a pawn make the odds e to 1, not rounded. */
double yo_eval_score_of(double winrate, double scale);
