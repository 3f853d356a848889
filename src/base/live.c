#include "base/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/time.h"

enum { EVERY_MS = 200, TEXTS_MAX = 64, TEXT_MAX = 1 << 20 };

/* Others must not be able to write there: /tmp belongs to everyone. */
static bool is_ours(const char *path) {
    struct stat s;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == getuid() &&
           !(s.st_mode & (S_IWGRP | S_IWOTH));
}

static bool find_folder(struct yo_buf *path, bool make) {
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (runtime && runtime[0] == '/')
        yo_buf_printf(path, "%s/yomi", runtime);
    else
        yo_buf_printf(path, "/tmp/yomi-%ju", (uintmax_t)getuid());
    if (yo_buf_status(path)) return false;
    if (make) mkdir(yo_buf_text(path), 0700);
    return is_ours(yo_buf_text(path));
}

void yo_live_open(struct yo_live *live, const char *kind) {
    yo_buf_clear(&live->path);
    live->wrote_ms = yo_time_ms() - EVERY_MS;
    if (find_folder(&live->path, true))
        yo_buf_printf(&live->path, "/%s-%jd.json", kind, (intmax_t)getpid());
    else
        yo_buf_clear(&live->path);
    if (yo_buf_status(&live->path)) yo_buf_clear(&live->path);
}

bool yo_live_is_due(const struct yo_live *live) {
    return live->path.len > 0 && yo_time_ms() - live->wrote_ms >= EVERY_MS;
}

void yo_live_write(struct yo_live *live, const char *text, size_t len) {
    if (live->path.len == 0) return;
    live->wrote_ms = yo_time_ms();
    yo_file_replace(yo_buf_text(&live->path), text, len, NULL);
}

void yo_live_close(struct yo_live *live) {
    if (live->path.len > 0) unlink(yo_buf_text(&live->path));
    yo_buf_free(&live->path);
    *live = (struct yo_live){0};
}

/* ---- reading ---- */

/* KIND-PID.json. */
static bool parse_name(const char *name, char kind[16], long *pid) {
    int end = 0;
    return sscanf(name, "%15[a-z]-%ld.json%n", kind, pid, &end) == 2 && end > 0 &&
           name[end] == '\0' && *pid > 0;
}

static bool read_text(int folder, const char *name, struct yo_buf *text) {
    char bytes[1 << 14];
    ssize_t got;
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    while ((got = read(fd, bytes, sizeof bytes)) > 0 && text->len <= TEXT_MAX)
        yo_buf_add(text, bytes, (size_t)got);
    close(fd);
    return got == 0 && !yo_buf_status(text);
}

void yo_live_read(void (*take)(void *user, const char *kind, const char *text, size_t len),
                  void *user) {
    struct yo_buf path = {0}, text = {0};
    DIR *folder = find_folder(&path, false) ? opendir(yo_buf_text(&path)) : NULL;
    const struct dirent *entry;
    int count = 0;
    while (folder && count < TEXTS_MAX && (entry = readdir(folder))) {
        char kind[16];
        long pid;
        if (!parse_name(entry->d_name, kind, &pid)) continue;
        if (kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
            unlinkat(dirfd(folder), entry->d_name, 0);
            continue;
        }
        yo_buf_clear(&text);
        if (!read_text(dirfd(folder), entry->d_name, &text)) continue;
        take(user, kind, yo_buf_text(&text), text.len);
        count++;
    }
    if (folder) closedir(folder);
    yo_buf_free(&path);
    yo_buf_free(&text);
}
