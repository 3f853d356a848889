/* Runs a network for one thread: add positions, run them as one batch, read the raw outputs. Memory
 * for a board size is allocated at its first use. A runner belongs to one thread. */
#pragma once

#include "eval/net/backend.h"
#include "eval/net/game.h"

/* A network compiled for a backend, shared by runners. */
struct yo_net_program {
    const struct yo_net *net;
    const struct yo_net_game *game;
    const struct yo_net_backend *backend;
    void *program;
    uint64_t used[YO_NET_MAX_PLANES / 64]; /* planes that are computed */
};

/* The network outlives the program. */
enum yo_err yo_net_program_init(struct yo_net_program *program, const struct yo_net *net,
                                const struct yo_net_backend *backend, struct yo_diag *diag);
void yo_net_program_free(struct yo_net_program *program);

struct yo_net_runner;

/* For at most max_batch positions at a time. The program outlives the runner. */
enum yo_err yo_net_runner_new(const struct yo_net_program *program, int max_batch,
                              struct yo_net_runner **runner, struct yo_diag *diag);
void yo_net_runner_delete(struct yo_net_runner *runner);

const struct yo_net *yo_net_runner_net(const struct yo_net_runner *runner);

/* An empty batch of boards of this size. */
enum yo_err yo_net_runner_start(struct yo_net_runner *runner, int size, struct yo_diag *diag);
/* Adds a position under a symmetry; returns its row. The batch must not be full. */
int yo_net_runner_add(struct yo_net_runner *runner, const void *position, int symmetry);
/* The same in two parts, for callers whose threads write the rows of one batch together: sets the
 * number of rows, then writes any of them. Different rows may be written at the same time. */
void yo_net_runner_resize(struct yo_net_runner *runner, int rows);
void yo_net_runner_put(struct yo_net_runner *runner, int row, const void *position, int symmetry);
/* As input_kept of struct yo_net_game, which must not be NULL. */
void yo_net_runner_put_kept(struct yo_net_runner *runner, int row, const void *position,
                            int symmetry, const struct yo_net_kept *kept);
/* After a row was written: of its policy only these entries will be read, by policy_of of struct
 * yo_net_game, and a backend may give them alone. They stay with the caller until the row is
 * written again. Only where all rows with a policy have such a list are the lists of use. */
void yo_net_runner_want(struct yo_net_runner *runner, int row, const uint16_t *entries,
                        size_t count);
/* Hash of a row's inputs as the backend gets them; they determine the answer. */
uint64_t yo_net_runner_hash(const struct yo_net_runner *runner, int row);
/* Removes the last row. */
void yo_net_runner_drop(struct yo_net_runner *runner);
int yo_net_runner_count(const struct yo_net_runner *runner);
/* Only the rows so far want a policy, until the next start. */
void yo_net_runner_end_policy(struct yo_net_runner *runner);
/* `wants`: of enum yo_eval_want; what is not wanted may not be computed. */
enum yo_err yo_net_runner_run(struct yo_net_runner *runner, unsigned wants, struct yo_diag *diag);
struct yo_net_raw yo_net_runner_raw(const struct yo_net_runner *runner, int row);
/* The same for callers whose threads write rows: they must know the symmetry of their question,
 * since another thread may have written the next one into the row while its answer was still
 * unread. */
struct yo_net_raw yo_net_runner_raw_of(const struct yo_net_runner *runner, int row, int symmetry);
