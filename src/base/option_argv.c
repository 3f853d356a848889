/* Options on the command line. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/nearest.h"
#include "base/option.h"

enum { RANGE_SHOWN = 128 };

struct parser {
    struct yo_options *options;
    const struct yo_argument *arguments;
    char *const *argv;
    int argc;
    int next;
    bool only_arguments; /* "--" was seen */
    struct yo_diag *diag;
};

static size_t argument_max(const struct yo_argument *arguments) {
    size_t count = 0;
    while (arguments && arguments[count].name) {
        if (arguments[count].many) return (size_t)-1;
        count++;
    }
    return count;
}

/* The row of the i-th positional argument: the last row, if it takes many. */
static const struct yo_argument *argument_row(const struct yo_argument *arguments, size_t i) {
    size_t at = 0;
    while (at < i && !arguments[at].many)
        at++;
    return &arguments[at];
}

static char *choice_range(const struct yo_argument *row, char *out, size_t size) {
    struct yo_option as_option = {.type = YO_OPTION_CHOICE, .choices = row->choices};
    return yo_option_range(&as_option, out, size);
}

static enum yo_err check_choice(const struct yo_argument *row, const char *text,
                                struct yo_diag *diag) {
    if (!row->choices) return YO_OK;
    struct yo_nearest nearest = {.text = text};
    for (size_t i = 0; row->choices[i]; i++) {
        if (strcmp(row->choices[i], text) == 0) return YO_OK;
        yo_nearest_offer(&nearest, row->choices[i]);
    }
    char range[512];
    choice_range(row, range, sizeof range);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "%.80s is not a %s", text, row->name);
    if (strlen(range) > RANGE_SHOWN) { /* a list cut short would mislead */
        if (nearest.best) yo_diag_hint(diag, "did you mean %s?", nearest.best);
    } else if (nearest.best)
        yo_diag_hint(diag, "did you mean %s? It takes %s", nearest.best, range);
    else
        yo_diag_hint(diag, "it takes %s", range);
    return YO_ERR_UNKNOWN;
}

static enum yo_err add_argument(struct parser *p, const char *text) {
    struct yo_options *options = p->options;
    if (options->argument_count >= argument_max(p->arguments)) {
        yo_diag_set(p->diag, YO_ERR_ARGUMENT, "%.80s is one argument too many", text);
        return YO_ERR_ARGUMENT;
    }
    const struct yo_argument *row = argument_row(p->arguments, options->argument_count);
    enum yo_err err = check_choice(row, text, p->diag);
    if (!err) options->arguments[options->argument_count++] = text;
    return err;
}

static const struct yo_option *find_flag(const struct parser *p, const char *key) {
    const struct yo_option *row = yo_option_find(p->options->rows, YO_ON_CLI, key);
    return row && row->type == YO_OPTION_BOOL ? row : NULL;
}

static enum yo_err set(struct parser *p, const char *key, const char *text) {
    enum yo_err err = yo_options_set(p->options, YO_ON_CLI, key, text, p->diag);
    if (err && p->diag && p->diag->where[0]) {
        char where[sizeof p->diag->where];
        snprintf(where, sizeof where, "--%.60s", key);
        yo_diag_where(p->diag, where, 0, 0);
    }
    return err;
}

/* Takes the value of --key from the next word. If that word begins with "--", the value is reported
 * as missing; --key=--text passes such a value. */
static enum yo_err set_from_next(struct parser *p, const char *key) {
    const struct yo_option *row = yo_option_find(p->options->rows, YO_ON_CLI, key);
    if (!row) return set(p, key, ""); /* reports the unknown key */
    const char *text = p->next < p->argc ? p->argv[p->next] : NULL;
    if (text && strncmp(text, "--", 2) != 0) {
        p->next++;
        return set(p, key, text);
    }
    char range[128];
    yo_diag_set(p->diag, YO_ERR_ARGUMENT, "--%s needs a value", row->key);
    if (*yo_option_range(row, range, sizeof range))
        yo_diag_hint(p->diag, "it takes %s", range);
    else
        yo_diag_hint(p->diag, "--%s %s", row->key, row->metavar);
    return YO_ERR_ARGUMENT;
}

static enum yo_err parse_long(struct parser *p, const char *word) {
    char key[64];
    const char *equals = strchr(word, '=');
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    snprintf(key, sizeof key, "%.*s", len > 63 ? 63 : (int)len, word);
    if (equals) return set(p, key, equals + 1);
    if (find_flag(p, key)) return set(p, key, "true");
    if (strncmp(key, "no-", 3) == 0 && find_flag(p, key + 3)) return set(p, key + 3, "false");
    return set_from_next(p, key);
}

static bool is_negative_number(const char *word) {
    return word[0] == '-' && ((word[1] >= '0' && word[1] <= '9') || word[1] == '.');
}

static enum yo_err parse_word(struct parser *p, const char *word) {
    if (p->only_arguments || word[0] != '-' || word[1] == '\0' || is_negative_number(word))
        return add_argument(p, word);
    if (strcmp(word, "--") == 0) {
        p->only_arguments = true;
        return YO_OK;
    }
    if (word[1] == '-') return parse_long(p, word + 2);
    yo_diag_set(p->diag, YO_ERR_UNKNOWN, "there is no option %.80s", word);
    if (yo_option_find(p->options->rows, YO_ON_CLI, word + 1))
        yo_diag_hint(p->diag, "long options take two dashes: -%.80s", word);
    return YO_ERR_UNKNOWN;
}

static enum yo_err check_missing(const struct parser *p) {
    size_t have = p->options->argument_count;
    char range[128];
    for (size_t i = 0; p->arguments && p->arguments[i].name; i++) {
        const struct yo_argument *row = &p->arguments[i];
        if (i < have || row->optional) continue;
        yo_diag_set(p->diag, YO_ERR_ARGUMENT, "%s is missing", row->name);
        if (row->choices)
            yo_diag_hint(p->diag, "it takes %s", choice_range(row, range, sizeof range));
        else
            yo_diag_hint(p->diag, "%s: %.150s", row->name, row->help);
        return YO_ERR_ARGUMENT;
    }
    return YO_OK;
}

/* Checked first, so that help is printed even if other arguments are wrong. */
static bool asks_for_help(int argc, char *const *argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) return true;
    return false;
}

enum yo_err yo_options_parse(struct yo_options *options, const struct yo_argument *arguments,
                             int argc, char *const *argv, bool *help_wanted, struct yo_diag *diag) {
    *help_wanted = asks_for_help(argc, argv);
    if (*help_wanted) return YO_OK;
    options->arguments = yo_alloc((size_t)argc + 1, sizeof *options->arguments);
    if (!options->arguments) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    struct parser p = {options, arguments, argv, argc, 0, false, diag};
    while (p.next < argc) {
        enum yo_err err = parse_word(&p, argv[p.next++]);
        if (err) return err;
    }
    return check_missing(&p);
}
