/* A program that runs as a child process, with its three streams. No function waits longer than its
 * time limit, whatever the program does. */
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

/* Runs a command line in the shell. Success only means that the shell started, not the program. The
 * caller must ignore SIGPIPE. */
enum yo_err yo_child_start(struct yo_child *child, const char *command, struct yo_diag *diag);
/* Waits for the end of the child; *status is waitpid's. False if it still runs at until_ms,
 * by yo_time_awake_ms. */
bool yo_child_wait(struct yo_child *child, int64_t until_ms, int *status);
/* Kills the child and all processes in its group. */
void yo_child_kill(struct yo_child *child);
/* Closes the streams of a child that has ended. */
void yo_child_close(struct yo_child *child);

/* Describes an exit status for people. */
void yo_child_tell_status(int status, char *out, size_t size);
