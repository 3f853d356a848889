/* What a person does in either game: types a line at its turn, and saves the game. */
#pragma once

#include "cmd/play/keep.h"
#include "cmd/term.h"

/* Waits for a line until this time of yo_time_ms (0: for ever). YO_TERM_LINE: it is to be obeyed;
 * YO_TERM_LATE: the time is up; else it has been dealt with, and *quit is set at the end of input.
 * instead: what to type in place of a line that is too long. */
enum yo_term_input yo_person_read(struct yo_term *term, int64_t until_ms, const char *instead,
                                  char line[YO_TERM_LINE_MAX], bool *quit);

/* How a game is saved. */
struct yo_person_saving {
    const char *ending, *example; /* ".sgf", "game.sgf" */
    enum yo_err (*write)(void *game, const char *path, struct yo_diag *diag);
};
/* The command save: writes the game to the file that was typed, and drops the kept one.
 * *saved_as, which is the caller's to free, becomes its path. */
enum yo_err yo_person_save(const struct yo_person_saving *how, void *game, const char *typed,
                           struct yo_keep *keep, char **saved_as, struct yo_diag *diag);
