/* Parses one line of GTP input: [id] command [arguments]. The input may hold any bytes; as the
 * standard requires, control characters and comments are dropped and tabs become spaces. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "yomi/error.h"

/* Everything points into storage the struct owns and keeps for the next line; zero it before its
 * first use. */
struct yo_gtp_line {
    const char *id;      /* digits, or "" when there is none */
    const char *command; /* NULL if the line is empty or a comment */
    char **args;
    size_t arg_count;
    const char *rest; /* the arguments unsplit, for arguments that may hold spaces */

    char *text; /* the clean line */
    char *words;
    size_t text_cap, args_cap;
};

/* bytes need no terminating NUL; newlines in them have no meaning. Fails only if out of memory. */
enum yo_err yo_gtp_line_parse(struct yo_gtp_line *line, const char *bytes, size_t len);
void yo_gtp_line_free(struct yo_gtp_line *line);

/* The comment "# interrupt", by which GoGui interrupts the running command. */
bool yo_gtp_line_is_interrupt(const char *bytes, size_t len);
