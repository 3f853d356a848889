/* Another program that is talked to in lines, over the streams of a child process: the part that
 * GTP and USI have in common. Whatever it does (die, hang, talk nonsense) is an answer with a name,
 * never a failure of ours. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "peer/child.h"
#include "yomi/error.h"

enum yo_peer_fault {
    YO_PEER_NONE,
    YO_PEER_REFUSED,  /* it answered that it cannot do that */
    YO_PEER_CRASHED,  /* it ended */
    YO_PEER_HUNG,     /* it did not answer in time */
    YO_PEER_NONSENSE, /* what it said is no answer */
};

#define YO_PEER_TAIL 1024
#define YO_PEER_LAST 160

/* Zeroed: not started. */
struct yo_peer {
    struct yo_child child;
    struct yo_buf input;     /* said and not yet taken as an answer */
    char tail[YO_PEER_TAIL]; /* the last it said, on either stream */
    size_t tail_len;
    enum yo_peer_fault fault; /* of the last question */
    char why[200];            /* what the fault was, if it is worse than REFUSED */
    /* NULL, or set from elsewhere: what is being waited for is given up, as if it hung. To be set
     * after the start. */
    const atomic_bool *stop;
};

/* As yo_child_start: whether it is an engine is known when it has answered something. */
enum yo_err yo_peer_start(struct yo_peer *peer, const char *command, struct yo_diag *diag);
/* Says one line, and hears the next one within the time. Anything but YO_OK has fault and diag set.
 * After a fault worse than REFUSED stop the peer: nothing is said to it any more, since the answer
 * could be the one that was waited for before. */
enum yo_err yo_peer_say(struct yo_peer *peer, const char *line, struct yo_diag *diag);
enum yo_err yo_peer_hear(struct yo_peer *peer, int64_t until_ms, struct yo_buf *line,
                         struct yo_diag *diag);
/* For the protocols on top: sets the fault, and diag to what went wrong. */
enum yo_err yo_peer_fail(struct yo_peer *peer, enum yo_peer_fault fault, const char *what,
                         struct yo_diag *diag);
/* The end of what it said, on one line; answers that say only yes are left out. */
void yo_peer_last(const struct yo_peer *peer, char out[YO_PEER_LAST]);
/* Whether it can be asked things. */
bool yo_peer_is_fit(const struct yo_peer *peer);
/* Says quit, waits a moment, and ends it. */
void yo_peer_stop(struct yo_peer *peer);
