/* A file written as a whole or not at all. */
#pragma once

#include <stddef.h>

#include "base/diag.h"

/* Whoever kills us at any moment leaves the old file or the new one, since the bytes go to a file
 * beside it that then takes its name. A link stays one: what it leads to is written. */
enum yo_err yo_file_replace(const char *path, const char *bytes, size_t len, struct yo_diag *diag);
