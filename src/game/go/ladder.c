#include "game/go/ladder.h"

#include <string.h>

/* The search board updates too much to be copied or undone at every step. A ladder needs only the
 * colours, and counts the few liberties it asks for. */
struct reader {
    const struct yo_go_geometry *geometry;
    uint8_t color[YO_GO_POINTS_MAX + 1];
    uint8_t prey_color;
    yo_go_point prey, ko;
    bool for_net; /* the definition of yo_go_ladder_mark */
    int nodes, depth;

    /* Points whose colour a move changed, oldest first; their old colour follows from the move. */
    uint16_t taken[4 * YO_GO_POINTS_MAX];
    int taken_count;

    /* The string visited by the last walk. */
    uint16_t seen[YO_GO_POINTS_MAX + 1];
    uint16_t stamp;
    uint16_t stones[YO_GO_POINTS_MAX];
    int stone_count;
    uint16_t libs[3];
    int lib_count;

    uint64_t looked[YO_GO_WORDS_MAX]; /* points that were read with their neighbours */
};

static void set(uint64_t *words, unsigned p) { words[p >> 6] |= (uint64_t)1 << (p & 63); }

static const uint16_t *look_around(struct reader *r, unsigned p) {
    set(r->looked, p);
    return r->geometry->nbr[p];
}

struct move {
    yo_go_point point, ko_before;
    int taken_before;
};

static void set_up(struct reader *r, const struct yo_go_geometry *geometry, const uint8_t *color,
                   yo_go_point ko, bool for_net) {
    r->geometry = geometry;
    memcpy(r->color, color, sizeof r->color);
    memset(r->seen, 0, sizeof r->seen);
    r->ko = ko;
    r->for_net = for_net;
    r->taken_count = r->stamp = 0;
}

static void aim(struct reader *r, yo_go_point prey) {
    r->prey = prey;
    r->prey_color = r->color[prey];
    r->nodes = r->depth = 0;
}

static void start(struct reader *r, const struct yo_go_board *board, yo_go_point prey) {
    set_up(r, board->geometry, board->color, board->ko, false);
    aim(r, prey);
}

/* Walks the string at p until it has found `limit` liberties; with fewer, it visits the whole
 * string. */
static int walk(struct reader *r, unsigned p, int limit) {
    if (++r->stamp == 0) {
        memset(r->seen, 0, sizeof r->seen);
        r->stamp = 1;
    }
    r->seen[p] = r->stamp;
    r->stones[0] = (uint16_t)p;
    r->stone_count = 1;
    r->lib_count = 0;
    for (int i = 0; i < r->stone_count; i++) {
        const uint16_t *nbr = look_around(r, r->stones[i]);
        for (int d = 0; d < 4; d++) {
            unsigned q = nbr[d];
            if (r->seen[q] == r->stamp) continue;
            r->seen[q] = r->stamp;
            if (r->color[q] == r->color[p]) r->stones[r->stone_count++] = (uint16_t)q;
            if (r->color[q] != YO_GO_EMPTY) continue;
            r->libs[r->lib_count++] = (uint16_t)q;
            if (r->lib_count == limit) return limit;
        }
    }
    return r->lib_count;
}

/* Liberties beside p itself, which most often settle the question without a walk. */
static int libs_beside(struct reader *r, unsigned p) {
    const uint16_t *nbr = look_around(r, p);
    return (r->color[nbr[0]] == YO_GO_EMPTY) + (r->color[nbr[1]] == YO_GO_EMPTY) +
           (r->color[nbr[2]] == YO_GO_EMPTY) + (r->color[nbr[3]] == YO_GO_EMPTY);
}

static void take_back(struct reader *r, const struct move *move) {
    uint8_t other = (uint8_t)yo_go_other((enum yo_go_color)r->color[move->point]);
    r->color[move->point] = YO_GO_EMPTY;
    while (r->taken_count > move->taken_before)
        r->color[r->taken[--r->taken_count]] = other;
    r->ko = move->ko_before;
}

/* Returns false, and changes nothing, if the move is not legal. */
static bool play(struct reader *r, enum yo_go_color color, yo_go_point p, struct move *move) {
    *move = (struct move){.point = p, .ko_before = r->ko, .taken_before = r->taken_count};
    if (p == r->ko) return false;
    r->color[p] = (uint8_t)color;
    r->ko = YO_GO_NONE;
    const uint16_t *nbr = look_around(r, p);
    for (int d = 0; d < 4; d++) {
        unsigned q = nbr[d];
        if (r->color[q] != (uint8_t)yo_go_other(color)) continue;
        if (libs_beside(r, q) > 0 || walk(r, q, 1) > 0) continue;
        for (int i = 0; i < r->stone_count; i++) {
            r->color[r->stones[i]] = YO_GO_EMPTY;
            r->taken[r->taken_count++] = r->stones[i];
        }
    }
    int taken = r->taken_count - move->taken_before, beside = libs_beside(r, p);
    if (taken > 1 || beside > 1 || (beside == 1 && taken == 0)) return true;
    int libs = walk(r, p, 2);
    if (libs == 0) take_back(r, move);
    if (libs == 1 && taken == 1 && r->stone_count == 1) r->ko = r->taken[r->taken_count - 1];
    return libs > 0;
}

/* ---- candidate moves ---- */

/* More captures than this do not occur in practical ladders. */
#define TAKERS_MAX 31

struct moves {
    yo_go_point point[TAKERS_MAX + 1];
    int count;
};

static void add_taker(struct moves *moves, yo_go_point p) {
    for (int i = 0; i < moves->count; i++)
        if (moves->point[i] == p) return;
    if (moves->count < TAKERS_MAX) moves->point[moves->count++] = p;
}

/* Escapes of a prey in atari, which the last walk visited: captures of adjacent strings first, its
 * own liberty last. */
static void find_escapes(struct reader *r, struct moves *moves) {
    uint16_t stones[YO_GO_POINTS_MAX];
    uint64_t known[YO_GO_WORDS_MAX] = {0}; /* stones of strings that were looked at */
    moves->count = 0;
    int count = r->stone_count;
    yo_go_point extend = r->libs[0];
    memcpy(stones, r->stones, (size_t)count * sizeof stones[0]);
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = r->geometry->nbr[stones[i]][d];
            bool chases = r->color[q] == (uint8_t)yo_go_other((enum yo_go_color)r->prey_color);
            if (!chases || yo_go_bit(known, q) || libs_beside(r, q) > 1) continue;
            int libs = walk(r, q, 2);
            for (int k = 0; k < r->stone_count; k++)
                set(known, r->stones[k]);
            if (libs == 1 && r->libs[0] != extend) add_taker(moves, r->libs[0]);
        }
    moves->point[moves->count++] = extend;
}

/* ---- the search ---- */

static bool caught_by(struct reader *r, yo_go_point p);

/* Would the prey, with the attacker's stone on `atari`, have three liberties from its next stone on
 * p alone? That decides most ladders on an open board without playing a move. */
static bool runs_free(struct reader *r, yo_go_point p, yo_go_point atari) {
    const uint16_t *nbr = look_around(r, p);
    int empty = 0;
    for (int d = 0; d < 4; d++)
        empty += r->color[nbr[d]] == YO_GO_EMPTY && nbr[d] != atari;
    return empty >= 3;
}

static bool two_kos(struct reader *r, yo_go_point a, yo_go_point b);

/* After a move of the prey's side: is it free? */
static bool is_free(struct reader *r) {
    int libs = walk(r, r->prey, 3);
    if (libs != 2) return libs > 2;
    yo_go_point a = r->libs[0], b = r->libs[1];
    if (r->for_net && two_kos(r, a, b)) return false;
    return (runs_free(r, b, a) || !caught_by(r, a)) && (runs_free(r, a, b) || !caught_by(r, b));
}

#define NET_NODES 25000

static bool gave_up(struct reader *r) {
    bool deep = r->for_net && 2 * r->depth > 3 * r->geometry->points;
    if (deep || r->nodes >= (r->for_net ? NET_NODES : YO_GO_LADDER_NODES)) return true;
    r->nodes++;
    return false;
}

static bool saved_by(struct reader *r, yo_go_point p) {
    struct move move;
    if (gave_up(r)) return !r->for_net;
    if (!play(r, (enum yo_go_color)r->prey_color, p, &move)) return false;
    r->depth++;
    bool saved = is_free(r);
    r->depth--;
    take_back(r, &move);
    return saved;
}

/* The last walk visited the prey, which is in atari. */
static bool find_saver(struct reader *r, yo_go_point *saver) {
    struct moves moves;
    find_escapes(r, &moves);
    for (int i = 0; i < moves.count; i++)
        if (saved_by(r, *saver = moves.point[i])) return true;
    return false;
}

/* After a move of the attacker. A ladder that depends on a ko does not count as caught. But the
 * attacker's first move may capture a ko; the prey may retake it. */
static bool net_caught(struct reader *r) {
    yo_go_point saver;
    if (walk(r, r->prey, 2) > 1) return false;
    if (r->ko != YO_GO_NONE && r->depth > 1) return false;
    r->ko = YO_GO_NONE;
    return !find_saver(r, &saver);
}

static bool caught_by(struct reader *r, yo_go_point p) {
    struct move move;
    yo_go_point saver;
    if (gave_up(r)) return r->for_net;
    if (!play(r, yo_go_other((enum yo_go_color)r->prey_color), p, &move)) return false;
    r->depth++;
    if (!r->for_net) walk(r, r->prey, 2);
    bool caught = r->for_net ? net_caught(r) : !find_saver(r, &saver);
    r->depth--;
    take_back(r, &move);
    return caught;
}

/* ---- ladders for networks ---- */

/* Would an attacker's stone on p capture one stone and stand alone with one liberty? */
static bool is_ko_mouth(struct reader *r, yo_go_point p) {
    const uint16_t *nbr = look_around(r, p);
    int single = 0;
    for (int d = 0; d < 4; d++) {
        unsigned q = nbr[d];
        if (r->color[q] == YO_GO_OFF) continue;
        if (r->color[q] != r->prey_color) return false;
        if (walk(r, q, 2) > 1) continue;
        if (r->stone_count > 1) return false;
        single++;
    }
    return single == 1;
}

/* Liberties, up to limit, of the prey's string that a stone on p would belong to. A ko there is the
 * attacker's not to take. */
static int libs_after(struct reader *r, yo_go_point p, int limit) {
    struct move move;
    yo_go_point ko = r->ko;
    int libs = 0;
    r->ko = YO_GO_NONE;
    if (play(r, (enum yo_go_color)r->prey_color, p, &move)) {
        libs = walk(r, p, limit);
        take_back(r, &move);
    }
    r->ko = ko;
    return libs;
}

static bool two_kos(struct reader *r, yo_go_point a, yo_go_point b) {
    struct moves moves;
    if (!is_ko_mouth(r, a) || !is_ko_mouth(r, b)) return false;
    if (libs_after(r, a, 3) > 2 || libs_after(r, b, 3) > 2) return false;
    walk(r, r->prey, 3); /* the whole string: with 2 it stops at the second liberty */
    find_escapes(r, &moves);
    return moves.count == 1; /* only its own liberty: no adjacent string is in atari */
}

/* Reads the string at p, which has one or two liberties. all: both moves of the attacker, also if
 * the first catches it. */
static void read_string(struct reader *r, yo_go_point p, bool all,
                        struct yo_go_ladder_reading *reading) {
    yo_go_point ko = r->ko, saver;
    walk(r, p, 3);
    *reading = (struct yo_go_ladder_reading){.lib_count = (uint8_t)r->lib_count,
                                             .libs = {r->libs[0], r->libs[1]}};
    aim(r, p);
    if (reading->lib_count == 1) {
        r->ko = YO_GO_NONE; /* the prey may take any ko */
        reading->caught = !find_saver(r, &saver);
        r->ko = ko;
        return;
    }
    for (int i = 0; i < 2 && (all || !reading->caught); i++) {
        r->nodes = 0;
        yo_go_point atari = reading->libs[i], other = reading->libs[1 - i];
        reading->catches[i] = !runs_free(r, other, atari) && caught_by(r, atari);
        reading->caught = reading->caught || reading->catches[i];
    }
}

static void put_moves(const struct yo_go_ladder_reading *reading, uint64_t *moves) {
    for (int i = 0; i < 2; i++)
        if (reading->catches[i]) set(moves, reading->libs[i]);
}

/* The position's ko forbids nothing but the attacker's first move. */
static bool ko_matters(const struct yo_go_ladder_reading *reading, yo_go_point ko) {
    return reading->lib_count == 2 && (reading->libs[0] == ko || reading->libs[1] == ko);
}

static bool recall(const struct yo_go_ladder_memory *memory, const uint64_t *black,
                   const uint64_t *white, yo_go_point p, yo_go_point ko,
                   struct yo_go_ladder_reading *reading) {
    return memory && yo_go_ladder_recall(memory, black, white, p, reading) &&
           !ko_matters(reading, ko);
}

static void read_and_remember(struct reader *r, struct yo_go_ladder_memory *memory,
                              const uint64_t *black, const uint64_t *white, yo_go_point p, bool all,
                              struct yo_go_ladder_reading *reading) {
    memset(r->looked, 0, sizeof r->looked);
    read_string(r, p, memory || all, reading);
    if (memory && !ko_matters(reading, r->ko))
        yo_go_ladder_remember(memory, black, white, p, r->looked, reading);
}

static void find_stones(const struct yo_go_geometry *geometry, const uint8_t *color,
                        uint64_t *black, uint64_t *white) {
    for (int p = 0; p < geometry->points; p++) {
        black[p / 64] |= (uint64_t)(color[p] == YO_GO_BLACK) << p % 64;
        white[p / 64] |= (uint64_t)(color[p] == YO_GO_WHITE) << p % 64;
    }
}

void yo_go_ladder_mark(const struct yo_go_geometry *geometry,
                       const uint8_t color[YO_GO_POINTS_MAX + 1], yo_go_point ko,
                       struct yo_go_ladder_memory *memory, enum yo_go_color prey,
                       uint64_t caught[YO_GO_WORDS_MAX], uint64_t *moves) {
    struct reader r;
    uint64_t done[YO_GO_WORDS_MAX] = {0};
    uint64_t black[YO_GO_WORDS_MAX] = {0}, white[YO_GO_WORDS_MAX] = {0};
    memset(caught, 0, YO_GO_WORDS_MAX * sizeof caught[0]);
    if (moves) memset(moves, 0, YO_GO_WORDS_MAX * sizeof moves[0]);
    set_up(&r, geometry, color, ko, true);
    if (memory) find_stones(geometry, color, black, white);
    for (int p = 0; p < geometry->points; p++) {
        if (color[p] == YO_GO_EMPTY || yo_go_bit(done, (unsigned)p)) continue;
        if (libs_beside(&r, (unsigned)p) > 2 || walk(&r, (unsigned)p, 3) > 2) continue;
        uint64_t string[YO_GO_WORDS_MAX] = {0};
        for (int i = 0; i < r.stone_count; i++)
            set(string, r.stones[i]);
        struct yo_go_ladder_reading reading;
        bool all = moves && color[p] == prey;
        if (!recall(memory, black, white, (yo_go_point)p, ko, &reading))
            read_and_remember(&r, memory, black, white, (yo_go_point)p, all, &reading);
        if (all) put_moves(&reading, moves);
        for (int w = 0; w < geometry->words; w++) {
            done[w] |= string[w];
            if (reading.caught) caught[w] |= string[w];
        }
    }
}

void yo_go_ladder_mark_weak(const struct yo_go_board *board, const struct yo_go_weak *weak,
                            struct yo_go_ladder_memory *memory, enum yo_go_color prey,
                            uint64_t caught[YO_GO_WORDS_MAX], uint64_t *moves) {
    struct reader r;
    const uint64_t *black = weak->stones[0], *white = weak->stones[1];
    bool ready = false;
    for (int i = 0; i < weak->count; i++) {
        yo_go_point p = weak->first[i];
        struct yo_go_ladder_reading reading;
        bool all = moves && board->color[p] == prey;
        if (!recall(memory, black, white, p, board->ko, &reading)) {
            if (!ready) set_up(&r, board->geometry, board->color, board->ko, true);
            ready = true;
            read_and_remember(&r, memory, black, white, p, all, &reading);
        }
        if (all) put_moves(&reading, moves);
        unsigned q = p;
        do {
            if (reading.caught) set(caught, q);
            q = board->next[q];
        } while (q != p);
    }
}

/* ---- interface ---- */

struct yo_go_ladder yo_go_ladder_escape(const struct yo_go_board *board, yo_go_point prey) {
    struct reader r;
    struct yo_go_ladder ladder = {.move = YO_GO_NONE};
    start(&r, board, prey);
    walk(&r, prey, 2);
    ladder.works = find_saver(&r, &ladder.move);
    ladder.nodes = r.nodes;
    return ladder;
}

bool yo_go_ladder_escapes_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    struct reader r;
    struct moves moves;
    start(&r, board, prey);
    walk(&r, prey, 2);
    find_escapes(&r, &moves);
    for (int i = 0; i < moves.count; i++)
        if (moves.point[i] == move) return saved_by(&r, move);
    return false;
}

struct yo_go_ladder yo_go_ladder_catch(const struct yo_go_board *board, yo_go_point prey) {
    struct reader r;
    start(&r, board, prey);
    walk(&r, prey, 3);
    yo_go_point libs[2] = {r.libs[0], r.libs[1]};
    for (int i = 0; i < 2; i++)
        if (caught_by(&r, libs[i]))
            return (struct yo_go_ladder){.works = true, .move = libs[i], .nodes = r.nodes};
    return (struct yo_go_ladder){.move = YO_GO_NONE, .nodes = r.nodes};
}

bool yo_go_ladder_catches_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    struct reader r;
    start(&r, board, prey);
    return caught_by(&r, move);
}

bool yo_go_ladder_frees(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    struct reader r;
    start(&r, board, prey);
    return saved_by(&r, move);
}
