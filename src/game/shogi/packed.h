/* Training positions as bytes: a position in 256 bits, and with score, move and result in 40 bytes.
 * The layout is the one that shogi trainers exchange (docs/training.md specifies it). */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

enum { YO_SHOGI_PACKED = 32, YO_SHOGI_SAMPLE = 40 };

/* Only positions with both kings and all forty pieces fill the 256 bits; others are
 * YO_ERR_UNSUPPORTED. The ply is not stored. */
enum yo_err yo_shogi_pack(const struct yo_shogi_position *pos, uint8_t out[YO_SHOGI_PACKED]);
/* *pos changes only on success; its ply is 0. */
enum yo_err yo_shogi_unpack(const uint8_t bytes[YO_SHOGI_PACKED], struct yo_shogi_position *pos,
                            struct yo_diag *diag);

/* The side to move is not in check, and its best move neither captures nor promotes: a static
 * evaluation should come near the score. */
enum { YO_SHOGI_SAMPLE_QUIET = 1 };
bool yo_shogi_sample_is_quiet(const struct yo_shogi_position *pos, yo_shogi_move best);
/* The position is not from the game itself: random moves led to it, so the result does not
 * apply. */
enum { YO_SHOGI_SAMPLE_ASIDE = 2 };

struct yo_shogi_sample {
    uint8_t position[YO_SHOGI_PACKED];
    int16_t score; /* of a search, for the side to move, in hundredths of a pawn */
    yo_shogi_move move;
    uint16_t ply;
    int8_t result; /* of the game: 1 if the side to move won it, -1 if it lost, 0 if neither */
    uint8_t flags;
};

void yo_shogi_sample_write(const struct yo_shogi_sample *sample, uint8_t out[YO_SHOGI_SAMPLE]);
enum yo_err yo_shogi_sample_read(const uint8_t bytes[YO_SHOGI_SAMPLE],
                                 struct yo_shogi_sample *sample, struct yo_diag *diag);
/* Where it went wrong: the sample number i, from 0, of a file. */
void yo_shogi_sample_where(struct yo_diag *diag, const char *file, size_t i);
