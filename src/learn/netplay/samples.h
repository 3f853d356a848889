/* Games of a shogi network as training positions of alpha-beta's network (game/shogi/packed.h):
 * every position that was searched, with the search's chance as its score. */
#pragma once

#include "base/buf.h"
#include "learn/netplay/record.h"

/* Appends the samples of a finished game. scale: hundredths of a pawn that make the odds e to 1.
 * Games of others than shogi are YO_ERR_UNSUPPORTED. */
enum yo_err yo_netplay_samples(const struct yo_netplay_record *record, double scale,
                               struct yo_buf *out, struct yo_diag *diag);
