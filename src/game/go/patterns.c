#include "game/go/patterns.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

/* mogo.patterns, embedded by cmake/embed.cmake. */
extern const unsigned char yo_go_mogo_patterns[];
extern const size_t yo_go_mogo_patterns_len;

/* The index in a shape of each direction of geometry.h. */
static const int shape_index[8] = {1, 5, 7, 3, 2, 8, 6, 0};

/* The allowed colours in each direction, as sets of four bits. */
struct mask {
    unsigned allowed[8];
};

static struct yo_go_patterns built_in;
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

/* The index in the shape that moves to (row, col) after `turn` quarter turns; the upper four turns
 * are mirrored. */
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

/* One form of a pattern: turned, and with colours possibly swapped. */
struct form {
    struct mask shape, unless[2];
    int exceptions;
    bool for_black, for_white;
};

/* Visits every code that the shape allows from direction d on, and adds those that match. */
static void enter(struct yo_go_patterns *table, const struct form *form, int d, unsigned code) {
    if (d < 8) {
        for (unsigned color = 0; color < 4; color++)
            if (form->shape.allowed[d] >> color & 1)
                enter(table, form, d + 1, code | color << 2 * d);
        return;
    }
    for (int i = 0; i < form->exceptions; i++)
        if (fits(&form->unless[i], code)) return;
    uint64_t bit = (uint64_t)1 << (code & 63);
    if (form->for_black) table->match[YO_GO_BLACK][code >> 6] |= bit;
    if (form->for_white) table->match[YO_GO_WHITE][code >> 6] |= bit;
}

static void compile_form(struct yo_go_patterns *table, const struct yo_go_pattern *pattern,
                         int turn, bool swap) {
    struct form form = {.exceptions = pattern->exceptions};
    make_mask(pattern->shape, turn, swap, &form.shape);
    for (int i = 0; i < form.exceptions; i++)
        make_mask(pattern->unless[i], turn, swap, &form.unless[i]);
    form.for_black = !pattern->only_black || !swap;
    form.for_white = !pattern->only_black || swap;
    enter(table, &form, 0, 0);
}

void yo_go_patterns_add(struct yo_go_patterns *table, const struct yo_go_pattern *pattern) {
    for (int turn = 0; turn < 8; turn++) {
        compile_form(table, pattern, turn, false);
        compile_form(table, pattern, turn, true);
    }
}

static void compile_built_in(void) {
    enum yo_err err = yo_go_patterns_parse((const char *)yo_go_mogo_patterns,
                                           yo_go_mogo_patterns_len, NULL, &built_in, NULL);
    assert(!err);
    (void)err;
}

const struct yo_go_patterns *yo_go_patterns(void) {
    pthread_once(&once, compile_built_in);
    return &built_in;
}

enum yo_err yo_go_patterns_load(const char *path, struct yo_go_patterns **out,
                                struct yo_diag *diag) {
    struct yo_buf text = {0};
    struct yo_go_patterns *patterns = yo_alloc(1, sizeof *patterns);
    if (!patterns) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for patterns");
    enum yo_err err = yo_file_read_text(path, &text, diag);
    if (!err) err = yo_go_patterns_parse(yo_buf_text(&text), text.len, path, patterns, diag);
    yo_buf_free(&text);
    if (err)
        yo_free(patterns);
    else
        *out = patterns;
    return err;
}
