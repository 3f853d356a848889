#include "search/go/shape.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The content of a point, from the view of the side to play. */
enum { EMPTY, OWN, THEIRS, OFF, KINDS };

/* The eight symmetries of a neighbourhood are hashed in parallel; the smallest hash is the key. */
#define SYMMETRIES 8
typedef uint32_t lanes __attribute__((vector_size(4 * SYMMETRIES)));

#define WIDE        (2 * YO_GO_SHAPE_FAR + 1)
#define CELLS_MAX   (WIDE * WIDE)
#define LIB_CLASSES 4

/* The distance up to which each neighbourhood reaches: 8, 12, 20, 28, 36, 48, 60 and 72 points. */
static const int reach[YO_GO_SHAPES] = {3, 4, 5, 6, 7, 8, 9, 10};

struct cell {
    int step; /* from the middle, on the board with a rim */
    int dx, dy;
    lanes kind[KINDS]; /* for each symmetry, what a stone there adds to the hash */
    lanes liberties[LIB_CLASSES];
    lanes last;
};

static struct cell cells[CELLS_MAX];
static int cells_end[YO_GO_SHAPES]; /* how many cells each neighbourhood has */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- tables ---- */

static uint32_t scramble(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static int distance(int dx, int dy) {
    dx = abs(dx);
    dy = abs(dy);
    return dx + dy + (dx > dy ? dx : dy);
}

static uint32_t number(int dx, int dy, unsigned what) {
    unsigned at = (unsigned)(dy + YO_GO_SHAPE_FAR) * WIDE + (unsigned)(dx + YO_GO_SHAPE_FAR);
    return scramble((at + 1) * 0x9e3779b9u + (what + 1) * 0x85ebca6bu);
}

/* Vectors go by pointer: passed by value their ABI depends on the processor. */
static void fill(lanes *out, int dx, int dy, unsigned what) {
    for (int s = 0; s < SYMMETRIES; s++) {
        int x = s & 1 ? -dx : dx, y = s & 2 ? -dy : dy;
        (*out)[s] = s & 4 ? number(y, x, what) : number(x, y, what);
    }
}

static void make_cell(struct cell *cell, int dx, int dy) {
    *cell = (struct cell){.step = dy * YO_GO_SHAPE_SIDE + dx, .dx = dx, .dy = dy};
    for (unsigned kind = OWN; kind < KINDS; kind++) /* an empty point adds nothing */
        fill(&cell->kind[kind], dx, dy, kind);
    for (unsigned n = 1; n < LIB_CLASSES; n++)
        fill(&cell->liberties[n], dx, dy, KINDS + n);
    fill(&cell->last, dx, dy, KINDS + LIB_CLASSES);
}

static void make(void) {
    int count = 0;
    for (int i = 0, d = 2; i < YO_GO_SHAPES; i++) {
        for (; d <= reach[i]; d++)
            for (int dy = -YO_GO_SHAPE_FAR; dy <= YO_GO_SHAPE_FAR; dy++)
                for (int dx = -YO_GO_SHAPE_FAR; dx <= YO_GO_SHAPE_FAR; dx++)
                    if (distance(dx, dy) == d) make_cell(&cells[count++], dx, dy);
        cells_end[i] = count;
    }
}

/* ---- keys ---- */

static int place(const struct yo_go_shape_view *view, yo_go_point p) {
    int row = p / view->size + YO_GO_SHAPE_FAR, col = p % view->size + YO_GO_SHAPE_FAR;
    return row * YO_GO_SHAPE_SIDE + col;
}

void yo_go_shape_view(struct yo_go_shape_view *view, const struct yo_go_board *board,
                      enum yo_go_color me) {
    pthread_once(&once, make);
    view->size = board->geometry->size;
    memset(view->point, OFF, sizeof view->point);
    for (int p = 0; p < board->geometry->points; p++) {
        unsigned color = board->color[p];
        uint8_t kind = color == YO_GO_EMPTY ? EMPTY : color == (unsigned)me ? OWN : THEIRS;
        view->point[place(view, (yo_go_point)p)] = kind;
    }
}

static uint32_t least(const lanes *hash) {
    uint32_t min = (*hash)[0];
    for (int s = 1; s < SYMMETRIES; s++)
        min = (*hash)[s] < min ? (*hash)[s] : min;
    return min;
}

/* Liberties of the four strings beside the point: the first four cells are at distance 2. */
static void add_liberties(lanes *hash, const struct yo_go_shape_view *view, yo_go_point p) {
    const uint8_t *middle = &view->point[place(view, p)];
    for (int i = 0; i < 4; i++) {
        uint8_t kind = middle[cells[i].step];
        if (kind != OWN && kind != THEIRS) continue;
        *hash ^= cells[i].liberties[view->liberties[p + cells[i].dy * view->size + cells[i].dx]];
    }
}

void yo_go_shape_keys(const struct yo_go_shape_view *view, yo_go_point p,
                      uint32_t keys[YO_GO_SHAPES]) {
    const uint8_t *middle = &view->point[place(view, p)];
    lanes hash = {0};
    for (int i = 0, c = 0; i < YO_GO_SHAPES; i++) {
        for (; c < cells_end[i]; c++)
            hash ^= cells[c].kind[middle[cells[c].step]];
        lanes all = hash;
        if (i == 0) add_liberties(&all, view, p);
        keys[i] = scramble(least(&all) + (uint32_t)i);
    }
}

uint32_t yo_go_shape_answer_key(const struct yo_go_shape_view *view, yo_go_point p,
                                yo_go_point last) {
    const uint8_t *middle = &view->point[place(view, p)];
    int step = place(view, last) - place(view, p);
    lanes hash = {0};
    add_liberties(&hash, view, p);
    for (int c = 0; c < cells_end[0]; c++)
        hash ^= cells[c].kind[middle[cells[c].step]];
    for (int c = 0; c < CELLS_MAX; c++)
        if (cells[c].step == step) {
            hash ^= cells[c].last;
            break;
        }
    return scramble(least(&hash) + YO_GO_SHAPES);
}
