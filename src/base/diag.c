#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *yo_err_text(enum yo_err err) {
    switch (err) {
#define X(name, text)                                                                              \
    case name:                                                                                     \
        return text;
        YO_ERR_LIST(X)
#undef X
    }
    return "unknown error";
}

enum yo_err yo_diag_set(struct yo_diag *diag, enum yo_err err, const char *fmt, ...) {
    if (diag) {
        memset(diag, 0, sizeof *diag);
        diag->err = err;
        va_list args;
        va_start(args, fmt);
        vsnprintf(diag->what, sizeof diag->what, fmt, args);
        va_end(args);
    }
    return err;
}

void yo_diag_hint(struct yo_diag *diag, const char *fmt, ...) {
    if (!diag) return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(diag->hint, sizeof diag->hint, fmt, args);
    va_end(args);
}

void yo_diag_where(struct yo_diag *diag, const char *where, int line, int column) {
    if (!diag) return;
    size_t len = strlen(where), room = sizeof diag->where - 1;
    if (len > room) {
        where += len - (room - 3);      /* the end of a path says most */
        while ((*where & 0xc0) == 0x80) /* not within a character of UTF-8 */
            where++;
    }
    snprintf(diag->where, sizeof diag->where, "%s%s", len > room ? "..." : "", where);
    diag->line = line;
    diag->column = column;
}

void yo_diag_format(const struct yo_diag *diag, char *out, size_t size) {
    if (size == 0) return;
    char place[192] = "";
    if (diag->line > 0 && diag->column > 0)
        snprintf(place, sizeof place, "%s%sline %d, column %d: ", diag->where,
                 diag->where[0] ? ": " : "", diag->line, diag->column);
    else if (diag->line > 0)
        snprintf(place, sizeof place, "%s%sline %d: ", diag->where, diag->where[0] ? ": " : "",
                 diag->line);
    else if (diag->where[0])
        snprintf(place, sizeof place, "%s: ", diag->where);
    snprintf(out, size, "%s%s%s%s", place, diag->what[0] ? diag->what : yo_err_text(diag->err),
             diag->hint[0] ? "; " : "", diag->hint);
}
