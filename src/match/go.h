/* One game of Go between two GTP engines. The referee here keeps the board and the clock, checks
 * the rules, and counts. */
#pragma once

#include "engine/clock.h"
#include "eval/eval.h"
#include "match/result.h"
#include "peer/gtp.h"
#include "yomi/go.h"

/* How a game is counted that ended by two passes. */
enum yo_match_count {
    YO_MATCH_JUDGE, /* dead stones are removed; the referee judges which */
    YO_MATCH_BOARD, /* what stands on the board is alive */
};
extern const char *const yo_match_counts[]; /* their names, ending with NULL */

struct yo_match_rules {
    int size;
    int handicap; /* stones of Black's on their fixed places; 0: none */
    struct yo_go_rules rules;
    enum yo_match_count count;
    struct yo_clock_settings clock; /* kind NONE: no clock */
    int64_t grace_ms;               /* overrun that the referee allows at each move */
    int64_t timeout_ms; /* an engine hangs if it takes longer than this and than the clock allows */
    size_t move_limit;  /* a longer game is counted as it stands; 0: none */
    struct yo_match_watcher watcher;
};

/* What YO_MATCH_JUDGE judges by. */
struct yo_match_judge {
    struct yo_eval playouts;
    struct yo_eval net; /* that tells ownership; ops NULL: none */
};

/* go_opening.c. Sends an engine a move that it did not choose. */
enum yo_err yo_match_say_move(struct yo_peer *peer, int size, struct yo_go_played played,
                              int64_t timeout_ms, struct yo_diag *diag);
/* Gives an engine whose board is empty the stones that a game began with, and its moves. */
enum yo_err yo_match_give_opening(struct yo_peer *peer, const struct yo_go_game *opening,
                                  int64_t timeout_ms, struct yo_diag *diag);

/* A game of `plies` random moves on the third line or above, none beside another stone; fewer where
 * there is no room. */
enum yo_err yo_match_draw_opening(const struct yo_match_rules *rules, uint64_t seed, int plies,
                                  struct yo_go_game **game);

/* Plays one game from the opening, which has the size and rules of `rules`; NULL for an empty
 * board. engines[0] is Black; both must be running. An engine whose fault is worse than
 * YO_PEER_REFUSED afterwards must be restarted. The caller deletes *game. Faults of an
 * engine are results, not errors. */
enum yo_err yo_match_play(struct yo_peer *const engines[2], const struct yo_match_rules *rules,
                          const struct yo_go_game *opening, uint64_t seed,
                          struct yo_match_judge judge, struct yo_go_game **game,
                          struct yo_match_result *result, struct yo_diag *diag);
