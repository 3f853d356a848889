/* Workers as child processes: a pipe to and from each, one epoll descriptor for all. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/split.h"
#include "base/time.h"
#include "cluster/inbox.h"
#include "cluster/message.h"
#include "cluster/transport.h"
#include "peer/child.h"

enum {
    AGAIN_MS = 2000,      /* from a worker's death to its next start */
    AGAIN_MAX_MS = 60000, /* with the delay doubled at each death soon after the start */
    END_MS = 500,
    PENDING_MAX = 1 << 20, /* bytes that wait for a worker that does not read */
    COMMAND_MAX = 8192
};

struct local;

struct seat {
    struct local *local;
    char name[YO_MESSAGE_NAME];
    struct yo_child child;
    struct yo_split lines;
    struct yo_buf pending;        /* not yet written to it */
    struct yo_split words;        /* of its standard error */
    int64_t started_ms, again_ms; /* again_ms: when it is started again; 0: it runs */
    int64_t delay_ms;
};

struct local {
    char *command;
    struct yo_notices notices;
    struct seat *seats;
    size_t count;
    int epoll_fd;
    struct yo_inbox inbox;
};

/* ---- Lines ---- */

static void take_line(void *user, const char *line, size_t len) {
    if (len > 0 && len <= YO_MESSAGE_BYTES_MAX)
        yo_inbox_put(&((struct seat *)user)->local->inbox, line, len);
}

static void take_words(void *user, const char *line, size_t len) {
    struct seat *s = user;
    yo_notice(&s->local->notices, "%s: %.*s", s->name, (int)(len > 300 ? 300 : len), line);
}

/* ---- Starting and ending ---- */

static void watch(struct local *l, struct seat *s, int fd, uint32_t events, bool is_new) {
    struct epoll_event event = {.events = events, .data.ptr = s};
    epoll_ctl(l->epoll_fd, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
}

static enum yo_err start(struct local *l, struct seat *s, struct yo_diag *diag) {
    char command[COMMAND_MAX];
    int len = snprintf(command, sizeof command, "exec %s --name %s", l->command, s->name);
    if (len >= (int)sizeof command)
        return yo_diag_set(diag, YO_ERR_RANGE, "the command line of the workers is too long");
    enum yo_err err = yo_child_start(&s->child, command, diag);
    if (err) return err;
    s->started_ms = yo_time_ms();
    s->again_ms = 0;
    s->lines = (struct yo_split){.emit = take_line, .user = s};
    s->words = (struct yo_split){.emit = take_words, .user = s};
    fcntl(s->child.out_fd, F_SETFL, O_NONBLOCK);
    fcntl(s->child.err_fd, F_SETFL, O_NONBLOCK);
    watch(l, s, s->child.out_fd, EPOLLIN, true);
    watch(l, s, s->child.err_fd, EPOLLIN, true);
    return YO_OK;
}

/* Its output has ended: it is gone, or as good as gone. */
static void lose(struct seat *s) {
    struct local *l = s->local;
    struct yo_message leave = {.kind = YO_MESSAGE_LEAVE};
    struct yo_buf line = {0};
    yo_child_kill(&s->child);
    yo_child_close(&s->child);
    yo_split_end(&s->lines);
    yo_split_end(&s->words);
    yo_buf_free(&s->pending);
    strcpy(leave.worker, s->name);
    if (yo_message_write(&leave, &line) == YO_OK)
        yo_inbox_put(&l->inbox, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
    int64_t now = yo_time_ms();
    bool soon = now - s->started_ms < 2 * AGAIN_MS;
    s->delay_ms = soon && s->delay_ms ? 2 * s->delay_ms : AGAIN_MS;
    if (s->delay_ms > AGAIN_MAX_MS) s->delay_ms = AGAIN_MAX_MS;
    s->again_ms = now + s->delay_ms;
}

static void start_again(struct local *l) {
    int64_t now = yo_time_ms();
    for (size_t i = 0; i < l->count; i++) {
        struct seat *s = &l->seats[i];
        if (!s->again_ms || now < s->again_ms) continue;
        if (start(l, s, NULL)) s->again_ms = now + AGAIN_MAX_MS;
    }
}

/* ---- Reading and writing ---- */

/* False at the end of the stream. */
static bool read_some(int fd, struct yo_split *split) {
    char bytes[1 << 14];
    for (int i = 0; i < 16; i++) { /* bounded: a worker that floods must not starve the others */
        ssize_t got = read(fd, bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
        if (got < 0) return true;
        yo_split_add(split, bytes, (size_t)got);
        if (got < (ssize_t)sizeof bytes) return true;
    }
    return true;
}

/* A worker that is gone must not end this process by SIGPIPE, whatever its program does with that
 * signal elsewhere. */
static ssize_t write_quietly(int fd, const char *bytes, size_t len) {
    struct timespec none = {0};
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t put = write(fd, bytes, len);
    if (put < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe_signal, NULL, &none);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return put;
}

static void write_pending(struct seat *s) {
    struct yo_buf *p = &s->pending;
    ssize_t put = p->len ? write_quietly(s->child.in_fd, p->data, p->len) : 0;
    if (put > 0) {
        memmove(p->data, p->data + put, p->len - (size_t)put);
        p->len -= (size_t)put;
    }
}

static void serve(struct seat *s) {
    if (s->again_ms) return;
    bool open = read_some(s->child.out_fd, &s->lines);
    read_some(s->child.err_fd, &s->words);
    if (!open) lose(s);
}

static void serve_all(struct local *l) {
    struct epoll_event events[64];
    int ready = epoll_wait(l->epoll_fd, events, 64, 0);
    for (int i = 0; i < ready; i++)
        serve(events[i].data.ptr);
    for (size_t i = 0; i < l->count; i++)
        if (l->seats[i].pending.len) write_pending(&l->seats[i]);
    start_again(l);
}

static bool receive(void *ctx, struct yo_buf *out) {
    struct local *l = ctx;
    if (l->inbox.count == 0) serve_all(l);
    return yo_inbox_take(&l->inbox, out);
}

/* A message goes as a whole or not at all, and after those that wait. */
static void send_to(struct seat *s, const char *bytes, size_t len) {
    if (s->again_ms || s->pending.len + len > PENDING_MAX) return;
    yo_buf_add(&s->pending, bytes, len);
    yo_buf_char(&s->pending, '\n');
    if (yo_buf_status(&s->pending))
        yo_buf_free(&s->pending); /* half a line may be out: the worker passes over what follows */
    else
        write_pending(s);
}

static enum yo_err send(void *ctx, const char *to, const char *bytes, size_t len) {
    struct local *l = ctx;
    for (size_t i = 0; i < l->count; i++)
        if (!to || strcmp(to, l->seats[i].name) == 0) send_to(&l->seats[i], bytes, len);
    return YO_OK;
}

static bool is_over(void *ctx) {
    (void)ctx;
    return false;
}

/* Closed input is the sign to end; who does not heed it is killed. */
static void destroy(void *ctx) {
    struct local *l = ctx;
    int64_t until = yo_time_awake_ms() + END_MS;
    int status;
    for (size_t i = 0; i < l->count; i++)
        if (l->seats[i].child.in_fd > 0) {
            close(l->seats[i].child.in_fd);
            l->seats[i].child.in_fd = -1;
        }
    for (size_t i = 0; i < l->count; i++) {
        struct seat *s = &l->seats[i];
        if (!s->again_ms && !yo_child_wait(&s->child, until, &status)) yo_child_kill(&s->child);
        yo_child_close(&s->child);
        yo_buf_free(&s->lines.line);
        yo_buf_free(&s->words.line);
        yo_buf_free(&s->pending);
    }
    if (l->epoll_fd >= 0) close(l->epoll_fd);
    yo_inbox_free(&l->inbox);
    yo_free(l->seats);
    yo_free(l->command);
    yo_free(l);
}

static const struct yo_transport_ops ops = {"local", send, receive, is_over, destroy};

enum yo_err yo_transport_local(const char *command, int count, const struct yo_notices *notices,
                               struct yo_transport *transport, struct yo_diag *diag) {
    struct local *l = yo_alloc(1, sizeof *l);
    if (!l) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for workers");
    l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    l->command = yo_message_copy_text(command);
    l->seats = yo_alloc((size_t)count, sizeof *l->seats);
    l->notices = *notices;
    enum yo_err err = YO_OK;
    if (l->epoll_fd < 0 || !l->command || !l->seats)
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for workers");
    for (int i = 0; i < count && !err; i++) {
        struct seat *s = &l->seats[i];
        s->local = l;
        snprintf(s->name, sizeof s->name, "local-%d", i + 1);
        err = start(l, s, diag);
        if (!err) l->count++;
    }
    if (err) {
        destroy(l);
        return err;
    }
    *transport = (struct yo_transport){&ops, l, l->epoll_fd};
    return YO_OK;
}
