/* The libraries and other optional parts that this program was built with. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* Adds one line for each: "jansson 2.14: JSON", or "libpng: not built in (PNG pictures)". */
void yo_libraries_add(struct yo_buf *out);

struct yo_library {
    const char *name;
    const char *version;        /* "" if it has none; NULL: not built in */
    const char *purpose, *cure; /* cure: how to get it */
    char own[24];               /* where a version that was made here lies; do not copy it */
};
/* False past the last. */
bool yo_library_at(size_t i, struct yo_library *library);
