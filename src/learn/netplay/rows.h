/* Positions of self-play records as a trainer reads them: a row of fixed size for each full search,
 * with its targets, and in some games for the others too, with a value and no policy. A file of
 * rows begins with a header of the size of a row. Each game has its own rows (rows_go.h,
 * rows_shogi.h). */
#pragma once

#include "learn/netplay/record.h"

struct yo_netplay_rows_header {
    char magic[8];
    uint64_t rows;
    uint32_t row_size;
};

/* The rows of a game. */
struct yo_netplay_rows {
    const char *magic;
    size_t row_size;
    bool fast; /* fast searches have rows, too */
    /* Makes the rows of a record of the game; returns how many, fewer than the count where the
     * record has an illegal move. `number` tells games apart. */
    size_t (*make)(const struct yo_netplay_record *record, uint32_t number, void *rows);
};

/* NULL: a record of a game that has no rows. */
const struct yo_netplay_rows *yo_netplay_rows_of(const struct yo_netplay_record *record);
/* 0 if the record is unfinished. */
size_t yo_netplay_rows_count(const struct yo_netplay_record *record);

/* Of the side that moves first or not: 1 won, -1 lost, 0 drawn, 2 unknown. */
int8_t yo_netplay_rows_result(const struct yo_netplay_record *record, bool first);
