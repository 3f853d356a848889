/* How to connect to a broker: the library's options, with the credentials of a file. For nats.c. */
#pragma once

#include "cluster/transport.h"

#ifdef YOMI_NATS

#include <nats/nats.h>

enum { YO_NATS_CONNECT_MS = 5000, YO_NATS_AGAIN_MS = 250 /* between two tries to connect again */ };

/* The caller destroys them. */
enum yo_err yo_nats_options(const struct yo_nats_config *config, natsOptions **options,
                            struct yo_diag *diag);
/* Fills in why the connection was not made; returns what yo_transport_nats does. */
enum yo_err yo_nats_failure(const struct yo_nats_config *config, natsStatus status,
                            struct yo_diag *diag);

#endif
