/* The record of a match: a folder with results.csv, a line a game, and the records of the games.
 * Whatever interrupts a match, what was played is there and the match can go on.
 *
 * results.csv begins with lines "# ..." that make a match the one it is, and "# first is ...",
 * "# second is ...", "# openings are ..." for what stands behind those names. A match may go on
 * with others, which is told and written down before their first game; files of before that have no
 * such lines. */
#pragma once

#include "match/result.h"

#define YO_MATCH_PART 192

/* What may change behind its name: the builds of the engines, and the openings' file. */
enum { YO_MATCH_FIRST, YO_MATCH_SECOND, YO_MATCH_OPENINGS, YO_MATCH_PARTS };

struct yo_match_file {
    char *folder; /* NULL: nothing is kept */
    int fd;
    unsigned char *done; /* by game: 0 not played, 1 the first engine won, 2 the second, 3 a draw */
    size_t games;
    char parts[YO_MATCH_PARTS][YO_MATCH_PART]; /* of the last games; "": not known */
};

/* Opens or makes the folder, for `games` games. header are lines that begin with '#' and say what
 * is played: a folder of another match is refused. Zero the struct first if folder is NULL. */
enum yo_err yo_match_file_open(struct yo_match_file *file, const char *folder, const char *header,
                               size_t games, struct yo_diag *diag);
/* With these the match goes on; NULL for none. If others were there before and games are left,
 * *changed has a bit for each that is another. */
enum yo_err yo_match_file_set_parts(struct yo_match_file *file,
                                    const char *const parts[YO_MATCH_PARTS], unsigned *changed,
                                    struct yo_diag *diag);
/* One game that has ended; first_is_black tells who is who. The record's text is kept under a name
 * that ends in `extension`. */
enum yo_err yo_match_file_add(struct yo_match_file *file, size_t game, bool first_is_black,
                              const struct yo_match_result *result, const struct yo_buf *record,
                              const char *extension, struct yo_diag *diag);
void yo_match_file_close(struct yo_match_file *file);

/* Of all that is left to read: two files with the same are the same. 0 if it cannot be read. */
uint64_t yo_match_hash(int fd);

/* 1 the first engine won, 2 the second, 3 a draw. */
int yo_match_winner(bool first_is_black, const struct yo_match_result *result);
