/* The USI engine for shogi clients: a line in, answers out through a callback. Thinking runs on a
 * thread of its own, so that stop and quit are heard; every go is answered by one bestmove (or
 * checkmate). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "yomi/error.h"

struct yo_usi;
struct yo_options;
struct yo_search_kind;

/* Gets one line without its end. Called from the caller's thread and from the thinking one, but
 * never from both at once. */
typedef void (*yo_usi_write_fn)(void *user, const char *line);

struct yo_usi_config {
    yo_usi_write_fn write;
    void *user;
    const struct yo_options *options;   /* to begin with, by name; or NULL */
    const struct yo_search_kind *kinds; /* as a session's */
    bool tune;                          /* the margins of alpha-beta are options, too */
};

enum yo_err yo_usi_new(const struct yo_usi_config *config, struct yo_usi **usi,
                       struct yo_diag *diag);
/* Stops what runs, which is answered first. */
void yo_usi_delete(struct yo_usi *usi);
/* False after quit. */
bool yo_usi_line(struct yo_usi *usi, const char *line);
/* Waits for the answer, unless what runs has no end of its own. */
void yo_usi_wait(struct yo_usi *usi);
