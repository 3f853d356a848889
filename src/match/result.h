/* How a game between two engines went, whichever it is: for the referees of Go and of shogi. */
#pragma once

#include "peer/peer.h"
#include "yomi/go.h"

/* Hears after each move how many there are; moved may be NULL. */
struct yo_match_watcher {
    void (*moved)(void *user, size_t moves);
    void *user;
};

enum yo_match_end {
    YO_MATCH_COUNTED,
    YO_MATCH_RESIGNED,
    YO_MATCH_TIME,
    YO_MATCH_ILLEGAL,
    YO_MATCH_CRASHED,
    YO_MATCH_HUNG,
    YO_MATCH_NONSENSE,
    YO_MATCH_TOO_LONG, /* counted, but at the limit of moves */
    YO_MATCH_REPEATED, /* a draw; in shogi also lost by who gave perpetual check */
    /* Shogi's own. */
    YO_MATCH_MATED,
    YO_MATCH_DECLARED, /* an entered king */
};
const char *yo_match_end_name(enum yo_match_end end);

struct yo_match_result {
    enum yo_go_color winner; /* YO_GO_EMPTY: a draw */
    enum yo_match_end end;
    char score[16];  /* as SGF writes it: "B+3.5", "W+R", "B+T", "W+F", "0", "Void" */
    char fault[300]; /* what went wrong, and the last the engine said; "" if nothing did */
    size_t moves;
    int64_t spent_ms[2]; /* Black's and White's thinking */
};

/* How a game ends in which an engine did this, and for the result's fault: what went wrong, and the
 * last that the engine said, on one line and in UTF-8 whatever that was. */
enum yo_match_end yo_match_end_of_fault(enum yo_peer_fault fault);
void yo_match_tell_fault(const struct yo_peer *peer, const struct yo_diag *diag, char out[300]);
