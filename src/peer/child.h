/* A program that runs as a child process, with its three streams. Nothing here waits for longer
 * than it is told to, whatever the program does. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "yomi/error.h"

/* Zeroed: not started. */
struct yo_child {
    pid_t pid;                 /* 0 or less: it does not run */
    int in_fd, out_fd, err_fd; /* its standard input, output and error; 0 or less: closed */
};

/* Runs a command line by the shell. That it starts says nothing yet: a shell starts always. SIGPIPE
 * must be ignored. */
enum yo_err yo_child_start(struct yo_child *child, const char *command, struct yo_diag *diag);
/* Waits until it has ended, and then has waitpid's status. False if it has not by then. */
bool yo_child_wait(struct yo_child *child, int64_t until_ms, int *status);
/* Ends it and whatever it has started, at once. */
void yo_child_kill(struct yo_child *child);
/* Closes what is open of a child that does not run any more. */
void yo_child_close(struct yo_child *child);

/* How it ended, for people. */
void yo_child_tell_status(int status, char *out, size_t size);
