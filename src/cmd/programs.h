/* Other programs, found by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* In one of some folders, with colons between them (NULL: none). `file` gets its path. */
bool yo_program_is_in(const char *folders, const char *name, char *file, size_t size);
/* Where the shell would find it, or where Debian has what administrators start: the shells of other
 * users do not search there, but they may start it, too. */
bool yo_program_find(const char *name, char *file, size_t size);
