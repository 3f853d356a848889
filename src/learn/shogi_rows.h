/* Positions of shogi games as a trainer of policies reads them: rows of fixed size, planes packed
 * as bits. The planes are those that the engine gives to a network (eval/net/shogi_features.h),
 * made by the same functions, so that a trained network sees what it was trained on. */
#pragma once

#include "eval/net/shogi_features.h"
#include "game/shogi/packed.h"

#define YO_SHOGI_ROW_BYTES  11 /* of a plane: bit p is point p */
#define YO_SHOGI_ROWS_MAGIC "YOMISRW1"
/* The label of a position without a move, such as a leaf of a search: it teaches a value alone. */
#define YO_SHOGI_ROW_NO_MOVE 0xffff

/* Behind the planes, little-endian. */
struct yo_shogi_row_targets {
    uint16_t label; /* policy entry of the move, of 27 x 81, or YO_SHOGI_ROW_NO_MOVE */
    int16_t score;  /* of the search, for the side to move, in hundredths of a pawn */
    int8_t result;  /* of the side to move: 1 won, -1 lost, 0 drawn, 2 unknown */
    uint8_t flags;  /* YO_SHOGI_SAMPLE_ */
    uint16_t ply;
};

/* A file of rows begins with this. */
struct yo_shogi_rows_header {
    char magic[8];
    uint64_t rows;
    uint32_t row_size, planes;
    uint8_t unused[40];
};

/* The size of a row with that many planes: 104, or 119 with attacks (dlshogi's); 0 for others. */
size_t yo_shogi_row_size(int planes);
/* The planes of a position, packed. */
void yo_shogi_row_planes(const struct yo_shogi_position *pos, int planes, uint8_t *out);
/* Makes the row of a sample. An error if the position is none, or its move is not legal. */
enum yo_err yo_shogi_row_make(const struct yo_shogi_sample *sample, int planes, uint8_t *row,
                              struct yo_diag *diag);
