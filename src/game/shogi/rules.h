/* Ends of a game other than mate: repetition, declaration of an entered king, length. */
#pragma once

#include <stddef.h>

#include "game/game.h"
#include "game/shogi/position.h"

enum yo_shogi_entering {
    YO_SHOGI_ENTER_NONE,
    YO_SHOGI_ENTER_24, /* 31 points win */
    YO_SHOGI_ENTER_27, /* Black wins with 28, White with 27: the rule of computer tournaments */
    YO_SHOGI_ENTER_TRY /* a king that reaches the opponent's king's initial square wins */
};

struct yo_shogi_rules {
    enum yo_shogi_entering entering;
    int max_moves;        /* the game is drawn after this many moves; 0: no limit */
    bool handicap_points; /* pieces missing from the set count for White */
};

/* 27 points, no limit. */
extern const struct yo_shogi_rules yo_shogi_rules_default;

/* "none", "24", "27", "try", and YaneuraOu's names: NoEnteringKing, CSARule24, CSARule24H,
 * CSARule27, CSARule27H, TryRule. Case does not matter. */
enum yo_err yo_shogi_entering_parse(const char *text, struct yo_shogi_rules *rules,
                                    struct yo_diag *diag);

/* May the side to move declare a win now? With the try rule: has its king arrived? */
bool yo_shogi_can_declare(const struct yo_shogi_position *pos, const struct yo_shogi_rules *rules);
/* Has the side that moved last won by the try rule? */
bool yo_shogi_was_tried(const struct yo_shogi_position *pos, const struct yo_shogi_rules *rules);
/* Can a mate in so many moves come before the limit of moves? */
bool yo_shogi_mate_is_in_time(const struct yo_shogi_position *pos,
                              const struct yo_shogi_rules *rules, size_t length);
/* Points of a side for declaring: 5 for a rook or bishop, 1 for any other piece except the king, in
 * hand and in the far three ranks. *entered counts the pieces in these ranks, without the king. */
int yo_shogi_points(const struct yo_shogi_position *pos, int side, int *entered);

/* ---- Repetition ---- */

/* One position of a game: its hash, and how many consecutive moves of each side gave check. */
struct yo_shogi_past {
    uint64_t hash;
    uint16_t checks[2];
};

/* The entry for the first position of a game, and the entry that follows `before` when `pos` is
 * reached. */
struct yo_shogi_past yo_shogi_past_first(const struct yo_shogi_position *pos);
struct yo_shogi_past yo_shogi_past_next(const struct yo_shogi_past *before,
                                        const struct yo_shogi_position *pos);

/* A sequence of positions in two parts: those of the game, and the latest of a search in a ring of
 * ring_size, a power of two. */
struct yo_shogi_history {
    const struct yo_shogi_past *game;
    size_t game_count;
    const struct yo_shogi_past *ring;
    size_t ring_size, ring_count; /* ring_count: all ever added; the latest remain */
};

/* Whether the last position occurred `times` times before (3: the rule's fourfold repetition). A
 * draw, unless one side gave check with every move since the first of them: that side loses. */
enum yo_outcome yo_shogi_repetition(const struct yo_shogi_history *history, int times);
