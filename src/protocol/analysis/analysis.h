/* KataGo's analysis engine: one JSON query per line, answers in any order, many positions at once.
 * Queries wait in a queue by priority; each worker has its own search and takes the first.
 * docs/analysis.md lists the supported fields. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/log.h"
#include "base/notice.h"
#include "base/option.h"
#include "yomi/error.h"

enum yo_analysis_view { YO_ANALYSIS_BLACK, YO_ANALYSIS_WHITE, YO_ANALYSIS_SIDE_TO_MOVE };
extern const char *const yo_analysis_views[];

struct yo_search_kind;

struct yo_analysis_config {
    uint64_t playouts; /* per position; 0 for no limit */
    int64_t time_ms;   /* per position; 0 for no limit */
    int threads;       /* in total; 0 for one per core */
    int positions;     /* searched at the same time; 0 for one per thread */
    enum yo_analysis_view view;
    /* Initial options of its sessions (engine/options.h), copied by name; NULL for the defaults.
     * The memory is shared by all positions. */
    const struct yo_options *options;
    const struct yo_search_kind *kinds; /* this and the next two: as in a session's configuration */
    const struct yo_go_patterns *patterns;
    struct yo_notices notices;
    struct yo_log *log; /* what yo_analysis_serve hears and says; may be NULL */
    /* Gets each line of an answer, newline included, from any thread, one call at a time. Returns
     * false when the client is gone. */
    bool (*send)(void *user, const char *bytes, size_t len);
    void *user;
};

struct yo_analysis;

void yo_analysis_config_init(struct yo_analysis_config *config);
/* If send is NULL, only yo_analysis_serve can run it. */
enum yo_err yo_analysis_new(const struct yo_analysis_config *config, struct yo_analysis **analysis,
                            struct yo_diag *diag);
/* Stops the running searches; waiting queries get no answer. */
void yo_analysis_delete(struct yo_analysis *analysis);

/* Takes one line. Its answers may come later. */
void yo_analysis_feed(struct yo_analysis *analysis, const char *line, size_t len);
/* Waits until every query is answered, or the client is gone. */
void yo_analysis_finish(struct yo_analysis *analysis);

/* Reads queries from in_fd and writes answers to out_fd until the end of input. Then finishes the
 * remaining queries, unless `wait` is false. SIGPIPE must be ignored. */
enum yo_err yo_analysis_serve(struct yo_analysis *analysis, int in_fd, int out_fd, bool wait,
                              struct yo_diag *diag);
