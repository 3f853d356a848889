#include "game/go/ladder.h"

#include <string.h>

/* The search board keeps too much up to date to be copied or taken back at every step: a ladder
 * needs the colours alone, and counts the few liberties it asks for. */
struct reader {
    const struct yo_go_geometry *geometry;
    uint8_t color[YO_GO_POINTS_MAX + 1];
    uint8_t prey_color;
    yo_go_point prey, ko;
    int nodes;

    /* Points whose colour a move changed, oldest first; what they were follows from the move. */
    uint16_t taken[4 * YO_GO_POINTS_MAX];
    int taken_count;

    /* The string that was walked last. */
    uint16_t seen[YO_GO_POINTS_MAX + 1];
    uint16_t stamp;
    uint16_t stones[YO_GO_POINTS_MAX];
    int stone_count;
    uint16_t libs[3];
    int lib_count;
};

struct move {
    yo_go_point point, ko_before;
    int taken_before;
};

static void start(struct reader *r, const struct yo_go_board *board, yo_go_point prey) {
    r->geometry = board->geometry;
    memcpy(r->color, board->color, sizeof r->color);
    memset(r->seen, 0, sizeof r->seen);
    r->prey = prey;
    r->prey_color = board->color[prey];
    r->ko = board->ko;
    r->nodes = r->taken_count = r->stamp = 0;
}

/* Walks the string at p until it has found `limit` liberties; with fewer, it has seen all. */
static int walk(struct reader *r, unsigned p, int limit) {
    if (++r->stamp == 0) {
        memset(r->seen, 0, sizeof r->seen);
        r->stamp = 1;
    }
    r->seen[p] = r->stamp;
    r->stones[0] = (uint16_t)p;
    r->stone_count = 1;
    r->lib_count = 0;
    for (int i = 0; i < r->stone_count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = r->geometry->nbr[r->stones[i]][d];
            if (r->seen[q] == r->stamp) continue;
            r->seen[q] = r->stamp;
            if (r->color[q] == r->color[p]) r->stones[r->stone_count++] = (uint16_t)q;
            if (r->color[q] != YO_GO_EMPTY) continue;
            r->libs[r->lib_count++] = (uint16_t)q;
            if (r->lib_count == limit) return limit;
        }
    return r->lib_count;
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
    for (int d = 0; d < 4; d++) {
        unsigned q = r->geometry->nbr[p][d];
        if (r->color[q] != (uint8_t)yo_go_other(color) || walk(r, q, 1) > 0) continue;
        for (int i = 0; i < r->stone_count; i++) {
            r->color[r->stones[i]] = YO_GO_EMPTY;
            r->taken[r->taken_count++] = r->stones[i];
        }
    }
    int taken = r->taken_count - move->taken_before;
    if (taken > 1) return true;
    int libs = walk(r, p, 2);
    if (libs == 0) take_back(r, move);
    if (libs == 1 && taken == 1 && r->stone_count == 1) r->ko = r->taken[r->taken_count - 1];
    return libs > 0;
}

/* ---- what either side may try ---- */

/* A string that could take in more places than these is in no ladder that anybody would read. */
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

/* Where the prey, in atari, takes what touches it; and last its own liberty. */
static void find_escapes(struct reader *r, struct moves *moves) {
    uint16_t stones[YO_GO_POINTS_MAX];
    moves->count = 0;
    walk(r, r->prey, 2);
    int count = r->stone_count;
    yo_go_point extend = r->libs[0];
    memcpy(stones, r->stones, (size_t)count * sizeof stones[0]);
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = r->geometry->nbr[stones[i]][d];
            bool chases = r->color[q] == (uint8_t)yo_go_other((enum yo_go_color)r->prey_color);
            if (!chases || walk(r, q, 2) != 1) continue;
            if (r->libs[0] != extend) add_taker(moves, r->libs[0]);
        }
    moves->point[moves->count++] = extend;
}

/* ---- the two sides ---- */

static bool caught_by(struct reader *r, yo_go_point p);

/* Would the prey, with the attacker's stone on `atari`, have three liberties by its next stone on
 * p alone? That settles most ladders on an open board without a move. */
static bool runs_free(const struct reader *r, yo_go_point p, yo_go_point atari) {
    int empty = 0;
    for (int d = 0; d < 4; d++) {
        unsigned q = r->geometry->nbr[p][d];
        empty += r->color[q] == YO_GO_EMPTY && q != atari;
    }
    return empty >= 3;
}

/* The prey's side has moved: is it free? */
static bool is_free(struct reader *r) {
    int libs = walk(r, r->prey, 3);
    if (libs != 2) return libs > 2;
    yo_go_point a = r->libs[0], b = r->libs[1];
    return (runs_free(r, b, a) || !caught_by(r, a)) && (runs_free(r, a, b) || !caught_by(r, b));
}

static bool gave_up(struct reader *r) {
    if (r->nodes >= YO_GO_LADDER_NODES) return true;
    r->nodes++;
    return false;
}

static bool saved_by(struct reader *r, yo_go_point p) {
    struct move move;
    if (gave_up(r)) return true;
    if (!play(r, (enum yo_go_color)r->prey_color, p, &move)) return false;
    bool saved = is_free(r);
    take_back(r, &move);
    return saved;
}

static bool find_saver(struct reader *r, yo_go_point *saver) {
    struct moves moves;
    find_escapes(r, &moves);
    for (int i = 0; i < moves.count; i++)
        if (saved_by(r, *saver = moves.point[i])) return true;
    return false;
}

static bool caught_by(struct reader *r, yo_go_point p) {
    struct move move;
    yo_go_point saver;
    if (gave_up(r)) return false;
    if (!play(r, yo_go_other((enum yo_go_color)r->prey_color), p, &move)) return false;
    bool caught = !find_saver(r, &saver);
    take_back(r, &move);
    return caught;
}

/* ---- questions ---- */

struct yo_go_ladder yo_go_ladder_escape(const struct yo_go_board *board, yo_go_point prey) {
    struct reader r;
    struct yo_go_ladder ladder = {.move = YO_GO_NONE};
    start(&r, board, prey);
    ladder.works = find_saver(&r, &ladder.move);
    ladder.nodes = r.nodes;
    return ladder;
}

bool yo_go_ladder_escapes_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    struct reader r;
    struct moves moves;
    start(&r, board, prey);
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
