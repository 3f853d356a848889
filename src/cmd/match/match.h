/* What the files of `yomi match` share: options in, lines out. */
#pragma once

#include "base/live.h"
#include "base/option.h"
#include "cmd/progress.h"
#include "match/match.h"

/* go.c and shogi.c: read the options of a game, and list those that do not apply to it. */
enum yo_err yo_match_go_options(struct yo_match *m, const struct yo_options *o,
                                struct yo_diag *diag);
enum yo_err yo_match_shogi_options(struct yo_match *m, const struct yo_options *o,
                                   struct yo_diag *diag);
extern const char *const yo_match_go_unused[], *const yo_match_shogi_unused[];

/* tell.c: prints results and progress. */
struct match_view {
    const struct yo_match *match;
    struct match_table {
        bool used;
        size_t game, moves;
        char board[YO_MATCH_BOARD_MAX], last[8];
    } tables[YO_MATCH_JOBS_MAX]; /* the running games */
    struct yo_progress progress;
    struct yo_live live;
    int64_t started_ms;
    size_t before; /* games of an earlier run */
};
struct yo_match_events yo_match_view_events(struct match_view *view);
/* Prints the score so far of two engines, or a table of more. */
void yo_match_print_score(const struct yo_match *m);

/* live.c: tells `yomi web` of the match, if it is time to. */
void yo_match_view_publish(struct match_view *view);

/* table.c: all games of an engine. */
struct yo_tally yo_match_sum(const struct yo_match *m, int engine);
/* Ratings of all engines, best first, and who beat whom. */
void yo_match_print_table(const struct yo_match *m);
/* "+12", "-inf". */
void yo_match_format_elo(double elo, char out[16]);
