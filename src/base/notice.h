/* What a person should hear of although nothing failed: a server was lost and the work goes on
 * elsewhere. The library prints nothing; whoever starts an engine or an evaluator hands it someone
 * who listens. */
#pragma once

#include "base/diag.h"

/* May be called from any thread. All zero: nobody. */
struct yo_notices {
    void (*tell)(void *user, const char *text);
    void *user;
};

void yo_notice(const struct yo_notices *to, const char *fmt, ...) YO_PRINTF(2, 3);
