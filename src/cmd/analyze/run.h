/* A run of yomi analyze: searches the positions, writes the files and prints the summary. The files
 * are rewritten after each position, so that a killed run keeps its results and the next run
 * continues from there. */
#pragma once

#include <stdint.h>

#include "cmd/analyze/analyze.h"
#include "cmd/progress.h"

struct yo_review_run {
    const struct yo_reviewer *reviewer;
    void *review;
    struct yo_buf record, svg, png; /* file names; "" for none */
    bool png_missing;               /* requested, but libpng is not built in */
    size_t count;                   /* of positions */
    double *rate, *drop;            /* one entry per position */
    const atomic_bool *stop;
    /* Private to run.c. */
    size_t searched;
    int64_t drawn_ms;
    struct yo_progress progress;
};

/* Searches the positions without a result; a stop is not an error. */
enum yo_err yo_review_go_through(struct yo_review_run *run, struct yo_diag *diag);
/* Writes the files and prints the summary on stdout; YO_ERR_CANCELLED if the run was stopped. */
enum yo_err yo_review_finish(struct yo_review_run *run, struct yo_diag *diag);
