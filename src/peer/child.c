#include "peer/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"

#define SHELL_FAILS 127 /* exit status of a shell without such a program */
#define LOOK_US     2000

/* ---- starting ---- */

static void be_the_child(const char *command, const int in[2], const int out[2], const int err[2]) {
    setpgid(0, 0); /* shields it from Ctrl-C; lets kill reach all of its processes */
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigset_t none; /* what this thread blocks, its programs need not */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(SHELL_FAILS);
}

static void close_both(int fd[2]) {
    if (fd[0] >= 0) close(fd[0]);
    if (fd[1] >= 0) close(fd[1]);
}

/* No other child may inherit an end of a pipe, since that would keep it open. */
static bool open_pipes(int pipes[3][2]) {
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0) return false;
    return true;
}

enum yo_err yo_child_start(struct yo_child *child, const char *command, struct yo_diag *diag) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    *child = (struct yo_child){0};
    pid_t pid = open_pipes(pipes) ? fork() : -1;
    if (pid == 0) be_the_child(command, pipes[0], pipes[1], pipes[2]);
    if (pid < 0) {
        int why = errno;
        for (int i = 0; i < 3; i++)
            close_both(pipes[i]);
        return yo_diag_set(diag, YO_ERR_IO, "cannot start a process: %s", strerror(why));
    }
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    *child = (struct yo_child){pid, pipes[0][1], pipes[1][0], pipes[2][0]};
    fcntl(child->in_fd, F_SETFL, O_NONBLOCK);
    return YO_OK;
}

/* ---- ending ---- */

bool yo_child_wait(struct yo_child *child, int64_t until_ms, int *status) {
    *status = 0;
    while (child->pid > 0) {
        if (waitpid(child->pid, status, WNOHANG) == child->pid) {
            child->pid = -1;
            return true;
        }
        if (yo_time_awake_ms() >= until_ms) return false;
        usleep(LOOK_US);
    }
    return true;
}

void yo_child_kill(struct yo_child *child) {
    if (child->pid <= 0) return;
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL); /* it may not have its own group yet */
    waitpid(child->pid, NULL, 0);
    child->pid = -1;
}

void yo_child_close(struct yo_child *child) {
    int *fds[] = {&child->in_fd, &child->out_fd, &child->err_fd};
    for (int i = 0; i < 3; i++) {
        if (*fds[i] > 0) close(*fds[i]);
        *fds[i] = -1;
    }
}

void yo_child_tell_status(int status, char *out, size_t size) {
    if (WIFSIGNALED(status))
        snprintf(out, size, "it was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == SHELL_FAILS)
        snprintf(out, size, "there is no such program");
    else
        snprintf(out, size, "it ended with status %d", WEXITSTATUS(status));
}
