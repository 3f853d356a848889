/* Whole-file reading, atomic file replacement, and complete writes to a descriptor. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/diag.h"

/* Appends all of a file. */
enum yo_err yo_file_read(const char *path, struct yo_buf *out, struct yo_diag *diag);
/* The same for text files written by people: more than 64 MB is an error. */
enum yo_err yo_file_read_text(const char *path, struct yo_buf *out, struct yo_diag *diag);

/* For use after the last line: YO_OK at the end of the file, or an error if reading failed. */
enum yo_err yo_file_ended(FILE *file, const char *name, struct yo_diag *diag);

/* Replaces a file atomically: writes the bytes to a temporary file beside it, then renames that. A
 * crash at any moment leaves either the old file or the new one. A symbolic link stays, and its
 * target is replaced. A device or a pipe is not replaced but written to. */
enum yo_err yo_file_replace(const char *path, const char *bytes, size_t len, struct yo_diag *diag);

/* Makes every folder on the way to a file; a failure shows when the file is written. */
void yo_file_make_folders(const char *path);

/* Whether that would find a place to write, for use before a long computation. */
enum yo_err yo_file_can_replace(const char *path, struct yo_diag *diag);

/* Writes all bytes, and blocks while the other end is slow. Returns 0, or the errno of the
 * failure. */
int yo_file_write(int fd, const char *bytes, size_t len);
