#include "game/go/ladder_mark.h"

#include <string.h>

#include "game/go/ladder_read.h"

static void set(uint64_t *words, unsigned p) { words[p >> 6] |= (uint64_t)1 << (p & 63); }

/* The position's ko forbids nothing but the attacker's first move. */
static bool ko_matters(const struct yo_go_ladder_reading *reading, yo_go_point ko) {
    return reading->lib_count == 2 && (reading->libs[0] == ko || reading->libs[1] == ko);
}

/* Returns the points that the reading depends on, or NULL if none is known. */
static const uint64_t *recall(const struct yo_go_ladder_place *place, yo_go_point first, bool all,
                              struct yo_go_ladder_reading *reading) {
    const uint64_t *on = NULL;
    if (place->memory)
        on = yo_go_ladder_recall(place->memory, place->stones[0].word, place->stones[1].word, first,
                                 all, reading);
    return on && !ko_matters(reading, place->ko) ? on : NULL;
}

static void aim(const struct yo_go_ladder_place *place, struct yo_go_ladder_reader *r,
                yo_go_point p) {
    memset(r->chase.looked, 0, (size_t)place->geometry->words * sizeof r->chase.looked[0]);
    yo_go_ladder_aim(r, p);
}

/* Reads the string aimed at, which has one or two liberties. all: both moves of the attacker, also
 * if one catches it: only the plane of such moves asks for that, and of one side's strings. */
static void read_aimed(struct yo_go_ladder_reader *r, bool all,
                       struct yo_go_ladder_reading *reading) {
    yo_go_point ko = r->chase.ko, saver;
    *reading =
        (struct yo_go_ladder_reading){.lib_count = (uint8_t)r->chase.libs.count,
                                      .libs = {r->chase.libs.point[0], r->chase.libs.point[1]}};
    if (reading->lib_count == 1) {
        r->chase.ko = YO_GO_NONE; /* the prey may take any ko */
        reading->caught = !yo_go_ladder_saved(r, &saver);
        r->chase.ko = ko;
        reading->both = true;
        return;
    }
    yo_go_ladder_caught(r, reading->catches, all);
    reading->caught = reading->catches[0] || reading->catches[1];
    reading->both = all || !reading->caught;
}

/* Returns the points that the reading depends on, or NULL if it does not hold elsewhere. */
static const uint64_t *read_and_remember(const struct yo_go_ladder_place *place,
                                         struct yo_go_ladder_reader *r, yo_go_point first, bool all,
                                         struct yo_go_ladder_reading *reading) {
    read_aimed(r, all, reading);
    if (!place->memory || ko_matters(reading, place->ko)) return NULL;
    return yo_go_ladder_remember(place->memory, place->stones[0].word, place->stones[1].word, first,
                                 r->chase.looked, reading);
}

static void put_moves(const struct yo_go_ladder_reading *reading, uint64_t *moves) {
    for (int i = 0; i < 2; i++)
        if (reading->catches[i]) set(moves, reading->libs[i]);
}

/* ---- strings by their stones ---- */

static unsigned first_of(const struct yo_go_ladder_reader *r) {
    unsigned first = r->chase.body[0];
    for (int i = 1; i < r->chase.body_count; i++)
        if (r->chase.body[i] < first) first = r->chase.body[i];
    return first;
}

void yo_go_ladder_mark(const struct yo_go_ladder_place *place, const uint64_t *at,
                       enum yo_go_color prey, uint64_t *caught, uint64_t *moves) {
    struct yo_go_ladder_reader r;
    uint64_t left[YO_GO_WORDS_MAX];
    memcpy(left, at, (size_t)place->geometry->words * sizeof left[0]);
    yo_go_ladder_start(&r, place->geometry, place->color, place->ko, true);
    for (int w = 0; w < place->geometry->words; w++)
        while (left[w]) {
            struct yo_go_ladder_reading reading;
            unsigned p = 64 * (unsigned)w + (unsigned)__builtin_ctzll(left[w]);
            bool all = moves && place->color[p] == prey;
            aim(place, &r, (yo_go_point)p);
            bool weak = r.chase.libs.count <= 2;
            yo_go_point first = (yo_go_point)first_of(&r);
            if (weak && !recall(place, first, all, &reading))
                read_and_remember(place, &r, first, all, &reading);
            if (weak && all) put_moves(&reading, moves);
            for (int i = 0; i < r.chase.body_count; i++) {
                left[r.chase.body[i] >> 6] &= ~((uint64_t)1 << (r.chase.body[i] & 63));
                if (weak && reading.caught) set(caught, r.chase.body[i]);
            }
        }
}

/* ---- strings that are known to be weak ---- */

static bool meets(const uint64_t *on, const struct yo_go_set *set, int words) {
    uint64_t both = 0;
    for (int w = 0; w < words; w++)
        both |= on[w] & set->word[w];
    return both != 0;
}

static void add_string(const struct yo_go_board *board, yo_go_point first, uint64_t *to) {
    unsigned q = first;
    do {
        set(to, q);
        q = board->next[q];
    } while (q != first);
}

void yo_go_ladder_mark_weak(const struct yo_go_board *board, const struct yo_go_weak *weak,
                            struct yo_go_ladder_memory *memory, enum yo_go_color prey,
                            struct yo_go_ladder_past *pasts, int past_count, uint64_t *caught,
                            uint64_t *moves) {
    struct yo_go_ladder_place place = {board->geometry, board->color, weak->stones, board->ko,
                                       memory};
    struct yo_go_ladder_reader r;
    bool ready = false;
    for (int i = 0; i < weak->count; i++) {
        yo_go_point p = weak->first[i];
        struct yo_go_ladder_reading reading;
        bool all = moves && board->color[p] == prey;
        const uint64_t *on = recall(&place, p, all, &reading);
        if (!on) {
            if (!ready) yo_go_ladder_start(&r, board->geometry, board->color, board->ko, true);
            ready = true;
            aim(&place, &r, p);
            on = read_and_remember(&place, &r, p, all, &reading);
        }
        if (all) put_moves(&reading, moves);
        if (reading.caught) add_string(board, p, caught);
        for (int k = 0; k < past_count; k++)
            if (!on || ko_matters(&reading, pasts[k].ko) ||
                meets(on, &pasts[k].changed, board->geometry->words))
                add_string(board, p, pasts[k].again.word);
    }
}
