/* A line on the terminal about work that takes long: how far it is, and when it will end. Only
 * where standard error is a terminal; pipes and files get nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* Zero it before its first use. */
struct yo_progress {
    int64_t started_ms; /* by the first call; 0: not yet */
    int64_t said_ms;
    double began; /* what was done by then: the rate counts from there */
    bool shown;
};

/* Replaces the line by "TEXT, 1:05 left", at most ten times a second. done of total: in any unit;
 * total 0: no end is known. */
void yo_progress_say(struct yo_progress *progress, double done, double total, const char *fmt, ...)
    YO_PRINTF(4, 5);
/* Takes the line away; before something else is written, and at the end. */
void yo_progress_hide(struct yo_progress *progress);
