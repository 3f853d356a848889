/* Identifies the game that a kept tree belongs to: enough data to test whether another game
 * continues it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/go.h"

struct yo_go_kept {
    bool valid;
    int size, handicap;
    struct yo_go_rules rules;
    enum yo_go_color to_move;
    size_t count;     /* moves played */
    uint64_t history; /* hash of all situations so far */
};

void yo_go_kept_set(struct yo_go_kept *kept, const struct yo_go_game *game);

/* True for the same game, or one that continues it with moves of both sides in turn. */
bool yo_go_kept_continues(const struct yo_go_kept *kept, const struct yo_go_game *game);
