/* The USI engine for shogi clients: a line in, answers out through a callback. Thinking runs on a
 * thread of its own, so that stop and quit are heard; every go is answered by one bestmove (or
 * checkmate). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "yomi/error.h"

struct yo_usi;

/* Gets one line without its end. Called from the caller's thread and from the thinking one, but
 * never from both at once. */
typedef void (*yo_usi_write_fn)(void *user, const char *line);

enum yo_err yo_usi_new(yo_usi_write_fn write, void *user, struct yo_usi **usi);
/* Stops what runs, which is answered first. */
void yo_usi_delete(struct yo_usi *usi);
/* False after quit. */
bool yo_usi_line(struct yo_usi *usi, const char *line);
/* Waits for the answer, unless what runs has no end of its own. */
void yo_usi_wait(struct yo_usi *usi);

/* ---- Time ---- */

/* A side's clock as go gives it; -1: not given. */
struct yo_usi_clock {
    int64_t time_ms, increment_ms, byoyomi_ms;
};

/* How long to think: no new depth after soft_ms, over by hard_ms. delay_ms is lost on the way to
 * the server. */
void yo_usi_budget(const struct yo_usi_clock *clock, int64_t delay_ms, int64_t *soft_ms,
                   int64_t *hard_ms);
