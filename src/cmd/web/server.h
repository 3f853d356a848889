/* HTTP and WebSocket by civetweb: the page's files, /health, and /ws with a session for each
 * connection. */
#pragma once

#include "base/option.h"
#include "protocol/web/gate.h"

struct yo_server;

struct yo_server_config {
    const char *host;                 /* a name or an address */
    int port;                         /* 0: any free one */
    int sessions;                     /* connections at the same time */
    int64_t idle_ms;                  /* a connection without a message ends; 0: never */
    const struct yo_options *options; /* of the sessions; outlives the server */
};

enum yo_err yo_server_start(const struct yo_server_config *config, struct yo_server **server,
                            struct yo_diag *diag);
void yo_server_stop(struct yo_server *server);
/* The page's address, with the secret if there is one. */
const char *yo_server_address(const struct yo_server *server);
/* Of civetweb; NULL if it is not built in. */
const char *yo_server_library(void);
