/* The option table. A row defines everything about an option: key, type, default, range, where it
 * shows, help. Command line flags, protocol options, help, man page and shell completion are all
 * generated from the rows.
 * Rows are constant and end with a row whose key is NULL. A struct yo_options is the caller's
 * storage and holds the values; yo_options_free releases its contents. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum yo_option_type {
    YO_OPTION_BOOL,
    YO_OPTION_INT,
    YO_OPTION_REAL,
    YO_OPTION_CHOICE,
    YO_OPTION_STRING,
};

/* Where an option shows; a row may show in several places. */
enum yo_option_place {
    YO_ON_CLI = 1,
    YO_ON_GTP = 2,
    YO_ON_USI = 4,
    YO_ON_JSON = 8,
    YO_ON_TUNE = 16, /* for tuning only, where the caller asks for it */
    YO_EVERYWHERE = 15,
};

struct yo_option {
    const char *key;  /* lower case words joined by '-' */
    const char *usi;  /* the name in USI, if it differs */
    const char *also; /* an alias: a former name, or one from other programs */
    enum yo_option_type type;
    unsigned places;
    const char *initial;        /* the default, as typed; NULL: unset (0, or no string) */
    double min, max;            /* INT (exact up to 2^53) and REAL */
    const char *const *choices; /* CHOICE: names, terminated by NULL */
    const char *metavar;        /* what help calls the value: "N", "FILE" */
    const char *help;           /* description: lower case, no full stop, no default, no range */
};

/* Macros for the rows, so that a table has one line for each option. */
#define YO_BOOL(key_, places_, initial_, help_)                                                    \
    { .key = key_, .type = YO_OPTION_BOOL, .places = places_, .initial = initial_, .help = help_ }
#define YO_INT(key_, places_, initial_, min_, max_, metavar_, help_)                               \
    {                                                                                              \
        .key = key_, .type = YO_OPTION_INT, .places = places_, .initial = initial_, .min = min_,   \
        .max = max_, .metavar = metavar_, .help = help_                                            \
    }
#define YO_REAL(key_, places_, initial_, min_, max_, metavar_, help_)                              \
    {                                                                                              \
        .key = key_, .type = YO_OPTION_REAL, .places = places_, .initial = initial_, .min = min_,  \
        .max = max_, .metavar = metavar_, .help = help_                                            \
    }
#define YO_CHOICE(key_, places_, initial_, choices_, metavar_, help_)                              \
    {                                                                                              \
        .key = key_, .type = YO_OPTION_CHOICE, .places = places_, .initial = initial_,             \
        .choices = choices_, .metavar = metavar_, .help = help_                                    \
    }
#define YO_STRING(key_, places_, initial_, metavar_, help_)                                        \
    {                                                                                              \
        .key = key_, .type = YO_OPTION_STRING, .places = places_, .initial = initial_,             \
        .metavar = metavar_, .help = help_                                                         \
    }
/* The same, with a USI name or an alias. Every place accepts all names of a row. */
#define YO_BOOL_USI(key_, usi_, places_, initial_, help_)                                          \
    {                                                                                              \
        .key = key_, .usi = usi_, .type = YO_OPTION_BOOL, .places = places_, .initial = initial_,  \
        .help = help_                                                                              \
    }
#define YO_INT_USI(key_, usi_, places_, initial_, min_, max_, metavar_, help_)                     \
    {                                                                                              \
        .key = key_, .usi = usi_, .type = YO_OPTION_INT, .places = places_, .initial = initial_,   \
        .min = min_, .max = max_, .metavar = metavar_, .help = help_                               \
    }
#define YO_INT_ALSO(key_, also_, places_, initial_, min_, max_, metavar_, help_)                   \
    {                                                                                              \
        .key = key_, .also = also_, .type = YO_OPTION_INT, .places = places_, .initial = initial_, \
        .min = min_, .max = max_, .metavar = metavar_, .help = help_                               \
    }
#define YO_CHOICE_ALSO(key_, also_, places_, initial_, choices_, metavar_, help_)                  \
    {                                                                                              \
        .key = key_, .also = also_, .type = YO_OPTION_CHOICE, .places = places_,                   \
        .initial = initial_, .choices = choices_, .metavar = metavar_, .help = help_               \
    }
#define YO_CHOICE_USI(key_, usi_, places_, initial_, choices_, metavar_, help_)                    \
    {                                                                                              \
        .key = key_, .usi = usi_, .type = YO_OPTION_CHOICE, .places = places_,                     \
        .initial = initial_, .choices = choices_, .metavar = metavar_, .help = help_               \
    }
#define YO_STRING_USI(key_, usi_, places_, initial_, metavar_, help_)                              \
    {                                                                                              \
        .key = key_, .usi = usi_, .type = YO_OPTION_STRING, .places = places_,                     \
        .initial = initial_, .metavar = metavar_, .help = help_                                    \
    }
#define YO_REAL_USI(key_, usi_, places_, initial_, min_, max_, metavar_, help_)                    \
    {                                                                                              \
        .key = key_, .usi = usi_, .type = YO_OPTION_REAL, .places = places_, .initial = initial_,  \
        .min = min_, .max = max_, .metavar = metavar_, .help = help_                               \
    }
#define YO_OPTIONS_END                                                                             \
    { .key = NULL }

/* A positional argument. A table of them ends with a row whose name is NULL. */
struct yo_argument {
    const char *name;           /* as help shows it: "FILE", "SHELL" */
    const char *const *choices; /* NULL for any text */
    bool optional;              /* may be left out; only the last ones can be */
    bool many;                  /* one or more of it; only the last one can be */
    const char *help;
};

struct yo_option_value {
    bool given;      /* set explicitly, not by default */
    bool configured; /* by the configuration, and not again since */
    union {
        bool flag;
        int64_t integer;
        double real;
        size_t choice; /* an index into the row's choices */
        char *text;    /* owned; NULL when unset */
    };
};

struct yo_options {
    const struct yo_option *rows;
    struct yo_option_value *values;
    const char **arguments; /* positional ones; the strings are argv's */
    size_t argument_count;
};

/* Every value at its default. */
enum yo_err yo_options_init(struct yo_options *options, const struct yo_option *rows,
                            struct yo_diag *diag);
void yo_options_free(struct yo_options *options);
/* Takes over the values of rows that have the same key in another table. */
enum yo_err yo_options_copy(struct yo_options *options, const struct yo_options *from);
/* Whether two sets of the same table have the same values. */
bool yo_options_equal(const struct yo_options *a, const struct yo_options *b);

/* Sets one key from text, if the row shows at one of `places`. On failure nothing changes. */
enum yo_err yo_options_set(struct yo_options *options, unsigned places, const char *key,
                           const char *text, struct yo_diag *diag);

/* Reads a command line: --key value, --key=value, --flag, --no-flag, positional arguments, and "--"
 * after which all are positional. -h or --help sets help_wanted; the rest is then not read.
 * arguments may be NULL for none. Call once for each init. */
enum yo_err yo_options_parse(struct yo_options *options, const struct yo_argument *arguments,
                             int argc, char *const *argv, bool *help_wanted, struct yo_diag *diag);

/* The row that has this name, or NULL. Names match in any case, and '_' equals '-'. */
const struct yo_option *yo_option_find(const struct yo_option *rows, unsigned places,
                                       const char *key);

/* Values. A key that is not in the table, or a wrong type, is a programmer's mistake. */
bool yo_options_bool(const struct yo_options *options, const char *key);
int64_t yo_options_int(const struct yo_options *options, const char *key);
double yo_options_real(const struct yo_options *options, const char *key);
size_t yo_options_choice(const struct yo_options *options, const char *key);
/* STRING (NULL when unset) and CHOICE (its name). */
const char *yo_options_text(const struct yo_options *options, const char *key);
bool yo_options_given(const struct yo_options *options, const char *key);
/* Given, and not by the configuration, whose lines are for whoever has a use for them. */
bool yo_options_typed(const struct yo_options *options, const char *key);
/* All that was given so far comes from the configuration. */
void yo_options_mark_configured(struct yo_options *options);
/* YO_ERR_ARGUMENT, with a message, if one of the keys (terminated by NULL) was typed: options that
 * have no effect in `where` and would be ignored silently. */
enum yo_err yo_options_refuse(const struct yo_options *options, const char *const *keys,
                              const char *where, struct yo_diag *diag);
/* The i-th positional argument, or NULL if there are fewer. */
const char *yo_options_argument(const struct yo_options *options, size_t i);

/* The values that a row accepts, as text: "2 to 19", "light, mogo"; "" if any. Returns out. */
char *yo_option_range(const struct yo_option *row, char *out, size_t size);
