#include "cmd/play/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

/* The folder with a slash at its end; false if no home is known. */
static bool find_folder(struct yo_buf *path) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && state[0] == '/')
        yo_buf_printf(path, "%s/yomi/games/", state);
    else if (home && home[0] == '/')
        yo_buf_printf(path, "%s/.local/state/yomi/games/", home);
    return path->len > 0 && !yo_buf_status(path);
}

/* By the time; a second game within a second gets the next name. */
static void choose_name(struct yo_keep *keep) {
    char when[32];
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(when, sizeof when, "%Y-%m-%d-%H%M%S", &local);
    for (int i = 1; i < 100; i++) {
        yo_buf_clear(&keep->path);
        if (!find_folder(&keep->path)) break;
        yo_buf_str(&keep->path, when);
        if (i > 1) yo_buf_printf(&keep->path, "-%d", i);
        yo_buf_str(&keep->path, keep->ending);
        if (yo_buf_status(&keep->path)) break;
        if (access(yo_buf_text(&keep->path), F_OK) != 0) return;
    }
    yo_buf_clear(&keep->path);
    keep->on = false;
}

bool yo_keep_is_due(const struct yo_keep *keep, unsigned long state) {
    return keep->on && state != keep->state;
}

void yo_keep_write(struct yo_keep *keep, unsigned long state, const char *bytes, size_t len) {
    if (keep->path.len == 0) choose_name(keep);
    if (!keep->on) return;
    yo_file_make_folders(yo_buf_text(&keep->path));
    keep->state = state;
    if (yo_file_replace(yo_buf_text(&keep->path), bytes, len, NULL)) {
        yo_buf_clear(&keep->path);
        keep->on = false;
    }
}

void yo_keep_adopt(struct yo_keep *keep, const char *path) {
    struct yo_buf folder = {0};
    char real[4096];
    bool ours = find_folder(&folder) && realpath(path, real) &&
                strncmp(real, yo_buf_text(&folder), folder.len) == 0;
    yo_buf_free(&folder);
    if (!ours || !keep->on) return;
    yo_buf_clear(&keep->path);
    yo_buf_str(&keep->path, real);
}

void yo_keep_drop(struct yo_keep *keep) {
    if (keep->path.len > 0) unlink(yo_buf_text(&keep->path));
    yo_buf_clear(&keep->path);
}

void yo_keep_next(struct yo_keep *keep) {
    yo_buf_clear(&keep->path);
    keep->state = 0;
}

/* In one line, to be copied. */
void yo_keep_tell(const struct yo_keep *keep) {
    if (keep->path.len > 0) printf("The game is kept: yomi play %s\n", yo_buf_text(&keep->path));
}

void yo_keep_close(struct yo_keep *keep) { yo_buf_free(&keep->path); }
