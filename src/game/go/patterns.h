/* 3x3 patterns: which empty points look worth an answer, by the colours round them. MoGo's are part
 * of the program (mogo.patterns, which says how they are written; docs/playout.md draws them),
 * compiled once for all threads. An engine may have others, from a file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"
#include "yomi/go.h"

/* One bit for each neighbourhood code of board.h, by the colour to play (BLACK and WHITE only). */
struct yo_go_patterns {
    uint64_t match[3][65536 / 64];
};

/* Those that are built in. */
const struct yo_go_patterns *yo_go_patterns(void);
/* Those of a file, on the heap: release with yo_free. */
enum yo_err yo_go_patterns_load(const char *path, struct yo_go_patterns **patterns,
                                struct yo_diag *diag);

/* One pattern as it is written: nine symbols, row by row. */
struct yo_go_pattern {
    char shape[9];
    char unless[2][9]; /* shapes that speak against it, turned and swapped with it */
    int exceptions;
    bool only_black; /* Black to play as drawn, White with colours swapped; else either side */
};

/* Enters a pattern with all its forms. */
void yo_go_patterns_add(struct yo_go_patterns *table, const struct yo_go_pattern *pattern);
/* patterns_read.c: a whole text into *table, what was there before is gone. */
enum yo_err yo_go_patterns_parse(const char *text, size_t len, const char *name,
                                 struct yo_go_patterns *table, struct yo_diag *diag);

static inline bool yo_go_patterns_match(const struct yo_go_patterns *patterns,
                                        enum yo_go_color to_move, unsigned code) {
    return patterns->match[to_move][code >> 6] >> (code & 63) & 1;
}
