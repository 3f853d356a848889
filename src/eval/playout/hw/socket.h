/* Sockets for the hardware server and those who attach to it: a Unix socket's path (with a '/' in
 * it) or a port of this machine ("4711", "localhost:4711"). Nothing else is listened on or called:
 * the protocol has no authentication. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

enum yo_err yo_hw_listen(const char *address, int *fd, struct yo_diag *diag);
enum yo_err yo_hw_connect(const char *address, int *fd, struct yo_diag *diag);

enum yo_hw_io { YO_HW_IO_OK, YO_HW_IO_CLOSED, YO_HW_IO_LATE, YO_HW_IO_FAILED };

/* All n bytes, or why not. CLOSED: the other side ended, before the first byte or after it.
 * timeout_ms: for all of it; -1 for none. stop: or NULL; once it is set, LATE. */
enum yo_hw_io yo_hw_read(int fd, void *bytes, size_t n, int64_t timeout_ms,
                         const atomic_bool *stop);
enum yo_hw_io yo_hw_write(int fd, const void *bytes, size_t n, int64_t timeout_ms);
