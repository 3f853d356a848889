/* Texts about a command that help, the man page and shell completion share. */
#pragma once

#include "base/buf.h"
#include "cmd/command.h"

/* "SHELL", "[FILE...]". */
void yo_text_argument(struct yo_buf *out, const struct yo_argument *argument);
/* "what to measure (playout)" */
void yo_text_argument_help(struct yo_buf *out, const struct yo_argument *argument);
/* "yomi perft [OPTION]... GAME DEPTH". */
void yo_text_usage(struct yo_buf *out, const struct yo_command *command);
/* "--size N", "--[no-]color". */
void yo_text_option(struct yo_buf *out, const struct yo_option *row);
/* "Board size. 2 to 19; 9 by default." */
void yo_text_option_help(struct yo_buf *out, const struct yo_option *row);
/* Appends text wrapped to at most `width` columns; every line after the first is indented. The
 * first line starts at column `column`. */
void yo_text_wrap(struct yo_buf *out, const char *text, size_t indent, size_t column, size_t width);
/* The help of the program, or of one command; `all`: with the options that are not usual. */
void yo_text_program_help(struct yo_buf *out);
void yo_text_command_help(struct yo_buf *out, const struct yo_command *command, bool all);

/* Writes a finished text to stdout and frees it. */
enum yo_err yo_text_print(struct yo_buf *text, struct yo_diag *diag);
