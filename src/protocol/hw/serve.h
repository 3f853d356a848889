/* The hardware server: serves the protocol of docs/hw-protocol.md on a listening socket, with one
 * thread per connection. Bad input of one client does not affect the others. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "eval/eval.h"

struct yo_hw_server {
    struct yo_eval eval; /* plays the games; owned by the caller */
    const char *name;    /* sent in the greeting */
    uint32_t sizes;      /* bit n: boards of n by n are supported */
    int connections_max;
    int64_t message_ms; /* the longest time from a message's first byte to its last */
};

/* Serves until *stop is set, then closes all connections. The caller owns the socket. */
enum yo_err yo_hw_serve(int listening, const struct yo_hw_server *server, const atomic_bool *stop,
                        struct yo_diag *diag);
