/* A peer that speaks GTP. */
#pragma once

#include "peer/peer.h"

/* One command; *answer, which may be NULL, gets the answer without its mark and the empty line.
 * Anything but YO_OK has fault and diag set. */
enum yo_err yo_peer_gtp_ask(struct yo_peer *peer, const char *command, int64_t timeout_ms,
                            struct yo_buf *answer, struct yo_diag *diag);
/* Whether it knows the command; false for a peer that cannot be asked any more. */
bool yo_peer_gtp_knows(struct yo_peer *peer, const char *command, int64_t timeout_ms);
