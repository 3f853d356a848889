/* For one colour: its strings, and the regions of points it does not occupy. A region is vital to a
 * string when each of its empty points is a liberty of that string. Strings with fewer than two
 * vital regions are struck off, then regions that touch a struck string, until nothing changes.
 *
 * If suicide is legal, the opponent may fill a region and kill these stones, which leaves empty
 * points that touch none of our strings. Then every point of a vital region, not only the empty
 * ones, must be adjacent to the string. */
#include "game/go/benson.h"

#include <string.h>

#include "game/go/state.h"

struct string {
    struct yo_go_set stones, beside;
    bool alive;
};

/* A region that can be vital to a string. */
struct vital {
    struct yo_go_set points;
    struct yo_go_set must; /* the points that a string touches if the region is vital to it */
    int low, high;         /* the first and the last word with points */
    bool safe;             /* all bordering strings are still in */
};

/* Strings are pairwise not adjacent, and so are regions: at most every second point. */
#define PARTS_MAX ((YO_GO_POINTS_MAX + 1) / 2)

struct analysis {
    const struct yo_go_board *board;
    const struct yo_go_geometry *g;
    struct yo_go_set own, beside; /* stones of the colour, and their neighbours */
    struct yo_go_set others;      /* all other points: the regions */
    struct yo_go_set must;        /* those that a string must touch */
    int strings, vitals;
    struct string string[PARTS_MAX]; /* those that touch a vital region */
    struct vital vital[PARTS_MAX];
};

static void unite(const struct yo_go_geometry *g, struct yo_go_set *set,
                  const struct yo_go_set *more) {
    for (int w = 0; w < g->words; w++)
        set->word[w] |= more->word[w];
}

static struct yo_go_set both(const struct yo_go_geometry *g, const struct yo_go_set *a,
                             const struct yo_go_set *b) {
    struct yo_go_set in;
    for (int w = 0; w < g->words; w++)
        in.word[w] = a->word[w] & b->word[w];
    return in;
}

/* ---- the analysis ---- */

/* One fill finds all regions that cannot be vital, whose points no string touches: most of the
 * board. What is left are small regions. */
static void find_vitals(struct analysis *a) {
    struct yo_go_set open, left;
    for (int w = 0; w < a->g->words; w++)
        open.word[w] = a->must.word[w] & ~a->beside.word[w];
    yo_go_set_fill(a->g, &a->others, &open);
    for (int w = 0; w < a->g->words; w++)
        left.word[w] = a->others.word[w] & ~open.word[w];
    for (a->vitals = 0;; a->vitals++) {
        struct vital *v = &a->vital[a->vitals];
        if (!yo_go_set_next_part(a->g, &left, &v->points)) return;
        v->must = both(a->g, &v->points, &a->must);
        v->safe = true;
        v->low = 0;
        v->high = a->g->words - 1;
        while (!v->points.word[v->low])
            v->low++;
        while (!v->points.word[v->high])
            v->high--;
    }
}

static void add_string(struct analysis *a, unsigned first) {
    struct string *s = &a->string[a->strings++];
    *s = (struct string){.alive = true};
    unsigned p = first;
    do {
        yo_go_set_add(&s->stones, p);
        p = a->board->next[p];
    } while (p != first);
    yo_go_set_beside(a->g, &s->stones, &s->beside);
}

/* Others have no vital region, and strike off none. */
static void find_strings(struct analysis *a) {
    struct yo_go_set points = {{0}}, left;
    for (int i = 0; i < a->vitals; i++)
        unite(a->g, &points, &a->vital[i].points);
    yo_go_set_beside(a->g, &points, &left);
    left = both(a->g, &left, &a->own);
    a->strings = 0;
    for (int w = 0; w < a->g->words; w++)
        while (left.word[w]) {
            add_string(a, 64 * (unsigned)w + (unsigned)__builtin_ctzll(left.word[w]));
            for (int k = w; k < a->g->words; k++)
                left.word[k] &= ~a->string[a->strings - 1].stones.word[k];
        }
}

static bool is_vital(const struct vital *v, const struct string *s) {
    uint64_t beyond = 0;
    for (int w = v->low; w <= v->high; w++)
        beyond |= v->must.word[w] & ~s->beside.word[w];
    return beyond == 0;
}

static bool has_two_vitals(const struct analysis *a, const struct string *s) {
    int count = 0;
    for (int i = 0; i < a->vitals && count < 2; i++)
        count += a->vital[i].safe && is_vital(&a->vital[i], s);
    return count == 2;
}

static void strike_regions(struct analysis *a, const struct string *s) {
    for (struct vital *v = a->vital; v < a->vital + a->vitals; v++)
        for (int w = v->low; w <= v->high; w++)
            if (v->points.word[w] & s->beside.word[w]) v->safe = false;
}

static void strike_off(struct analysis *a) {
    for (bool changed = true; changed;) {
        changed = false;
        for (struct string *s = a->string; s < a->string + a->strings; s++) {
            if (!s->alive || has_two_vitals(a, s)) continue;
            s->alive = false;
            changed = true;
            strike_regions(a, s);
        }
    }
}

/* Returns false if no string lives. */
static bool analyse(const struct yo_go_board *board, const struct yo_go_set *own, bool suicide,
                    struct analysis *a, struct yo_go_set *alive) {
    a->board = board;
    a->g = board->geometry;
    a->own = *own;
    memset(alive, 0, sizeof *alive);
    for (int w = 0; w < a->g->words; w++) {
        a->others.word[w] = a->g->board[w] & ~own->word[w];
        a->must.word[w] = suicide ? a->others.word[w] : board->empty[w];
    }
    yo_go_set_beside(a->g, &a->own, &a->beside);
    find_vitals(a);
    if (a->vitals < 2) return false;
    find_strings(a);
    strike_off(a);
    bool any = false;
    for (int i = 0; i < a->strings; i++) {
        if (!a->string[i].alive) continue;
        unite(a->g, alive, &a->string[i].stones);
        any = true;
    }
    return any;
}

void yo_go_benson_stones(const struct yo_go_board *board, const struct yo_go_set *own, bool suicide,
                         struct yo_go_set *alive) {
    struct analysis a;
    analyse(board, own, suicide, &a, alive);
}

/* ---- what the living own ---- */

/* A region belongs to the colour when all strings round it live and the opponent cannot. An
 * opponent's eye needs a point with no adjacent stone of the colour, and two eyes need two such
 * points that are not adjacent. In a vital region no such point is empty or can become empty. */
static bool is_owned(const struct analysis *a, const struct yo_go_set *alive,
                     const struct yo_go_set *region) {
    struct yo_go_set inner, beside, must = both(a->g, region, &a->must);
    yo_go_set_beside(a->g, region, &beside);
    for (int w = 0; w < a->g->words; w++) {
        beside.word[w] &= a->own.word[w];
        inner.word[w] = region->word[w] & ~a->beside.word[w];
    }
    if (!yo_go_set_within(a->g, &beside, alive)) return false;
    int count = yo_go_set_count(a->g, &inner);
    yo_go_set_beside(a->g, &inner, &beside);
    /* Of three points on a grid at least two are not adjacent. */
    if (count < 2 || (count == 2 && yo_go_set_meets(a->g, &inner, &beside))) return true;
    for (int i = 0; i < a->strings; i++)
        if (a->string[i].alive && yo_go_set_within(a->g, &must, &a->string[i].beside)) return true;
    return false;
}

/* The living stones of a colour, and the regions it owns. */
static void benson_of(const struct yo_go_board *board, enum yo_go_color color, bool suicide,
                      struct yo_go_set *alive) {
    struct analysis a;
    struct yo_go_set own, living, region;
    yo_go_set_stones(board, color, &own);
    bool any = analyse(board, &own, suicide, &a, &living);
    *alive = living;
    while (any && yo_go_set_next_part(a.g, &a.others, &region))
        if (is_owned(&a, &living, &region)) unite(a.g, alive, &region);
}

void yo_go_benson(const struct yo_go_board *board, bool suicide, uint8_t *alive) {
    memset(alive, YO_GO_EMPTY, (size_t)board->geometry->points);
    for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
        struct yo_go_set set;
        benson_of(board, (enum yo_go_color)color, suicide, &set);
        for (int p = 0; p < board->geometry->points; p++)
            if (yo_go_bit(set.word, (unsigned)p)) alive[p] = (uint8_t)color;
    }
}

void yo_go_game_benson(const struct yo_go_game *game, uint8_t *alive) {
    yo_go_benson(&game->board, game->rules.suicide, alive);
}
