/* A playout backend: plays whole games on one thread, as docs/playout.md specifies, and sums their
 * results. playouts.c adds thread pools, batches and splitting. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/notice.h"
#include "eval/eval.h"
#include "game/go/game_ops.h"
#include "game/go/patterns.h"
#include "yomi/playout.h"

/* Receives the moves of every finished game, in the thread that played it. */
struct yo_playout_sink {
    void (*game)(void *user, const struct yo_playout_game *game);
    void *user;
};

/* Some consecutive games from one position, or from a child of it. Only the thread that took the
 * piece writes `result`. */
struct yo_playout_piece {
    const struct yo_go_position *position;
    const yo_move *child; /* played first; NULL: the position itself */
    int komi2;            /* for wins and margins */
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

/* How to split a batch for a backend that does not run on a CPU core. */
struct yo_playout_cut {
    int threads;                   /* most threads that run it at a time; 0: any number */
    int serving;                   /* threads that all batches in flight together keep busy; or 0 */
    int shares;                    /* pieces for each thread, if a piece is then large enough */
    uint64_t share_min, share_max; /* games of a piece, except the remainder */
    uint64_t worth;                /* with fewer games in a batch the CPU is faster; for "auto" */
    size_t items;                  /* positions a search should submit together; 0: any number */
    uint64_t games;                /* recommended for each of these positions */
};

/* Settings of an evaluator's playouts that do not depend on the backend. */
struct yo_playout_env {
    const struct yo_go_patterns *patterns; /* of the MoGo and rich policies; NULL: built in */
    struct yo_notices notices;             /* receives notices of lost devices */
    unsigned *told; /* GPUs whose loss was reported there (cuda/gpu.h); NULL: none is reported */
};
/* Built-in patterns, no notices. */
extern const struct yo_playout_env yo_playout_env_default;
/* Reports GPUs that were lost, also by another evaluator's playouts. */
void yo_playout_notify_losses(const struct yo_playout_env *env);
/* The first value of `told`: the GPUs lost so far. */
unsigned yo_playout_losses(void);

struct yo_playout_backend;

struct yo_playout_backend_ops {
    const char *summary;
    /* Text: what the machine must have. available() tests it. */
    const char *needs;
    bool (*available)(const struct yo_playout_backend *backend);
    bool (*supports)(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size);
    /* Bytes of 64-byte aligned, zeroed scratch that run() needs; a thread may reuse it. */
    size_t (*scratch_size)(const struct yo_playout_backend *backend, int size);
    void (*run)(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                enum yo_playout_policy policy, int size, const struct yo_playout_source *source,
                void *scratch);
    /* NULL: as for a CPU core. May leave *cut unchanged. */
    void (*cut)(const struct yo_playout_backend *backend, int size, struct yo_playout_cut *cut);
    /* NULL: nothing to release. */
    void (*close)(const struct yo_playout_backend *backend);
};

struct yo_playout_backend {
    const char *name;
    const struct yo_playout_backend_ops *ops;
    void *ctx; /* the backend's own */
};

/* The backends that need no address, the fastest first; NULL past the last. */
const struct yo_playout_backend *yo_playout_backend_at(size_t i);
/* Finds one of these by name; NULL if there is none. */
const struct yo_playout_backend *yo_playout_backend_find(const char *name);
/* Opens a backend by name; also "cuda:N" for one GPU and "hw:ADDRESS" for a hardware server.
 * Release with yo_playout_backend_close. */
enum yo_err yo_playout_backend_open(const char *name, const struct yo_playout_backend **backend,
                                    struct yo_diag *diag);
void yo_playout_backend_close(const struct yo_playout_backend *backend); /* NULL is allowed */

/* A backend option, parsed: NAME, "auto", "check:NAME" or "check:auto". */
struct yo_playout_choice {
    const struct yo_playout_backend *backend; /* close it; NULL for auto: fastest per batch */
    bool check;                               /* compare every result with the reference */
};
/* NULL is auto. YO_ERR_UNKNOWN for an unknown name, YO_ERR_UNSUPPORTED for a backend that cannot
 * run here. */
enum yo_err yo_playout_choose(const char *name, struct yo_playout_choice *choice,
                              struct yo_diag *diag);
/* Checks whether yo_playout_choose would succeed. */
enum yo_err yo_playout_choose_check(const char *name, struct yo_diag *diag);

/* The first backend that is available, supports the policy and size, and pays off for a batch of so
 * many games. Never NULL, since the scalar reference supports everything. */
const struct yo_playout_backend *yo_playout_backend_best(const struct yo_playout_env *env,
                                                         enum yo_playout_policy policy, int size,
                                                         uint64_t games);
/* The same among the CPU backends. */
const struct yo_playout_backend *yo_playout_backend_here(const struct yo_playout_env *env,
                                                         enum yo_playout_policy policy, int size);
/* How to split batches for this backend; all zero for the CPU. */
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

/* The start position of a piece's games, as plain data. */
void yo_playout_piece_start(const struct yo_playout_piece *piece,
                            struct yo_playout_position *start);

/* Adds one finished game; the score is Black's area minus White's, without komi. */
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
