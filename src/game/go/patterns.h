/* 3x3 patterns: which empty points are worth a move, by the colours around them. MoGo's patterns
 * are compiled in (mogo.patterns describes the format; docs/playout.md draws them) and shared by
 * all threads. An engine may load others from a file. */
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

/* The built-in patterns. */
const struct yo_go_patterns *yo_go_patterns(void);
/* Patterns from a file, on the heap: release with yo_free. */
enum yo_err yo_go_patterns_load(const char *path, struct yo_go_patterns **patterns,
                                struct yo_diag *diag);

/* One pattern as written in the file: nine symbols, row by row. */
struct yo_go_pattern {
    char shape[9];
    char unless[2][9]; /* exceptions: shapes that exclude a match, turned and swapped with it */
    int exceptions;
    bool only_black; /* Black to play as drawn, White with colours swapped; else either side */
};

/* Adds a pattern in all its rotations, reflections and colour swaps. */
void yo_go_patterns_add(struct yo_go_patterns *table, const struct yo_go_pattern *pattern);
/* In patterns_read.c. Parses a whole text into *table and replaces its contents. */
enum yo_err yo_go_patterns_parse(const char *text, size_t len, const char *name,
                                 struct yo_go_patterns *table, struct yo_diag *diag);

static inline bool yo_go_patterns_match(const struct yo_go_patterns *patterns,
                                        enum yo_go_color to_move, unsigned code) {
    return patterns->match[to_move][code >> 6] >> (code & 63) & 1;
}
