/* Many games at once on many threads, taken in the order of their numbers whoever finishes first:
 * what is written is the same on any number of threads, with or without a break. */
#pragma once

#include "learn/selfplay.h"
#include "learn/selfplay_store.h"

struct yo_selfplay_run {
    struct yo_selfplay_settings settings;
    const char *settings_text; /* a line that tells settings apart */
    const char *path;          /* NULL: no file, as for a match */
    uint64_t games;            /* in all, those of earlier runs counted in */
    int threads;
    const atomic_bool *stop;
    /* Called after each game by whichever thread took it, one at a time. May be NULL. */
    void (*progress)(void *user, const struct yo_selfplay_tally *tally);
    void *user;
};

/* Blocks until the games are played or *stop; both are YO_OK. */
enum yo_err yo_selfplay_run(const struct yo_selfplay_run *run, struct yo_selfplay_tally *tally,
                            struct yo_diag *diag);
