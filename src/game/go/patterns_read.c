/* Parser for 3x3 patterns: shapes of three rows, each with optional modifiers. mogo.patterns
 * describes the format. */
#include <string.h>

#include "base/diag.h"
#include "game/go/patterns.h"

#define SYMBOLS "XOxo.#?+"
/* Compiling a pattern that matches everything takes a million steps. */
#define PATTERNS_MAX 1000

struct reader {
    const char *next, *end;
    const char *line; /* the current line, and its length without trailing blanks */
    int len, number;
    const char *name;
    struct yo_diag *diag;
};

/* ---- lines ---- */

static bool read_line(struct reader *r) {
    if (r->next == r->end) return false;
    const char *newline = memchr(r->next, '\n', (size_t)(r->end - r->next));
    const char *end = newline ? newline : r->end;
    r->line = r->next;
    r->next = newline ? newline + 1 : r->end;
    r->number++;
    while (end > r->line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    r->len = (int)(end - r->line);
    return true;
}

static bool is_word(const struct reader *r, const char *word) {
    return r->len == (int)strlen(word) && memcmp(r->line, word, (size_t)r->len) == 0;
}

static bool is_nothing(const struct reader *r) {
    return r->len == 0 || (r->len >= 2 && r->line[0] == '/' && r->line[1] == '/');
}

static enum yo_err fail(struct reader *r, int column, const char *what, const char *hint) {
    yo_diag_set(r->diag, YO_ERR_PARSE, "%s", what);
    yo_diag_where(r->diag, r->name ? r->name : "patterns", r->number, column);
    if (hint) yo_diag_hint(r->diag, "%s", hint);
    return YO_ERR_PARSE;
}

/* ---- shapes ---- */

/* Three symbols, with optional blanks between them. */
static enum yo_err read_row(struct reader *r, int row, char *shape) {
    int count = 0;
    for (int i = 0; i < r->len; i++) {
        char c = r->line[i];
        if (c == ' ' || c == '\t') continue;
        if (c == '\0' || !strchr(SYMBOLS, c))
            return fail(r, i + 1, "this is no symbol of a pattern",
                        "symbols are X O x o . # ? and + in the middle; // begins a comment");
        if (count == 3) return fail(r, i + 1, "a row of a pattern has three symbols", NULL);
        bool middle = row == 1 && count == 1;
        if ((c == '+') != middle)
            return fail(r, i + 1,
                        middle ? "the middle of a pattern is +" : "+ is for the middle alone",
                        NULL);
        shape[3 * row + count++] = c;
    }
    return count == 3 ? YO_OK : fail(r, r->len + 1, "a row of a pattern has three symbols", NULL);
}

/* The current line is the first row. */
static enum yo_err read_shape(struct reader *r, char *shape) {
    enum yo_err err = YO_OK;
    for (int row = 0; row < 3 && !err; row++) {
        if (row > 0 && (!read_line(r) || is_nothing(r)))
            return fail(r, 1, "a pattern has three rows", NULL);
        err = read_row(r, row, shape);
    }
    return err;
}

static enum yo_err read_exception(struct reader *r, struct yo_go_pattern *pattern) {
    if (pattern->exceptions == 2) return fail(r, 1, "a pattern has at most two exceptions", NULL);
    if (!read_line(r)) return fail(r, 1, "a shape has to stand behind unless", NULL);
    return read_shape(r, pattern->unless[pattern->exceptions++]);
}

/* ---- the whole ---- */

enum yo_err yo_go_patterns_parse(const char *text, size_t len, const char *name,
                                 struct yo_go_patterns *table, struct yo_diag *diag) {
    struct reader r = {.next = text, .end = text + len, .name = name, .diag = diag};
    struct yo_go_pattern pattern;
    int count = 0;
    enum yo_err err = YO_OK;
    memset(table, 0, sizeof *table);
    while (!err && read_line(&r)) {
        bool unless = is_word(&r, "unless"), black = is_word(&r, "black");
        if (is_nothing(&r)) continue;
        if ((unless || black) && count == 0)
            return fail(&r, 1, "there is no pattern before this", NULL);
        if (unless) {
            err = read_exception(&r, &pattern);
        } else if (black) {
            pattern.only_black = true;
        } else {
            if (count > 0) yo_go_patterns_add(table, &pattern);
            if (count++ == PATTERNS_MAX) return fail(&r, 1, "these are too many patterns", NULL);
            pattern = (struct yo_go_pattern){.exceptions = 0};
            err = read_shape(&r, pattern.shape);
        }
    }
    if (!err && count == 0) err = fail(&r, 0, "there is no pattern in this file", NULL);
    if (!err) yo_go_patterns_add(table, &pattern);
    return err;
}
