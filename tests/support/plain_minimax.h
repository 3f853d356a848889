/* The judges of alpha-beta: minimax and the first, plain form of alpha-beta, as textbooks have
 * them. Beyond the depth captures are followed, and in check every answer. */
#pragma once

#include "game/shogi/rules.h"
#include "search/alphabeta/rule.h"

struct plain_search {
    struct yo_shogi_rules rules;
    const struct yo_ab_rule *rule;  /* what a move costs in depth */
    struct yo_shogi_past past[256]; /* the game, then the line being searched */
    size_t past_count;
    uint64_t nodes;
};

/* With plain plies; set another rule afterwards. */
void plain_init(struct plain_search *search, const struct yo_shogi_position *root,
                const struct yo_shogi_rules *rules);
/* The value for the side to move, in the terms of search/alphabeta.h; depth in parts of a ply. */
int plain_minimax(struct plain_search *search, const struct yo_shogi_position *pos, int depth);
int plain_alphabeta(struct plain_search *search, const struct yo_shogi_position *pos, int depth);
