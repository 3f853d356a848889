/* One line of GTP input, taken apart: [id] command [arguments]. Any bytes at all may come in; as
 * the standard asks, control characters are dropped, tabs become spaces and comments go. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "yomi/error.h"

/* Everything points into storage the struct owns and keeps for the next line; zero it before its
 * first use. */
struct yo_gtp_line {
    const char *id;      /* digits, or "" when there is none */
    const char *command; /* NULL when the line asks nothing */
    char **args;
    size_t arg_count;
    const char *rest; /* the arguments as they were written, for those that may hold spaces */

    char *text; /* the clean line */
    char *words;
    size_t text_cap, args_cap;
};

/* bytes need no end mark and hold no newline that matters. Fails only for want of memory. */
enum yo_err yo_gtp_line_parse(struct yo_gtp_line *line, const char *bytes, size_t len);
void yo_gtp_line_free(struct yo_gtp_line *line);

/* The comment by which GoGui asks to cut the running command short. */
bool yo_gtp_line_is_interrupt(const char *bytes, size_t len);
