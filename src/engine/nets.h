/* Opening networks, and sharing them: sessions of one process that ask for the same network with
 * the same options get one evaluator, so that its weights are in memory once and the positions of
 * all of them fill its batches. */
#pragma once

#include "eval/eval.h"
#include "eval/net/evaluator.h"

struct yo_nets;

/* The evaluators that are opened through it have `threads` threads (0: one for each core), are used
 * by about `sharers` sessions at a time, and send their notices there. */
enum yo_err yo_nets_new(int threads, int sharers, struct yo_notices notices, struct yo_nets **nets);
/* After all that were opened through it have been destroyed. May be NULL. */
void yo_nets_delete(struct yo_nets *nets);

struct yo_net_wish {
    const struct yo_game_ops *game; /* a network of another game is refused */
    const char *path;               /* a file; or "builtin": */
    const void *builtin; /* the bytes of such a file, which live as long as the program */
    size_t builtin_len;
    const char *backend;                /* NULL or "auto": the fastest for the network */
    int core_batch;                     /* most positions that a core takes at once; 0: as usual */
    struct yo_net_eval_options options; /* the rest of them */
};

/* Opens it, or finds one that is open. The caller destroys it as its own. nets NULL: not shared.
 * From any thread; a second one waits while the first reads the same file. */
enum yo_err yo_nets_open(struct yo_nets *nets, const struct yo_net_wish *wish, struct yo_eval *eval,
                         struct yo_diag *diag);
