/* Rows of Go: the inputs (learn/go_rows.h), the policy target and the owners at the end. */
#pragma once

#include "learn/go_rows.h"
#include "learn/netplay/rows.h"

struct yo_netplay_go_row {
    struct yo_go_row row;                /* `move` is the one played */
    uint8_t owner[2][YO_GO_ROW_BYTES];   /* bits: the side to move's points, the opponent's */
    uint16_t policy[YO_GO_ROW_PASS + 1]; /* weights on the grid, that add up to about 65535 */
    uint16_t win;                        /* by the search, for the side to move: 65535 is certain */
    uint8_t has_owner;
    uint8_t unused[13];
};

extern const struct yo_netplay_rows yo_netplay_go_rows;
