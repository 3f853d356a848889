/* A run of yomi analyze: from position to position, and the files and words that come of it. The
 * files are written anew after each position, so that a run that is killed leaves what it found and
 * the next one goes on from there. */
#pragma once

#include <stdint.h>

#include "cmd/analyze/analyze.h"

struct yo_review_run {
    const struct yo_reviewer *reviewer;
    void *review;
    struct yo_buf record, svg, png; /* names of files; "" for none */
    bool png_missing;               /* wanted, but libpng is not built in */
    size_t count;                   /* of positions */
    double *rate, *drop;            /* room for a number a position */
    const atomic_bool *stop;
    /* Its own affairs. */
    size_t searched;
    int64_t start_ms, drawn_ms;
    bool shows_progress;
};

/* Searches what is not known yet; a stop is no failure. */
enum yo_err yo_review_go_through(struct yo_review_run *run, struct yo_diag *diag);
/* Writes the files and says on stdout what came out; YO_ERR_CANCELLED if it was stopped. */
enum yo_err yo_review_finish(struct yo_review_run *run, struct yo_diag *diag);
