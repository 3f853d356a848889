/* A line-based dialogue in the terminal: printing, and a table of commands. The games of `yomi
 * play` share it. */
#pragma once

#include <stdarg.h>

#include "base/buf.h"
#include "base/diag.h"

/* Prints a paragraph, wrapped to the terminal's width. */
void yo_talk_say(const char *fmt, ...) YO_PRINTF(1, 2);
void yo_talk_say_list(const char *fmt, va_list args);
/* Prints an error as a sentence. */
void yo_talk_complain(const struct yo_diag *diag);
/* Prints a text and frees it. */
void yo_talk_print(struct yo_buf *text);

struct yo_talk_command {
    const char *name, *alias;
    const char *argument; /* its argument, for help; "" or NULL for none */
    const char *help;     /* NULL: not listed */
    enum yo_err (*run)(void *game, const char *argument, struct yo_diag *diag);
};

struct yo_talk {
    const struct yo_talk_command *commands;
    size_t count;
    const char *move_example, *move_help; /* "d4", "put a stone there" */
    /* For words that are not commands: whether a word looks like a move, and playing it. */
    bool (*is_move)(void *game, const char *word);
    enum yo_err (*move)(void *game, const char *word, struct yo_diag *diag);
    /* For a word that is neither: fills diag. nearest is the most similar command name, or NULL. */
    enum yo_err (*unknown)(const char *word, const char *nearest, struct yo_diag *diag);
};

/* Runs a line that the user typed and prints errors. Changes the line. */
void yo_talk_obey(const struct yo_talk *talk, void *game, char *line);
/* Prints the list of commands. */
void yo_talk_list(const struct yo_talk *talk);

/* Expands "~/" in a file name that the user typed and adds a missing ending. */
void yo_talk_complete_path(struct yo_buf *path, const char *typed, const char *ending);
/* A copy on the heap; NULL without memory. */
char *yo_talk_copy(const char *text);
/* over: an existing file may be replaced. */
enum yo_err yo_talk_write_file(const char *path, const char *bytes, size_t len, bool over,
                               const char *example, struct yo_diag *diag);
