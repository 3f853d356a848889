/* GTP over file descriptors. One thread reads and queues lines, so that an interrupt works while a
 * command runs. The caller's thread answers them in order; only it writes. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/split.h"
#include "protocol/gtp/internal.h"

/* Reading pauses while this many bytes are unanswered. */
#define QUEUE_MAX (4 * YO_LINE_MAX)

struct queued {
    struct queued *next;
    size_t len;
    bool interrupted;
    char bytes[];
};

struct server {
    struct yo_gtp *gtp;
    int in_fd, out_fd, wake[2];
    pthread_mutex_t lock;
    pthread_cond_t line_came, room_came;
    /* Under the lock: */
    struct queued *first, *last;
    size_t queued_bytes;
    bool busy, ended, leaving;
    bool unheard; /* the client is gone */
    int in_errno, out_errno;
    enum yo_err err;
};

/* ---- The reading thread ---- */

/* Interrupts the line that was read last: the last in the queue, else the running one. */
static void interrupt(struct server *s) {
    pthread_mutex_lock(&s->lock);
    if (s->last)
        s->last->interrupted = true;
    else if (s->busy)
        yo_gtp_interrupt(s->gtp);
    pthread_mutex_unlock(&s->lock);
}

static void enqueue(void *user, const char *bytes, size_t len) {
    struct server *s = user;
    if (yo_gtp_line_is_interrupt(bytes, len)) {
        interrupt(s);
        return;
    }
    size_t kept = len > YO_LINE_MAX ? 0 : len; /* too long: keep only the length */
    struct queued *q = yo_alloc(1, sizeof *q + kept);
    if (q) {
        q->len = len;
        if (kept) memcpy(q->bytes, bytes, kept);
    }
    pthread_mutex_lock(&s->lock);
    while (s->queued_bytes > QUEUE_MAX && !s->leaving)
        pthread_cond_wait(&s->room_came, &s->lock);
    if (!q) {
        s->err = YO_ERR_NOMEM;
    } else {
        if (s->last)
            s->last->next = q;
        else
            s->first = q;
        s->last = q;
        s->queued_bytes += kept + sizeof *q;
        yo_gtp_input_came(s->gtp);
    }
    pthread_cond_signal(&s->line_came);
    pthread_mutex_unlock(&s->lock);
}

/* Waits for input; false when the server shuts down, or nobody reads its output. */
static bool wait_for_input(const struct server *s) {
    struct pollfd fds[3] = {{.fd = s->in_fd, .events = POLLIN},
                            {.fd = s->wake[0], .events = POLLIN},
                            {.fd = s->out_fd}};
    while (poll(fds, 3, -1) < 0 && errno == EINTR)
        continue;
    return !fds[1].revents && !(fds[2].revents & (POLLERR | POLLHUP));
}

/* Stops the search when the output is closed. The end of input alone is no sign of a dead client:
 * the input of a script ends at once, and its answers are still needed. */
static void watch_output(struct server *s) {
    struct pollfd fds[2] = {{.fd = s->out_fd}, {.fd = s->wake[0], .events = POLLIN}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        continue;
    if (!fds[0].revents) return;
    pthread_mutex_lock(&s->lock);
    s->unheard = true;
    if (s->busy) yo_gtp_interrupt(s->gtp);
    pthread_mutex_unlock(&s->lock);
}

static void *read_lines(void *arg) {
    struct server *s = arg;
    struct yo_split split = {.emit = enqueue, .user = s};
    char bytes[1 << 14];
    int why = 0;
    while (wait_for_input(s)) {
        ssize_t n = read(s->in_fd, bytes, sizeof bytes);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0) why = errno;
        if (n <= 0) break;
        yo_log_bytes(s->gtp->config.log, YO_LOG_IN, bytes, (size_t)n);
        yo_split_add(&split, bytes, (size_t)n);
    }
    yo_split_end(&split);
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    s->in_errno = why;
    yo_gtp_input_came(s->gtp);
    pthread_cond_signal(&s->line_came);
    pthread_mutex_unlock(&s->lock);
    watch_output(s);
    return NULL;
}

/* ---- The answering thread ---- */

/* The next line, or NULL at the end. */
static struct queued *dequeue(struct server *s) {
    pthread_mutex_lock(&s->lock);
    s->busy = false;
    while (!s->first && !s->ended && !s->err)
        pthread_cond_wait(&s->line_came, &s->lock);
    struct queued *q = s->unheard ? NULL : s->first;
    if (q) {
        s->first = q->next;
        if (!s->first) s->last = NULL;
        s->queued_bytes -= (q->len > YO_LINE_MAX ? 0 : q->len) + sizeof *q;
        s->busy = true;
        atomic_store(&s->gtp->stop, q->interrupted);
        atomic_fetch_sub(&s->gtp->waiting, 1);
        pthread_cond_signal(&s->room_came);
    }
    pthread_mutex_unlock(&s->lock);
    return q;
}

/* False when nothing can be written any more. */
static bool write_all(struct server *s, const char *bytes, size_t len) {
    yo_log_bytes(s->gtp->config.log, YO_LOG_OUT, bytes, len);
    int why = yo_file_write(s->out_fd, bytes, len);
    if (why) s->out_errno = why;
    return why == 0;
}

static bool send_part(void *user, const char *bytes, size_t len) {
    return write_all(user, bytes, len);
}

static void answer_all(struct server *s) {
    struct yo_buf reply = {0};
    struct queued *q;
    bool heard = true;
    while (heard && !yo_gtp_done(s->gtp) && (q = dequeue(s))) {
        yo_buf_clear(&reply);
        yo_gtp_feed(s->gtp, q->bytes, q->len, &reply);
        yo_free(q);
        /* Half an answer is worse than none: the client would wait for its end. */
        static const char lost[] = "? out of memory for the answer\n\n";
        heard = reply.failed ? write_all(s, lost, sizeof lost - 1)
                             : write_all(s, yo_buf_text(&reply), reply.len);
        if (heard && !yo_gtp_done(s->gtp)) yo_gtp_ponder(s->gtp);
    }
    yo_buf_free(&reply);
}

static void leave(struct server *s, pthread_t reader) {
    pthread_mutex_lock(&s->lock);
    s->leaving = true;
    pthread_cond_signal(&s->room_came);
    pthread_mutex_unlock(&s->lock);
    while (write(s->wake[1], "", 1) < 0 && errno == EINTR)
        continue;
    pthread_join(reader, NULL);
    while (s->first) {
        struct queued *q = s->first;
        s->first = q->next;
        yo_free(q);
    }
}

/* A client that closes the connection is the usual end; a full disk or a directory is an error. */
static bool is_failure(int why) { return why && why != EPIPE && why != ECONNRESET; }

static enum yo_err conclude(const struct server *s, struct yo_diag *diag) {
    if (s->err) return yo_diag_set(diag, s->err, "no memory to read commands");
    if (is_failure(s->out_errno))
        return yo_diag_set(diag, YO_ERR_IO, "cannot write answers: %s", strerror(s->out_errno));
    if (is_failure(s->in_errno))
        return yo_diag_set(diag, YO_ERR_IO, "cannot read commands: %s", strerror(s->in_errno));
    return YO_OK;
}

enum yo_err yo_gtp_serve(struct yo_gtp *gtp, int in_fd, int out_fd, struct yo_diag *diag) {
    struct server s = {.gtp = gtp, .in_fd = in_fd, .out_fd = out_fd};
    pthread_t reader;
    if (pipe(s.wake) != 0)
        return yo_diag_set(diag, YO_ERR_IO, "cannot make a pipe: %s", strerror(errno));
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.line_came, NULL);
    pthread_cond_init(&s.room_came, NULL);
    gtp->send = send_part;
    gtp->send_user = &s;
    if (pthread_create(&reader, NULL, read_lines, &s) == 0) {
        answer_all(&s);
        leave(&s, reader);
    } else {
        s.err = YO_ERR_NOMEM;
    }
    gtp->send = NULL;
    pthread_cond_destroy(&s.room_came);
    pthread_cond_destroy(&s.line_came);
    pthread_mutex_destroy(&s.lock);
    close(s.wake[0]);
    close(s.wake[1]);
    return conclude(&s, diag);
}
