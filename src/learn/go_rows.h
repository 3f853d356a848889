/* Positions of Go games as a trainer reads them: rows of fixed size, bits packed, in memory order
 * of a little-endian machine. A file of rows begins with a header of the size of a row. */
#pragma once

#include "eval/net/go_features.h"
#include "learn/go_record.h"

/* Planes use a 19x19 grid for every board size, with the board at the grid's first row and column:
 * bit 19 * row + column. */
#define YO_GO_ROW_GRID  19
#define YO_GO_ROW_BYTES 46

enum yo_go_row_plane {
    YO_GO_ROW_OWN,
    YO_GO_ROW_OPPONENT,
    YO_GO_ROW_LIBERTIES_LOW, /* two planes: 1 to 3 liberties as a number, 0 for more */
    YO_GO_ROW_LIBERTIES_HIGH,
    YO_GO_ROW_KO,
    YO_GO_ROW_LADDER, /* as YO_GO_PLANE_LADDER and the next three */
    YO_GO_ROW_PLANES = YO_GO_ROW_LADDER + 4
};

#define YO_GO_ROW_PASS     361 /* as a move on the grid */
#define YO_GO_ROW_NO_MOVE  362
#define YO_GO_ROW_NO_SCORE INT16_MIN

struct yo_go_row {
    uint8_t plane[YO_GO_ROW_PLANES][YO_GO_ROW_BYTES];
    uint16_t last[YO_GO_TURNS]; /* the last moves, the latest first */
    uint16_t move;              /* the move played */
    int16_t lead2;              /* the final lead of the side to move in half points */
    uint8_t size;
    int8_t result; /* of the side to move: 1 won, -1 lost, 0 drawn, 2 unknown */
    uint8_t unused[2];
    float global[YO_GO_NET_GLOBALS];
    uint32_t game; /* number of the record */
};

struct yo_go_rows_header {
    char magic[8]; /* "YOMIROW1" */
    uint64_t rows;
    uint32_t row_size;
    uint8_t unused[sizeof(struct yo_go_row) - 20];
};
#define YO_GO_ROWS_MAGIC "YOMIROW1"

/* ---- for rows of other records ---- */

/* Planes that a row holds, less the ladders one and two moves ago, which follow from earlier rows.
 * No area planes, and no planes that are always zero. */
#define YO_GO_ROW_INPUTS                                                                           \
    (7u << YO_GO_PLANE_ON_BOARD | 7u << YO_GO_PLANE_LIBERTIES_1 | 1u << YO_GO_PLANE_KO |           \
     1u << YO_GO_PLANE_LADDER | 1u << YO_GO_PLANE_LADDER_MOVES)

/* A move on the grid. */
uint16_t yo_go_row_point(int size, yo_go_point move);
void yo_go_row_plane(int size, const uint64_t *words, uint8_t out[YO_GO_ROW_BYTES]);
/* Fills the inputs of a zeroed row, of which `in` has YO_GO_ROW_INPUTS. */
void yo_go_row_inputs(const struct yo_go_position *position, const struct yo_go_net_input *in,
                      struct yo_go_row *row);

/* ---- of game records ---- */

/* The number of rows of a record: one for each move up to the first illegal one, and two for the
 * passes that end a counted game. */
int yo_go_rows_count(const struct yo_go_record *record);
/* Makes the rows. rules: usually the record's. */
void yo_go_rows_make(const struct yo_go_record *record, const struct yo_go_rules *rules,
                     uint32_t game, struct yo_go_row *rows, int count);
