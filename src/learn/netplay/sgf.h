/* Records of self-play as SGF, with what the searches found as comments. */
#pragma once

#include "learn/netplay/record.h"

/* Errors: no game of Go, or an illegal move. */
enum yo_err yo_netplay_sgf(const struct yo_netplay_record *record, struct yo_buf *out,
                           struct yo_diag *diag);
