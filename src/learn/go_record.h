/* Game records of Go, one per line: size, year, komi, result and moves, with tabs between. Moves
 * are a colour and SGF coordinates, run together: "BpdWdp". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "yomi/go.h"

#define YO_GO_RECORD_MOVES 1024

struct yo_go_record {
    int size;
    struct yo_go_rules rules;
    uint64_t hash;           /* of the moves: equal for equal games */
    enum yo_go_color winner; /* YO_GO_EMPTY: a draw, or unknown */
    bool decided;            /* the result is known; without a winner it is a draw */
    bool counted;            /* lead2, Black's lead in half points, is known */
    int lead2;
    int count;
    yo_go_point moves[YO_GO_RECORD_MOVES]; /* Black first, by turns */
};

/* Records do not name their rules; komi selects them: area scoring for 7.5 points and more,
 * territory scoring for less. A missing komi is the usual one of the year. Errors: players that do
 * not alternate, an unsupported size, other text. Does not check that moves are legal. */
enum yo_err yo_go_record_parse(const char *line, size_t len, struct yo_go_record *record,
                               struct yo_diag *diag);
