/* The libraries and other optional parts that this program was built with. */
#pragma once

#include "base/buf.h"

/* Adds one line for each: "jansson 2.14: JSON", or "libpng: not built in (PNG pictures)". */
void yo_libraries_add(struct yo_buf *out);
