/* lz-analyze, as Leela Zero, KataGo and Yomi have it: a search that reports as it goes. */
#pragma once

#include <stdatomic.h>

#include "cluster/message.h"
#include "peer/gtp.h"

enum { YO_PEER_GTP_INTERVAL_CS = 10 /* between two reports, in hundredths of a second */ };

struct yo_peer_analysis {
    const atomic_bool *stop; /* or NULL */
    int64_t until_ms, most;  /* time and visits; 0: no limit */
    void (*heard)(void *user, const struct yo_message_line *lines, size_t count, int64_t visits);
    void *user;
    /* The best of the last report, which the caller frees: */
    struct yo_message_line best;
    bool has_best;
    int64_t visits;
};

bool yo_peer_analysis_is_over(const struct yo_peer_analysis *analysis);
/* Runs until the analysis is over. */
enum yo_err yo_peer_analysis_run(struct yo_peer *peer, const char *command,
                                 struct yo_peer_analysis *analysis, struct yo_diag *diag);
