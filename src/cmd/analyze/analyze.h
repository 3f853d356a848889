/* yomi analyze: a game record gone through position by position. The front (analyze.c) knows no
 * game: it asks a reviewer, of which there is one for each kind of record, for positions to be
 * searched and for the annotated record. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/option.h"

/* Room for the text of a move, which may be Japanese. */
#define YO_REVIEW_MOVE 48

/* What is known of a position: number i is the one after i moves. */
struct yo_review_point {
    bool known;
    double rate;                 /* 0..1: the first side's chance to win */
    bool first;                  /* was the move that led here the first side's? */
    char move[YO_REVIEW_MOVE];   /* that move, "" before the first */
    char better[YO_REVIEW_MOVE]; /* what should have been played instead; "" if nothing is known */
};

struct yo_review_files {
    const char *path;   /* the record */
    const char *output; /* where the annotated one will go */
    size_t game;        /* which game of the record, from 0 */
};

struct yo_reviewer {
    const char *name;            /* "Go" */
    const char *const *suffixes; /* of file names, ending with NULL */
    const char *sides[2];        /* who moves first, and who second */
    const char *const *unused;   /* options that mean nothing here, ending with NULL */

    /* Reads the game. */
    enum yo_err (*open)(const struct yo_review_files *files, const struct yo_options *options,
                        void **review, struct yo_diag *diag);
    /* Reads what an earlier run has written of a game; it will be written as that one would be. */
    enum yo_err (*reopen)(const void *review, const char *path, void **earlier,
                          struct yo_diag *diag);
    void (*close)(void *review);
    bool (*same_game)(const void *a, const void *b);
    /* Takes out what earlier runs have found. */
    enum yo_err (*forget)(void *review);
    /* Before the first search; its limits are among the options. */
    enum yo_err (*start)(void *review, const struct yo_options *options, struct yo_diag *diag);
    size_t (*count)(const void *review);
    void (*point)(const void *review, size_t i, struct yo_review_point *out);
    /* For the title of the picture. */
    void (*title)(const void *review, struct yo_buf *out);
    /* Searches position i and writes what it finds into the record. YO_ERR_CANCELLED, and nothing
     * written, if *stop came first. */
    enum yo_err (*search)(void *review, size_t i, const atomic_bool *stop, struct yo_diag *diag);
    /* The record as it is to be kept: the bytes of a file. */
    enum yo_err (*text)(const void *review, struct yo_buf *out, struct yo_diag *diag);
};

extern const struct yo_reviewer yo_reviewer_go, yo_reviewer_shogi;
