/* The hardware server: answers docs/hw-protocol.md on a listening socket, a thread a connection.
 * Whatever one client sends, the others do not notice. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "eval/eval.h"

struct yo_hw_server {
    struct yo_eval eval; /* plays the games; stays the caller's */
    const char *name;    /* what the greeting says */
    uint32_t sizes;      /* bit n: boards of n by n are played */
    int connections_max;
    int64_t message_ms; /* the time from a message's first byte to its last */
};

/* Serves until *stop is set, then ends all connections, and returns. The socket is the caller's. */
enum yo_err yo_hw_serve(int listening, const struct yo_hw_server *server, const atomic_bool *stop,
                        struct yo_diag *diag);
