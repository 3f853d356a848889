#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/split.h"

struct stream {
    struct yo_log *log;
    char mark;
    struct yo_split split;
};

struct yo_log {
    int fd, why; /* why: errno of the first line that was lost */
    pthread_mutex_t lock;
    struct yo_buf text;
    struct stream streams[YO_LOG_KINDS];
};

static void put_time(struct yo_buf *out) {
    struct timespec now;
    struct tm tm;
    char text[32];
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &tm);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
    yo_buf_printf(out, "%s.%03ld ", text, now.tv_nsec / 1000000);
}

/* Under the lock. Each line is one write, so that two programs may share a file. */
static void emit(void *user, const char *line, size_t len) {
    struct stream *s = user;
    struct yo_log *log = s->log;
    yo_buf_clear(&log->text);
    put_time(&log->text);
    yo_buf_printf(&log->text, "%c ", s->mark);
    yo_buf_add(&log->text, line, len > YO_LINE_MAX ? 0 : len);
    if (len > YO_LINE_MAX) yo_buf_str(&log->text, "(a line of more than a megabyte)");
    yo_buf_char(&log->text, '\n');
    int why =
        log->text.failed ? ENOMEM : yo_file_write(log->fd, yo_buf_text(&log->text), log->text.len);
    if (why && !log->why) log->why = why;
}

enum yo_err yo_log_open(const char *path, const char *who, struct yo_log **out,
                        struct yo_diag *diag) {
    static const char marks[YO_LOG_KINDS] = {'>', '<', '#'};
    *out = NULL;
    if (!path) return YO_OK;
    struct yo_log *log = yo_alloc(1, sizeof *log);
    if (!log) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    log->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log->fd < 0) {
        yo_diag_set(diag, YO_ERR_IO, "cannot open the log %.150s: %s", path, strerror(errno));
        yo_free(log);
        return YO_ERR_IO;
    }
    pthread_mutex_init(&log->lock, NULL);
    for (int i = 0; i < YO_LOG_KINDS; i++) {
        struct stream *s = &log->streams[i];
        *s = (struct stream){.log = log, .mark = marks[i], .split = {.emit = emit, .user = s}};
    }
    *out = log;
    yo_log_line(log, YO_LOG_NOTE, who);
    return YO_OK;
}

void yo_log_bytes(struct yo_log *log, enum yo_log_kind kind, const char *bytes, size_t len) {
    if (!log) return;
    pthread_mutex_lock(&log->lock);
    yo_split_add(&log->streams[kind].split, bytes, len);
    pthread_mutex_unlock(&log->lock);
}

void yo_log_line(struct yo_log *log, enum yo_log_kind kind, const char *line) {
    if (!log) return;
    pthread_mutex_lock(&log->lock);
    emit(&log->streams[kind], line, strlen(line));
    pthread_mutex_unlock(&log->lock);
}

enum yo_err yo_log_close(struct yo_log *log, struct yo_diag *diag) {
    if (!log) return YO_OK;
    for (int i = 0; i < YO_LOG_KINDS; i++)
        yo_split_end(&log->streams[i].split);
    int why = log->why;
    if (close(log->fd) != 0 && !why) why = errno;
    yo_buf_free(&log->text);
    pthread_mutex_destroy(&log->lock);
    yo_free(log);
    if (!why) return YO_OK;
    return yo_diag_set(diag, YO_ERR_IO, "the log lacks lines: %s", strerror(why));
}
