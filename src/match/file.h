/* The record of a match: a folder with results.csv, one line per game, and the game records. An
 * interrupted match keeps its finished games and can continue.
 *
 * results.csv begins with lines "# ..." that identify the match, and "# first is ...", "# second is
 * ...", "# openings are ..." with the builds and the hash of the openings. Engines are "first" and
 * "second", or their numbers if there are more than two. A match may continue
 * with other builds or openings; a notice reports that, and new lines are written before their
 * first game. Older files have no such lines. */
#pragma once

#include "match/result.h"
#include "match/schedule.h"

#define YO_MATCH_PART 192

/* What may change during a match: the builds of the engines, and the openings' file. */
enum { YO_MATCH_OPENINGS = YO_MATCH_ENGINES_MAX, YO_MATCH_PARTS };

struct yo_match_file {
    char *folder; /* NULL: nothing is kept */
    int fd;
    unsigned char
        *done; /* by game: 0 not played, 1 the pairing's first won, 2 its second, 3 drawn */
    size_t games;
    struct yo_schedule schedule;
    char parts[YO_MATCH_PARTS][YO_MATCH_PART]; /* of the last games; "": not known */
};

/* Opens or makes the folder, for `games` games. header: lines that begin with '#' and identify the
 * match; the folder of another match is an error. Zero the struct first if folder is NULL. */
enum yo_err yo_match_file_open(struct yo_match_file *file, const char *folder, const char *header,
                               const struct yo_schedule *schedule, size_t games,
                               struct yo_diag *diag);
/* Sets the parts for the games that follow; NULL for none. If games are left, *changed has a bit
 * for each part that differs from before. */
enum yo_err yo_match_file_set_parts(struct yo_match_file *file,
                                    const char *const parts[YO_MATCH_PARTS], unsigned *changed,
                                    struct yo_diag *diag);
/* Adds one finished game. The record's text is stored under a name that ends in `extension`. */
enum yo_err yo_match_file_add(struct yo_match_file *file, size_t game,
                              const struct yo_match_result *result, const struct yo_buf *record,
                              const char *extension, struct yo_diag *diag);
void yo_match_file_close(struct yo_match_file *file);

/* Hash of the rest of the file, to compare files. 0 if it cannot be read. */
uint64_t yo_match_hash(int fd);

/* 1 the pairing's first engine won, 2 the second, 3 a draw. */
int yo_match_winner(const struct yo_pairing *pairing, const struct yo_match_result *result);
/* What files call an engine: "first", "second", or "engine 3". */
void yo_match_engine_label(const struct yo_schedule *schedule, int engine, char out[16]);
