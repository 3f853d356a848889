/* The terminal, as far as a line-by-line conversation needs it: what it can show, lines typed by a
 * person or read from a pipe, Ctrl-C, and a line of progress. The terminal stays in the mode it was
 * found in, so there is nothing to put right whichever way the program ends. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define YO_TERM_LINE_MAX 1024

enum yo_term_input { YO_TERM_LINE, YO_TERM_TOO_LONG, YO_TERM_END };

struct yo_term {
    bool interactive; /* a person types and reads: prompts are welcome */
    bool graphic;     /* shows Unicode and colours */
    bool many_colors; /* 256 of them, not just 16 */
    bool moves;       /* can go back to the start of a line */
    int frame;        /* of the spinner; 0 while it is not shown */
    size_t len;       /* of what was read and not yet given out */
    bool ended;
    char input[YO_TERM_LINE_MAX];
};

/* At most one at a time: Ctrl-C ends up here while it is open and a person is at the keyboard. */
void yo_term_open(struct yo_term *term, bool ascii);
void yo_term_close(struct yo_term *term);
int yo_term_width(void);

/* Set by Ctrl-C; reading then gives YO_TERM_END. A second Ctrl-C ends the program at once. */
extern atomic_bool yo_term_interrupted;

/* Waits for a line; control characters become blanks, and both kinds of line end are taken off. A
 * line that does not fit is read to its end and thrown away. */
enum yo_term_input yo_term_read(struct yo_term *term, char line[YO_TERM_LINE_MAX]);

/* A line of progress that the next one replaces; nothing where nobody is watching. */
void yo_term_spin(struct yo_term *term, const char *text);
void yo_term_spin_end(struct yo_term *term);
