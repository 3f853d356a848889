#include "search/go/settle.h"

#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "search/go/race.h"

/* A zone with more empty points is not read. */
#define EMPTY_MAX 14
/* The empty points of a zone that is cut off, and the liberties of a string that is read there. */
#define NEAR_MAX           10
#define NEAR_LIBERTIES_MAX 4
/* In playouts the side that is ahead by a little wins a long race nearly always. */
#define SAFE_FROM_RACES 0.95f
/* A reading may take 1/SHARE of the nodes that are left. */
#define SHARE 4

float yo_settle_hold(const struct yo_go_board *board, unsigned head, const float *ownership) {
    float sum = 0;
    unsigned p = head, count = 0;
    do {
        sum += ownership[p];
        count++;
        p = board->next[p];
    } while (p != head);
    return (board->color[head] == YO_GO_BLACK ? sum : -sum) / (float)count;
}

/* ---- the zone of a reading ---- */

struct zone {
    const struct yo_go_board *board;
    const uint8_t *safe; /* by point: safe stones */
    uint8_t in[YO_GO_POINTS_MAX + 1];
    uint16_t list[YO_GO_POINTS_MAX];
    int count, empty;
    bool near; /* no more than NEAR_MAX empty points, the nearest ones */
};

static void put(struct zone *z, unsigned p) {
    if (p == YO_GO_OFF_POINT || z->in[p] || z->safe[p]) return;
    if (z->near && z->board->color[p] == YO_GO_EMPTY && z->empty == NEAR_MAX) return;
    z->in[p] = 1;
    z->list[z->count++] = (uint16_t)p;
    z->empty += z->board->color[p] == YO_GO_EMPTY;
}

/* From the prey over empty points and strings that are not safe, as far as they go. */
static bool find_zone(struct zone *z, unsigned prey) {
    memset(z->in, 0, sizeof z->in);
    z->count = z->empty = 0;
    z->in[prey] = 1;
    z->list[z->count++] = (uint16_t)prey;
    for (int i = 0; i < z->count && z->empty <= EMPTY_MAX; i++)
        for (int d = 0; d < 4; d++) {
            unsigned p = z->list[i], q = z->board->geometry->nbr[p][d];
            if (z->board->color[q] == z->board->color[p] && z->board->color[p] != YO_GO_EMPTY &&
                !z->in[q]) { /* the rest of the string, which is not safe, or is the prey */
                z->in[q] = 1;
                z->list[z->count++] = (uint16_t)q;
            } else {
                put(z, q);
            }
        }
    return z->empty <= EMPTY_MAX;
}

/* Are all liberties of the string in the zone? */
static bool is_enclosed(const struct zone *z, unsigned head) {
    unsigned p = head;
    do {
        for (int d = 0; d < 4; d++) {
            unsigned q = z->board->geometry->nbr[p][d];
            if (z->board->color[q] == YO_GO_EMPTY && !z->in[q]) return false;
        }
        p = z->board->next[p];
    } while (p != head);
    return true;
}

/* Adds strings that moves in the zone could capture after all. */
static void add_enclosed(struct zone *z) {
    const struct yo_go_board *board = z->board;
    for (unsigned head = 0; head < (unsigned)board->geometry->points; head++) {
        if (board->color[head] == YO_GO_EMPTY || board->head[head] != head) continue;
        if (z->in[head] || !is_enclosed(z, head)) continue;
        unsigned p = head;
        do {
            z->in[p] = 1;
            z->list[z->count++] = (uint16_t)p;
            p = board->next[p];
        } while (p != head);
    }
}

/* Takes strings as safe with a lower hold, as far as needed to make the zone small enough. */
static bool choose_zone(const struct yo_settle *s, struct zone *z, unsigned prey, const float *hold,
                        uint8_t *safe) {
    static const float levels[] = {YO_SETTLE_SAFE, 0.6f, 0.4f, 0.2f};
    const struct yo_go_board *board = z->board;
    z->safe = safe;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        memset(safe, 0, YO_GO_POINTS_MAX);
        for (int p = 0; p < board->geometry->points; p++)
            safe[p] = board->color[p] != YO_GO_EMPTY && hold[board->head[p]] >= levels[i];
        if (!find_zone(z, prey)) continue;
        add_enclosed(z);
        return true;
    }
    if (!s->near || yo_go_board_liberties(board, (yo_go_point)prey, NEAR_LIBERTIES_MAX + 1) >
                        NEAR_LIBERTIES_MAX)
        return false;
    z->near = true;
    find_zone(z, prey);
    z->near = false;
    return true;
}

/* ---- the strings ---- */

static bool is_over(const struct yo_settle *s) {
    if (s->nodes == 0 || (s->deadline_ms && yo_time_ms() >= s->deadline_ms)) return true;
    return s->stop && atomic_load(s->stop);
}

static enum yo_go_read_answer ask_on(struct yo_settle *s, const struct yo_go_board *board,
                                     const struct zone *z, unsigned prey, bool attacker_first,
                                     bool defender_has_threats) {
    struct yo_go_read_problem problem = {.board = board,
                                         .zone = z->in,
                                         .prey = (yo_go_point)prey,
                                         .attacker_first = attacker_first,
                                         .defender_has_threats = defender_has_threats,
                                         .nodes = s->nodes / SHARE + 1};
    unsigned spent = 0;
    enum yo_go_read_answer answer = yo_go_read(s->reader, &problem, &spent);
    s->nodes -= spent < s->nodes ? spent : s->nodes;
    return answer;
}

static enum yo_go_read_answer ask(struct yo_settle *s, const struct zone *z, unsigned prey,
                                  bool attacker_first, bool defender_has_threats) {
    return ask_on(s, z->board, z, prey, attacker_first, defender_has_threats);
}

static enum yo_settle_fate read_string(struct yo_settle *s, const struct zone *z, unsigned prey) {
    yo_go_reader_clear(s->reader);
    enum yo_go_read_answer attacked = ask(s, z, prey, true, false);
    if (attacked == YO_GO_READ_UNKNOWN) return YO_SETTLE_UNKNOWN;
    if (attacked == YO_GO_READ_STANDS) return YO_SETTLE_STANDS;
    enum yo_go_read_answer defended = ask(s, z, prey, false, false);
    if (defended == YO_GO_READ_UNKNOWN) return s->near ? YO_SETTLE_CRITICAL : YO_SETTLE_UNKNOWN;
    if (defended == YO_GO_READ_STANDS) return YO_SETTLE_CRITICAL;
    yo_go_reader_clear(s->reader);
    bool anyway = ask(s, z, prey, false, true) == YO_GO_READ_CAPTURED;
    return anyway ? YO_SETTLE_CAPTURED : YO_SETTLE_BY_KO;
}

struct candidate {
    uint16_t head, stones;
};

static int by_stones(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    if (x->stones != y->stones) return x->stones < y->stones ? 1 : -1;
    return x->head < y->head ? -1 : x->head > y->head;
}

static void set_fate(struct yo_settle *s, const struct yo_go_board *board, unsigned head,
                     enum yo_settle_fate fate) {
    unsigned p = head;
    do {
        s->fate[p] = (uint8_t)fate;
        p = board->next[p];
    } while (p != head);
}

/* Two neighbours that each lose the same ko fight if the other has the threats: whoever has them
 * decides. */
static void find_ko_fights(struct yo_settle *s, const struct yo_go_board *board) {
    for (int p = 0; p < board->geometry->points; p++)
        for (int d = 0; d < 4 && s->fate[p] == YO_SETTLE_BY_KO; d++) {
            unsigned q = board->geometry->nbr[p][d];
            if (q == YO_GO_OFF_POINT || board->color[q] == board->color[p]) continue;
            if (s->fate[q] != YO_SETTLE_BY_KO) continue;
            set_fate(s, board, board->head[p], YO_SETTLE_CRITICAL);
            set_fate(s, board, board->head[q], YO_SETTLE_CRITICAL);
        }
}

static void set_end(struct yo_settle *s, const struct yo_go_board *board, unsigned head,
                    enum yo_race_end end) {
    static const enum yo_settle_fate fates[] = {[YO_RACE_STANDS] = YO_SETTLE_STANDS,
                                                [YO_RACE_CRITICAL] = YO_SETTLE_CRITICAL,
                                                [YO_RACE_CAPTURED] = YO_SETTLE_CAPTURED};
    set_fate(s, board, head, fates[end]);
}

/* Races that are too long to read, and others like them: to read one of the two the other would be
 * taken for safe. */
static void count_races(struct yo_settle *s, const struct yo_go_board *board, const uint8_t *alive,
                        const float *hold) {
    uint8_t safe[YO_GO_POINTS_MAX + 1] = {0};
    for (int p = 0; p < board->geometry->points; p++)
        safe[p] = board->color[p] != YO_GO_EMPTY &&
                  (alive[p] != YO_GO_EMPTY || hold[board->head[p]] >= SAFE_FROM_RACES);
    for (unsigned head = 0; head < (unsigned)board->geometry->points; head++) {
        unsigned rival;
        enum yo_race_end own, other;
        if (board->color[head] == YO_GO_EMPTY || board->head[head] != head || safe[head]) continue;
        if (s->fate[head] != YO_SETTLE_UNKNOWN) continue;
        if (!yo_race_count(board, safe, head, &rival, &own, &other)) continue;
        if (s->fate[rival] != YO_SETTLE_UNKNOWN) continue;
        set_end(s, board, head, own);
        set_end(s, board, rival, other);
    }
}

/* ---- moves ---- */

static void hold_all(const struct yo_go_board *board, const float *ownership, float *hold) {
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p] != YO_GO_EMPTY && board->head[p] == p)
            hold[p] = yo_settle_hold(board, (unsigned)p, ownership);
}

/* Does the move decide the fate of the prey? */
static bool decides(struct yo_settle *s, const struct zone *z, unsigned prey,
                    enum yo_go_color color, yo_go_point move, bool defender_has_threats) {
    struct yo_go_board after = *z->board;
    bool saves = z->board->color[prey] == color;
    yo_go_board_play(&after, color, move);
    if (after.color[prey] == YO_GO_EMPTY) return !saves;
    enum yo_go_read_answer answer = ask_on(s, &after, z, prey, saves, defender_has_threats);
    return answer == (saves ? YO_GO_READ_STANDS : YO_GO_READ_CAPTURED);
}

static size_t find_moves(struct yo_settle *s, const struct zone *z, unsigned prey,
                         enum yo_go_color color, bool defender_has_threats, yo_go_point *moves) {
    const struct yo_go_board *board = z->board;
    size_t count = 0;
    yo_go_reader_clear(s->reader);
    for (unsigned p = 0; p < (unsigned)board->geometry->points && !is_over(s); p++) {
        if (!z->in[p] || board->color[p] != YO_GO_EMPTY || board->ko == p) continue;
        if (yo_go_bit(board->eye[color], p) || yo_go_board_is_suicide(board, color, (yo_go_point)p))
            continue;
        if (decides(s, z, prey, color, (yo_go_point)p, defender_has_threats))
            moves[count++] = (yo_go_point)p;
    }
    return count;
}

size_t yo_settle_moves(struct yo_settle *s, const struct yo_go_board *board, const float *ownership,
                       unsigned head, enum yo_go_color color, yo_go_point *moves) {
    float hold[YO_GO_POINTS_MAX] = {0};
    uint8_t safe[YO_GO_POINTS_MAX + 1] = {0};
    struct zone zone = {.board = board};
    bool saves = board->color[head] == color;
    hold_all(board, ownership, hold);
    if (!choose_zone(s, &zone, head, hold, safe)) return 0;
    /* The threats on the side of whoever wants to undo the move. */
    size_t count = find_moves(s, &zone, head, color, !saves, moves);
    return count > 0 ? count : find_moves(s, &zone, head, color, saves, moves);
}

/* ---- all together ---- */

void yo_settle_read(struct yo_settle *s, const struct yo_go_board *board, const uint8_t *alive,
                    const float *ownership) {
    struct candidate list[YO_GO_POINTS_MAX];
    float hold[YO_GO_POINTS_MAX] = {0};
    uint8_t safe[YO_GO_POINTS_MAX + 1] = {0};
    struct zone zone = {.board = board};
    size_t count = 0;
    hold_all(board, ownership, hold);
    if (!s->near) count_races(s, board, alive, hold);
    for (int p = 0; p < board->geometry->points; p++) {
        if (board->color[p] == YO_GO_EMPTY || board->head[p] != p) continue;
        bool decided = alive[p] != YO_GO_EMPTY; /* Benson */
        if (!decided && s->fate[p] == YO_SETTLE_UNKNOWN && hold[p] < YO_SETTLE_SAFE)
            list[count++] = (struct candidate){(uint16_t)p, board->string[p].stones};
    }
    qsort(list, count, sizeof list[0], by_stones);
    for (size_t i = 0; i < count && !is_over(s); i++)
        if (choose_zone(s, &zone, list[i].head, hold, safe))
            set_fate(s, board, list[i].head, read_string(s, &zone, list[i].head));
    find_ko_fights(s, board);
}
