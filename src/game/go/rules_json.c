/* KataGo's JSON form of the rules. Only what that form needs is read: one flat object of strings
 * and booleans. Which key takes which values stands in one table, for reading and for writing. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/go/rules.h"

/* Values in the order of the enums they stand for; no values means true or false. */
struct field {
    const char *key;
    const char *values[4];
};

enum { FRIENDLY_PASS_OK, HAS_BUTTON, KO, SCORING, SUICIDE, TAX, BONUS, FIELD_COUNT };

static const struct field fields[FIELD_COUNT] = {
    [FRIENDLY_PASS_OK] = {"friendlyPassOk", {NULL}},
    [HAS_BUTTON] = {"hasButton", {NULL}},
    [KO] = {"ko", {"SIMPLE", "POSITIONAL", "SITUATIONAL"}},
    [SCORING] = {"scoring", {"AREA", "TERRITORY"}},
    [SUICIDE] = {"suicide", {NULL}},
    [TAX] = {"tax", {"NONE", "SEKI", "ALL"}},
    [BONUS] = {"whiteHandicapBonus", {"0", "N", "N-1"}},
};

struct reader {
    const char *text, *p, *end;
    struct yo_diag *diag;
};

struct word {
    const char *start;
    int len;
    bool quoted;
};

static void skip_space(struct reader *r) {
    while (r->p < r->end && isspace((unsigned char)*r->p))
        r->p++;
}

static enum yo_err fail(const struct reader *r, const char *expected) {
    enum yo_err err =
        r->p < r->end
            ? yo_diag_set(r->diag, YO_ERR_PARSE, "expected %s, not '%c', in rules", expected, *r->p)
            : yo_diag_set(r->diag, YO_ERR_PARSE, "expected %s where the rules end", expected);
    yo_diag_where(r->diag, "", 1, (int)(r->p - r->text) + 1);
    yo_diag_hint(r->diag, "for example {\"ko\":\"POSITIONAL\",\"suicide\":false}");
    return err;
}

static enum yo_err read_char(struct reader *r, char c, const char *name) {
    skip_space(r);
    if (r->p == r->end || *r->p != c) return fail(r, name);
    r->p++;
    return YO_OK;
}

static enum yo_err read_string(struct reader *r, const char *what, struct word *word) {
    skip_space(r);
    if (r->p == r->end || *r->p != '"') return fail(r, what);
    word->start = ++r->p;
    word->quoted = true;
    while (r->p < r->end && *r->p != '"' && *r->p != '\\' && !iscntrl((unsigned char)*r->p))
        r->p++;
    if (r->p == r->end || *r->p != '"') return fail(r, "a closing quotation mark");
    word->len = (int)(r->p++ - word->start);
    return YO_OK;
}

/* A string or a bare word such as true. */
static enum yo_err read_value(struct reader *r, struct word *word) {
    skip_space(r);
    if (r->p < r->end && *r->p == '"') return read_string(r, "a value", word);
    word->start = r->p;
    word->quoted = false;
    while (r->p < r->end && isalnum((unsigned char)*r->p))
        r->p++;
    word->len = (int)(r->p - word->start);
    return word->len ? YO_OK : fail(r, "a value");
}

static bool is_word(const struct word *word, const char *text) {
    return (size_t)word->len == strlen(text) && strncasecmp(word->start, text, strlen(text)) == 0;
}

static int shown_len(const struct word *word) { return word->len < 40 ? word->len : 40; }

static enum yo_err find_field(const struct reader *r, const struct word *key, int *field) {
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!is_word(key, fields[i].key)) continue;
        *field = i;
        return YO_OK;
    }
    yo_diag_set(r->diag, YO_ERR_UNKNOWN, "unknown rule '%.*s'", shown_len(key), key->start);
    yo_diag_hint(r->diag, "the rules are friendlyPassOk, hasButton, ko, scoring, suicide, tax, "
                          "whiteHandicapBonus");
    return YO_ERR_UNKNOWN;
}

static enum yo_err find_value(const struct reader *r, int field, const struct word *word,
                              int *value) {
    static const char *const boolean[4] = {"false", "true"};
    const char *const *values = fields[field].values[0] ? fields[field].values : boolean;
    for (int i = 0; i < 4 && values[i]; i++) {
        if (word->quoted == (values == boolean) || !is_word(word, values[i])) continue;
        *value = i;
        return YO_OK;
    }
    yo_diag_set(r->diag, YO_ERR_PARSE, "%s cannot be %.*s", fields[field].key, shown_len(word),
                word->start);
    const char *quote = values == boolean ? "" : "\"";
    yo_diag_hint(r->diag, "use %s%s%s or %s%s%s%s%s%s%s", quote, values[0], quote, quote, values[1],
                 quote, values[2] ? " or " : "", values[2] ? quote : "", values[2] ? values[2] : "",
                 values[2] ? quote : "");
    return YO_ERR_PARSE;
}

static enum yo_err assign(const struct reader *r, int field, int value, struct yo_go_rules *rules) {
    switch (field) {
    case FRIENDLY_PASS_OK:
        rules->friendly_pass_ok = value;
        break;
    case KO:
        rules->ko = (enum yo_go_ko)value;
        break;
    case SCORING:
        rules->scoring = (enum yo_go_scoring)value;
        break;
    case SUICIDE:
        rules->suicide = value;
        break;
    case TAX:
        rules->tax = (enum yo_go_tax)value;
        break;
    case BONUS:
        rules->handicap_bonus = (enum yo_go_bonus)value;
        break;
    default:
        if (!value) break;
        yo_diag_set(r->diag, YO_ERR_UNSUPPORTED, "button Go is not supported");
        yo_diag_hint(r->diag, "set hasButton to false");
        return YO_ERR_UNSUPPORTED;
    }
    return YO_OK;
}

static enum yo_err read_pair(struct reader *r, unsigned *seen, struct yo_go_rules *rules) {
    struct word key, word;
    int field, value;
    enum yo_err err = read_string(r, "a rule's name in quotation marks", &key);
    if (!err) err = find_field(r, &key, &field);
    if (!err && *seen >> field & 1)
        err = yo_diag_set(r->diag, YO_ERR_PARSE, "%s is given twice", fields[field].key);
    if (!err) err = read_char(r, ':', "':'");
    if (!err) err = read_value(r, &word);
    if (!err) err = find_value(r, field, &word, &value);
    if (!err) err = assign(r, field, value, rules);
    if (!err) *seen |= 1u << field;
    return err;
}

enum yo_err yo_go_rules_parse_json(const char *text, size_t len, struct yo_go_rules *rules,
                                   struct yo_diag *diag) {
    struct reader r = {text, text, text + len, diag};
    struct yo_go_rules result = *rules;
    unsigned seen = 0;
    enum yo_err err = read_char(&r, '{', "'{'");
    skip_space(&r);
    bool more = !err && !(r.p < r.end && *r.p == '}');
    while (more) {
        err = read_pair(&r, &seen, &result);
        skip_space(&r);
        more = !err && r.p < r.end && *r.p == ',';
        if (more) r.p++;
    }
    if (!err) err = read_char(&r, '}', "',' or '}'");
    if (!err && r.p != r.end) err = fail(&r, "nothing more");
    if (!err) *rules = result;
    return err;
}

int yo_go_rules_format(const struct yo_go_rules *rules, char *out, size_t size) {
    return snprintf(out, size,
                    "{\"friendlyPassOk\":%s,\"hasButton\":false,\"ko\":\"%s\",\"scoring\":\"%s\","
                    "\"suicide\":%s,\"tax\":\"%s\",\"whiteHandicapBonus\":\"%s\"}",
                    rules->friendly_pass_ok ? "true" : "false", fields[KO].values[rules->ko],
                    fields[SCORING].values[rules->scoring], rules->suicide ? "true" : "false",
                    fields[TAX].values[rules->tax], fields[BONUS].values[rules->handicap_bonus]);
}
