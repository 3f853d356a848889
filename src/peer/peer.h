/* A child process that reads and writes lines: the common part of GTP and USI. A crash, a hang or
 * an invalid answer of the program becomes a named fault and never stops yomi itself. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "peer/child.h"
#include "yomi/error.h"

enum yo_peer_fault {
    YO_PEER_NONE,
    YO_PEER_REFUSED,  /* it refused the command */
    YO_PEER_CRASHED,  /* it ended */
    YO_PEER_HUNG,     /* it did not answer in time */
    YO_PEER_NONSENSE, /* its output is no valid answer */
};

#define YO_PEER_TAIL 1024
#define YO_PEER_LAST 160

/* Zeroed: not started. */
struct yo_peer {
    struct yo_child child;
    struct yo_buf input;     /* received, not yet consumed */
    char tail[YO_PEER_TAIL]; /* the end of its output on both streams */
    size_t tail_len;
    enum yo_peer_fault fault; /* of the last command */
    char why[200];            /* message of a fault worse than REFUSED */
    /* NULL, or a flag that ends waiting, with the fault HUNG. Set the pointer after the start. */
    const atomic_bool *stop;
};

/* As yo_child_start: only the first answer shows that the program is an engine. */
enum yo_err yo_peer_start(struct yo_peer *peer, const char *command, struct yo_diag *diag);
/* Sends one line; receives the next line until the deadline, by yo_time_awake_ms. On any error
 * fault and diag are set. After a fault worse than REFUSED stop the peer: no more lines are sent,
 * since the next answer could belong to the earlier command. */
enum yo_err yo_peer_say(struct yo_peer *peer, const char *line, struct yo_diag *diag);
enum yo_err yo_peer_hear(struct yo_peer *peer, int64_t until_ms, struct yo_buf *line,
                         struct yo_diag *diag);
/* The same, where silence is no fault: *heard is false if no line came until the deadline. */
enum yo_err yo_peer_hear_if(struct yo_peer *peer, int64_t until_ms, struct yo_buf *line,
                            bool *heard, struct yo_diag *diag);
/* For the protocols on top: sets the fault, and diag to what went wrong. */
enum yo_err yo_peer_fail(struct yo_peer *peer, enum yo_peer_fault fault, const char *what,
                         struct yo_diag *diag);
/* The end of its output, on one line, without empty GTP answers ("="). */
void yo_peer_last(const struct yo_peer *peer, char out[YO_PEER_LAST]);
/* Whether it can take commands. */
bool yo_peer_is_fit(const struct yo_peer *peer);
/* Sends quit, waits a moment, and kills it. */
void yo_peer_stop(struct yo_peer *peer);
