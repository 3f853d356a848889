#include "search/go/fight.h"

#include <string.h>

#include "search/go/settle.h"

/* Strings that touch, or share a liberty, are in one fight: a capturing race. */
struct fight {
    const struct yo_go_board *board;
    const uint8_t *fate;
    uint8_t seen[YO_GO_POINTS_MAX + 1]; /* stones of fights, and liberties of this one */
    uint16_t points[YO_GO_POINTS_MAX];
    int count, stones;
};

static void put(struct fight *f, unsigned p) {
    if (f->seen[p]) return;
    bool stone = f->board->color[p] != YO_GO_EMPTY;
    if (stone && f->fate[p] != YO_SETTLE_CRITICAL) return;
    f->seen[p] = 1;
    f->points[f->count++] = (uint16_t)p;
    f->stones += stone;
}

/* From stones to all neighbours, from liberties only to stones. */
static void find(struct fight *f, unsigned start) {
    f->count = f->stones = 0;
    put(f, start);
    for (int i = 0; i < f->count; i++) {
        unsigned p = f->points[i];
        bool liberty = f->board->color[p] == YO_GO_EMPTY;
        for (int d = 0; d < 4; d++) {
            unsigned q = f->board->geometry->nbr[p][d];
            if (q == YO_GO_OFF_POINT) continue;
            if (!liberty || f->board->color[q] != YO_GO_EMPTY) put(f, q);
        }
    }
    for (int i = 0; i < f->count; i++) /* the next fight may touch them too */
        if (f->board->color[f->points[i]] == YO_GO_EMPTY) f->seen[f->points[i]] = 0;
}

/* The largest fight without a winner, the first of equals; without stones if there is none. */
static void find_largest(const struct yo_go_board *board, const uint8_t *fate,
                         const uint8_t *winner, struct fight *largest) {
    struct fight f = {.board = board, .fate = fate};
    *largest = f;
    for (unsigned p = 0; p < (unsigned)board->geometry->points; p++) {
        if (fate[p] != YO_SETTLE_CRITICAL || winner[p] != YO_GO_EMPTY || f.seen[p]) continue;
        find(&f, p);
        if (f.stones > largest->stones) *largest = f;
    }
}

void yo_fights_decide(const struct yo_go_board *board, const uint8_t *fate, enum yo_go_color first,
                      uint8_t *winner) {
    struct fight f;
    memset(winner, YO_GO_EMPTY, YO_GO_POINTS_MAX);
    for (enum yo_go_color color = first;; color = yo_go_other(color)) {
        find_largest(board, fate, winner, &f);
        if (f.stones == 0) return;
        for (int i = 0; i < f.count; i++)
            if (board->color[f.points[i]] != YO_GO_EMPTY) winner[f.points[i]] = (uint8_t)color;
    }
}
