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
#define WORDS     ((PARTS_MAX + 63) / 64)

struct set {
    uint64_t word[WORDS];
};

struct region {
    struct set border; /* adjacent strings */
    struct set vital;  /* strings it is vital to */
    int inner;         /* points with no adjacent stone of the colour */
    int inner_point;   /* one of those */
    bool inner_apart;  /* two of them are not neighbours */
    bool safe;         /* all bordering strings are still in */
};

struct analysis {
    const struct yo_go_board *board;
    enum yo_go_color color;
    bool suicide;
    int strings, regions;
    uint16_t string_of[YO_GO_POINTS_MAX]; /* by the head's point */
    uint16_t region_of[YO_GO_POINTS_MAX];
    struct set alive;
    struct region region[PARTS_MAX];
};

static bool has(const struct set *s, int i) { return s->word[i / 64] >> (i % 64) & 1; }

static void add(struct set *s, int i) { s->word[i / 64] |= (uint64_t)1 << (i % 64); }

static void drop(struct set *s, int i) { s->word[i / 64] &= ~((uint64_t)1 << (i % 64)); }

static bool meets(const struct set *a, const struct set *b) {
    for (int w = 0; w < WORDS; w++)
        if (a->word[w] & b->word[w]) return true;
    return false;
}

static bool is_subset(const struct set *a, const struct set *of) {
    for (int w = 0; w < WORDS; w++)
        if (a->word[w] & ~of->word[w]) return false;
    return true;
}

static void number_strings(struct analysis *a) {
    for (int p = 0; p < a->board->geometry->points; p++)
        if (a->board->color[p] == a->color && a->board->head[p] == p) {
            add(&a->alive, a->strings);
            a->string_of[p] = (uint16_t)a->strings++;
        }
}

static struct set strings_beside(const struct analysis *a, unsigned p) {
    struct set s = {{0}};
    for (int d = 0; d < 4; d++) {
        unsigned q = a->board->geometry->nbr[p][d];
        if (a->board->color[q] == a->color) add(&s, a->string_of[a->board->head[q]]);
    }
    return s;
}

static bool are_neighbours(const struct yo_go_geometry *g, int p, int q) {
    for (int d = 0; d < 4; d++)
        if (g->nbr[p][d] == q) return true;
    return false;
}

static void add_inner(const struct analysis *a, struct region *r, int p) {
    /* Of three points on a grid at least two are not adjacent. */
    if (r->inner >= 2 || (r->inner == 1 && !are_neighbours(a->board->geometry, r->inner_point, p)))
        r->inner_apart = true;
    r->inner_point = p;
    r->inner++;
}

static void add_point(const struct analysis *a, struct region *r, unsigned p) {
    static const struct set none;
    struct set beside = strings_beside(a, p);
    bool counts = a->suicide || a->board->color[p] == YO_GO_EMPTY;
    for (int w = 0; w < WORDS; w++) {
        r->border.word[w] |= beside.word[w];
        if (counts) r->vital.word[w] &= beside.word[w];
    }
    if (memcmp(&beside, &none, sizeof none) == 0) add_inner(a, r, (int)p);
}

static void fill_region(struct analysis *a, bool *seen, int from) {
    const struct yo_go_geometry *g = a->board->geometry;
    struct region *r = &a->region[a->regions];
    *r = (struct region){.vital = a->alive, .safe = true};
    uint16_t stack[YO_GO_POINTS_MAX];
    int top = 0;
    stack[top++] = (uint16_t)from;
    seen[from] = true;
    while (top > 0) {
        unsigned p = stack[--top];
        a->region_of[p] = (uint16_t)a->regions;
        add_point(a, r, p);
        for (int d = 0; d < 4; d++) {
            unsigned q = g->nbr[p][d];
            if (a->board->color[q] == a->color || seen[q]) continue;
            seen[q] = true;
            stack[top++] = (uint16_t)q;
        }
    }
    a->regions++;
}

static void find_regions(struct analysis *a) {
    bool seen[YO_GO_POINTS_MAX + 1] = {false};
    seen[YO_GO_OFF_POINT] = true;
    for (int p = 0; p < a->board->geometry->points; p++)
        if (a->board->color[p] != a->color && !seen[p]) fill_region(a, seen, p);
}

static int vital_regions(const struct analysis *a, int string) {
    int count = 0;
    for (int i = 0; i < a->regions; i++)
        count += a->region[i].safe && has(&a->region[i].vital, string);
    return count;
}

static void strike_off(struct analysis *a) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int s = 0; s < a->strings; s++)
            if (has(&a->alive, s) && vital_regions(a, s) < 2) {
                drop(&a->alive, s);
                changed = true;
            }
        for (int i = 0; i < a->regions; i++)
            if (!is_subset(&a->region[i].border, &a->alive)) a->region[i].safe = false;
    }
}

/* A region belongs to the colour when the opponent cannot live in it. An opponent's eye needs a
 * point with no adjacent stone of the colour, and two eyes need two such points that are not
 * adjacent. In a vital region no such point is empty or can become empty. */
static bool is_owned(const struct analysis *a, const struct region *r) {
    return a->strings > 0 && r->safe && (!r->inner_apart || meets(&r->vital, &a->alive));
}

static void mark(const struct analysis *a, uint8_t *alive) {
    for (int p = 0; p < a->board->geometry->points; p++) {
        bool own = a->board->color[p] == a->color ? has(&a->alive, a->string_of[a->board->head[p]])
                                                  : is_owned(a, &a->region[a->region_of[p]]);
        if (own) alive[p] = (uint8_t)a->color;
    }
}

void yo_go_benson(const struct yo_go_board *board, bool suicide, uint8_t *alive) {
    memset(alive, YO_GO_EMPTY, (size_t)board->geometry->points);
    for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
        struct analysis a = {.board = board, .color = (enum yo_go_color)color, .suicide = suicide};
        number_strings(&a);
        find_regions(&a);
        strike_off(&a);
        mark(&a, alive);
    }
}

void yo_go_game_benson(const struct yo_go_game *game, uint8_t *alive) {
    yo_go_benson(&game->board, game->rules.suicide, alive);
}
