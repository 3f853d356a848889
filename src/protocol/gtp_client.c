#include "protocol/gtp_client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"

#define QUIT_MS     500
#define SAY_MS      5000
#define ANSWER_MAX  ((size_t)1 << 22)
#define STOP_MS     50  /* how often it is looked whether to give up */
#define SHELL_FAILS 127 /* what a shell says when there is no such program */

/* ---- starting ---- */

static void be_the_child(const char *command, const int in[2], const int out[2], const int err[2]) {
    setpgid(0, 0); /* Ctrl-C is for whoever started us; and all of a command can be ended at once */
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(SHELL_FAILS);
}

static void close_both(int fd[2]) {
    if (fd[0] >= 0) close(fd[0]);
    if (fd[1] >= 0) close(fd[1]);
}

/* No end of a pipe may reach another child, which would keep it open for ever. */
static bool open_pipes(int pipes[3][2]) {
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0) return false;
    return true;
}

enum yo_err yo_gtp_client_start(struct yo_gtp_client *client, const char *command,
                                struct yo_diag *diag) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    *client = (struct yo_gtp_client){0};
    pid_t pid = open_pipes(pipes) ? fork() : -1;
    if (pid == 0) be_the_child(command, pipes[0], pipes[1], pipes[2]);
    if (pid < 0) {
        for (int i = 0; i < 3; i++)
            close_both(pipes[i]);
        return yo_diag_set(diag, YO_ERR_IO, "cannot start a process: %s", strerror(errno));
    }
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    client->pid = pid;
    client->in_fd = pipes[0][1];
    client->out_fd = pipes[1][0];
    client->err_fd = pipes[2][0];
    fcntl(client->in_fd, F_SETFL, O_NONBLOCK);
    return YO_OK;
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

/* Reads once from whichever stream has something. False when its output ended, or at `until_ms`. */
static bool listen_once(struct yo_gtp_client *client, int64_t until_ms, bool *ended) {
    struct pollfd fds[2] = {{.fd = client->out_fd, .events = POLLIN},
                            {.fd = client->err_fd, .events = POLLIN}};
    int64_t left = until_ms - yo_time_ms();
    *ended = false;
    if (left <= 0 || (client->stop && atomic_load(client->stop))) return false;
    if (client->stop && left > STOP_MS) left = STOP_MS;
    int ready = poll(fds, 2, left > 1000000 ? 1000000 : (int)left);
    if (ready < 0) return errno == EINTR;
    if (ready == 0) return true; /* the time is looked at again above */
    char bytes[4096];
    if (fds[1].revents) {
        ssize_t got = read(client->err_fd, bytes, sizeof bytes);
        if (got > 0) {
            remember(client, bytes, (size_t)got);
        } else { /* it closed its standard error, as it may */
            close(client->err_fd);
            client->err_fd = -1;
        }
    }
    if (!fds[0].revents) return true;
    ssize_t got = read(client->out_fd, bytes, sizeof bytes);
    if (got <= 0) {
        *ended = true;
        return false;
    }
    remember(client, bytes, (size_t)got);
    for (ssize_t i = 0; i < got; i++) /* both kinds of line end */
        if (bytes[i] != '\r') yo_buf_char(&client->input, bytes[i]);
    return true;
}

static enum yo_err fail(struct yo_gtp_client *client, enum yo_gtp_fault fault, struct yo_diag *diag,
                        const char *what) {
    client->fault = fault;
    return yo_diag_set(diag, YO_ERR_IO, "%s", what);
}

static enum yo_err tell_end(struct yo_gtp_client *client, struct yo_diag *diag) {
    char text[96];
    int status = 0;
    if (client->pid > 0 && waitpid(client->pid, &status, 0) == client->pid) client->pid = -1;
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "it was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == SHELL_FAILS)
        snprintf(text, sizeof text, "there is no such program");
    else
        snprintf(text, sizeof text, "it ended with status %d",
                 WIFEXITED(status) ? WEXITSTATUS(status) : 0);
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
    client->fault = YO_GTP_FAULT_NONE;
    yo_buf_printf(&line, "%s\n", command);
    bool written = write_all(client->in_fd, yo_buf_text(&line), line.len, until_ms);
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
    bool written = write_all(client->in_fd, yo_buf_text(&out), out.len, yo_time_ms() + SAY_MS);
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
    if (client->pid > 0) {
        if (client->fault <= YO_GTP_FAULT_REFUSED)
            yo_gtp_client_ask(client, "quit", QUIT_MS, NULL, NULL);
    }
    if (client->in_fd > 0) close(client->in_fd);
    for (int64_t until = yo_time_ms() + QUIT_MS; client->pid > 0 && yo_time_ms() < until;) {
        if (client->fault > YO_GTP_FAULT_REFUSED) break;
        if (waitpid(client->pid, NULL, WNOHANG) == client->pid) client->pid = -1;
        if (client->pid > 0) usleep(2000);
    }
    if (client->pid > 0) {
        kill(-client->pid, SIGKILL);
        kill(client->pid, SIGKILL);
        waitpid(client->pid, NULL, 0);
    }
    if (client->out_fd > 0) close(client->out_fd);
    if (client->err_fd > 0) close(client->err_fd);
    yo_buf_free(&client->input);
    *client = (struct yo_gtp_client){0};
}
