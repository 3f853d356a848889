#include "peer/peer.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"

#define QUIT_MS        500
#define END_MS         1000 /* from the end of its output to its exit */
#define SAY_MS         5000
#define LINE_MAX_BYTES ((size_t)1 << 22)
#define STOP_MS        50  /* how often the stop flag is read */
#define LOOK_MS        400 /* how often the clock is, as yo_time_awake_ms wants it */

enum yo_err yo_peer_start(struct yo_peer *peer, const char *command, struct yo_diag *diag) {
    *peer = (struct yo_peer){0};
    return yo_child_start(&peer->child, command, diag);
}

bool yo_peer_is_fit(const struct yo_peer *peer) {
    return peer->child.pid > 0 && peer->fault <= YO_PEER_REFUSED;
}

/* ---- listening ---- */

static void remember(struct yo_peer *peer, const char *bytes, size_t len) {
    if (len > YO_PEER_TAIL - 1) {
        bytes += len - (YO_PEER_TAIL - 1);
        len = YO_PEER_TAIL - 1;
    }
    size_t keep = YO_PEER_TAIL - 1 - len;
    if (peer->tail_len > keep) {
        memmove(peer->tail, peer->tail + peer->tail_len - keep, keep);
        peer->tail_len = keep;
    }
    memcpy(peer->tail + peer->tail_len, bytes, len);
    peer->tail_len += len;
    peer->tail[peer->tail_len] = '\0';
}

/* Reads once from its standard error. False at end of file, which is no fault. */
static bool hear_error(struct yo_peer *peer) {
    char bytes[4096];
    ssize_t got = read(peer->child.err_fd, bytes, sizeof bytes);
    if (got > 0) {
        remember(peer, bytes, (size_t)got);
        return true;
    }
    close(peer->child.err_fd);
    peer->child.err_fd = -1;
    return false;
}

/* Reads once from each stream that is ready. False when its output ended, at `until_ms`, or on
 * *stop. */
static bool listen_once(struct yo_peer *peer, int64_t until_ms, bool *ended) {
    struct pollfd fds[2] = {{.fd = peer->child.out_fd, .events = POLLIN},
                            {.fd = peer->child.err_fd, .events = POLLIN}};
    int64_t left = until_ms - yo_time_awake_ms();
    *ended = false;
    if (left <= 0 || (peer->stop && atomic_load(peer->stop))) return false;
    if (peer->stop && left > STOP_MS) left = STOP_MS;
    int ready = poll(fds, 2, left > LOOK_MS ? LOOK_MS : (int)left);
    if (ready < 0) return errno == EINTR;
    if (ready == 0) return true; /* the next call checks the time */
    if (fds[1].revents) hear_error(peer);
    if (!fds[0].revents) return true;
    char bytes[4096];
    ssize_t got = read(peer->child.out_fd, bytes, sizeof bytes);
    if (got <= 0) {
        *ended = true;
        return false;
    }
    remember(peer, bytes, (size_t)got);
    for (ssize_t i = 0; i < got; i++) /* both kinds of line end */
        if (bytes[i] != '\r') yo_buf_char(&peer->input, bytes[i]);
    return true;
}

/* Reads the remaining output of an engine that has ended. */
static void hear_last_words(struct yo_peer *peer) {
    bool ended = false;
    for (int i = 0; i < 64 && listen_once(peer, yo_time_awake_ms() + 1, &ended); i++)
        ;
    for (int i = 0; i < 64 && peer->child.err_fd > 0; i++) {
        struct pollfd fd = {.fd = peer->child.err_fd, .events = POLLIN};
        if (poll(&fd, 1, 0) <= 0 || !hear_error(peer)) return;
    }
}

/* ---- faults ---- */

enum yo_err yo_peer_fail(struct yo_peer *peer, enum yo_peer_fault fault, const char *what,
                         struct yo_diag *diag) {
    peer->fault = fault;
    snprintf(peer->why, sizeof peer->why, "%s", what);
    return yo_diag_set(diag, YO_ERR_IO, "%s", peer->why);
}

/* Its output has ended: waits for its exit and reports the crash. */
static enum yo_err tell_end(struct yo_peer *peer, struct yo_diag *diag) {
    char text[96];
    int status = 0;
    if (yo_child_wait(&peer->child, yo_time_awake_ms() + END_MS, &status))
        yo_child_tell_status(status, text, sizeof text);
    else
        snprintf(text, sizeof text, "it closed its output, and did not end");
    hear_last_words(peer);
    yo_child_kill(&peer->child);
    return yo_peer_fail(peer, YO_PEER_CRASHED, text, diag);
}

void yo_peer_last(const struct yo_peer *peer, char out[YO_PEER_LAST]) {
    char text[YO_PEER_TAIL];
    size_t room = YO_PEER_LAST - 10, len = 0, start = 0; /* of the line */
    for (size_t i = 0; i < peer->tail_len; i++) {
        char c = peer->tail[i];
        if (c != '\n') {
            text[len++] = (unsigned char)c < ' ' ? ' ' : c;
            continue;
        }
        while (len > start && text[len - 1] == ' ')
            len--;
        if (len - start == 1 && text[start] == '=') len = start;
        if (len > start) text[len++] = '/';
        start = len;
    }
    if (len > 0 && len == start) len--; /* drops the last separator */
    size_t cut = len > room ? len - room : 0;
    memcpy(out, text + cut, len - cut);
    out[len - cut] = '\0';
}

/* ---- lines ---- */

static bool write_all(int fd, const char *text, size_t len, int64_t until_ms) {
    while (len > 0) {
        ssize_t put = write(fd, text, len);
        if (put > 0) {
            text += put;
            len -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN && yo_time_awake_ms() < until_ms) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, 100);
        } else if (put >= 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

enum yo_err yo_peer_say(struct yo_peer *peer, const char *line, struct yo_diag *diag) {
    struct yo_buf out = {0};
    if (peer->fault > YO_PEER_REFUSED) /* the earlier fault remains */
        return yo_diag_set(diag, YO_ERR_IO, "%s", peer->why[0] ? peer->why : "it has failed");
    peer->fault = YO_PEER_NONE;
    yo_buf_printf(&out, "%s\n", line);
    bool written =
        write_all(peer->child.in_fd, yo_buf_text(&out), out.len, yo_time_awake_ms() + SAY_MS);
    yo_buf_free(&out);
    if (written) return YO_OK;
    if (errno == EPIPE) return tell_end(peer, diag);
    return yo_peer_fail(peer, YO_PEER_HUNG, "it does not read what it is told", diag);
}

/* Takes the first line out of what was received. */
static bool take_line(struct yo_buf *input, struct yo_buf *line) {
    char *end = input->len ? memchr(input->data, '\n', input->len) : NULL;
    if (!end) return false;
    size_t len = (size_t)(end + 1 - input->data);
    yo_buf_clear(line);
    yo_buf_add(line, input->data, len - 1);
    memmove(input->data, end + 1, input->len - len + 1);
    input->len -= len;
    return true;
}

enum yo_err yo_peer_hear_if(struct yo_peer *peer, int64_t until_ms, struct yo_buf *line,
                            bool *heard, struct yo_diag *diag) {
    bool ended = false;
    *heard = false;
    for (;;) {
        struct yo_buf *input = &peer->input;
        *heard = take_line(input, line);
        if (*heard) return yo_buf_status(line);
        if (input->len > LINE_MAX_BYTES || yo_buf_status(input))
            return yo_peer_fail(peer, YO_PEER_NONSENSE, "its answer has no end", diag);
        if (!listen_once(peer, until_ms, &ended)) break;
    }
    return ended ? tell_end(peer, diag) : YO_OK;
}

enum yo_err yo_peer_hear(struct yo_peer *peer, int64_t until_ms, struct yo_buf *line,
                         struct yo_diag *diag) {
    bool heard;
    enum yo_err err = yo_peer_hear_if(peer, until_ms, line, &heard, diag);
    if (err || heard) return err;
    return yo_peer_fail(peer, YO_PEER_HUNG, "it did not answer in time", diag);
}

/* ---- ending ---- */

/* Keeps reading, so that a program that is still writing can exit. */
static void hear_out(struct yo_peer *peer, int64_t until_ms) {
    bool ended = false;
    while (listen_once(peer, until_ms, &ended))
        yo_buf_clear(&peer->input);
}

void yo_peer_stop(struct yo_peer *peer) {
    int status;
    bool fit = yo_peer_is_fit(peer) && yo_peer_say(peer, "quit", NULL) == YO_OK;
    if (peer->child.in_fd > 0) close(peer->child.in_fd);
    peer->child.in_fd = -1;
    if (fit && !(peer->stop && atomic_load(peer->stop))) {
        hear_out(peer, yo_time_awake_ms() + QUIT_MS);
        yo_child_wait(&peer->child, yo_time_awake_ms() + QUIT_MS, &status);
    }
    yo_child_kill(&peer->child);
    yo_child_close(&peer->child);
    yo_buf_free(&peer->input);
    *peer = (struct yo_peer){0};
}
