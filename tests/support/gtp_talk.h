/* A GTP engine in this process, asked a line at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "protocol/gtp/gtp.h"

/* Sets an option as yomi-param does. */
void gtp_set(struct yo_gtp *gtp, const char *key, const char *value);
/* UCT on 9x9, with one thread and so many playouts a move; it never resigns. */
struct yo_gtp *gtp_engine(uint64_t playouts);
/* The answer to one line, in storage that the next call uses again. */
const char *gtp_ask(struct yo_gtp *gtp, const char *line);
/* An answer kept in storage of this size. */
void gtp_keep(char *out, size_t size, const char *answer);
