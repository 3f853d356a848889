/* The result of a game between two engines, of Go or of shogi. */
#pragma once

#include "peer/peer.h"
#include "yomi/go.h"

#define YO_MATCH_BOARD_MAX 512

/* What a board shows after a move. */
struct yo_match_sight {
    size_t moves;
    char board[YO_MATCH_BOARD_MAX]; /* Go: '.', 'b', 'w' from the top left; shogi: a SFEN */
    char last[8];                   /* the last move; "" if it is not known */
};

/* Called after each move; moved may be NULL. */
struct yo_match_watcher {
    void (*moved)(void *user, const struct yo_match_sight *sight);
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
    YO_MATCH_REPEATED, /* a draw; in shogi a loss for perpetual check */
    /* Shogi's own. */
    YO_MATCH_MATED,
    YO_MATCH_DECLARED, /* an entered king */
};
const char *yo_match_end_name(enum yo_match_end end);

struct yo_match_result {
    enum yo_go_color winner; /* YO_GO_EMPTY: a draw */
    enum yo_match_end end;
    char score[16];  /* as SGF writes it: "B+3.5", "W+R", "B+T", "W+F", "0", "Void" */
    char fault[300]; /* the error, and the engine's last output; "" without an error */
    size_t moves;
    int64_t spent_ms[2]; /* Black's and White's thinking */
};

/* The end of a game for a fault of an engine; and the text for the result's `fault`: the error and
 * the engine's last output, on one line of valid UTF-8. */
enum yo_match_end yo_match_end_of_fault(enum yo_peer_fault fault);
void yo_match_tell_fault(const struct yo_peer *peer, const struct yo_diag *diag, char out[300]);
