/* Editing of the line that a user types, and the lines typed before, by libedit. Without libedit
 * there is none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct yo_edit;

/* The version of libedit; NULL without it. */
const char *yo_edit_library(void);

/* NULL if there is no libedit, or no memory. */
struct yo_edit *yo_edit_new(bool utf8);
void yo_edit_delete(struct yo_edit *edit);

/* Waits for a line, without its end; NULL at the end of input. The text is valid until the next
 * call. The terminal's mode is restored before it returns, also by signals that stop or end the
 * program. */
const char *yo_edit_read(struct yo_edit *edit, const char *prompt, size_t *len);
