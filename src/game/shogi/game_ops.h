/* Shogi as a struct yo_game_ops: a state is a position with the history that repetition needs,
 * plain data of fixed size, and yo_shogi_ops is the table that searches call. A yo_move of shogi is
 * a yo_shogi_move. */
#pragma once

#include "game/game.h"
#include "game/shogi/rules.h"

/* Repetition inside a search compares with the whole game before the root and with this many moves
 * before the position. A power of two. */
#define YO_SHOGI_RECENT 64

struct yo_shogi_state {
    struct yo_shogi_position position;
    struct yo_shogi_rules rules;
    const struct yo_shogi_past *game; /* up to and including the root; not owned */
    size_t game_count;
    size_t played; /* moves since the root */
    struct yo_shogi_past recent[YO_SHOGI_RECENT];
};

struct yo_shogi_game;

extern const struct yo_game_ops yo_shogi_ops;

/* A state whose history is this position alone; `first` is the caller's storage for it and must
 * live as long as the state and its copies. */
void yo_shogi_state_init(struct yo_shogi_state *state, const struct yo_shogi_position *pos,
                         const struct yo_shogi_rules *rules, struct yo_shogi_past *first);
/* The current state of a game; the game must outlive the state and not change meanwhile. */
void yo_shogi_state_from_game(const struct yo_shogi_game *game, struct yo_shogi_state *state);
void yo_shogi_state_play(struct yo_shogi_state *state, yo_shogi_move move);
/* The outcome by the rules. A search may treat the first repetition as final; this does not. */
enum yo_outcome yo_shogi_state_outcome(const struct yo_shogi_state *state);
/* The outcome by repetition alone, if a position must recur `times` times (the rule: 3). */
enum yo_outcome yo_shogi_state_repetition(const struct yo_shogi_state *state, int times);
