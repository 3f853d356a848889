/* Files: read whole; written as a whole or not at all; a descriptor until it has taken everything.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/diag.h"

/* Appends all of a file. */
enum yo_err yo_file_read(const char *path, struct yo_buf *out, struct yo_diag *diag);
/* The same for what people write, which is never large: more than 64 MB are an error. */
enum yo_err yo_file_read_text(const char *path, struct yo_buf *out, struct yo_diag *diag);

/* After the last line: YO_OK at the end of the file, an error if it could not be read on. */
enum yo_err yo_file_ended(FILE *file, const char *name, struct yo_diag *diag);

/* Whoever kills us at any moment leaves the old file or the new one, since the bytes go to a file
 * beside it that then takes its name. A link stays one: what it leads to is written. So does a
 * device or a pipe, which is written to. */
enum yo_err yo_file_replace(const char *path, const char *bytes, size_t len, struct yo_diag *diag);

/* Writes all of it, waiting where the other end is slow. Returns 0, or errno of what went wrong. */
int yo_file_write(int fd, const char *bytes, size_t len);
