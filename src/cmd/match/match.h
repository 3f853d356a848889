/* What the files of `yomi match` share: options in, lines out. */
#pragma once

#include "base/option.h"
#include "match/match.h"

/* go.c and shogi.c: what a game's options say, and those that mean nothing in it. */
enum yo_err yo_match_go_options(struct yo_match *m, const struct yo_options *o,
                                struct yo_diag *diag);
enum yo_err yo_match_shogi_options(struct yo_match *m, const struct yo_options *o,
                                   struct yo_diag *diag);
extern const char *const yo_match_go_unused[], *const yo_match_shogi_unused[];

/* tell.c: what a person sees of a match. */
struct match_view {
    const struct yo_match *match;
    struct {
        bool used;
        size_t game, moves;
    } tables[YO_MATCH_JOBS_MAX]; /* the games that are being played */
    bool shown;                  /* a line of progress */
};
struct yo_match_events yo_match_view_events(struct match_view *view);
/* The score so far. */
void yo_match_print_tally(const struct yo_match *m);
