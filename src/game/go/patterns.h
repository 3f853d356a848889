/* MoGo's 3x3 patterns: which empty points look worth an answer, by the colours round them.
 * docs/playout.md draws them; patterns.c holds them as text, compiled once for all threads. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "yomi/go.h"

/* One bit for each neighbourhood code of board.h, by the colour to play (BLACK and WHITE only). */
struct yo_go_patterns {
    uint64_t match[3][65536 / 64];
};

const struct yo_go_patterns *yo_go_patterns(void);

static inline bool yo_go_patterns_match(const struct yo_go_patterns *patterns,
                                        enum yo_go_color to_move, unsigned code) {
    return patterns->match[to_move][code >> 6] >> (code & 63) & 1;
}
