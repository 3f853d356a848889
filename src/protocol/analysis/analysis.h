/* KataGo's analysis engine: a query a line in JSON, answers in any order, many positions at once.
 * Queries wait in a queue by priority; each worker has a search of its own and takes the first.
 * docs/analysis.md tells what is understood. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/notice.h"
#include "base/option.h"
#include "yomi/error.h"

enum yo_analysis_view { YO_ANALYSIS_BLACK, YO_ANALYSIS_WHITE, YO_ANALYSIS_SIDE_TO_MOVE };
extern const char *const yo_analysis_views[];

struct yo_search_kind;

struct yo_analysis_config {
    uint64_t playouts; /* a position; 0 for no limit */
    int64_t time_ms;   /* a position; 0 for no limit */
    int threads;       /* in all; 0 for one for each core */
    int positions;     /* at the same time; 0 for as many as there are threads */
    enum yo_analysis_view view;
    /* What its sessions begin with (engine/options.h), copied by name; NULL for the defaults. The
     * memory is for all positions together. */
    const struct yo_options *options;
    const struct yo_search_kind *kinds; /* as a session's, and the next two */
    const struct yo_go_patterns *patterns;
    struct yo_notices notices;
    /* Gets each line of an answer, newline included, from any thread, one call at a time. False:
     * nobody listens any more. */
    bool (*send)(void *user, const char *bytes, size_t len);
    void *user;
};

struct yo_analysis;

void yo_analysis_config_init(struct yo_analysis_config *config);
/* With send missing it must be served. */
enum yo_err yo_analysis_new(const struct yo_analysis_config *config, struct yo_analysis **analysis,
                            struct yo_diag *diag);
/* Ends what runs; what waits gets no answer. */
void yo_analysis_delete(struct yo_analysis *analysis);

/* One line. Its answers may come later. */
void yo_analysis_feed(struct yo_analysis *analysis, const char *line, size_t len);
/* Waits until everything that was asked has been answered, or nobody listens. */
void yo_analysis_finish(struct yo_analysis *analysis);

/* Answers what comes from in_fd on out_fd until the end of input. What was asked by then is
 * finished first, unless `wait` is false. SIGPIPE must be ignored. */
enum yo_err yo_analysis_serve(struct yo_analysis *analysis, int in_fd, int out_fd, bool wait,
                              struct yo_diag *diag);
