/* A game on a terminal is kept in a file of its own, written after every move, until it is saved or
 * thrown away: a closed window loses nothing. The files are in $XDG_STATE_HOME/yomi/games, or
 * ~/.local/state/yomi/games. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* Zeroed: off, nothing is kept. */
struct yo_keep {
    bool on;
    const char *ending;  /* ".sgf" */
    struct yo_buf path;  /* "" until something is written */
    unsigned long state; /* of the game that was written last: the caller's number for it */
};

/* Is there a game in another state than the one written last? */
bool yo_keep_is_due(const struct yo_keep *keep, unsigned long state);
/* Writes the game. What cannot be written is not kept: nobody asked for the file. */
void yo_keep_write(struct yo_keep *keep, unsigned long state, const char *bytes, size_t len);
/* The game came from this file: it goes on being kept there if the file is one of ours. */
void yo_keep_adopt(struct yo_keep *keep, const char *path);
/* The game is saved elsewhere, or thrown away: removes the file. */
void yo_keep_drop(struct yo_keep *keep);
/* Another game begins: the file stays, and the next one gets a new name. */
void yo_keep_next(struct yo_keep *keep);
/* Says where the game is, if it is kept. */
void yo_keep_tell(const struct yo_keep *keep);
void yo_keep_close(struct yo_keep *keep);
