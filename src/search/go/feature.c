#include "search/go/feature.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/fate.h"
#include "game/go/ladder.h"

#define FATE_LIMIT 8

/* ---- feature numbers ----
 * Each kind has its own range; the comment lists the factors of its index. */
enum {
    KIND_CAPTURE = 0, /* why (4) x stones (5) */
    KIND_RESCUE = 20, /* how it ends (4) x stones (3) x by the last move (2) */
    KIND_ATARI = 44,  /* how it ends (2) x stones (3) x self-atari (2) x string of last move (2) */
    KIND_SELF_ATARI = 68, /* stones (4) x takes a liberty of a string with two (2) */
    KIND_DEFEND = 76,     /* a string that a ladder would catch: stones (3) x liberties after (3) */
    KIND_SQUEEZE = 85,    /* opponent string with three liberties: stones (3) x own liberties (3) */
    KIND_EXTEND = 94,     /* own string with two liberties: stones (3) x liberties after (3) */
    KIND_LIBERTIES = 103, /* after the move (6) */
    KIND_JOIN = 109,      /* own strings touched (5) x opponent strings touched (5) */
    KIND_LINE = 134,      /* board (3) x phase (4) x line (7) */
    KIND_NEAR = 218,      /* board (2) x distance to the last move (18) */
    KIND_NEAR_2 = 254,    /* board (2) x distance to the move before it (18) */
    KIND_FATE = 290,      /* board (2) x distance along strings to the last move (10) */
    KIND_PLACE = 310,     /* in the opening: board (3) x folded place (55) x phase (2) */
    KIND_EYE = 640,       /* fills a point all of whose neighbours are own (2) */
};

enum { IN_ATARI_ESCAPES = 1, TWO_CAUGHT = 2 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned size3(unsigned stones) { return stones > 2 ? 2 : stones - 1; }

static unsigned size5(unsigned stones) {
    return stones <= 2 ? stones - 1 : stones <= 4 ? 2 : stones <= 8 ? 3 : 4;
}

static void add(struct yo_go_features *out, unsigned id) {
    if (out->count < YO_GO_FEATURE_MAX) out->id[out->count++] = id;
}

/* ---- a look at the position ---- */

/* Reads ladders once for each string with few liberties: whether a string in atari escapes, and
 * whether a string of the side to move with two liberties would be caught. */
static void look_at_string(struct yo_go_look *look, yo_go_point head) {
    const struct yo_go_board *board = look->board;
    int liberties = yo_go_board_liberties(board, head, 3);
    unsigned q = head;
    do {
        look->shapes.liberties[q] = (uint8_t)liberties;
        q = board->next[q];
    } while (q != head);
    if (liberties == 1 && yo_go_ladder_escape(board, head).works)
        look->status[head] = IN_ATARI_ESCAPES;
    if (liberties == 2 && board->color[head] == look->me && yo_go_ladder_catch(board, head).works)
        look->status[head] = TWO_CAUGHT;
}

void yo_go_look(struct yo_go_look *look, const struct yo_go_position *position) {
    const struct yo_go_board *board = &position->board;
    look->position = position;
    look->board = board;
    look->me = (enum yo_go_color)position->to_move;
    look->other = yo_go_other(look->me);
    memset(look->status, 0, sizeof look->status);
    yo_go_shape_view(&look->shapes, board, look->me);
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p] != YO_GO_EMPTY && board->head[p] == p)
            look_at_string(look, (yo_go_point)p);
    yo_go_fate_distance(board, &position->last, 1, FATE_LIMIT, look->fate_near);
}

/* ---- strings ---- */

/* The strings beside a point, each once. */
struct beside {
    yo_go_point own[4], theirs[4]; /* heads */
    unsigned own_count, theirs_count;
    bool takes, self_atari;
    unsigned liberties; /* of the new string, six at most; approximate after captures */
};

static void note(yo_go_point *heads, unsigned *count, yo_go_point head) {
    for (unsigned i = 0; i < *count; i++)
        if (heads[i] == head) return;
    heads[(*count)++] = head;
}

static void count_liberty(const struct yo_go_board *board, uint64_t *seen, yo_go_point p,
                          unsigned *count) {
    if (board->color[p] != YO_GO_EMPTY || yo_go_bit(seen, p)) return;
    seen[p >> 6] |= (uint64_t)1 << (p & 63);
    ++*count;
}

/* Liberties of the string that a stone on p would belong to. Each captured string adds one: the
 * count only has to show whether liberties are few. */
static unsigned liberties_after(const struct yo_go_board *board, const struct beside *b,
                                yo_go_point p) {
    uint64_t seen[YO_GO_WORDS_MAX] = {0};
    unsigned count = 0;
    seen[p >> 6] |= (uint64_t)1 << (p & 63);
    for (int d = 0; d < 4; d++)
        count_liberty(board, seen, board->geometry->nbr[p][d], &count);
    for (unsigned i = 0; i < b->own_count && count < 6; i++) {
        unsigned q = b->own[i];
        do {
            for (int d = 0; d < 4; d++)
                count_liberty(board, seen, board->geometry->nbr[q][d], &count);
            q = board->next[q];
        } while (q != b->own[i] && count < 6);
    }
    for (unsigned i = 0; i < b->theirs_count; i++)
        count += yo_go_string_in_atari(&board->string[b->theirs[i]]);
    return least(count, 6);
}

static void look_beside(const struct yo_go_look *look, yo_go_point p, struct beside *b) {
    const struct yo_go_board *board = look->board;
    *b = (struct beside){0};
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d];
        if (board->color[q] == look->me) note(b->own, &b->own_count, board->head[q]);
        if (board->color[q] == look->other) {
            note(b->theirs, &b->theirs_count, board->head[q]);
            b->takes |= yo_go_string_in_atari(&board->string[board->head[q]]);
        }
    }
    b->liberties = liberties_after(board, b, p);
    b->self_atari = !b->takes && b->liberties <= 1;
}

static bool touches_atari(const struct yo_go_look *look, yo_go_point head) {
    const struct yo_go_board *board = look->board;
    unsigned q = head;
    do {
        for (int d = 0; d < 4; d++) {
            unsigned r = board->geometry->nbr[q][d];
            if (board->color[r] == look->me &&
                yo_go_string_in_atari(&board->string[board->head[r]]))
                return true;
        }
        q = board->next[q];
    } while (q != head);
    return false;
}

static bool holds_last(const struct yo_go_look *look, yo_go_point head) {
    yo_go_point last = look->position->last;
    return last < look->board->geometry->points && look->board->head[last] == head;
}

static void see_capture(const struct yo_go_look *look, yo_go_point head,
                        struct yo_go_features *out) {
    unsigned why = 3; /* the string could not escape anyway */
    if (touches_atari(look, head))
        why = 0;
    else if (holds_last(look, head))
        why = 1;
    else if (look->status[head] == IN_ATARI_ESCAPES)
        why = 2;
    add(out, KIND_CAPTURE + why * 5 + size5(look->board->string[head].stones));
}

static void see_theirs(const struct yo_go_look *look, yo_go_point p, const struct beside *b,
                       yo_go_point head, struct yo_go_features *out) {
    const struct yo_go_board *board = look->board;
    int liberties = look->shapes.liberties[head];
    unsigned size = size3(board->string[head].stones);
    if (liberties == 1) see_capture(look, head, out);
    if (liberties == 2) {
        unsigned caught = !b->self_atari && yo_go_ladder_catches_by(board, head, p);
        add(out,
            KIND_ATARI + ((caught * 3 + size) * 2 + b->self_atari) * 2 + holds_last(look, head));
    }
    if (liberties == 3 && yo_go_board_liberties(board, head, 4) == 3)
        add(out, KIND_SQUEEZE + size * 3 + least(b->liberties > 0 ? b->liberties - 1 : 0, 2));
}

/* Does the opponent's last move touch the string? Then the danger is new. */
static bool touched_by_last(const struct yo_go_look *look, yo_go_point head) {
    yo_go_point last = look->position->last;
    if (last >= look->board->geometry->points) return false;
    for (int d = 0; d < 4; d++)
        if (look->board->head[look->board->geometry->nbr[last][d]] == head) return true;
    return false;
}

static void see_own(const struct yo_go_look *look, yo_go_point p, const struct beside *b,
                    yo_go_point head, struct yo_go_features *out) {
    const struct yo_go_board *board = look->board;
    int liberties = look->shapes.liberties[head];
    unsigned size = size3(board->string[head].stones);
    unsigned gained = least(b->liberties > 0 ? b->liberties - 1 : 0, 2);
    if (liberties == 1) {
        unsigned end = b->self_atari ? 0 : b->liberties > 2 ? 3 : 1;
        if (end == 1 && yo_go_ladder_escapes_by(board, head, p)) end = 2;
        add(out, KIND_RESCUE + (end * 3 + size) * 2 + touched_by_last(look, head));
    }
    if (liberties == 2)
        add(out,
            (look->status[head] == TWO_CAUGHT ? KIND_DEFEND : KIND_EXTEND) + size * 3 + gained);
}

static void see_self_atari(const struct yo_go_look *look, const struct beside *b,
                           struct yo_go_features *out) {
    unsigned stones = 1, throws_in = 0;
    for (unsigned i = 0; i < b->own_count; i++)
        stones += look->board->string[b->own[i]].stones;
    for (unsigned i = 0; i < b->theirs_count; i++)
        throws_in |= look->shapes.liberties[b->theirs[i]] == 2;
    add(out, KIND_SELF_ATARI + least(size5(stones), 3) * 2 + throws_in);
}

static void see_strings(const struct yo_go_look *look, yo_go_point p, struct yo_go_features *out) {
    struct beside b;
    look_beside(look, p, &b);
    for (unsigned i = 0; i < b.theirs_count; i++)
        see_theirs(look, p, &b, b.theirs[i], out);
    for (unsigned i = 0; i < b.own_count; i++)
        see_own(look, p, &b, b.own[i], out);
    if (b.self_atari) see_self_atari(look, &b, out);
    add(out, KIND_LIBERTIES + (b.liberties > 0 ? b.liberties - 1 : 0));
    add(out, KIND_JOIN + b.own_count * 5 + b.theirs_count);
    if (yo_go_bit(look->board->eye[look->me], p))
        add(out, KIND_EYE);
    else if (b.theirs_count == 0 && (look->board->pattern[p] & 0xff) != 0 && b.own_count > 0 &&
             yo_go_pattern_is_eye(look->board->pattern[p] & 0xff, look->me))
        add(out, KIND_EYE + 1);
}

/* ---- places ---- */

static unsigned board_class(int size) { return size <= 10 ? 0 : size <= 15 ? 1 : 2; }

static unsigned phase_of(const struct yo_go_look *look) {
    const struct yo_go_board *board = look->board;
    unsigned empty = 0, points = (unsigned)board->geometry->points;
    for (int w = 0; w < board->geometry->words; w++)
        empty += (unsigned)__builtin_popcountll(board->empty[w]);
    unsigned filled = 100 * (points - empty) / points;
    return filled < 8 ? 0 : filled < 25 ? 1 : filled < 50 ? 2 : 3;
}

static unsigned distance(int size, yo_go_point p, yo_go_point q) {
    int dx = abs(p % size - q % size), dy = abs(p / size - q / size);
    return least((unsigned)(dx + dy + (dx > dy ? dx : dy)), 17);
}

static void see_place(const struct yo_go_look *look, yo_go_point p, struct yo_go_features *out) {
    int size = look->board->geometry->size, points = look->board->geometry->points;
    int x = p % size, y = p / size;
    unsigned board = board_class(size), large = board > 0, phase = phase_of(look);
    unsigned to_x = (unsigned)(x < size - 1 - x ? x : size - 1 - x);
    unsigned to_y = (unsigned)(y < size - 1 - y ? y : size - 1 - y);
    unsigned low = least(to_x, to_y), high = to_x + to_y - low;
    add(out, KIND_LINE + (board * 4 + phase) * 7 + least(low, 6));
    if (phase < 2) add(out, KIND_PLACE + (board * 2 + phase) * 55 + high * (high + 1) / 2 + low);
    if (look->position->last < points) {
        add(out, KIND_NEAR + large * 18 + distance(size, p, look->position->last));
        add(out, KIND_FATE + large * 10 + least(look->fate_near[p], FATE_LIMIT + 1));
    }
    if (look->position->before < points)
        add(out, KIND_NEAR_2 + large * 18 + distance(size, p, look->position->before));
}

static void see_shapes(const struct yo_go_look *look, yo_go_point p, struct yo_go_features *out) {
    uint32_t keys[YO_GO_SHAPES];
    int size = look->board->geometry->size;
    yo_go_point last = look->position->last;
    yo_go_shape_keys(&look->shapes, p, keys);
    for (int i = 0; i < YO_GO_SHAPES; i++)
        add(out, keys[i] < YO_GO_FEATURES ? keys[i] + YO_GO_FEATURES : keys[i]);
    if (last >= look->board->geometry->points) return;
    if (abs(p % size - last % size) > 2 || abs(p / size - last / size) > 2) return;
    uint32_t key = yo_go_shape_answer_key(&look->shapes, p, last);
    add(out, key < YO_GO_FEATURES ? key + YO_GO_FEATURES : key);
}

void yo_go_features(const struct yo_go_look *look, yo_go_point p, struct yo_go_features *out) {
    out->count = 0;
    see_strings(look, p, out);
    see_place(look, p, out);
    see_shapes(look, p, out);
}
