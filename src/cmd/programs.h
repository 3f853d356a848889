/* Other programs, found by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Adds to PATH, at its end, where Debian has games and what administrators start: not every user's
 * shell looks there, but engines and nats-server lie there. Before the first thread. */
void yo_programs_extend_path(void);
/* Where the shell would find it. `file` gets its path. */
bool yo_program_find(const char *name, char *file, size_t size);
