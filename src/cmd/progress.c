#include "cmd/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/time.h"

enum { EVERY_MS = 100, WIDTH = 80 };

static bool can_show(void) {
    const char *name = getenv("TERM");
    return isatty(STDERR_FILENO) && name && *name && strcmp(name, "dumb") != 0;
}

static int width(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) return WIDTH;
    return size.ws_col;
}

void yo_progress_say(struct yo_progress *p, double done, double total, const char *fmt, ...) {
    char text[512], left[32] = "";
    int64_t now = yo_time_ms();
    va_list args;
    if (!can_show()) return;
    if (!p->started_ms) {
        p->started_ms = now;
        p->began = done;
    }
    if (p->shown && now - p->said_ms < EVERY_MS) return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (total > 0)
        yo_time_left(now - p->started_ms, done - p->began, total > done ? total - done : 0, left);
    char line[600];
    snprintf(line, sizeof line, "%s%s%s", text, left[0] ? ", " : "", left);
    fprintf(stderr, "\r%.*s\033[K", width() - 1, line);
    fflush(stderr);
    p->said_ms = now;
    p->shown = true;
}

void yo_progress_hide(struct yo_progress *p) {
    if (!p->shown) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    p->shown = false;
}
