/* One game of shogi between two engines that speak USI, with a referee of our own: he knows the
 * rules, holds the clock, and writes the record. */
#pragma once

#include "game/shogi/kifu/record.h"
#include "game/shogi/rules.h"
#include "match/result.h"
#include "peer/usi.h"

struct yo_usi_match_rules {
    struct yo_shogi_rules rules;
    /* One of these says how long a move takes; [0] is the first engine's. */
    uint64_t nodes[2];
    int64_t movetime_ms[2];
    int depth[2];
    /* Or a clock. */
    int64_t main_ms, byoyomi_ms, increment_ms;
    int64_t grace_ms;   /* that a clock forgives at each move */
    int64_t timeout_ms; /* an answer that takes longer never comes */
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
/* So many random moves from the start, none of which gives something away at once. */
enum yo_err yo_usi_opening_draw(uint64_t seed, int plies, struct yo_usi_opening *opening);

/* Plays one game. seats[0] is Black; which[i]: whose settings of the rules seat i has. What is said
 * in go.h of engines and faults holds here too. The record is the caller's to delete. */
enum yo_err yo_usi_match_play(struct yo_peer *const seats[2], const int which[2],
                              const struct yo_usi_match_rules *rules,
                              const struct yo_usi_opening *opening, struct yo_shogi_record **record,
                              struct yo_match_result *result, struct yo_diag *diag);
