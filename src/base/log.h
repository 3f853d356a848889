/* A log of a dialogue: what came in, what went out, and notices, a line each with its time. Lines
 * of the three kinds may arrive in pieces and from any thread. Every function does nothing for a
 * NULL log, so that callers need not ask. */
#pragma once

#include <stddef.h>

#include "base/diag.h"

enum yo_log_kind { YO_LOG_IN, YO_LOG_OUT, YO_LOG_NOTE, YO_LOG_KINDS };

struct yo_log;

/* Appends to the file, which begins with a line that names the program; path NULL: no log. */
enum yo_err yo_log_open(const char *path, const char *who, struct yo_log **log,
                        struct yo_diag *diag);
/* The bytes of a stream; lines are written when they are whole. */
void yo_log_bytes(struct yo_log *log, enum yo_log_kind kind, const char *bytes, size_t len);
/* One whole line. */
void yo_log_line(struct yo_log *log, enum yo_log_kind kind, const char *line);
/* Reports if a line could not be written. */
enum yo_err yo_log_close(struct yo_log *log, struct yo_diag *diag);
