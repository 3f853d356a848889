/* The USI handshake: name, options, ready. */
#pragma once

#include "peer/peer.h"

/* usi, setoption for each "NAME=VALUE" of options (separated by ';', NULL for none), isready. An
 * option that the engine does not have is an error. */
enum yo_err yo_peer_usi_greet(struct yo_peer *peer, const char *options, int64_t timeout_ms,
                              char name[64], struct yo_diag *diag);

/* The same; *offered gets its options, a line "NAME type KIND ..." each. */
enum yo_err yo_peer_usi_meet(struct yo_peer *peer, const char *options, int64_t timeout_ms,
                             char name[64], struct yo_buf *offered, struct yo_diag *diag);

/* isready, and waits for readyok. */
enum yo_err yo_peer_usi_get_ready(struct yo_peer *peer, int64_t timeout_ms, struct yo_diag *diag);
