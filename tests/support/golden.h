/* Transcripts kept in tests/data, which a run must give again. With YOMI_BLESS set in the
 * environment they are written anew. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* For a row of the tests: the transcript's name is the test's, and its state. */
#define GOLDEN(name, test)                                                                         \
    { name, test, NULL, NULL, (void *)(uintptr_t)name }

bool golden_is_blessed(void);
void golden_read(const char *path, struct yo_buf *out);
void golden_write(const char *path, const struct yo_buf *text);
/* Line by line; or writes it, if it is blessed. */
void golden_compare(const char *path, const struct yo_buf *got);
