/* Sums by the square of a king, for networks whose inputs depend on it: when a king returns to a
 * square, only the pieces that changed since it was there last are added to the sums of that time.
 * Belongs to one thread. */
#pragma once

#include "eval/shogi/net.h"

struct shogi_refresh_entry {
    _Alignas(64) int16_t sums[SHOGI_NET_SUMS];
    yo_shogi_hand hands[2];
    yo_shogi_piece board[YO_SHOGI_SQUARES];
};

struct shogi_refresh {
    bool known[2][YO_SHOGI_SQUARES]; /* [viewer][square of its king] */
    struct shogi_refresh_entry entries[2][YO_SHOGI_SQUARES];
};

/* Before the first position, and for another network. */
void yo_shogi_refresh_clear(struct shogi_refresh *refresh);
/* The sums of a position, whose kings must be on the board. refresh NULL: from scratch. */
void yo_shogi_refresh_sums(struct shogi_refresh *refresh, const struct yo_shogi_net *net,
                           const struct yo_shogi_position *pos, int viewer, int16_t *sums);
