/* Shogi for the searches: a state is a position that remembers where the game has been, plain data
 * of fixed size, and yo_shogi_ops the table that the trees call. A yo_move of shogi is a
 * yo_shogi_move. */
#pragma once

#include "game/game.h"
#include "game/shogi/rules.h"

/* Repetition inside a search looks at the whole game before the root and at this many moves behind
 * the position. A power of two. */
#define YO_SHOGI_RECENT 64

struct yo_shogi_state {
    struct yo_shogi_position position;
    struct yo_shogi_rules rules;
    const struct yo_shogi_past *game; /* up to and with the root; its owner keeps it unchanged */
    size_t game_count;
    size_t played; /* moves since the root */
    struct yo_shogi_past recent[YO_SHOGI_RECENT];
};

struct yo_shogi_game;

extern const struct yo_game_ops yo_shogi_ops;

/* A state without a past but this position; `first` is the caller's room for it and must live as
 * long as the state and its copies. */
void yo_shogi_state_init(struct yo_shogi_state *state, const struct yo_shogi_position *pos,
                         const struct yo_shogi_rules *rules, struct yo_shogi_past *first);
/* What a game has come to; the game must outlive the state and not change meanwhile. */
void yo_shogi_state_from_game(const struct yo_shogi_game *game, struct yo_shogi_state *state);
void yo_shogi_state_play(struct yo_shogi_state *state, yo_shogi_move move);
/* As the rules have it; what a search takes for granted after one repetition is its own matter. */
enum yo_outcome yo_shogi_state_outcome(const struct yo_shogi_state *state);
/* The same with an own number for how often a position must come back (the rule: 3). */
enum yo_outcome yo_shogi_state_repetition(const struct yo_shogi_state *state, int times);
