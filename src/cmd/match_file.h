/* The record of a match: a folder with results.csv, a line a game, and the records of the games.
 * Whatever interrupts a match, what was played is there and the match can go on.
 *
 * results.csv begins with lines "# ..." that make a match the one it is, and "# first is ...",
 * "# second is ..." for the builds that play. A match may go on with others, which is told and
 * written down before their first game; files of before that have no such lines. */
#pragma once

#include "protocol/gtp_match.h"

#define YO_MATCH_BUILD 192

struct yo_match_file {
    char *folder; /* NULL: nothing is kept */
    int fd;
    unsigned char *done; /* by game: 0 not played, 1 the first engine won, 2 the second, 3 a draw */
    size_t games;
    char builds[2][YO_MATCH_BUILD]; /* of the engines that played last; "": not known */
};

/* Opens or makes the folder, for `games` games. header are lines that begin with '#' and say what
 * is played: a folder of another match is refused. Zero the struct first if folder is NULL. */
enum yo_err yo_match_file_open(struct yo_match_file *file, const char *folder, const char *header,
                               size_t games, struct yo_diag *diag);
/* These builds play from now on. If others have played before and games are left, *changed has one
 * bit for each engine that is another. */
enum yo_err yo_match_file_set_builds(struct yo_match_file *file, const char *const builds[2],
                                     unsigned *changed, struct yo_diag *diag);
/* One game that has ended; first_is_black tells who is who. The record's text is kept under a name
 * that ends in `extension`. */
enum yo_err yo_match_file_add(struct yo_match_file *file, size_t game, bool first_is_black,
                              const struct yo_match_result *result, const struct yo_buf *record,
                              const char *extension, struct yo_diag *diag);
void yo_match_file_close(struct yo_match_file *file);

/* 1 the first engine won, 2 the second, 3 a draw. */
int yo_match_winner(bool first_is_black, const struct yo_match_result *result);
