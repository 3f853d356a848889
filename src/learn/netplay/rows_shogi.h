/* Rows of shogi: dlshogi's 119 planes as bits (learn/shogi_rows.h) and the moves of the policy
 * target that weigh most. */
#pragma once

#include "learn/netplay/rows.h"
#include "learn/shogi_rows.h"

#define YO_NETPLAY_SHOGI_TARGETS 48

struct yo_netplay_shogi_row {
    uint8_t planes[YO_SHOGI_NET_DLSHOGI * YO_SHOGI_ROW_BYTES];
    int8_t result; /* of the side to move: 1 won, -1 lost, 0 drawn, 2 unknown */
    uint16_t win;  /* by the search, for the side to move: 65535 is certain */
    /* Policy entries (eval/net/shogi_features.h) and weights that add up to about 65535, the
     * heaviest first; a weight of 0 is no move. A fast search has no moves. */
    uint16_t label[YO_NETPLAY_SHOGI_TARGETS], weight[YO_NETPLAY_SHOGI_TARGETS];
};

extern const struct yo_netplay_rows yo_netplay_shogi_rows;
