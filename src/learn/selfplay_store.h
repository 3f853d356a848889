/* The file of training positions, without repetitions, and its text file (.state) with settings and
 * progress, from which a later run continues. */
#pragma once

#include <stdio.h>

#include "learn/selfplay.h"
#include "learn/selfplay_seen.h"

/* name, and what it counts */
#define YO_SELFPLAY_TALLY(X)                                                                       \
    X(games)                                                                                       \
    X(first)  /* won by Black, or in a match by nets[0] */                                         \
    X(second) /* won by the other */                                                               \
    X(draws)                                                                                       \
    X(positions) /* written */                                                                     \
    X(repeated)  /* left out since an equal one was there */                                       \
    X(moves)                                                                                       \
    X(nodes)

struct yo_selfplay_tally {
#define X(name) uint64_t name;
    YO_SELFPLAY_TALLY(X)
#undef X
};

struct selfplay_store {
    FILE *data; /* NULL: nothing is kept, only counted */
    char *state_path, *temporary_path;
    const char *settings_text;
    struct selfplay_seen seen;
    struct yo_selfplay_tally tally;
};

/* path NULL: counts only. Removes the unfinished end left by an interrupted run. */
enum yo_err yo_selfplay_store_open(struct selfplay_store *store, const char *path,
                                   const char *settings_text, struct yo_diag *diag);
/* Adds the next game in order. */
enum yo_err yo_selfplay_store_add(struct selfplay_store *store, const struct yo_selfplay_game *game,
                                  bool swapped, struct yo_diag *diag);
/* Saves the state from which a later run continues. */
enum yo_err yo_selfplay_store_save(struct selfplay_store *store, struct yo_diag *diag);
void yo_selfplay_store_close(struct selfplay_store *store);
