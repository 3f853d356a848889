/* Game records of Go, one a line: size, year, komi, result and moves, with tabs between. Moves are
 * a colour and SGF coordinates, run together: "BpdWdp". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "yomi/go.h"

#define YO_GO_RECORD_MOVES 1024

struct yo_go_record {
    int size;
    struct yo_go_rules rules;
    uint64_t hash;           /* of the moves: equal games are equal in it */
    enum yo_go_color winner; /* YO_GO_EMPTY: nobody, or it is not known */
    bool decided;            /* the result is known; without a winner it is a draw */
    bool counted;            /* so is by how many half points Black leads: */
    int lead2;
    int count;
    yo_go_point moves[YO_GO_RECORD_MOVES]; /* Black first, by turns */
};

/* Rules are not written down; komi tells them: 7.5 points and more are rules of area, less are
 * rules of territory. Without a komi it is what was usual in that year. A record whose players do
 * not alternate, of a size that is not played here, or with text that is none of this, is an
 * error; whether moves are legal is not asked. */
enum yo_err yo_go_record_parse(const char *line, size_t len, struct yo_go_record *record,
                               struct yo_diag *diag);
