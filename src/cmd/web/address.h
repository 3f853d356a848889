/* Addresses to listen on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* The numeric address of a name, as civetweb takes it, and whether only this machine reaches it.
 * six: IPv6 may be listened on. */
enum yo_err yo_address_resolve(const char *name, bool six, char *host, size_t size, bool *loopback,
                               struct yo_diag *diag);
/* Why it cannot be listened on, if so: civetweb does not tell. */
enum yo_err yo_address_try(const char *host, int port, struct yo_diag *diag);
/* The address to print: where all addresses are listened on, one that others can reach. */
void yo_address_shown(const char *host, char *out, size_t size);
