/* Many games at once on many threads, stored in the order of their numbers: the file is the same
 * for any number of threads, with or without interruption. */
#pragma once

#include "learn/selfplay.h"
#include "learn/selfplay_store.h"

struct yo_selfplay_run {
    struct yo_selfplay_settings settings;
    const char *settings_text; /* one line that identifies the settings */
    const char *path;          /* NULL: no file, as for a match */
    uint64_t games;            /* in total, earlier runs included */
    int threads;
    const atomic_bool *stop;
    /* Called after each game from any thread, one call at a time. May be NULL. */
    void (*progress)(void *user, const struct yo_selfplay_tally *tally);
    void *user;
};

/* Blocks until the games are played or *stop; both are YO_OK. */
enum yo_err yo_selfplay_run(const struct yo_selfplay_run *run, struct yo_selfplay_tally *tally,
                            struct yo_diag *diag);
