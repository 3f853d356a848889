/* Positions that games of self-play begin at, taken from training positions of earlier games: of
 * quick games from the start position few are still even after a hundred moves. */
#pragma once

#include "game/shogi/packed.h"

struct yo_selfplay_openings {
    struct yo_shogi_sample *samples; /* yo_free */
    size_t count;
    uint64_t id; /* of what was read; 0 if nothing was */
};

/* Keeps the positions of a file's bytes that are about even. YO_ERR_PARSE if one is damaged,
 * YO_ERR_ARGUMENT if none is even. */
enum yo_err yo_selfplay_openings_take(const void *bytes, size_t len, const char *name,
                                      struct yo_selfplay_openings *openings, struct yo_diag *diag);
