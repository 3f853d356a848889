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

/* Strings are pairwise not adjacent, and so are regions: at most every second point. */
#define PARTS_MAX ((YO_GO_POINTS_MAX + 1) / 2)

struct string {
    struct yo_go_set stones, beside;
    bool alive;
};

struct region {
    struct yo_go_set points;
    struct yo_go_set must; /* the points that a string touches if the region is vital to it */
    bool safe;             /* all bordering strings are still in */
};

struct analysis {
    const struct yo_go_geometry *g;
    struct yo_go_set own, beside; /* stones of the colour, and their neighbours */
    int strings, regions;
    struct string string[PARTS_MAX];
    struct region region[PARTS_MAX];
};

/* Returns how many can be vital to a string. */
static int find_regions(struct analysis *a, const struct yo_go_board *board, bool suicide) {
    struct yo_go_set others;
    int vital = 0;
    for (int w = 0; w < a->g->words; w++)
        others.word[w] = a->g->board[w] & ~a->own.word[w];
    for (a->regions = 0;; a->regions++) {
        struct region *r = &a->region[a->regions];
        if (!yo_go_set_next_part(a->g, &others, &r->points)) return vital;
        for (int w = 0; w < a->g->words; w++)
            r->must.word[w] = r->points.word[w] & (suicide ? ~(uint64_t)0 : board->empty[w]);
        r->safe = true;
        vital += yo_go_set_within(a->g, &r->must, &a->beside);
    }
}

static void find_strings(struct analysis *a) {
    struct yo_go_set left = a->own;
    for (a->strings = 0;; a->strings++) {
        struct string *s = &a->string[a->strings];
        if (!yo_go_set_next_part(a->g, &left, &s->stones)) return;
        yo_go_set_beside(a->g, &s->stones, &s->beside);
        s->alive = true;
    }
}

static bool is_vital(const struct analysis *a, const struct region *r, const struct string *s) {
    return yo_go_set_within(a->g, &r->must, &s->beside);
}

static int vital_regions(const struct analysis *a, const struct string *s) {
    int count = 0;
    for (int i = 0; i < a->regions; i++)
        count += a->region[i].safe && is_vital(a, &a->region[i], s);
    return count;
}

static void strike_off(struct analysis *a) {
    for (bool changed = true; changed;) {
        changed = false;
        for (struct string *s = a->string; s < a->string + a->strings; s++) {
            if (!s->alive || vital_regions(a, s) >= 2) continue;
            s->alive = false;
            changed = true;
            for (int i = 0; i < a->regions; i++)
                if (yo_go_set_meets(a->g, &a->region[i].points, &s->beside))
                    a->region[i].safe = false;
        }
    }
}

/* A region belongs to the colour when the opponent cannot live in it. An opponent's eye needs a
 * point with no adjacent stone of the colour, and two eyes need two such points that are not
 * adjacent. In a vital region no such point is empty or can become empty. */
static bool is_owned(const struct analysis *a, const struct region *r) {
    struct yo_go_set inner, beside;
    if (!r->safe) return false;
    for (int w = 0; w < a->g->words; w++)
        inner.word[w] = r->points.word[w] & ~a->beside.word[w];
    int count = yo_go_set_count(a->g, &inner);
    yo_go_set_beside(a->g, &inner, &beside);
    /* Of three points on a grid at least two are not adjacent. */
    if (count < 2 || (count == 2 && yo_go_set_meets(a->g, &inner, &beside))) return true;
    for (int i = 0; i < a->strings; i++)
        if (a->string[i].alive && is_vital(a, r, &a->string[i])) return true;
    return false;
}

static void unite(const struct yo_go_geometry *g, struct yo_go_set *set,
                  const struct yo_go_set *more) {
    for (int w = 0; w < g->words; w++)
        set->word[w] |= more->word[w];
}

void yo_go_benson_of(const struct yo_go_board *board, enum yo_go_color color, bool suicide,
                     struct yo_go_set *alive) {
    struct analysis a;
    a.g = board->geometry;
    memset(alive, 0, sizeof *alive);
    yo_go_set_stones(board, color, &a.own);
    yo_go_set_beside(a.g, &a.own, &a.beside);
    if (find_regions(&a, board, suicide) < 2) return; /* no string can live */
    find_strings(&a);
    strike_off(&a);
    for (int i = 0; i < a.strings; i++)
        if (a.string[i].alive) unite(a.g, alive, &a.string[i].stones);
    for (int i = 0; i < a.regions; i++)
        if (is_owned(&a, &a.region[i])) unite(a.g, alive, &a.region[i].points);
}

void yo_go_benson(const struct yo_go_board *board, bool suicide, uint8_t *alive) {
    memset(alive, YO_GO_EMPTY, (size_t)board->geometry->points);
    for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
        struct yo_go_set set;
        yo_go_benson_of(board, (enum yo_go_color)color, suicide, &set);
        for (int p = 0; p < board->geometry->points; p++)
            if (yo_go_bit(set.word, (unsigned)p)) alive[p] = (uint8_t)color;
    }
}

void yo_go_game_benson(const struct yo_go_game *game, uint8_t *alive) {
    yo_go_benson(&game->board, game->rules.suicide, alive);
}
