/* The packed positions that a file already holds. A hash of each is kept; two that agree in 64 bits
 * are taken for equal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

struct selfplay_seen {
    uint64_t *slots; /* 0: free */
    size_t count, cap;
};

void yo_selfplay_seen_free(struct selfplay_seen *seen);
/* *fresh: the position is new. */
enum yo_err yo_selfplay_seen_add(struct selfplay_seen *seen, const uint8_t position[32],
                                 bool *fresh);
