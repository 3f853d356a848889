#include "base/notice.h"

#include <stdarg.h>
#include <stdio.h>

void yo_notice(const struct yo_notices *to, const char *fmt, ...) {
    char text[512];
    va_list args;
    if (!to || !to->notify) return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    to->notify(to->user, text);
}
