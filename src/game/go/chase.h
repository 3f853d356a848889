/* A string that is chased, the prey, on a copy of the colours: what the reading of ladders asks.
 * The search board updates too much to be copied or undone at every step; a ladder needs little.
 * Before the attacker moves the prey has two liberties, and after it one, so that its liberties are
 * handed on from move to move and never counted anew. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "game/go/board.h"

/* Distinct liberties; with three a prey is free, and nobody asks for more. */
struct yo_go_chase_libs {
    uint16_t point[3];
    int count;
};

struct yo_go_chase {
    const struct yo_go_geometry *geometry;
    uint8_t color[YO_GO_POINTS_MAX + 1]; /* stones of the prey have a value of their own */
    uint8_t own, foe, prey;              /* its side's other stones, the attacker's, its own */
    yo_go_point ko;

    uint16_t body[YO_GO_POINTS_MAX]; /* the prey's stones, oldest first */
    int body_count;
    struct yo_go_chase_libs libs; /* those of the prey when it was named */

    uint16_t taken[4 * YO_GO_POINTS_MAX]; /* captured stones, oldest first */
    int taken_count;

    /* The string visited by the last walk. */
    uint16_t seen[YO_GO_POINTS_MAX + 1];
    uint16_t stamp;
    uint16_t string[YO_GO_POINTS_MAX];
    int stone_count;
    uint16_t last_lib;

    uint64_t looked[YO_GO_WORDS_MAX]; /* points that were read with their neighbours */
};

/* color: all points, and YO_GO_OFF_POINT as YO_GO_OFF. */
void yo_go_chase_start(struct yo_go_chase *c, const struct yo_go_geometry *geometry,
                       const uint8_t color[YO_GO_POINTS_MAX + 1], yo_go_point ko);
/* Names the prey, and finds its liberties. With three it does not look for more of its stones. */
void yo_go_chase_aim(struct yo_go_chase *c, yo_go_point prey);

/* ---- moves ---- */

struct yo_go_chase_move {
    yo_go_point point, ko_before;
    uint8_t captured; /* colour of the stones it captured */
    int taken_before, body_before;
};

/* A stone that does not join the prey, and the colour of those it may capture. Returns false, and
 * changes nothing, if it is not legal. */
bool yo_go_chase_play(struct yo_go_chase *c, yo_go_point p, uint8_t stone, uint8_t victims,
                      struct yo_go_chase_move *move);
/* Adds the prey's liberties where this move captured stones. */
void yo_go_chase_freed(struct yo_go_chase *c, const struct yo_go_chase_move *move,
                       struct yo_go_chase_libs *libs);
/* A stone of the prey, which may be suicide. Adds its new liberties, captures included. */
struct yo_go_chase_move yo_go_chase_extend(struct yo_go_chase *c, yo_go_point p,
                                           struct yo_go_chase_libs *libs);
void yo_go_chase_take_back(struct yo_go_chase *c, const struct yo_go_chase_move *move);

/* ---- questions ---- */

/* Liberties, up to three, that the prey will have from its next stone on p and from strings which
 * that joins, with an attacker's stone on `atari`; captures not counted. On an open board that
 * decides most ladders without playing a move. */
int yo_go_chase_libs_from(struct yo_go_chase *c, yo_go_point p, unsigned atari);
/* Would a stone of the prey's side on p capture something? */
bool yo_go_chase_captures(struct yo_go_chase *c, yo_go_point p);
/* Would an attacker's stone on p, a liberty of the prey, capture one stone and stand alone with one
 * liberty? */
bool yo_go_chase_is_ko_mouth(struct yo_go_chase *c, yo_go_point p);

/* Strings of the attacker beside the prey that are in atari. More do not occur in practical
 * ladders.
 */
#define YO_GO_CHASERS_MAX 31
struct yo_go_chasers {
    uint16_t stone[YO_GO_CHASERS_MAX], lib[YO_GO_CHASERS_MAX]; /* one of each, its last liberty */
    int count;
};
void yo_go_chase_chasers(struct yo_go_chase *c, struct yo_go_chasers *chasers);

/* The chasers at an earlier turn of the prey. Since then a string can have got into atari only
 * beside the prey's new stones, beside its side's capture, or by joining the attacker's. */
struct yo_go_chase_past {
    const struct yo_go_chasers *chasers;
    int body;            /* stones of the prey then */
    yo_go_point capture; /* or YO_GO_NONE */
};
void yo_go_chase_chasers_since(struct yo_go_chase *c, const struct yo_go_chase_past *past,
                               yo_go_point attacker, struct yo_go_chasers *chasers);
