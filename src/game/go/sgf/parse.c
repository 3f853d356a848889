/* Parses bytes into a tree, in one pass without recursion, since files may nest arbitrarily
 * deep. */
#include "game/go/sgf/parse.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "game/go/sgf/text.h"

static size_t left(const struct sgf_parser *p) { return (size_t)(p->end - p->at); }

/* Moves past one character and counts it; CR LF and LF CR are one line break. */
static void step(struct sgf_parser *p) {
    char c = *p->at;
    p->at += yo_sgf_charset_step(&p->charset, p->at, left(p));
    if (c != '\n' && c != '\r') {
        if (p->place.column < INT_MAX) p->place.column++;
        return;
    }
    if (p->at < p->end && (*p->at == '\n' || *p->at == '\r') && *p->at != c) p->at++;
    if (p->place.line < INT_MAX) p->place.line++;
    p->place.column = 1;
}

/* False at the end of the input. */
static bool skip_space(struct sgf_parser *p) {
    while (p->at < p->end && sgf_is_space(*p->at))
        step(p);
    return p->at < p->end;
}

static enum yo_err fail(struct sgf_parser *p, struct sgf_place place, const char *fmt, ...)
    YO_PRINTF(3, 4);

static enum yo_err fail(struct sgf_parser *p, struct sgf_place place, const char *fmt, ...) {
    char what[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    yo_diag_set(p->diag, YO_ERR_PARSE, "%s", what);
    yo_diag_where(p->diag, p->sgf->name, place.line, place.column);
    return YO_ERR_PARSE;
}

static enum yo_err fail_hint(struct sgf_parser *p, enum yo_err err, const char *hint) {
    yo_diag_hint(p->diag, "%s", hint);
    return err;
}

static enum yo_err fail_memory(struct sgf_parser *p) {
    return yo_diag_set(p->diag, YO_ERR_NOMEM, "not enough memory for this game record");
}

/* Only the first warning of a kind is kept. */
static void warn(struct sgf_parser *p, enum sgf_warning kind, struct sgf_place place,
                 const char *what, const char *detail) {
    struct yo_diag *warning = &p->sgf->warnings[kind];
    if (warning->err != YO_OK) return;
    yo_diag_set(warning, YO_ERR_PARSE, "%s%s", what, detail);
    yo_diag_where(warning, p->sgf->name, place.line, place.column);
}

/* ---- Charset ---- */
static void set_charset(struct sgf_parser *p, const struct sgf_charset *fixed) {
    yo_sgf_charset_close(&p->charset);
    p->charset = *fixed;
    p->declared[0] = '\0';
}

/* Opens the charset that the tree at p->at declares, if it is usable. */
static void choose_charset(struct sgf_parser *p) {
    const struct sgf_charset *undeclared =
        p->utf8 != SGF_NOT_UTF8 ? &yo_sgf_charset_utf8 : &yo_sgf_charset_latin1;
    const char *name;
    size_t len;
    if (p->forced_utf8) {
        set_charset(p, &yo_sgf_charset_utf8);
        return;
    }
    if (!yo_sgf_charset_declared(p->at + 1, left(p) - 1, &name, &len)) {
        set_charset(p, undeclared);
        if (p->utf8 == SGF_NOT_UTF8) p->guessed = true;
        return;
    }
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(len < sizeof text ? len : sizeof text - 1), name);
    if (p->declared[0] && strcmp(text, p->declared) == 0) return;
    set_charset(p, undeclared);
    if (p->ignore_pairs) {
        warn(p, SGF_WARN_CHARSET, p->place,
             "this file cannot be read in the charset it names: ", text);
        return;
    }
    struct sgf_charset declared;
    if (!yo_sgf_charset_open(&declared, name, len)) {
        warn(p, SGF_WARN_CHARSET, p->place, "no charset is known as ", text);
        return;
    }
    if (p->utf8 == SGF_SURELY_UTF8 && declared.kind != SGF_UTF8) {
        yo_sgf_charset_close(&declared);
        warn(p, SGF_WARN_CHARSET, p->place, "this file is in UTF-8, although it says ", text);
        return;
    }
    p->charset = declared;
    if (declared.name == declared.other) p->charset.name = p->charset.other;
    memcpy(p->declared, text, sizeof text);
    if (declared.pairs != SGF_PAIRS_NONE) p->used_pairs = true;
}

/* ---- Properties ---- */
static enum yo_err read_value(struct sgf_parser *p, struct sgf_property *property) {
    struct sgf_place open = p->place;
    step(p);
    const char *start = p->at;
    while (p->at < p->end && *p->at != ']') {
        if (*p->at == '\\') step(p);
        if (p->at == p->end) break;
        if (*p->at == '\0') return fail(p, p->place, "a NUL byte in the value of %s", property->id);
        step(p);
    }
    if (p->at == p->end) {
        p->cut = true;
        return fail_hint(
            p, fail(p, open, "the value of %.20s that begins here has no end", property->id),
            "a ] is missing, or the file was cut off");
    }
    yo_buf_clear(&p->scratch);
    if (!yo_sgf_charset_convert(&p->charset, start, (size_t)(p->at - start), &p->scratch) &&
        p->odd_values++ == 0)
        warn(p, SGF_WARN_VALUE, open,
             "not in the file's charset, and so read as ISO-8859-1: ", property->id);
    step(p);
    if (p->scratch.failed ||
        !yo_sgf_tree_value(p->sgf, property, yo_buf_text(&p->scratch), p->scratch.len))
        return fail_memory(p);
    return YO_OK;
}

static enum yo_err read_property(struct sgf_parser *p, struct yo_sgf_node *node) {
    struct sgf_place place = p->place;
    const char *name = p->at;
    while (p->at < p->end && sgf_is_alnum(*p->at))
        step(p);
    size_t len = (size_t)(p->at - name);
    p->cut = !skip_space(p);
    if (p->cut || *p->at != '[')
        return fail_hint(p, fail(p, place, "%.*s has no value", len < 20 ? (int)len : 20, name),
                         "a property is a name and then a value in square brackets");
    struct sgf_property *property = yo_sgf_tree_property(p->sgf, node, name, len);
    if (!property) return fail_memory(p);
    property->line = place.line;
    property->column = place.column;
    while (skip_space(p) && *p->at == '[') {
        enum yo_err err = read_value(p, property);
        if (err && !property->first) yo_sgf_tree_drop_last(node);
        if (err) return err;
    }
    return YO_OK;
}

/* ---- Trees ---- */
static enum yo_err add_node(struct sgf_parser *p) {
    step(p);
    struct yo_sgf_node *node = yo_sgf_tree_node(p->sgf, p->node);
    if (!node) return fail_memory(p);
    p->node = node;
    return YO_OK;
}

static enum yo_err open_variation(struct sgf_parser *p) {
    struct sgf_place open = p->place;
    step(p);
    p->cut = !skip_space(p);
    if (p->cut || *p->at != ';')
        return fail_hint(p, fail(p, open, "a variation without a node"), "a ; must follow the (");
    enum yo_err err = add_node(p);
    if (err) return err;
    p->node->opens = true;
    p->depth++;
    return YO_OK;
}

/* Returns to the node that the variation branches off. Passes each node once in total. */
static void close_variation(struct sgf_parser *p) {
    step(p);
    while (!p->node->opens)
        p->node = p->node->parent;
    p->node->opens = false;
    p->node = p->node->parent;
    p->depth--;
}

static enum yo_err fail_character(struct sgf_parser *p) {
    unsigned char c = (unsigned char)*p->at;
    enum yo_err err;
    if (c == '[')
        err = fail(p, p->place, "a value without a property");
    else if (c > 0x20 && c < 0x7f)
        err = fail(p, p->place, "unexpected '%c'", c);
    else
        err = fail(p, p->place, "unexpected byte 0x%02x", c);
    return fail_hint(p, err, "only ; ( ) and properties may stand here");
}

static enum yo_err read_tree(struct sgf_parser *p) {
    p->node = NULL;
    p->depth = 0;
    bool closed = false; /* a variation was closed, so only another one or the end may follow */
    do {
        p->cut = !skip_space(p);
        if (p->cut)
            return fail_hint(p, fail(p, p->place, "the file ends with %zu ( still open", p->depth),
                             "a ) is missing, or the file was cut off");
        enum yo_err err = YO_OK;
        char c = *p->at;
        if (closed && (c == ';' || sgf_is_alpha(c)))
            return fail_hint(p, fail(p, p->place, "this follows a variation that is closed"),
                             "a ( is missing before, or a ) too many");
        closed = c == ')';
        if (closed)
            close_variation(p);
        else if (c == '(')
            err = open_variation(p);
        else if (c == ';')
            err = add_node(p);
        else if (sgf_is_alpha(c))
            err = read_property(p, p->node);
        else
            err = fail_character(p);
        if (err) return err;
    } while (p->depth > 0);
    return YO_OK;
}

static bool at_tree(const struct sgf_parser *p) {
    if (*p->at != '(') return false;
    const char *next = p->at + 1;
    while (next < p->end && sgf_is_space(*next))
        next++;
    return next < p->end && *next == ';';
}

/* Skips text around games, as in mails and web pages, but not what looks like a piece of a broken
 * game. *found is false at the end of the input. */
static enum yo_err find_tree(struct sgf_parser *p, bool *found) {
    bool first = p->sgf->root_count == 0;
    if (!(*found = skip_space(p))) return YO_OK;
    if (*p->at == ';' || (!first && *p->at == ')'))
        return fail_hint(p, fail(p, p->place, "unexpected '%c' outside of a game", *p->at),
                         *p->at == ';' ? "the ( that opens the game is missing"
                                       : "there is one ) more than there are (");
    struct sgf_place start = p->place;
    while (!at_tree(p)) {
        if (!first && *p->at == '[') return fail_character(p);
        warn(p, SGF_WARN_TEXT, start, "text outside of the games is left out",
             first ? ", before the first" : "");
        step(p);
        if (!(*found = skip_space(p))) return YO_OK;
    }
    return YO_OK;
}

/* A file that was cut off is read as far as it goes. But where the charset is a guess, a wrong one
 * may have hidden the end of a value. */
static enum yo_err accept_cut(struct sgf_parser *p, enum yo_err err) {
    if (err != YO_ERR_PARSE || !p->cut || p->guessed || p->sgf->root_count == 0) return err;
    p->sgf->warnings[SGF_WARN_CUT] = *p->diag;
    return YO_OK;
}

enum yo_err yo_sgf_parser_run(struct sgf_parser *p) {
    p->place = (struct sgf_place){1, 1};
    set_charset(p, p->utf8 == SGF_NOT_UTF8 ? &yo_sgf_charset_latin1 : &yo_sgf_charset_utf8);
    bool found;
    enum yo_err err;
    while ((err = find_tree(p, &found)) == YO_OK && found) {
        choose_charset(p);
        if (p->sgf->root_count == 0)
            snprintf(p->sgf->charset, sizeof p->sgf->charset, "%s", p->charset.name);
        if ((err = read_tree(p))) return accept_cut(p, err);
    }
    if (err) return err;
    if (p->sgf->root_count == 0)
        return fail_hint(p, fail(p, (struct sgf_place){1, 1}, "no game in this file"),
                         "an SGF game begins with (;");
    return YO_OK;
}
