#include "search/go/race.h"

/* The capture of fewer may be a snapback. */
#define STONES_MIN 3

struct race {
    const struct yo_go_board *board;
    const uint8_t *safe;
    unsigned head[2]; /* the two strings */
};

struct liberties {
    int own, shared;
    uint8_t seen[YO_GO_POINTS_MAX + 1];
};

/* The only string next to this one that is not safe; YO_GO_OFF_POINT if there is none, or more. */
static unsigned find_rival(const struct yo_go_board *board, const uint8_t *safe, unsigned head) {
    unsigned stone = head, rival = YO_GO_OFF_POINT;
    do {
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[stone][d];
            if (q == YO_GO_OFF_POINT || board->color[q] == YO_GO_EMPTY || safe[q]) continue;
            unsigned other = board->head[q];
            if (other == head || other == rival) continue;
            if (rival != YO_GO_OFF_POINT) return YO_GO_OFF_POINT;
            rival = other;
        }
        stone = board->next[stone];
    } while (stone != head);
    return rival;
}

static bool touches(const struct yo_go_board *board, unsigned p, unsigned head) {
    for (int d = 0; d < 4; d++)
        if (board->head[board->geometry->nbr[p][d]] == head) return true;
    return false;
}

/* A liberty counts if filling it does nothing else. One that both strings share touches nothing but
 * them. One that is a string's own touches safe stones of the other color, so that who fills it is
 * safe there, and none of the same; an empty point next to it is a liberty of the string, too, so
 * that the string gains none there. */
static bool add_liberty(const struct race *r, int side, unsigned p, struct liberties *out) {
    const struct yo_go_board *board = r->board;
    int color = board->color[r->head[side]];
    bool shared = false, foes = false, friends = false, open = false;
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d];
        if (q == YO_GO_OFF_POINT || board->head[q] == r->head[side]) continue;
        if (board->color[q] == YO_GO_EMPTY) {
            if (!touches(board, q, r->head[side])) return false;
            open = true;
        } else if (board->head[q] == r->head[!side])
            shared = true;
        else if (!r->safe[q])
            return false;
        else if (board->color[q] == color)
            friends = true;
        else
            foes = true;
    }
    if (shared ? foes || friends || open : friends || !foes) return false;
    out->own += !shared;
    out->shared += shared;
    return true;
}

static bool find_liberties(const struct race *r, int side, struct liberties *out) {
    const struct yo_go_board *board = r->board;
    unsigned stone = r->head[side];
    do {
        for (int d = 0; d < 4; d++) {
            unsigned p = board->geometry->nbr[stone][d];
            if (p == YO_GO_OFF_POINT || board->color[p] != YO_GO_EMPTY || out->seen[p]) continue;
            out->seen[p] = 1;
            if (!add_liberty(r, side, p, out)) return false;
        }
        stone = board->next[stone];
    } while (stone != r->head[side]);
    return true;
}

/* What becomes of a string that has `lead` liberties of its own more than its rival. Shared
 * liberties but one must be filled at the cost of one's own. */
static enum yo_race_end end_of(int lead, int shared) {
    int need = shared > 1 ? shared - 1 : 0;
    return -lead > need ? YO_RACE_CAPTURED : -lead >= need ? YO_RACE_CRITICAL : YO_RACE_STANDS;
}

bool yo_race_count(const struct yo_go_board *board, const uint8_t *safe, unsigned head,
                   unsigned *rival, enum yo_race_end *own, enum yo_race_end *other) {
    struct liberties liberties[2] = {{.own = 0}};
    *rival = find_rival(board, safe, head);
    if (*rival == YO_GO_OFF_POINT || board->color[*rival] == board->color[head]) return false;
    if (find_rival(board, safe, *rival) != head) return false;
    if (board->string[head].stones < STONES_MIN || board->string[*rival].stones < STONES_MIN)
        return false;
    struct race r = {.board = board, .safe = safe, .head = {head, *rival}};
    if (!find_liberties(&r, 0, &liberties[0]) || !find_liberties(&r, 1, &liberties[1]))
        return false;
    /* Whoever wins joins safe stones there. */
    if (liberties[0].own == 0 || liberties[1].own == 0) return false;
    int lead = liberties[0].own - liberties[1].own;
    *own = end_of(lead, liberties[0].shared);
    *other = end_of(-lead, liberties[0].shared);
    return true;
}
