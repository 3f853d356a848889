/* The USI engine for shogi clients: a line in, answers out through a callback. The search runs on
 * its own thread, so that stop and quit work meanwhile; every go is answered by one bestmove (or
 * checkmate). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "yomi/error.h"

struct yo_usi;
struct yo_options;
struct yo_search_kind;

/* Gets one line without its newline. Called from the caller's thread and from the search thread,
 * but never from both at once. */
typedef void (*yo_usi_write_fn)(void *user, const char *line);

struct yo_usi_config {
    yo_usi_write_fn write;
    void *user;
    const struct yo_options *options;   /* initial options, copied by name; or NULL */
    const struct yo_search_kind *kinds; /* as in a session's configuration */
    bool tune;                          /* also offers the margins of alpha-beta as options */
};

/* A network that the initial options name (--net) is opened here, so that a wrong one is reported
 * at once. */
enum yo_err yo_usi_new(const struct yo_usi_config *config, struct yo_usi **usi,
                       struct yo_diag *diag);
/* Stops the running search and answers it first. */
void yo_usi_delete(struct yo_usi *usi);
/* False after quit. */
bool yo_usi_line(struct yo_usi *usi, const char *line);
/* Waits for the answer. Returns at once if the search is infinite, a ponder, or a mate search
 * without time limit. */
void yo_usi_wait(struct yo_usi *usi);
