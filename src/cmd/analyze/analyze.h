/* yomi analyze: reviews a game record position by position. analyze.c is independent of the game: a
 * reviewer, one for Go and one for shogi, reads the record, searches its positions and writes the
 * annotated record. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/option.h"

/* Buffer size for the text of a move, which may be Japanese. */
#define YO_REVIEW_MOVE 48

/* The result for a position; number i is the position after i moves. */
struct yo_review_point {
    bool known;
    double rate;                 /* 0..1: the first side's chance to win */
    bool first;                  /* the first side made the move that led here */
    char move[YO_REVIEW_MOVE];   /* that move, "" before the first */
    char better[YO_REVIEW_MOVE]; /* the better move; "" if none is known */
};

struct yo_review_files {
    const char *path;   /* the record */
    const char *output; /* the annotated record, to be written */
    size_t game;        /* which game of the record, from 0 */
};

struct yo_reviewer {
    const char *name;            /* "Go" */
    const char *const *suffixes; /* of file names, ending with NULL */
    const char *sides[2];        /* names of the side that moves first and of the other */
    const char *const *unused;   /* options that do not apply, ending with NULL */

    /* Reads the game. */
    enum yo_err (*open)(const struct yo_review_files *files, const struct yo_options *options,
                        void **review, struct yo_diag *diag);
    /* Reads the record that an earlier run wrote. It will be written in the format and charset of
     * `review`. */
    enum yo_err (*reopen)(const void *review, const char *path, void **earlier,
                          struct yo_diag *diag);
    void (*close)(void *review);
    bool (*same_game)(const void *a, const void *b);
    /* Removes the results of earlier runs. */
    enum yo_err (*forget)(void *review);
    /* Called before the first search; the options hold the search limits. */
    enum yo_err (*start)(void *review, const struct yo_options *options, struct yo_diag *diag);
    size_t (*count)(const void *review);
    void (*point)(const void *review, size_t i, struct yo_review_point *out);
    /* For the title of the picture. */
    void (*title)(const void *review, struct yo_buf *out);
    /* Searches position i and writes the result into the record. If *stop is set first, writes
     * nothing and returns YO_ERR_CANCELLED. */
    enum yo_err (*search)(void *review, size_t i, const atomic_bool *stop, struct yo_diag *diag);
    /* The annotated record as the bytes of a file. */
    enum yo_err (*text)(const void *review, struct yo_buf *out, struct yo_diag *diag);
};

extern const struct yo_reviewer yo_reviewer_go, yo_reviewer_shogi;
