/* An evaluator: a batch of positions in; values, policies or playouts out, asynchronously. Playouts
 * and networks are both evaluators, so that any tree search runs on either. Positions are those of
 * the game's table (game/game.h), the same that a tree holds; they carry what an evaluator needs
 * beside the board: komi, rules, the last moves, repetition.
 *
 * The caller owns the batch, its items, the positions and all result storage, and leaves them alone
 * from submit until the batch has finished. */
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

/* Sums over playouts. They are added to, so that results of several batches can be summed; zero
 * them first. "First" is the side that moves first in the game. */
struct yo_eval_playouts {
    uint64_t games;
    uint64_t moves;           /* passes counted */
    uint64_t half_wins_first; /* two a win, one a draw */
    int64_t score2_first;     /* its margin in half points, komi counted */
    uint64_t score2_squared;  /* the squares of the margins */
    /* The rest costs time and is the caller's, NULL if not wanted. Go: games by Black's area less
     * White's, without komi, 2 * cells + 1 entries, the lowest score first; and games in which the
     * first side owned a cell less those in which the other did. */
    uint32_t *histogram;
    int32_t *owner;
};

/* For the side to move; the chance to lose is what is left of 1. Scores are in points, komi
 * counted, and 0 in a game without points. */
struct yo_eval_value {
    float win, draw;
    float score_mean, score_stdev; /* of the final score */
    float score_lead;              /* points to give away for an even game */
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

    /* Moves whose policy is wanted: all legal ones, or those of them that matter. */
    const yo_move *moves;
    size_t move_count;

    /* If given, these children of the position are evaluated in its place, one result each. A
     * policy cannot be asked for then. */
    const yo_move *children;
    size_t child_count;

    /* For playouts: games first_game .. first_game + playouts - 1 of the stream `seed`, for each
     * position evaluated, by a policy of the game's (Go: enum yo_playout_policy). */
    int playout_policy;
    uint64_t playouts;
    uint64_t seed;
    uint64_t first_game;
};

static inline size_t yo_eval_result_count(const struct yo_eval_item *item) {
    return item->children ? item->child_count : 1;
}

/* Room for what an evaluator keeps of a batch that is on its way, so that submit allocates nothing.
 */
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

/* What an evaluator can do. A search chooses by this, and by nothing else, what it asks for. */
struct yo_eval_about {
    char name[96];                  /* for people: what evaluates, and on what */
    const struct yo_game_ops *game; /* whose positions it takes; NULL: any game's */
    unsigned wants;                 /* of enum yo_eval_want */
    /* Items of a batch that it is at its best with; 1 if a batch of one is as good. batch_max 0: no
     * limit. */
    size_t batch, batch_max;
    uint64_t playouts; /* that each of these items should ask for; 0: it plays none */
    bool exact;        /* the results are the reference's, bit for bit, on every machine */
    bool at_once;      /* submit evaluates in the calling thread: the batch has finished then */
};

struct yo_eval_ops {
    /* What it does with items of this playout policy; only one that plays looks at that. */
    void (*describe)(void *ctx, int playout_policy, struct yo_eval_about *about);
    /* Refuses (with a diag) what it cannot do; the batch is then not touched. Allocates nothing.
     * May finish the batch before it returns. */
    enum yo_err (*submit)(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag);
    /* Has it finished? Never blocks. Not to be asked of a batch with a done callback. */
    bool (*poll)(void *ctx, struct yo_eval_batch *batch);
    /* Returns the batch's error when it has finished; at once if it had. Not for a batch with a
     * done callback. */
    enum yo_err (*wait)(void *ctx, struct yo_eval_batch *batch);
    /* Nobody wants the results any more: finishes soon, with YO_ERR_CANCELLED unless all was done
     * already. The batch stays the evaluator's until it has finished. */
    void (*cancel)(void *ctx, struct yo_eval_batch *batch);
    /* Finishes what was submitted first. */
    void (*destroy)(void *ctx);
};

struct yo_eval {
    const struct yo_eval_ops *ops;
    void *ctx;
};

/* Submits and waits: YO_OK, or the batch's error with its diag. */
enum yo_err yo_eval_run(struct yo_eval eval, struct yo_eval_item *items, size_t item_count,
                        struct yo_diag *diag);

/* A value in hundredths of a pawn as a chance to win, by the curve that shogi programs draw: 600
 * are 73%. And the other way round, within +-30000. */
double yo_eval_winrate_of(double centipawns);
int yo_eval_centipawns_of(double winrate);
