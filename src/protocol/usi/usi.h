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

/* tune: the margins of alpha-beta are options, too. */
enum yo_err yo_usi_new(yo_usi_write_fn write, void *user, bool tune, struct yo_usi **usi);
/* Stops what runs, which is answered first. */
void yo_usi_delete(struct yo_usi *usi);
/* False after quit. */
bool yo_usi_line(struct yo_usi *usi, const char *line);
/* Waits for the answer, unless what runs has no end of its own. */
void yo_usi_wait(struct yo_usi *usi);
