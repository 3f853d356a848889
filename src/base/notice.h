/* Notices: messages to the user about events that are not errors, such as a lost server whose work
 * continues elsewhere. The library prints nothing; the caller that starts an engine or an evaluator
 * passes a callback. */
#pragma once

#include "base/diag.h"

/* The callback may run on any thread. All zero: no callback. */
struct yo_notices {
    void (*notify)(void *user, const char *text);
    void *user;
};

void yo_notice(const struct yo_notices *to, const char *fmt, ...) YO_PRINTF(2, 3);
