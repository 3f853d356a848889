/* One WebSocket connection: the protocol behind it, and the messages that wait to be written. A
 * thread of its own writes, so that neither a search nor the reading thread waits for a slow
 * reader; of the reports only the newest waits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/web/web.h"

struct yo_link;

/* fd: the connection's socket, which the link shuts down but does not close. write: writes one
 * frame, false when the connection is gone; called from the link's thread. */
struct yo_link_config {
    struct yo_web_config web; /* send and user are set by the link */
    int fd;
    bool (*write)(void *connection, int opcode, const char *bytes, size_t len);
    void *connection;
};

enum yo_err yo_link_new(const struct yo_link_config *config, struct yo_link **link,
                        struct yo_diag *diag);
/* Ends the search and the writing. */
void yo_link_delete(struct yo_link *link);
/* Takes one frame, whose first byte has FIN and the opcode. Returns false if the connection is to
 * be closed. Waits when requests come too fast. */
bool yo_link_frame(struct yo_link *link, int bits, const char *bytes, size_t len);
/* Ends the connection if it is idle, if a frame has not ended in time, or if one is too long.
 * Called from another thread at short intervals. */
void yo_link_watch(struct yo_link *link, int64_t now_ms);
/* Ends the connection: reading and writing fail from now on. */
void yo_link_cut(struct yo_link *link);
