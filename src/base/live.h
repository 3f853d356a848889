/* What programs of this user that run now tell each other: a text each, which is replaced as things
 * change and goes when the program ends. `yomi match` and the masters of clusters write one, `yomi
 * web` shows them. The texts are files KIND-PID.json in a folder of the user's own,
 * $XDG_RUNTIME_DIR/yomi or /tmp/yomi-UID. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Zero it before its first use. */
struct yo_live {
    struct yo_buf path; /* empty: closed */
    int64_t wrote_ms;
};

/* kind: a short word. If there is no such folder the text is not written: nothing depends on it. */
void yo_live_open(struct yo_live *live, const char *kind);
/* Whether it is time for a new text: five times a second at most. */
bool yo_live_is_due(const struct yo_live *live);
void yo_live_write(struct yo_live *live, const char *text, size_t len);
void yo_live_close(struct yo_live *live);

/* Calls `take` with the text of every program that runs, at most 64 of at most 1 MB. Removes the
 * texts of programs that ended without closing theirs. */
void yo_live_read(void (*take)(void *user, const char *kind, const char *text, size_t len),
                  void *user);
