/* Base64 (RFC 4648), decoding only. */
#pragma once

#include "base/buf.h"

/* Appends the bytes. False for characters outside the alphabet and a wrong length; white space is
 * not allowed, the padding may be missing. */
bool yo_base64_decode(const char *text, size_t len, struct yo_buf *out);
