/* The table of docs/perft.md, and both boards' word on a row of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct perft_row {
    int size;
    int ko; /* 0 simple, 1 positional, 2 situational */
    bool suicide, passes;
    int depth;
    uint64_t count;
};

/* Calls check for each count in the table; returns how many there are. */
int perft_table_read(void (*check)(const struct perft_row *row));

/* What the engine's board and the naive one count for a row's size, rules and depth. */
uint64_t perft_fast(const struct perft_row *row);
uint64_t perft_naive(const struct perft_row *row);
