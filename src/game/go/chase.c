#include "game/go/chase.h"

#include <string.h>

/* Colours of stones and of points off the board are below this bit. */
enum { PREY_BIT = 4 };

static void set(uint64_t *words, unsigned p) { words[p >> 6] |= (uint64_t)1 << (p & 63); }

static const uint16_t *look_around(struct yo_go_chase *c, unsigned p) {
    set(c->looked, p);
    return c->geometry->nbr[p];
}

void yo_go_chase_start(struct yo_go_chase *c, const struct yo_go_geometry *geometry,
                       const uint8_t color[YO_GO_POINTS_MAX + 1], yo_go_point ko) {
    c->geometry = geometry;
    memcpy(c->color, color, sizeof c->color);
    memset(c->seen, 0, sizeof c->seen);
    memset(c->looked, 0, sizeof c->looked);
    c->ko = ko;
    c->taken_count = c->body_count = c->stamp = 0;
}

/* ---- strings other than the prey ---- */

static uint16_t new_stamp(struct yo_go_chase *c) {
    if (++c->stamp == 0) {
        memset(c->seen, 0, sizeof c->seen);
        c->stamp = 1;
    }
    return c->stamp;
}

/* Goes on from the first `count` stones of c->string until `limit` liberties are found, `libs`
 * included; with fewer, it visits the whole string. */
static inline __attribute__((always_inline)) int walk_on(struct yo_go_chase *c, uint8_t color,
                                                         int count, int libs, int limit) {
    uint16_t stamp = c->stamp;
    for (int i = 0; i < count && libs < limit; i++) {
        const uint16_t *nbr = look_around(c, c->string[i]);
        for (int d = 0; d < 4; d++) {
            unsigned q = nbr[d];
            uint8_t there = c->color[q];
            if ((there != color && there != YO_GO_EMPTY) || c->seen[q] == stamp) continue;
            c->seen[q] = stamp;
            if (there == color) {
                c->string[count++] = (uint16_t)q;
            } else {
                c->last_lib = (uint16_t)q;
                libs++;
            }
        }
    }
    c->stone_count = count;
    return libs;
}

static int walk(struct yo_go_chase *c, unsigned p, int limit) {
    c->seen[p] = new_stamp(c);
    c->string[0] = (uint16_t)p;
    return walk_on(c, c->color[p], 1, 0, limit);
}

/* Liberties beside p itself, which most often settle the question without a walk. */
static int libs_beside(struct yo_go_chase *c, unsigned p) {
    const uint16_t *nbr = look_around(c, p);
    return (c->color[nbr[0]] == YO_GO_EMPTY) + (c->color[nbr[1]] == YO_GO_EMPTY) +
           (c->color[nbr[2]] == YO_GO_EMPTY) + (c->color[nbr[3]] == YO_GO_EMPTY);
}

static bool is_beside(struct yo_go_chase *c, unsigned p, uint8_t color) {
    const uint16_t *nbr = look_around(c, p);
    return c->color[nbr[0]] == color || c->color[nbr[1]] == color || c->color[nbr[2]] == color ||
           c->color[nbr[3]] == color;
}

/* ---- moves ---- */

static struct yo_go_chase_move begin(struct yo_go_chase *c, yo_go_point p, uint8_t victims) {
    struct yo_go_chase_move move = {.point = p,
                                    .ko_before = c->ko,
                                    .captured = victims,
                                    .taken_before = c->taken_count,
                                    .body_before = c->body_count};
    c->ko = YO_GO_NONE;
    return move;
}

void yo_go_chase_take_back(struct yo_go_chase *c, const struct yo_go_chase_move *move) {
    while (c->body_count > move->body_before)
        c->color[c->body[--c->body_count]] = c->own;
    c->color[move->point] = YO_GO_EMPTY;
    while (c->taken_count > move->taken_before)
        c->color[c->taken[--c->taken_count]] = move->captured;
    c->ko = move->ko_before;
}

/* Puts a stone there and captures what has no liberty left; the number of stones. */
static int put(struct yo_go_chase *c, yo_go_point p, uint8_t stone, uint8_t victims) {
    int before = c->taken_count;
    const uint16_t *nbr = look_around(c, p);
    c->color[p] = stone;
    for (int d = 0; d < 4; d++) {
        unsigned q = nbr[d];
        if (c->color[q] != victims || libs_beside(c, q) > 0 || walk(c, q, 1) > 0) continue;
        for (int i = 0; i < c->stone_count; i++) {
            c->color[c->string[i]] = YO_GO_EMPTY;
            c->taken[c->taken_count++] = c->string[i];
        }
    }
    return c->taken_count - before;
}

bool yo_go_chase_play(struct yo_go_chase *c, yo_go_point p, uint8_t stone, uint8_t victims,
                      struct yo_go_chase_move *move) {
    if (p == c->ko) return false;
    *move = begin(c, p, victims);
    int taken = put(c, p, stone, victims), beside = libs_beside(c, p);
    if (taken == 1 && beside == 1 && !is_beside(c, p, stone)) c->ko = c->taken[c->taken_count - 1];
    if (taken || beside || walk(c, p, 1)) return true;
    yo_go_chase_take_back(c, move);
    return false;
}

/* ---- the prey ---- */

static bool add_lib(struct yo_go_chase_libs *libs, unsigned p) {
    for (int i = 0; i < libs->count; i++)
        if (libs->point[i] == p) return false;
    libs->point[libs->count++] = (uint16_t)p;
    return libs->count == 3;
}

/* Follows the prey from its stones number `from` to all that are connected, and adds their
 * liberties. */
static void grow(struct yo_go_chase *c, int from, struct yo_go_chase_libs *libs) {
    for (int i = from; i < c->body_count; i++) {
        const uint16_t *nbr = look_around(c, c->body[i]);
        for (int d = 0; d < 4; d++) {
            unsigned q = nbr[d];
            if (c->color[q] == c->own) {
                c->color[q] = c->prey;
                c->body[c->body_count++] = (uint16_t)q;
            }
            if (c->color[q] == YO_GO_EMPTY && add_lib(libs, q)) return;
        }
    }
}

void yo_go_chase_freed(struct yo_go_chase *c, const struct yo_go_chase_move *move,
                       struct yo_go_chase_libs *libs) {
    for (int i = move->taken_before; i < c->taken_count && libs->count < 3; i++)
        if (is_beside(c, c->taken[i], c->prey)) add_lib(libs, c->taken[i]);
}

struct yo_go_chase_move yo_go_chase_extend(struct yo_go_chase *c, yo_go_point p,
                                           struct yo_go_chase_libs *libs) {
    struct yo_go_chase_move move = begin(c, p, c->foe);
    put(c, p, c->prey, c->foe);
    c->body[c->body_count++] = p;
    grow(c, move.body_before, libs);
    yo_go_chase_freed(c, &move, libs);
    return move;
}

void yo_go_chase_aim(struct yo_go_chase *c, yo_go_point prey) {
    while (c->body_count > 0)
        c->color[c->body[--c->body_count]] = c->own;
    c->own = c->color[prey];
    c->foe = (uint8_t)yo_go_other((enum yo_go_color)c->own);
    c->prey = c->own | PREY_BIT;
    c->color[prey] = c->prey;
    c->body[c->body_count++] = prey;
    c->libs.count = 0;
    grow(c, 0, &c->libs);
}

int yo_go_chase_libs_from(struct yo_go_chase *c, yo_go_point p, unsigned atari) {
    const uint16_t *nbr = look_around(c, p);
    uint16_t stamp = new_stamp(c);
    int empty = 0, joins = 0;
    c->seen[p] = c->seen[atari] = stamp;
    for (int d = 0; d < 4; d++) {
        unsigned q = nbr[d];
        uint8_t there = c->color[q];
        if ((there != YO_GO_EMPTY && there != c->own) || c->seen[q] == stamp) continue;
        c->seen[q] = stamp;
        empty += there == YO_GO_EMPTY;
        if (there == c->own) c->string[joins++] = (uint16_t)q;
    }
    int libs = walk_on(c, c->own, joins, empty, 3);
    return libs < 3 ? libs : 3;
}

bool yo_go_chase_captures(struct yo_go_chase *c, yo_go_point p) {
    const uint16_t *nbr = look_around(c, p);
    for (int d = 0; d < 4; d++)
        if (c->color[nbr[d]] == c->foe && libs_beside(c, nbr[d]) == 1 && walk(c, nbr[d], 2) == 1)
            return true;
    return false;
}

bool yo_go_chase_is_ko_mouth(struct yo_go_chase *c, yo_go_point p) {
    const uint16_t *nbr = look_around(c, p);
    int single = 0;
    for (int d = 0; d < 4; d++) {
        uint8_t there = c->color[nbr[d]];
        if (there == YO_GO_EMPTY || there == c->foe) return false;
    }
    for (int d = 0; d < 4; d++) {
        if (c->color[nbr[d]] != c->own || walk(c, nbr[d], 2) > 1) continue;
        if (c->stone_count > 1) return false;
        single++;
    }
    return single == 1;
}

/* ---- strings of the attacker beside the prey that are in atari ---- */

/* The stamps of walks from now on; they do not wrap before a search for chasers is over. */
static uint16_t next_stamp(struct yo_go_chase *c) {
    if (c->stamp > UINT16_MAX - 5 * YO_GO_POINTS_MAX) {
        memset(c->seen, 0, sizeof c->seen);
        c->stamp = 0;
    }
    return (uint16_t)(c->stamp + 1);
}

/* Does the string of the last walk touch the prey? */
static bool touches_prey(struct yo_go_chase *c) {
    for (int i = 0; i < c->stone_count; i++)
        if (is_beside(c, c->string[i], c->prey)) return true;
    return false;
}

/* Adds the attacker's string at p, if it is in atari and no walk since the stamp `first` has seen
 * it. */
static void add_chaser(struct yo_go_chase *c, unsigned p, uint16_t first, bool touches,
                       struct yo_go_chasers *chasers) {
    if (c->color[p] != c->foe || c->seen[p] >= first || libs_beside(c, p) > 1) return;
    if (walk(c, p, 2) != 1 || chasers->count == YO_GO_CHASERS_MAX) return;
    if (!touches && !touches_prey(c)) return;
    chasers->stone[chasers->count] = (uint16_t)p;
    chasers->lib[chasers->count++] = c->last_lib;
}

static void add_chasers_beside(struct yo_go_chase *c, unsigned p, uint16_t first, bool touches,
                               struct yo_go_chasers *chasers) {
    const uint16_t *nbr = look_around(c, p);
    for (int d = 0; d < 4; d++)
        add_chaser(c, nbr[d], first, touches, chasers);
}

void yo_go_chase_chasers(struct yo_go_chase *c, struct yo_go_chasers *chasers) {
    uint16_t first = next_stamp(c);
    chasers->count = 0;
    for (int i = 0; i < c->body_count; i++)
        add_chasers_beside(c, c->body[i], first, true, chasers);
}

void yo_go_chase_chasers_since(struct yo_go_chase *c, const struct yo_go_chase_past *past,
                               yo_go_point attacker, struct yo_go_chasers *chasers) {
    uint16_t first = next_stamp(c);
    chasers->count = 0;
    for (int i = 0; i < past->chasers->count; i++)
        add_chaser(c, past->chasers->stone[i], first, true, chasers);
    for (int i = past->body; i < c->body_count; i++)
        add_chasers_beside(c, c->body[i], first, true, chasers);
    if (past->capture != YO_GO_NONE) add_chasers_beside(c, past->capture, first, false, chasers);
    add_chaser(c, attacker, first, true, chasers);
}
