/* Shogi networks: inputs by shogi_features.h, a policy of 27 x 81 and the winning probability. */
#pragma once

#include "eval/net/game.h"

extern const struct yo_net_game yo_net_dlshogi, yo_net_pieces;
