/* Positions of self-play records as a trainer reads them: a row of fixed size for each full search
 * (learn/go_rows.h has the inputs), with the policy target and the owners at the end. A file of
 * rows begins with a header of the size of a row. */
#pragma once

#include "learn/go_rows.h"
#include "learn/netplay/record.h"

struct yo_netplay_row {
    struct yo_go_row row;                /* `move` is the one played */
    uint8_t owner[2][YO_GO_ROW_BYTES];   /* bits: the side to move's points, the opponent's */
    uint16_t policy[YO_GO_ROW_PASS + 1]; /* weights on the grid, that add up to about 65535 */
    uint16_t win;                        /* by the search, for the side to move: 65535 is certain */
    uint8_t has_owner;
    uint8_t unused[13];
};

struct yo_netplay_rows_header {
    char magic[8]; /* "YOMIROW2" */
    uint64_t rows;
    uint32_t row_size;
    uint8_t unused[sizeof(struct yo_netplay_row) - 20];
};
#define YO_NETPLAY_ROWS_MAGIC "YOMIROW2"

/* Rows of a record: 0 if it is unfinished, or not a game of Go. */
size_t yo_netplay_rows_count(const struct yo_netplay_record *record);
/* Makes them; returns how many, fewer where the record has an illegal move. */
size_t yo_netplay_rows_make(const struct yo_netplay_record *record, uint32_t game,
                            struct yo_netplay_row *rows);
