/* Self-play of shogi from the initial position: mate, fourfold repetition and declaration by 27
 * points end a game; one of 512 moves is cut. */
#pragma once

#include "learn/netplay/rules.h"

#define YO_NETPLAY_SHOGI 2 /* id in records */

extern const struct yo_netplay_rules yo_netplay_shogi;

/* The moves of a record as USI has them: "startpos moves 7g7f 3c3d". Errors: no game of shogi, or
 * an illegal move. */
enum yo_err yo_netplay_usi(const struct yo_netplay_record *record, struct yo_buf *out,
                           struct yo_diag *diag);
