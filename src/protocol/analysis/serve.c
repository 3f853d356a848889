/* The analysis engine over file descriptors: the caller's thread reads; any thread with an answer
 * writes. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/split.h"
#include "protocol/analysis/internal.h"

struct server {
    struct yo_analysis *analysis;
    int in_fd, out_fd;
    int out_errno; /* under the engine's out_lock */
};

static bool write_all(void *user, const char *bytes, size_t len) {
    struct server *s = user;
    yo_log_bytes(s->analysis->config.log, YO_LOG_OUT, bytes, len);
    int why = yo_file_write(s->out_fd, bytes, len);
    if (why) s->out_errno = why;
    return why == 0;
}

static void feed(void *user, const char *line, size_t len) {
    struct server *s = user;
    yo_analysis_feed(s->analysis, line, len);
}

/* False when the client no longer reads answers. */
static bool wait_for_input(struct server *s) {
    struct pollfd fds[2] = {{.fd = s->in_fd, .events = POLLIN}, {.fd = s->out_fd}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        continue;
    if (fds[0].revents) return true;
    return !(fds[1].revents & POLLERR);
}

static int read_lines(struct server *s) {
    struct yo_split split = {.emit = feed, .user = s};
    char bytes[1 << 14];
    int why = 0;
    while (!atomic_load(&s->analysis->unheard) && wait_for_input(s)) {
        ssize_t n = read(s->in_fd, bytes, sizeof bytes);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0) why = errno;
        if (n <= 0) break;
        yo_log_bytes(s->analysis->config.log, YO_LOG_IN, bytes, (size_t)n);
        yo_split_add(&split, bytes, (size_t)n);
    }
    yo_split_end(&split);
    return why;
}

/* As yo_analysis_finish, but also watches the output: a client that died has closed it, and a
 * search may still run for long. */
static void finish(struct server *s) {
    struct yo_analysis *a = s->analysis;
    struct pollfd out = {.fd = s->out_fd};
    pthread_mutex_lock(&a->lock);
    while ((a->waiting || a->running) && !atomic_load(&a->unheard)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&a->task_done, &a->lock, &until);
        if (poll(&out, 1, 0) > 0 && out.revents & POLLERR) break;
    }
    pthread_mutex_unlock(&a->lock);
}

static bool is_failure(int why) { return why && why != EPIPE && why != ECONNRESET; }

enum yo_err yo_analysis_serve(struct yo_analysis *a, int in_fd, int out_fd, bool wait,
                              struct yo_diag *diag) {
    struct server s = {.analysis = a, .in_fd = in_fd, .out_fd = out_fd};
    a->config.send = write_all;
    a->config.user = &s;
    int in_errno = read_lines(&s);
    if (wait) finish(&s);
    pthread_mutex_lock(&a->out_lock);
    a->config.send = NULL; /* running searches must not write any more */
    pthread_mutex_unlock(&a->out_lock);
    atomic_store(&a->unheard, true);
    if (is_failure(s.out_errno))
        return yo_diag_set(diag, YO_ERR_IO, "cannot write answers: %s", strerror(s.out_errno));
    if (is_failure(in_errno))
        return yo_diag_set(diag, YO_ERR_IO, "cannot read queries: %s", strerror(in_errno));
    return YO_OK;
}
