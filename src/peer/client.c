#include "peer/client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"

#define QUIT_MS    500
#define END_MS     1000 /* from the end of its output to its own */
#define SAY_MS     5000
#define ANSWER_MAX ((size_t)1 << 22)
#define STOP_MS    50 /* how often it is looked whether to give up */

enum yo_err yo_gtp_client_start(struct yo_gtp_client *client, const char *command,
                                struct yo_diag *diag) {
    *client = (struct yo_gtp_client){0};
    return yo_child_start(&client->child, command, diag);
}

bool yo_gtp_client_is_fit(const struct yo_gtp_client *client) {
    return client->child.pid > 0 && client->fault <= YO_GTP_FAULT_REFUSED;
}

/* ---- listening ---- */

static void remember(struct yo_gtp_client *client, const char *bytes, size_t len) {
    if (len > YO_GTP_TAIL - 1) {
        bytes += len - (YO_GTP_TAIL - 1);
        len = YO_GTP_TAIL - 1;
    }
    size_t keep = YO_GTP_TAIL - 1 - len;
    if (client->tail_len > keep) {
        memmove(client->tail, client->tail + client->tail_len - keep, keep);
        client->tail_len = keep;
    }
    memcpy(client->tail + client->tail_len, bytes, len);
    client->tail_len += len;
    client->tail[client->tail_len] = '\0';
}

/* Reads once from its standard error. False at the end of it: it may close that. */
static bool hear_error(struct yo_gtp_client *client) {
    char bytes[4096];
    ssize_t got = read(client->child.err_fd, bytes, sizeof bytes);
    if (got > 0) {
        remember(client, bytes, (size_t)got);
        return true;
    }
    close(client->child.err_fd);
    client->child.err_fd = -1;
    return false;
}

/* Reads once from whichever stream has something. False when its output ended, or at `until_ms`. */
static bool listen_once(struct yo_gtp_client *client, int64_t until_ms, bool *ended) {
    struct pollfd fds[2] = {{.fd = client->child.out_fd, .events = POLLIN},
                            {.fd = client->child.err_fd, .events = POLLIN}};
    int64_t left = until_ms - yo_time_ms();
    *ended = false;
    if (left <= 0 || (client->stop && atomic_load(client->stop))) return false;
    if (client->stop && left > STOP_MS) left = STOP_MS;
    int ready = poll(fds, 2, left > 1000000 ? 1000000 : (int)left);
    if (ready < 0) return errno == EINTR;
    if (ready == 0) return true; /* the time is looked at again above */
    if (fds[1].revents) hear_error(client);
    if (!fds[0].revents) return true;
    char bytes[4096];
    ssize_t got = read(client->child.out_fd, bytes, sizeof bytes);
    if (got <= 0) {
        *ended = true;
        return false;
    }
    remember(client, bytes, (size_t)got);
    for (ssize_t i = 0; i < got; i++) /* both kinds of line end */
        if (bytes[i] != '\r') yo_buf_char(&client->input, bytes[i]);
    return true;
}

/* What an engine that has ended still has to say, which may be more than was read at once. */
static void hear_last_words(struct yo_gtp_client *client) {
    for (int i = 0; i < 64 && client->child.err_fd > 0; i++) {
        struct pollfd fd = {.fd = client->child.err_fd, .events = POLLIN};
        if (poll(&fd, 1, 0) <= 0 || !hear_error(client)) return;
    }
}

/* ---- faults ---- */

static enum yo_err fail(struct yo_gtp_client *client, enum yo_gtp_fault fault, struct yo_diag *diag,
                        const char *what) {
    client->fault = fault;
    snprintf(client->why, sizeof client->why, "%s", what);
    return yo_diag_set(diag, YO_ERR_IO, "%s", client->why);
}

/* An engine that can be asked no more has the fault that it had. */
static enum yo_err fail_again(const struct yo_gtp_client *client, struct yo_diag *diag) {
    return yo_diag_set(diag, YO_ERR_IO, "%s", client->why[0] ? client->why : "it has failed");
}

/* Its output has ended, and so, within a moment, should it. */
static enum yo_err tell_end(struct yo_gtp_client *client, struct yo_diag *diag) {
    char text[96];
    int status = 0;
    if (yo_child_wait(&client->child, yo_time_ms() + END_MS, &status))
        yo_child_tell_status(status, text, sizeof text);
    else
        snprintf(text, sizeof text, "it closed its output, and did not end");
    hear_last_words(client);
    yo_child_kill(&client->child);
    return fail(client, YO_GTP_FAULT_CRASHED, diag, text);
}

void yo_gtp_client_last(const struct yo_gtp_client *client, char out[YO_GTP_LAST]) {
    char text[YO_GTP_TAIL];
    size_t room = YO_GTP_LAST - 10, len = 0, start = 0; /* of the line */
    for (size_t i = 0; i < client->tail_len; i++) {
        char c = client->tail[i];
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
    if (len > 0 && len == start) len--; /* nothing comes behind that line */
    size_t cut = len > room ? len - room : 0;
    memcpy(out, text + cut, len - cut);
    out[len - cut] = '\0';
}

/* ---- asking ---- */

static bool write_all(int fd, const char *text, size_t len, int64_t until_ms) {
    while (len > 0) {
        ssize_t put = write(fd, text, len);
        if (put > 0) {
            text += put;
            len -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN && yo_time_ms() < until_ms) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, 100);
        } else if (put >= 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* The length of the first whole answer in what was said, the empty line included, or 0. A line that
 * begins no answer is taken for itself: the empty line may never come. */
static size_t whole_answer(const struct yo_buf *input) {
    const char *text = yo_buf_text(input), *end = strstr(text, "\n\n");
    if (text[0] != '=' && text[0] != '?' && !end) end = strchr(text, '\n');
    return end ? (size_t)(end - text) + (end[1] == '\n' ? 2 : 1) : 0;
}

static enum yo_err take_answer(struct yo_gtp_client *client, size_t len, struct yo_buf *answer,
                               struct yo_diag *diag) {
    struct yo_buf *input = &client->input;
    char *text = input->data;
    size_t end = len;
    while (end > 0 && text[end - 1] == '\n')
        end--;
    text[end] = '\0';
    char mark = text[0];
    const char *body = text + 1 + strspn(text + 1, " ");
    enum yo_err err = YO_OK;
    if (mark == '?') {
        client->fault = YO_GTP_FAULT_REFUSED;
        err = yo_diag_set(diag, YO_ERR_UNSUPPORTED, "it answered: %.150s", body);
    } else if (mark != '=') {
        char what[200];
        snprintf(what, sizeof what, "it said what is no answer: %.150s", text);
        err = fail(client, YO_GTP_FAULT_NONSENSE, diag, what);
    } else if (answer) {
        yo_buf_clear(answer);
        yo_buf_str(answer, body);
    }
    memmove(text, text + len, input->len - len + 1);
    input->len -= len;
    return err;
}

enum yo_err yo_gtp_client_ask(struct yo_gtp_client *client, const char *command, int64_t timeout_ms,
                              struct yo_buf *answer, struct yo_diag *diag) {
    int64_t until_ms = yo_time_ms() + timeout_ms;
    struct yo_buf line = {0};
    if (client->fault > YO_GTP_FAULT_REFUSED) return fail_again(client, diag);
    client->fault = YO_GTP_FAULT_NONE;
    yo_buf_printf(&line, "%s\n", command);
    bool written = write_all(client->child.in_fd, yo_buf_text(&line), line.len, until_ms);
    yo_buf_free(&line);
    bool ended = !written && errno == EPIPE;
    for (;;) {
        size_t skip = client->input.len ? strspn(client->input.data, "\n") : 0;
        if (skip) { /* empty lines before an answer mean nothing */
            memmove(client->input.data, client->input.data + skip, client->input.len - skip + 1);
            client->input.len -= skip;
        }
        size_t len = whole_answer(&client->input);
        if (len) return take_answer(client, len, answer, diag);
        if (client->input.len > ANSWER_MAX || yo_buf_status(&client->input))
            return fail(client, YO_GTP_FAULT_NONSENSE, diag, "its answer has no end");
        if (!listen_once(client, until_ms, &ended)) break;
    }
    if (ended) return tell_end(client, diag);
    char what[96];
    snprintf(what, sizeof what, "it did not answer %.30s within %g s", command,
             (double)timeout_ms / 1000);
    return fail(client, YO_GTP_FAULT_HUNG, diag, what);
}

enum yo_err yo_gtp_client_say(struct yo_gtp_client *client, const char *line,
                              struct yo_diag *diag) {
    struct yo_buf out = {0};
    client->fault = YO_GTP_FAULT_NONE;
    yo_buf_printf(&out, "%s\n", line);
    bool written =
        write_all(client->child.in_fd, yo_buf_text(&out), out.len, yo_time_ms() + SAY_MS);
    yo_buf_free(&out);
    if (written) return YO_OK;
    if (errno == EPIPE) return tell_end(client, diag);
    return fail(client, YO_GTP_FAULT_HUNG, diag, "it does not read what it is told");
}

enum yo_err yo_gtp_client_hear(struct yo_gtp_client *client, int64_t until_ms, struct yo_buf *line,
                               struct yo_diag *diag) {
    bool ended = false;
    for (;;) {
        struct yo_buf *input = &client->input;
        char *end = input->len ? strchr(input->data, '\n') : NULL;
        if (end) {
            size_t len = (size_t)(end + 1 - input->data);
            yo_buf_clear(line);
            yo_buf_add(line, input->data, len - 1);
            memmove(input->data, end + 1, input->len - len + 1);
            input->len -= len;
            return yo_buf_status(line);
        }
        if (input->len > ANSWER_MAX || yo_buf_status(input))
            return fail(client, YO_GTP_FAULT_NONSENSE, diag, "its answer has no end");
        if (!listen_once(client, until_ms, &ended)) break;
    }
    if (ended) return tell_end(client, diag);
    return fail(client, YO_GTP_FAULT_HUNG, diag, "it did not answer in time");
}

bool yo_gtp_client_knows(struct yo_gtp_client *client, const char *command, int64_t timeout_ms) {
    struct yo_buf answer = {0};
    char question[80];
    snprintf(question, sizeof question, "known_command %.60s", command);
    bool known = yo_gtp_client_ask(client, question, timeout_ms, &answer, NULL) == YO_OK &&
                 strcmp(yo_buf_text(&answer), "true") == 0;
    yo_buf_free(&answer);
    return known;
}

/* ---- ending ---- */

void yo_gtp_client_stop(struct yo_gtp_client *client) {
    int status;
    if (yo_gtp_client_is_fit(client)) yo_gtp_client_ask(client, "quit", QUIT_MS, NULL, NULL);
    if (client->child.in_fd > 0) close(client->child.in_fd);
    client->child.in_fd = -1;
    if (yo_gtp_client_is_fit(client))
        yo_child_wait(&client->child, yo_time_ms() + QUIT_MS, &status);
    yo_child_kill(&client->child);
    yo_child_close(&client->child);
    yo_buf_free(&client->input);
    *client = (struct yo_gtp_client){0};
}
