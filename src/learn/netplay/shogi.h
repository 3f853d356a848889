/* Self-play of shogi, from the initial position or a given one: mate, fourfold repetition and
 * declaration by 27 points end a game; one of 512 moves is cut. */
#pragma once

#include "game/shogi/packed.h"
#include "learn/netplay/rules.h"

#define YO_NETPLAY_SHOGI 2 /* id in records */

extern const struct yo_netplay_rules yo_netplay_shogi;

/* The setup of a game from this position; returns its length. */
size_t yo_netplay_shogi_setup(const uint8_t packed[YO_SHOGI_PACKED],
                              uint8_t setup[YO_NETPLAY_SETUP_MAX]);

/* The moves of a record as USI has them: "startpos moves 7g7f 3c3d". Errors: no game of shogi, or
 * an illegal move. */
enum yo_err yo_netplay_usi(const struct yo_netplay_record *record, struct yo_buf *out,
                           struct yo_diag *diag);
