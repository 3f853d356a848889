#include "base/option.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/nearest.h"

/* A maximum from here on counts as no maximum in messages. */
#define HUGE_INT 1e15

static const char *const bool_names[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};

static bool is_name_of(const struct yo_option *row, const char *name) {
    return yo_name_equal(row->key, name) || (row->usi && yo_name_equal(row->usi, name)) ||
           (row->also && yo_name_equal(row->also, name));
}

const struct yo_option *yo_option_find(const struct yo_option *rows, unsigned places,
                                       const char *key) {
    for (const struct yo_option *row = rows; row && row->key; row++)
        if ((row->places & places) && is_name_of(row, key)) return row;
    return NULL;
}

/* The choices, joined by commas and truncated to the size of out. */
static void join(const char *const *names, char *out, size_t size) {
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; names[i]; i++) {
        int more = snprintf(out + len, size - len, "%s%s", i ? ", " : "", names[i]);
        if (more < 0 || (size_t)more >= size - len) return;
        len += (size_t)more;
    }
}

char *yo_option_range(const struct yo_option *row, char *out, size_t size) {
    assert(size > 0);
    out[0] = '\0';
    if (row->type == YO_OPTION_CHOICE)
        join(row->choices, out, size);
    else if (row->type == YO_OPTION_INT && row->max >= HUGE_INT)
        snprintf(out, size, "%.0f or more", row->min);
    else if (row->type == YO_OPTION_INT)
        snprintf(out, size, "%.0f to %.0f", row->min, row->max);
    else if (row->type == YO_OPTION_REAL && row->max >= 1e300)
        snprintf(out, size, "%.10g or more", row->min);
    else if (row->type == YO_OPTION_REAL)
        snprintf(out, size, "%.10g to %.10g", row->min, row->max);
    return out;
}

/* ---- text to value ---- */

static enum yo_err bad_value(const struct yo_option *row, enum yo_err err, const char *text,
                             const char *why, struct yo_diag *diag) {
    char range[128];
    yo_diag_set(diag, err, "%.80s %s", *text ? text : "an empty value", why);
    yo_diag_where(diag, row->key, 0, 0);
    if (*yo_option_range(row, range, sizeof range)) yo_diag_hint(diag, "it takes %s", range);
    return err;
}

static enum yo_err parse_bool(const struct yo_option *row, const char *text, bool *out,
                              struct yo_diag *diag) {
    for (size_t i = 0; i < sizeof bool_names / sizeof bool_names[0]; i++)
        if (yo_name_equal(bool_names[i], text)) {
            *out = i % 2;
            return YO_OK;
        }
    bad_value(row, YO_ERR_PARSE, text, "is neither true nor false", diag);
    yo_diag_hint(diag, "it takes true or false");
    return YO_ERR_PARSE;
}

static enum yo_err parse_int(const struct yo_option *row, const char *text, int64_t *out,
                             struct yo_diag *diag) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || (*text != '-' && *text != '+' && (*text < '0' || *text > '9')))
        return bad_value(row, YO_ERR_PARSE, text, "is not a whole number", diag);
    bool too_large = (double)value > row->max || (errno == ERANGE && value > 0);
    if (too_large && row->max >= HUGE_INT) /* the range has no maximum to print */
        return bad_value(row, YO_ERR_RANGE, text, "is too large", diag);
    if (too_large || errno == ERANGE || (double)value < row->min)
        return bad_value(row, YO_ERR_RANGE, text, "is out of range", diag);
    *out = value;
    return YO_OK;
}

static enum yo_err parse_real(const struct yo_option *row, const char *text, double *out,
                              struct yo_diag *diag) {
    char *end;
    double value = strtod(text, &end);
    /* strtod also accepts hexadecimal, "inf", "nan" and leading blanks; reject them. */
    if (end == text || *end || !isfinite(value) || strspn(text, "+-.0123456789eE") != strlen(text))
        return bad_value(row, YO_ERR_PARSE, text, "is not a number", diag);
    if (value < row->min || value > row->max)
        return bad_value(row, YO_ERR_RANGE, text, "is out of range", diag);
    *out = value;
    return YO_OK;
}

static enum yo_err parse_choice(const struct yo_option *row, const char *text, size_t *out,
                                struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = text};
    for (size_t i = 0; row->choices[i]; i++) {
        if (yo_name_equal(row->choices[i], text)) {
            *out = i;
            return YO_OK;
        }
        yo_nearest_offer(&nearest, row->choices[i]);
    }
    bad_value(row, YO_ERR_UNKNOWN, text, "is not one of the choices", diag);
    char range[128];
    yo_option_range(row, range, sizeof range);
    if (nearest.best) yo_diag_hint(diag, "did you mean %s? It takes %s", nearest.best, range);
    return YO_ERR_UNKNOWN;
}

static enum yo_err copy_text(const char *text, char **out, struct yo_diag *diag) {
    size_t size = strlen(text) + 1;
    char *copy = yo_alloc(size, 1);
    if (!copy) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    memcpy(copy, text, size);
    yo_free(*out);
    *out = copy;
    return YO_OK;
}

static enum yo_err parse_value(const struct yo_option *row, const char *text,
                               struct yo_option_value *value, struct yo_diag *diag) {
    switch (row->type) {
    case YO_OPTION_BOOL:
        return parse_bool(row, text, &value->flag, diag);
    case YO_OPTION_INT:
        return parse_int(row, text, &value->integer, diag);
    case YO_OPTION_REAL:
        return parse_real(row, text, &value->real, diag);
    case YO_OPTION_CHOICE:
        return parse_choice(row, text, &value->choice, diag);
    case YO_OPTION_STRING:
        return copy_text(text, &value->text, diag);
    }
    return yo_diag_set(diag, YO_ERR_ARGUMENT, "%s has no type", row->key);
}

/* ---- the set ---- */

static size_t row_count(const struct yo_option *rows) {
    size_t count = 0;
    while (rows && rows[count].key)
        count++;
    return count;
}

enum yo_err yo_options_init(struct yo_options *options, const struct yo_option *rows,
                            struct yo_diag *diag) {
    size_t count = row_count(rows);
    *options = (struct yo_options){.rows = rows};
    options->values = yo_alloc(count, sizeof *options->values);
    if (!options->values) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].initial) continue;
        enum yo_err err = parse_value(&rows[i], rows[i].initial, &options->values[i], diag);
        if (err) {
            yo_options_free(options);
            return err;
        }
    }
    return YO_OK;
}

void yo_options_free(struct yo_options *options) {
    for (size_t i = 0; options->values && options->rows && options->rows[i].key; i++)
        if (options->rows[i].type == YO_OPTION_STRING) yo_free(options->values[i].text);
    yo_free(options->values);
    yo_free(options->arguments);
    *options = (struct yo_options){.rows = options->rows};
}

enum yo_err yo_options_copy(struct yo_options *to, const struct yo_options *from) {
    for (size_t i = 0; to->rows[i].key; i++) {
        const struct yo_option *row = yo_option_find(from->rows, ~0u, to->rows[i].key);
        if (!row || row->type != to->rows[i].type) continue;
        struct yo_option_value *value = &to->values[i];
        const struct yo_option_value *source = &from->values[row - from->rows];
        if (row->type == YO_OPTION_CHOICE) { /* by name: the lists may differ */
            enum yo_err err =
                parse_choice(&to->rows[i], row->choices[source->choice], &value->choice, NULL);
            if (err) return err;
        } else if (row->type == YO_OPTION_STRING) {
            enum yo_err err = source->text ? copy_text(source->text, &value->text, NULL) : YO_OK;
            if (err) return err;
        } else {
            *value = *source;
        }
        value->given = source->given;
        value->configured = source->configured;
    }
    return YO_OK;
}

static bool same_value(const struct yo_option *row, const struct yo_option_value *a,
                       const struct yo_option_value *b) {
    switch (row->type) {
    case YO_OPTION_BOOL:
        return a->flag == b->flag;
    case YO_OPTION_INT:
        return a->integer == b->integer;
    case YO_OPTION_REAL:
        return a->real == b->real;
    case YO_OPTION_CHOICE:
        return a->choice == b->choice;
    case YO_OPTION_STRING:
        return a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0);
    }
    return false;
}

bool yo_options_equal(const struct yo_options *a, const struct yo_options *b) {
    for (size_t i = 0; a->rows[i].key; i++)
        if (!same_value(&a->rows[i], &a->values[i], &b->values[i])) return false;
    return true;
}

static enum yo_err unknown_key(const struct yo_options *options, unsigned places, const char *key,
                               struct yo_diag *diag) {
    const char *dashes = places == YO_ON_CLI ? "--" : "";
    struct yo_nearest nearest = {.text = key};
    for (const struct yo_option *row = options->rows; row && row->key; row++)
        if (row->places & places) {
            yo_nearest_offer(&nearest, row->key);
            if (row->usi) yo_nearest_offer(&nearest, row->usi);
        }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no option %s%.80s", dashes, key);
    if (nearest.best) yo_diag_hint(diag, "did you mean %s%s?", dashes, nearest.best);
    return YO_ERR_UNKNOWN;
}

static enum yo_err set_row(struct yo_options *options, const struct yo_option *row,
                           const char *text, struct yo_diag *diag) {
    struct yo_option_value *value = &options->values[row - options->rows];
    enum yo_err err = parse_value(row, text, value, diag);
    if (err) return err;
    value->given = true;
    value->configured = false;
    return YO_OK;
}

enum yo_err yo_options_set(struct yo_options *options, unsigned places, const char *key,
                           const char *text, struct yo_diag *diag) {
    const struct yo_option *row = yo_option_find(options->rows, places, key);
    if (!row) return unknown_key(options, places, key, diag);
    enum yo_err err = set_row(options, row, text, diag);
    if (err && diag && row->usi && yo_name_equal(row->usi, key))
        yo_diag_where(diag, row->usi, 0, 0);
    return err;
}

static const struct yo_option_value *value_of(const struct yo_options *options, const char *key,
                                              unsigned types) {
    const struct yo_option *row = yo_option_find(options->rows, ~0u, key);
    assert(row && (types >> row->type & 1));
    (void)types;
    return &options->values[row - options->rows];
}

bool yo_options_bool(const struct yo_options *options, const char *key) {
    return value_of(options, key, 1u << YO_OPTION_BOOL)->flag;
}

int64_t yo_options_int(const struct yo_options *options, const char *key) {
    return value_of(options, key, 1u << YO_OPTION_INT)->integer;
}

double yo_options_real(const struct yo_options *options, const char *key) {
    return value_of(options, key, 1u << YO_OPTION_REAL)->real;
}

size_t yo_options_choice(const struct yo_options *options, const char *key) {
    return value_of(options, key, 1u << YO_OPTION_CHOICE)->choice;
}

const char *yo_options_text(const struct yo_options *options, const char *key) {
    const struct yo_option_value *value =
        value_of(options, key, 1u << YO_OPTION_STRING | 1u << YO_OPTION_CHOICE);
    const struct yo_option *row = &options->rows[value - options->values];
    return row->type == YO_OPTION_CHOICE ? row->choices[value->choice] : value->text;
}

bool yo_options_given(const struct yo_options *options, const char *key) {
    return value_of(options, key, ~0u)->given;
}

bool yo_options_typed(const struct yo_options *options, const char *key) {
    const struct yo_option_value *value = value_of(options, key, ~0u);
    return value->given && !value->configured;
}

void yo_options_mark_configured(struct yo_options *options) {
    for (size_t i = 0; options->rows && options->rows[i].key; i++)
        options->values[i].configured = options->values[i].given;
}

enum yo_err yo_options_refuse(const struct yo_options *options, const char *const *keys,
                              const char *where, struct yo_diag *diag) {
    for (; *keys; keys++)
        if (yo_options_typed(options, *keys))
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "--%s has no meaning in %s", *keys, where);
    return YO_OK;
}

const char *yo_options_argument(const struct yo_options *options, size_t i) {
    return i < options->argument_count ? options->arguments[i] : NULL;
}
