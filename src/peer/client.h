/* The other end of GTP: an engine that runs as a child process and is asked things. Whatever it
 * does (die, hang, talk nonsense) is an answer with a name, never a failure of ours. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "peer/child.h"
#include "yomi/error.h"

enum yo_gtp_fault {
    YO_GTP_FAULT_NONE,
    YO_GTP_FAULT_REFUSED,  /* it answered "? ..." */
    YO_GTP_FAULT_CRASHED,  /* it ended */
    YO_GTP_FAULT_HUNG,     /* it did not answer in time */
    YO_GTP_FAULT_NONSENSE, /* what it said is no answer */
};

#define YO_GTP_TAIL 1024
#define YO_GTP_LAST 160

/* Zeroed: not started. */
struct yo_gtp_client {
    struct yo_child child;
    struct yo_buf input;    /* said and not yet taken as an answer */
    char tail[YO_GTP_TAIL]; /* the last it said, on either stream */
    size_t tail_len;
    enum yo_gtp_fault fault; /* of the last question */
    char why[200];           /* what the fault was, if it is worse than REFUSED */
    /* NULL, or set from elsewhere: what is being waited for is given up, as if it hung. To be set
     * after the start. */
    const atomic_bool *stop;
};

/* As yo_child_start: whether it is an engine is known when it has answered something. */
enum yo_err yo_gtp_client_start(struct yo_gtp_client *client, const char *command,
                                struct yo_diag *diag);
/* One command, its answer without the mark and the empty line put into *answer, which may be NULL.
 * Anything but YO_OK has fault and diag set. After a fault worse than REFUSED stop the client: no
 * question is put to it any more, whose answer could be the one that was waited for before. */
enum yo_err yo_gtp_client_ask(struct yo_gtp_client *client, const char *command, int64_t timeout_ms,
                              struct yo_buf *answer, struct yo_diag *diag);
/* For other protocols of lines: says one, and hears the next one within the time. Faults are the
 * same. */
enum yo_err yo_gtp_client_say(struct yo_gtp_client *client, const char *line, struct yo_diag *diag);
enum yo_err yo_gtp_client_hear(struct yo_gtp_client *client, int64_t until_ms, struct yo_buf *line,
                               struct yo_diag *diag);
/* The end of what it said, on one line; answers that say only yes are left out. */
void yo_gtp_client_last(const struct yo_gtp_client *client, char out[YO_GTP_LAST]);
/* Can it be asked things? */
bool yo_gtp_client_is_fit(const struct yo_gtp_client *client);
/* Does it know the command? If it cannot be asked any more, no. */
bool yo_gtp_client_knows(struct yo_gtp_client *client, const char *command, int64_t timeout_ms);
/* Says quit, waits a moment, and ends it. */
void yo_gtp_client_stop(struct yo_gtp_client *client);
