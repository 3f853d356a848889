/* Sockets for the hardware server and its clients: a Unix socket's path (with a '/' in it) or a
 * port of this machine ("4711", "localhost:4711"). Other addresses are refused: the protocol has no
 * authentication. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

enum yo_err yo_hw_listen(const char *address, int *fd, struct yo_diag *diag);
enum yo_err yo_hw_connect(const char *address, int *fd, struct yo_diag *diag);

enum yo_hw_io { YO_HW_IO_OK, YO_HW_IO_CLOSED, YO_HW_IO_LATE, YO_HW_IO_FAILED };

/* Transfers all n bytes, or returns the reason why not. CLOSED: the peer closed the connection,
 * before the first byte or after it. timeout_ms: for the whole transfer; -1 for none. stop: may be
 * NULL; once it is set, LATE. */
enum yo_hw_io yo_hw_read(int fd, void *bytes, size_t n, int64_t timeout_ms,
                         const atomic_bool *stop);
enum yo_hw_io yo_hw_write(int fd, const void *bytes, size_t n, int64_t timeout_ms);
