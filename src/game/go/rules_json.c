/* KataGo's JSON form of the rules: one flat object of strings and booleans. One table of keys and
 * values serves reading and writing. */
#include <stdio.h>
#include <strings.h>

#include "base/json.h"
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

static enum yo_err find_field(const char *key, int *field, struct yo_diag *diag) {
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (strcasecmp(key, fields[i].key) != 0) continue;
        *field = i;
        return YO_OK;
    }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown rule '%.40s'", key);
    yo_diag_hint(diag, "the rules are friendlyPassOk, hasButton, ko, scoring, suicide, tax, "
                       "whiteHandicapBonus");
    return YO_ERR_UNKNOWN;
}

static enum yo_err refuse_value(int field, const char *const *values, json_t *value,
                                struct yo_diag *diag) {
    struct yo_buf text = {0};
    const char *quote = fields[field].values[0] ? "\"" : "";
    yo_json_write(&text, value);
    yo_diag_set(diag, YO_ERR_PARSE, "%s cannot be %.40s", fields[field].key, yo_buf_text(&text));
    yo_buf_free(&text);
    yo_diag_hint(diag, "use %s%s%s or %s%s%s%s%s%s%s", quote, values[0], quote, quote, values[1],
                 quote, values[2] ? " or " : "", values[2] ? quote : "", values[2] ? values[2] : "",
                 values[2] ? quote : "");
    return YO_ERR_PARSE;
}

static enum yo_err find_value(int field, json_t *given, int *value, struct yo_diag *diag) {
    static const char *const boolean[4] = {"false", "true"};
    const char *const *values = fields[field].values[0] ? fields[field].values : boolean;
    if (values == boolean && json_is_boolean(given)) {
        *value = json_is_true(given);
        return YO_OK;
    }
    const char *text = values == boolean ? NULL : yo_json_string(given);
    for (int i = 0; text && i < 4 && values[i]; i++) {
        if (strcasecmp(text, values[i]) != 0) continue;
        *value = i;
        return YO_OK;
    }
    return refuse_value(field, values, given, diag);
}

static enum yo_err assign(int field, int value, struct yo_go_rules *rules, struct yo_diag *diag) {
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
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "button Go is not supported");
        yo_diag_hint(diag, "set hasButton to false");
        return YO_ERR_UNSUPPORTED;
    }
    return YO_OK;
}

/* *seen gets a bit for each field that is given. */
static enum yo_err take_fields(json_t *object, struct yo_go_rules *rules, unsigned *seen,
                               struct yo_diag *diag) {
    const char *key;
    json_t *given;
    json_object_foreach(object, key, given) {
        int field, value;
        enum yo_err err = find_field(key, &field, diag);
        /* The JSON reader compares names with case, the rules without, so duplicates can remain. */
        if (!err && *seen >> field & 1)
            err = yo_diag_set(diag, YO_ERR_PARSE, "%s is given twice", fields[field].key);
        if (!err) err = find_value(field, given, &value, diag);
        if (!err) err = assign(field, value, rules, diag);
        if (err) return err;
        *seen |= 1u << field;
    }
    return YO_OK;
}

enum yo_err yo_go_rules_take_json(json_t *object, struct yo_go_rules *rules, struct yo_diag *diag) {
    struct yo_go_rules result = *rules;
    unsigned seen = 0;
    enum yo_err err = yo_go_rules_parse("tromp-taylor", &result, diag);
    if (!err) err = take_fields(object, &result, &seen, diag);
    if (err) return err;
    if (!(seen >> TAX & 1))
        result.tax = result.scoring == YO_GO_TERRITORY ? YO_GO_TAX_SEKI : YO_GO_TAX_NONE;
    *rules = result;
    return YO_OK;
}

static enum yo_err read_object(const char *text, size_t len, json_t **object,
                               struct yo_diag *diag) {
    enum yo_err err = yo_json_read(text, len, object, diag);
    if (err)
        yo_diag_hint(diag, "rules are, for example, {\"ko\":\"POSITIONAL\",\"suicide\":false}");
    return err;
}

enum yo_err yo_go_rules_parse_json(const char *text, size_t len, struct yo_go_rules *rules,
                                   struct yo_diag *diag) {
    json_t *object;
    enum yo_err err = read_object(text, len, &object, diag);
    if (err) return err;
    err = yo_go_rules_take_json(object, rules, diag);
    json_decref(object);
    return err;
}

enum yo_err yo_go_rules_change(const char *text, size_t len, struct yo_go_rules *rules,
                               struct yo_diag *diag) {
    struct yo_go_rules result = *rules;
    unsigned seen = 0;
    json_t *object;
    enum yo_err err = read_object(text, len, &object, diag);
    if (err) return err;
    err = take_fields(object, &result, &seen, diag);
    json_decref(object);
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
