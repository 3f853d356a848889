/* What a person should hear of although nothing failed: a server was lost and the work goes on
 * elsewhere. The library prints nothing; a program that wants to know sets a listener. */
#pragma once

#include "base/diag.h"

/* Called from any thread, one call at a time. NULL for nobody, as at the start. */
void yo_notice_listen(void (*listener)(void *user, const char *text), void *user);
void yo_notice(const char *fmt, ...) YO_PRINTF(1, 2);
