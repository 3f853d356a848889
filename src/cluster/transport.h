/* What carries messages between a master and workers. Bytes in, bytes out: a transport knows
 * nothing of their meaning, except that a lost connection to a worker arrives as its `leave`.
 * Sending never waits for a slow receiver; a message that cannot be sent is lost, as on any
 * network, and leases make that harmless. */
#pragma once

#include <stdatomic.h>

#include "base/buf.h"
#include "base/notice.h"
#include "cluster/message.h"

struct yo_transport_ops {
    const char *name;
    /* To one worker by its name (a master's side); NULL: to all workers. A worker's side: to a
     * master by its name; NULL: to all who listen. One message. */
    enum yo_err (*send)(void *ctx, const char *to, const char *bytes, size_t len);
    /* The next message that has arrived into *out; false if there is none now. */
    bool (*receive)(void *ctx, struct yo_buf *out);
    /* No more messages will come: the other side is gone for good. */
    bool (*is_over)(void *ctx);
    void (*destroy)(void *ctx);
};

struct yo_transport {
    const struct yo_transport_ops *ops;
    void *ctx;
    int fd; /* poll reports it readable when messages wait or something else is to be done */
};

void yo_transport_close(struct yo_transport *transport);

/* ---- Child processes on this machine ---- */

/* Starts `count` processes that read messages from standard input and write them to standard
 * output: command lines for the shell, in which each gets "--name NAME" appended. One that dies is
 * started again, after a while. */
enum yo_err yo_transport_local(const char *command, int count, const struct yo_notices *notices,
                               struct yo_transport *transport, struct yo_diag *diag);
/* The other end: standard input and output of this process. */
enum yo_err yo_transport_stdio(struct yo_transport *transport, struct yo_diag *diag);

/* ---- NATS ---- */

/* A `leave` of this name means that no worker listens at all. */
#define YO_TRANSPORT_NOBODY "nobody"

struct yo_nats_config {
    const char *url;         /* nats://HOST:PORT, several separated by commas */
    const char *cluster;     /* the first part of every subject */
    const char *worker;      /* this worker's name; NULL for a master */
    const char *master;      /* this master's name; NULL for a worker */
    const char *auth_file;   /* lines KEY=VALUE: user, password, creds, ca, cert, key; or NULL */
    bool later;              /* does not wait: it connects as soon as a broker answers */
    int64_t wait_ms;         /* for the connection at most; 0: five seconds for each address */
    const atomic_bool *quit; /* when it is set nobody waits any more; or NULL */
};

/* Waits for the connection. Later the connection repairs itself.
 * YO_ERR_STATE: nobody listens at the address. YO_ERR_CANCELLED: who listens does not answer.
 * YO_ERR_MISMATCH: another worker has this name. */
enum yo_err yo_transport_nats(const struct yo_nats_config *config, struct yo_transport *transport,
                              struct yo_diag *diag);
/* Whether this is an address of NATS: nats://, tls://. */
bool yo_transport_is_nats(const char *address);
/* YO_ERR_ARGUMENT for a port that is no number. */
enum yo_err yo_transport_check_port(const char *address, struct yo_diag *diag);
/* Listens for so long whether workers of another cluster use the broker, and names it. Where the
 * user may not listen to others nobody is seen. */
bool yo_transport_nats_shared(const struct yo_nats_config *config, int64_t time_ms,
                              char name[YO_MESSAGE_NAME]);
/* The library's version; NULL: not built in. */
const char *yo_transport_nats_version(void);
