/* A playout backend: plays whole games on one thread, as docs/playout.md says, and adds their
 * results up. Thread pools, batches and splitting stand above it (playouts.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/notice.h"
#include "eval/eval.h"
#include "game/go/game_ops.h"
#include "game/go/patterns.h"
#include "yomi/playout.h"

/* Called for every finished game when each move is wanted; from the thread that played it. */
struct yo_playout_sink {
    void (*game)(void *user, const struct yo_playout_game *game);
    void *user;
};

/* Some consecutive games from one position, or from a child of it. `result` is written by the
 * thread that took the piece and by no other. */
struct yo_playout_piece {
    const struct yo_go_position *position;
    const yo_move *child; /* played first; NULL: the position itself */
    int komi2;            /* that wins and margins are counted with */
    uint64_t seed;
    uint64_t first_game;
    uint32_t games;
    struct yo_eval_playouts *result;
    const struct yo_playout_sink *sink; /* or NULL */
};

/* Where a backend gets work: fills *piece and returns true, or false when there is no more. All
 * pieces of one run have the same board size. */
struct yo_playout_source {
    bool (*next)(void *ctx, struct yo_playout_piece *piece);
    void *ctx;
};

/* How a batch is cut for a backend that is not a core of the CPU. */
struct yo_playout_cut {
    int threads;                   /* that may run it at a time; 0: any number */
    int serving;                   /* threads that batches in flight keep busy together; or 0 */
    int shares;                    /* pieces for each thread, if a piece is then large enough */
    uint64_t share_min, share_max; /* games of a piece, but for what is left over */
    uint64_t worth; /* with fewer games in a batch the CPU is faster; for those who may choose */
    size_t items;   /* positions that a search should ask for together; 0: one as good as many */
    uint64_t games; /* of each of them */
};

/* What an evaluator's playouts are played with, whatever the backend. */
struct yo_playout_env {
    const struct yo_go_patterns *patterns; /* of the MoGo and rich policies; NULL: built in */
    struct yo_notices notices;             /* who hears of devices that were lost */
};
/* Built-in patterns, and nobody hears. */
extern const struct yo_playout_env yo_playout_env_default;

struct yo_playout_backend;

struct yo_playout_backend_ops {
    const char *summary;
    /* What the machine must have, in words; available() says whether it does. */
    const char *needs;
    bool (*available)(const struct yo_playout_backend *backend);
    bool (*supports)(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size);
    /* Bytes of 64-byte aligned, zeroed scratch that run() wants; a thread may use it again. */
    size_t (*scratch_size)(const struct yo_playout_backend *backend, int size);
    void (*run)(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                enum yo_playout_policy policy, int size, const struct yo_playout_source *source,
                void *scratch);
    /* NULL: like a core of the CPU. May leave *cut alone. */
    void (*cut)(const struct yo_playout_backend *backend, int size, struct yo_playout_cut *cut);
    /* NULL: nothing to release. */
    void (*close)(const struct yo_playout_backend *backend);
};

struct yo_playout_backend {
    const char *name;
    const struct yo_playout_backend_ops *ops;
    void *ctx; /* the backend's own */
};

/* Those that need no address, in order of preference, fastest first; NULL past the last. */
const struct yo_playout_backend *yo_playout_backend_at(size_t i);
/* By name; NULL if it is not in that list. */
const struct yo_playout_backend *yo_playout_backend_find(const char *name);
/* By name; also "cuda:N" for one GPU and "hw:ADDRESS" for a hardware server. Release with
 * yo_playout_backend_close. */
enum yo_err yo_playout_backend_open(const char *name, const struct yo_playout_backend **backend,
                                    struct yo_diag *diag);
void yo_playout_backend_close(const struct yo_playout_backend *backend); /* NULL is allowed */

/* What someone who names a backend means: NAME, "auto", "check:NAME" or "check:auto". */
struct yo_playout_choice {
    const struct yo_playout_backend *backend; /* to be closed; NULL for auto: the fastest each */
    bool check;                               /* every result compared to the reference's */
};
/* NULL is auto. YO_ERR_UNKNOWN for a name that is none, YO_ERR_UNSUPPORTED for a backend that
 * cannot run here. */
enum yo_err yo_playout_choose(const char *name, struct yo_playout_choice *choice,
                              struct yo_diag *diag);
/* Only whether that can be chosen. */
enum yo_err yo_playout_choose_check(const char *name, struct yo_diag *diag);

/* The first that is available, supports the policy and size, and is worth its while for a batch of
 * so many games; never NULL, since the scalar reference supports everything. */
const struct yo_playout_backend *yo_playout_backend_best(const struct yo_playout_env *env,
                                                         enum yo_playout_policy policy, int size,
                                                         uint64_t games);
/* The same among those that run on the CPU. */
const struct yo_playout_backend *yo_playout_backend_here(const struct yo_playout_env *env,
                                                         enum yo_playout_policy policy, int size);
/* How it is cut for; all zero for the CPU. */
struct yo_playout_cut yo_playout_backend_cut(const struct yo_playout_backend *backend, int size);

static inline bool yo_playout_available(const struct yo_playout_backend *backend) {
    return backend->ops->available(backend);
}
static inline bool yo_playout_supports(const struct yo_playout_backend *backend,
                                       const struct yo_playout_env *env,
                                       enum yo_playout_policy policy, int size) {
    return backend->ops->supports(backend, env, policy, size);
}
static inline size_t yo_playout_scratch_size(const struct yo_playout_backend *backend, int size) {
    return backend->ops->scratch_size(backend, size);
}
static inline void yo_playout_run(const struct yo_playout_backend *backend,
                                  const struct yo_playout_env *env, enum yo_playout_policy policy,
                                  int size, const struct yo_playout_source *source, void *scratch) {
    backend->ops->run(backend, env, policy, size, source, scratch);
}

/* ---- what backends have in common ---- */

/* Where the games of a piece start, as plain data. */
void yo_playout_piece_start(const struct yo_playout_piece *piece,
                            struct yo_playout_position *start);

/* Adds one finished game; the score is Black's area less White's, without komi. */
static inline void yo_playout_add_score(struct yo_eval_playouts *sums, int points, int komi2,
                                        int score) {
    int score2 = 2 * score - komi2;
    sums->games++;
    sums->half_wins_first += score2 > 0 ? 2 : score2 == 0;
    sums->score2_first += score2;
    sums->score2_squared += (uint64_t)((int64_t)score2 * score2);
    if (sums->histogram) sums->histogram[score + points]++;
}

/* Adds all games of a histogram. */
void yo_playout_add_histogram(struct yo_eval_playouts *sums, int points, int komi2,
                              const uint32_t *histogram);
/* Adds one result to another; `from` has every array that `to` has. */
void yo_playout_merge(struct yo_eval_playouts *to, const struct yo_eval_playouts *from, int points);
