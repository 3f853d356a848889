/* The record of a match: a folder with results.csv, a line a game, and the records of the games.
 * Whatever interrupts a match, what was played is there and the match can go on. */
#pragma once

#include "protocol/gtp_match.h"

struct yo_match_file {
    char *folder; /* NULL: nothing is kept */
    int fd;
    unsigned char *done; /* by game: 0 not played, 1 the first engine won, 2 the second, 3 a draw */
    size_t games;
};

/* Opens or makes the folder, for `games` games. header are lines that begin with '#' and say what
 * is played: a folder of another match is refused. Zero the struct first if folder is NULL. */
enum yo_err yo_match_file_open(struct yo_match_file *file, const char *folder, const char *header,
                               size_t games, struct yo_diag *diag);
/* One game that has ended; first_is_black tells who is who. The record's text is kept under a name
 * that ends in `extension`. */
enum yo_err yo_match_file_add(struct yo_match_file *file, size_t game, bool first_is_black,
                              const struct yo_match_result *result, const struct yo_buf *record,
                              const char *extension, struct yo_diag *diag);
void yo_match_file_close(struct yo_match_file *file);

/* 1 the first engine won, 2 the second, 3 a draw. */
int yo_match_winner(bool first_is_black, const struct yo_match_result *result);
