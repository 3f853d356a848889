/* One game of Go between two engines that speak GTP, with a referee of our own: he keeps the board,
 * knows the rules, holds the clock, and counts. */
#pragma once

#include "eval/eval.h"
#include "protocol/gtp_client.h"
#include "search/clock.h"
#include "yomi/go.h"

/* How a game is counted that ended by two passes. */
enum yo_match_count {
    YO_MATCH_JUDGE, /* dead stones are taken off; playouts tell which */
    YO_MATCH_BOARD, /* what stands on the board is alive */
};

/* Hears after each move how many there are; moved may be NULL. */
struct yo_match_watcher {
    void (*moved)(void *user, size_t moves);
    void *user;
};

struct yo_match_rules {
    int size;
    int handicap; /* stones of Black's on their fixed places; 0: none */
    struct yo_go_rules rules;
    enum yo_match_count count;
    struct yo_clock_settings clock; /* kind NONE: no clock */
    int64_t grace_ms;               /* that a clock forgives at each move */
    int64_t timeout_ms;             /* an answer that takes longer never comes */
    size_t move_limit;              /* a game that is longer is counted as it stands; 0: none */
    struct yo_match_watcher watcher;
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
/* By name; false if there is none. */
bool yo_match_end_parse(const char *text, enum yo_match_end *end);

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
enum yo_match_end yo_match_end_of_fault(enum yo_gtp_fault fault);
void yo_match_tell_fault(const struct yo_gtp_client *client, const struct yo_diag *diag,
                         char out[300]);

/* gtp_opening.c. Tells an engine a move of somebody else's. */
enum yo_err yo_match_say_move(struct yo_gtp_client *client, int size, struct yo_go_played played,
                              int64_t timeout_ms, struct yo_diag *diag);
/* Gives an engine whose board is empty the stones that a game began with, and its moves. */
enum yo_err yo_match_give_opening(struct yo_gtp_client *client, const struct yo_go_game *opening,
                                  int64_t timeout_ms, struct yo_diag *diag);

/* Plays one game, from where the opening is, which has the rules' size and rules; NULL for an empty
 * board. engines[0] is Black; both must be running. An engine whose fault is worse than
 * YO_GTP_FAULT_REFUSED afterwards has to be started again. *game is the whole of it, the caller's
 * to delete. eval gives playouts for YO_MATCH_JUDGE. Fails only for reasons of our own. */
enum yo_err yo_match_play(struct yo_gtp_client *const engines[2],
                          const struct yo_match_rules *rules, const struct yo_go_game *opening,
                          uint64_t seed, struct yo_eval eval, struct yo_go_game **game,
                          struct yo_match_result *result, struct yo_diag *diag);
