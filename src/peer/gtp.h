/* A peer that speaks GTP. */
#pragma once

#include "peer/peer.h"

/* Sends one command; *answer, which may be NULL, gets the answer without its '=' and the empty
 * line. On any error fault and diag are set. */
enum yo_err yo_peer_gtp_ask(struct yo_peer *peer, const char *command, int64_t timeout_ms,
                            struct yo_buf *answer, struct yo_diag *diag);
/* Whether the engine knows the command; false for a peer that has failed. */
bool yo_peer_gtp_knows(struct yo_peer *peer, const char *command, int64_t timeout_ms);
