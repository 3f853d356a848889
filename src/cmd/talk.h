/* A conversation in the terminal, line by line: what is said, and a table of what one can type. The
 * games of `yomi play` have this in common. */
#pragma once

#include <stdarg.h>

#include "base/buf.h"
#include "base/diag.h"

/* A paragraph, broken into lines that fit the terminal. */
void yo_talk_say(const char *fmt, ...) YO_PRINTF(1, 2);
void yo_talk_say_list(const char *fmt, va_list args);
/* What went wrong, as a sentence. */
void yo_talk_complain(const struct yo_diag *diag);
/* Writes a text and frees it. */
void yo_talk_print(struct yo_buf *text);

struct yo_talk_command {
    const char *name, *alias;
    const char *argument; /* what it takes, for help; "" or NULL for nothing */
    const char *help;     /* NULL: not listed */
    enum yo_err (*run)(void *game, const char *argument, struct yo_diag *diag);
};

struct yo_talk {
    const struct yo_talk_command *commands;
    size_t count;
    const char *move_example, *move_help; /* "d4", "put a stone there" */
    /* What is no command: does a word look like a move, and if so, the move. */
    bool (*is_move)(void *game, const char *word);
    enum yo_err (*move)(void *game, const char *word, struct yo_diag *diag);
    /* A word that is neither: fills diag. nearest is the name of a command, or NULL. */
    enum yo_err (*unknown)(const char *word, const char *nearest, struct yo_diag *diag);
};

/* Does what a line says; what cannot be done is said to the person. The line is changed. */
void yo_talk_obey(const struct yo_talk *talk, void *game, char *line);
/* The list of what one can type. */
void yo_talk_list(const struct yo_talk *talk);

/* The name of a file as a person typed it, with "~/" and a missing ending filled in. */
void yo_talk_complete_path(struct yo_buf *path, const char *typed, const char *ending);
/* over: an existing file may be replaced. */
enum yo_err yo_talk_write_file(const char *path, const char *bytes, size_t len, bool over,
                               const char *example, struct yo_diag *diag);
