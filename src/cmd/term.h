/* The terminal for a line-based dialogue: its capabilities, lines from a keyboard or a pipe,
 * Ctrl-C, and a progress line. With libedit lines are edited, and the terminal's mode is another
 * one while a line is typed (edit.h). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct yo_edit;

#define YO_TERM_LINE_MAX 1024

enum yo_term_input { YO_TERM_LINE, YO_TERM_TOO_LONG, YO_TERM_END, YO_TERM_LATE };

struct yo_term {
    bool interactive; /* a user types and reads: prompts are printed */
    bool graphic;     /* shows Unicode */
    bool colors;      /* and colours */
    bool many_colors; /* 256 colours, not just 16 */
    bool moves;       /* a carriage return works */
    int frame;        /* of the spinner; 0 while it is not shown */
    size_t len;       /* bytes read and not yet returned */
    bool ended;
    struct yo_edit *edit; /* NULL: lines as the terminal gives them */
    char prompt[128];
    char input[YO_TERM_LINE_MAX];
};

/* At most one may be open. While it is open and interactive, it handles Ctrl-C. */
void yo_term_open(struct yo_term *term, bool ascii);
void yo_term_close(struct yo_term *term);
int yo_term_width(void);

/* Set by Ctrl-C; yo_term_read then returns YO_TERM_END. A second Ctrl-C ends the program. */
extern atomic_bool yo_term_interrupted;
/* Ctrl-C has stopped what it was meant for: the next one counts as the first. */
void yo_term_resume(const struct yo_term *term);

/* What the next yo_term_read shows before the line; only if interactive. */
void yo_term_prompt(struct yo_term *term, const char *fmt, ...) YO_PRINTF(2, 3);

/* The next yo_term_read waits until this time of yo_time_ms and then returns YO_TERM_LATE; what was
 * typed is lost. 0: for ever. */
void yo_term_until(int64_t deadline_ms);

/* Waits for a line. Control characters become blanks; LF and CR LF are removed. A line that does
 * not fit is read to its end and dropped. */
enum yo_term_input yo_term_read(struct yo_term *term, char line[YO_TERM_LINE_MAX]);

/* Waits for input and returns how many bytes there are; 0 at its end, after Ctrl-C and when it is
 * too late. */
size_t yo_term_bytes(char *bytes, size_t most);

/* Shows a progress line that the next one replaces; only if interactive and `moves`. */
void yo_term_spin(struct yo_term *term, const char *text);
void yo_term_spin_end(struct yo_term *term);
