/* The game that a tree is kept of: enough of it to see whether another game is its continuation. */
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
    uint64_t history; /* all situations so far, mixed */
};

void yo_go_kept_set(struct yo_go_kept *kept, const struct yo_go_game *game);

/* The same game, or one that went on from it by moves of both sides in turn. */
bool yo_go_kept_continues(const struct yo_go_kept *kept, const struct yo_go_game *game);
