/* Point by point, without sets of bits. For one colour: its strings, and the regions of points it
 * does not occupy. A region is vital to a string when each of its empty points is a liberty of that
 * string. Strings with fewer than two vital regions are struck off, then regions that touch a
 * struck string, until nothing changes. */
#include "support/naive_life.h"

#include <string.h>

/* Strings are pairwise not adjacent, and so are regions: at most every second point. */
#define PARTS_MAX ((YO_GO_POINTS_MAX + 1) / 2)
#define WORDS     ((PARTS_MAX + 63) / 64)

struct set {
    uint64_t word[WORDS];
};

struct vital_region {
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
    struct vital_region region[PARTS_MAX];
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

static void add_inner(const struct analysis *a, struct vital_region *r, int p) {
    /* Of three points on a grid at least two are not adjacent. */
    if (r->inner >= 2 || (r->inner == 1 && !are_neighbours(a->board->geometry, r->inner_point, p)))
        r->inner_apart = true;
    r->inner_point = p;
    r->inner++;
}

static void add_point(const struct analysis *a, struct vital_region *r, unsigned p) {
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
    struct vital_region *r = &a->region[a->regions];
    *r = (struct vital_region){.vital = a->alive, .safe = true};
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
static bool is_owned(const struct analysis *a, const struct vital_region *r) {
    return a->strings > 0 && r->safe && (!r->inner_apart || meets(&r->vital, &a->alive));
}

static void mark_alive(const struct analysis *a, uint8_t *alive) {
    for (int p = 0; p < a->board->geometry->points; p++) {
        bool own = a->board->color[p] == a->color ? has(&a->alive, a->string_of[a->board->head[p]])
                                                  : is_owned(a, &a->region[a->region_of[p]]);
        if (own) alive[p] = (uint8_t)a->color;
    }
}

void naive_benson(const struct yo_go_board *board, bool suicide, uint8_t *alive) {
    memset(alive, YO_GO_EMPTY, (size_t)board->geometry->points);
    for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
        struct analysis a = {.board = board, .color = (enum yo_go_color)color, .suicide = suicide};
        number_strings(&a);
        find_regions(&a);
        strike_off(&a);
        mark_alive(&a, alive);
    }
}

/* ---- area ---- */

/* Connected points that `color` does not hold, with at least one empty point among them. */
struct region {
    uint16_t point[YO_GO_POINTS_MAX];
    int count;
    int inner;     /* points with no stone of the colour beside them */
    bool prisoner; /* holds stones of the other colour */
    bool safe;     /* every stone beside it is unconditionally alive */
};

static void fill(const struct yo_go_board *board, enum yo_go_color color, const uint8_t *alive,
                 int from, bool *seen, struct region *r) {
    *r = (struct region){.count = 1, .safe = true};
    r->point[0] = (uint16_t)from;
    seen[from] = true;
    for (int i = 0; i < r->count; i++) {
        unsigned p = r->point[i];
        bool beside = false;
        r->prisoner = r->prisoner || board->color[p] != YO_GO_EMPTY;
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[p][d];
            if (board->color[q] == color) {
                beside = true;
                r->safe = r->safe && alive[q] == color;
            } else if (q != YO_GO_OFF_POINT && !seen[q]) {
                seen[q] = true;
                r->point[r->count++] = (uint16_t)q;
            }
        }
        r->inner += !beside;
    }
}

static bool has_stones(const struct yo_go_board *board, enum yo_go_color color) {
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p] == color) return true;
    return false;
}

/* A region enclosed by unconditionally alive stones belongs to them even where the other colour has
 * surrounded a part. Any other region without prisoners belongs to the colour around it, if it has
 * no owner yet. */
static void claim(const struct yo_go_board *board, enum yo_go_color color, const uint8_t *alive,
                  uint8_t *area) {
    bool seen[YO_GO_POINTS_MAX] = {false};
    struct region r;
    if (!has_stones(board, color)) return;
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p] == color && alive[p] == color) area[p] = (uint8_t)color;
    for (int p = 0; p < board->geometry->points; p++) {
        if (board->color[p] != YO_GO_EMPTY || seen[p]) continue;
        fill(board, color, alive, p, seen, &r);
        bool owns = r.safe && (r.inner <= 1 || !r.prisoner);
        if (!owns && r.prisoner) continue;
        for (int i = 0; i < r.count; i++)
            if (owns || area[r.point[i]] == YO_GO_EMPTY) area[r.point[i]] = (uint8_t)color;
    }
}

static bool touches_neutral(const struct yo_go_board *board, const uint8_t *area, int p) {
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d];
        if (q == YO_GO_OFF_POINT) continue;
        if (board->color[q] == YO_GO_EMPTY && area[q] == YO_GO_EMPTY) return true;
    }
    return false;
}

static void spread(const struct yo_go_board *board, const uint8_t *area, int from, bool *in_seki) {
    uint16_t queue[YO_GO_POINTS_MAX];
    int count = 1;
    queue[0] = (uint16_t)from;
    in_seki[from] = true;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[queue[i]][d];
            if (q == YO_GO_OFF_POINT || area[q] != area[from] || in_seki[q]) continue;
            in_seki[q] = true;
            queue[count++] = (uint16_t)q;
        }
}

static void drop_seki(const struct yo_go_board *board, uint8_t *area) {
    bool in_seki[YO_GO_POINTS_MAX] = {false};
    for (int p = 0; p < board->geometry->points; p++) {
        if (area[p] == YO_GO_EMPTY || in_seki[p]) continue;
        bool atari =
            board->color[p] == area[p] && yo_go_string_in_atari(&board->string[board->head[p]]);
        if (atari || touches_neutral(board, area, p)) spread(board, area, p, in_seki);
    }
    for (int p = 0; p < board->geometry->points; p++)
        if (in_seki[p] && board->color[p] != area[p]) area[p] = YO_GO_EMPTY;
}

void naive_area(const struct yo_go_board *board, bool suicide, bool taxed,
                uint8_t area[YO_GO_POINTS_MAX]) {
    uint8_t alive[YO_GO_POINTS_MAX];
    memset(area, YO_GO_EMPTY, YO_GO_POINTS_MAX);
    naive_benson(board, suicide, alive);
    claim(board, YO_GO_BLACK, alive, area);
    claim(board, YO_GO_WHITE, alive, area);
    for (int p = 0; p < board->geometry->points; p++)
        if (area[p] == YO_GO_EMPTY) area[p] = board->color[p];
    if (taxed) drop_seki(board, area);
}

/* ---- boards ---- */

static unsigned draw(unsigned *seed, unsigned below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

void naive_life_board(struct yo_go_board *board, int size, unsigned *seed) {
    unsigned points = (unsigned)(size * size), moves = draw(seed, 4 * points);
    unsigned white = 1 + draw(seed, 4), fills = draw(seed, 3);
    yo_go_board_init(board, size);
    for (unsigned i = 0; i < moves; i++) {
        enum yo_go_color color = draw(seed, 5) < white ? YO_GO_WHITE : YO_GO_BLACK;
        yo_go_point p = (yo_go_point)draw(seed, points);
        bool eye = yo_go_pattern_is_eye(board->pattern[p], color);
        if (yo_go_board_is_legal(board, color, p) && (!eye || (fills == 0 && draw(seed, 20) == 0)))
            yo_go_board_play(board, color, p);
    }
}
