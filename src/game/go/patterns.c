#include "game/go/patterns.h"

#include <pthread.h>
#include <string.h>

/* X Black, O White, . empty, # off the board, x anything but Black, o anything but White,
 * ? anything, off the board included; + is the point to play on. Every pattern also stands for its
 * rotations, reflections and the same with colours swapped. It holds for either side to play unless
 * it names one, which swaps along with the colours. */
struct source {
    const char *shape;
    const char *unless[2]; /* shapes that speak against it, turned and swapped with it */
    enum yo_go_color only; /* EMPTY: either side */
};

static const struct source sources[] = {
    /* hane: enclosing, non-cutting, magari, and along a thin wall */
    {.shape = "XOX"
              ".+."
              "???"},
    {.shape = "XO."
              ".+."
              "?.?"},
    {.shape = "XO?"
              "X+."
              "?.?"},
    {.shape = "XOO"
              ".+."
              "?.?",
     .only = YO_GO_BLACK},
    /* cut1: a cut that could not be caught at once */
    {.shape = "XO?"
              "O+?"
              "???",
     .unless = {"XO?"
                "O+O"
                "?.?",
                "XO?"
                "O+."
                "?O?"}},
    /* cut2 */
    {.shape = "?X?"
              "O+O"
              "ooo"},
    /* edge: chase, block a cut, block a connection, descend, cut */
    {.shape = "X.?"
              "O+?"
              "###"},
    {.shape = "OX?"
              "X+O"
              "###"},
    {.shape = "?X?"
              "x+O"
              "###"},
    {.shape = "?XO"
              "x+?"
              "###",
     .only = YO_GO_BLACK},
    {.shape = "?OX"
              "X+O"
              "###",
     .only = YO_GO_BLACK},
};

/* Where each direction of geometry.h stands in a shape. */
static const int shape_index[8] = {1, 5, 7, 3, 2, 8, 6, 0};

/* The colours that may stand in each direction, as sets of four bits. */
struct mask {
    unsigned allowed[8];
};

static struct yo_go_patterns table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static unsigned colors_of(char symbol) {
    enum { EMPTY = 1 << YO_GO_EMPTY, BLACK = 1 << YO_GO_BLACK };
    enum { WHITE = 1 << YO_GO_WHITE, OFF = 1 << YO_GO_OFF };
    switch (symbol) {
    case '.':
        return EMPTY;
    case 'X':
        return BLACK;
    case 'O':
        return WHITE;
    case '#':
        return OFF;
    case 'x':
        return EMPTY | WHITE | OFF;
    case 'o':
        return EMPTY | BLACK | OFF;
    default:
        return EMPTY | BLACK | WHITE | OFF;
    }
}

static char swapped(char symbol) {
    static const char from[] = "XOxo", to[] = "OXox";
    const char *at = memchr(from, symbol, sizeof from - 1);
    return at ? to[at - from] : symbol;
}

/* The index in the shape that comes to stand at (row, col) after `turn` quarter turns, seen in a
 * mirror for the upper four. */
static int turned_index(int row, int col, int turn) {
    if (turn & 4) col = 2 - col;
    for (int i = 0; i < (turn & 3); i++) {
        int t = row;
        row = 2 - col;
        col = t;
    }
    return 3 * row + col;
}

static void make_mask(const char *shape, int turn, bool swap, struct mask *mask) {
    for (int d = 0; d < 8; d++) {
        int i = shape_index[d];
        char symbol = shape[turned_index(i / 3, i % 3, turn)];
        mask->allowed[d] = colors_of(swap ? swapped(symbol) : symbol);
    }
}

static bool fits(const struct mask *mask, unsigned code) {
    for (int d = 0; d < 8; d++)
        if (!(mask->allowed[d] >> (code >> 2 * d & 3) & 1)) return false;
    return true;
}

/* One form of a pattern: turned, and its colours perhaps swapped. */
struct form {
    struct mask shape, unless[2];
    int exceptions;
    bool for_black, for_white;
};

/* Visits every code that the shape allows from direction d on, and enters those that count. */
static void enter(const struct form *form, int d, unsigned code) {
    if (d < 8) {
        for (unsigned color = 0; color < 4; color++)
            if (form->shape.allowed[d] >> color & 1) enter(form, d + 1, code | color << 2 * d);
        return;
    }
    for (int i = 0; i < form->exceptions; i++)
        if (fits(&form->unless[i], code)) return;
    uint64_t bit = (uint64_t)1 << (code & 63);
    if (form->for_black) table.match[YO_GO_BLACK][code >> 6] |= bit;
    if (form->for_white) table.match[YO_GO_WHITE][code >> 6] |= bit;
}

static void compile_form(const struct source *source, int turn, bool swap) {
    struct form form = {.exceptions = 0};
    make_mask(source->shape, turn, swap, &form.shape);
    for (int i = 0; i < 2 && source->unless[i]; i++)
        make_mask(source->unless[i], turn, swap, &form.unless[form.exceptions++]);
    form.for_black = source->only == YO_GO_EMPTY || (source->only == YO_GO_WHITE) == swap;
    form.for_white = source->only == YO_GO_EMPTY || (source->only == YO_GO_BLACK) == swap;
    enter(&form, 0, 0);
}

static void compile_all(void) {
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        for (int turn = 0; turn < 8; turn++) {
            compile_form(&sources[i], turn, false);
            compile_form(&sources[i], turn, true);
        }
}

const struct yo_go_patterns *yo_go_patterns(void) {
    pthread_once(&once, compile_all);
    return &table;
}
