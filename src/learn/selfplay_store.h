/* The file of training positions, without repetitions, and the text file beside it (.state) that
 * says with what settings it was made and how far it is, so that a run can go on where it ended. */
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

/* path NULL: counts only. What an interrupted run left unfinished is taken off the end. */
enum yo_err yo_selfplay_store_open(struct selfplay_store *store, const char *path,
                                   const char *settings_text, struct yo_diag *diag);
/* The next game in order. */
enum yo_err yo_selfplay_store_add(struct selfplay_store *store, const struct yo_selfplay_game *game,
                                  bool swapped, struct yo_diag *diag);
/* From here a later run can go on. */
enum yo_err yo_selfplay_store_save(struct selfplay_store *store, struct yo_diag *diag);
void yo_selfplay_store_close(struct selfplay_store *store);
