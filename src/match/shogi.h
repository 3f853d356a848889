/* One game of shogi between two USI engines. The referee here checks the rules, keeps the clock,
 * and writes the record. */
#pragma once

#include "game/shogi/kifu/record.h"
#include "game/shogi/rules.h"
#include "match/result.h"
#include "peer/usi.h"

struct yo_usi_match_rules {
    struct yo_shogi_rules rules;
    /* One of these limits each move; [0] is the first engine's, [1] that of all others. */
    uint64_t nodes[2];
    int64_t movetime_ms[2];
    int depth[2];
    /* Or a clock. */
    int64_t main_ms, byoyomi_ms, increment_ms;
    int64_t grace_ms;   /* overrun that the referee allows at each move */
    int64_t timeout_ms; /* an engine that takes longer hangs */
    struct yo_match_watcher watcher;
};

/* Where a game begins: moves from a position. */
struct yo_usi_opening {
    struct yo_shogi_position start;
    yo_shogi_move *moves;
    size_t count;
};

/* "startpos" or a SFEN, and "moves ..." behind it; the moves are the caller's to free. */
enum yo_err yo_usi_opening_parse(const char *line, struct yo_usi_opening *opening,
                                 struct yo_diag *diag);
/* `plies` random moves from the start, none of which loses material at once. */
enum yo_err yo_usi_opening_draw(uint64_t seed, int plies, struct yo_usi_opening *opening);

/* Plays one game. seats[0] is Black; which[i]: the limits in the rules of the engine in
 * seat i, 0 or 1. Engines and faults as in go.h. The caller deletes the record. */
enum yo_err yo_usi_match_play(struct yo_peer *const seats[2], const int which[2],
                              const struct yo_usi_match_rules *rules,
                              const struct yo_usi_opening *opening, struct yo_shogi_record **record,
                              struct yo_match_result *result, struct yo_diag *diag);
