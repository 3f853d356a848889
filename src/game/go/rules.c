/* Named rule sets. The settings behind each name are KataGo's (listed in its GTP_Extensions
 * document), so that a client may send the same name to either program. cgos is Yomi's own, for the
 * server that plays Tromp-Taylor rules without suicide. */
#include <ctype.h>
#include <string.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "game/go/rules.h"

const struct yo_go_rules yo_go_rules_default = {
    .ko = YO_GO_KO_POSITIONAL,
    .scoring = YO_GO_AREA,
    .tax = YO_GO_TAX_NONE,
    .handicap_bonus = YO_GO_BONUS_N,
    .suicide = false,
    .friendly_pass_ok = true,
    .komi2 = 15,
};

#define SET(name_, ko_, scoring_, tax_, bonus_, suicide_, friendly_, komi2_)                       \
    {                                                                                              \
        name_, {                                                                                   \
            .ko = YO_GO_KO_##ko_, .scoring = YO_GO_##scoring_, .tax = YO_GO_TAX_##tax_,            \
            .handicap_bonus = YO_GO_BONUS_##bonus_, .suicide = suicide_,                           \
            .friendly_pass_ok = friendly_, .komi2 = komi2_                                         \
        }                                                                                          \
    }

/* If two names mean the same rules, yo_go_rules_name returns the first. */
static const struct {
    const char *name;
    struct yo_go_rules rules;
} sets[] = {
    SET("tromp-taylor", POSITIONAL, AREA, NONE, 0, true, false, 15),
    SET("chinese", SIMPLE, AREA, NONE, N, false, true, 15),
    SET("chinese-kgs", POSITIONAL, AREA, NONE, N, false, true, 15),
    SET("chinese-ogs", POSITIONAL, AREA, NONE, N, false, true, 15),
    SET("japanese", SIMPLE, TERRITORY, SEKI, 0, false, true, 13),
    SET("korean", SIMPLE, TERRITORY, SEKI, 0, false, true, 13),
    SET("aga", SITUATIONAL, AREA, NONE, N_MINUS_1, false, true, 15),
    SET("bga", SITUATIONAL, AREA, NONE, N_MINUS_1, false, true, 15),
    SET("new-zealand", SITUATIONAL, AREA, NONE, 0, true, true, 14),
    SET("stone-scoring", SIMPLE, AREA, ALL, 0, false, true, 15),
    SET("goe", POSITIONAL, AREA, NONE, 0, true, true, 15),
    SET("cgos", POSITIONAL, AREA, NONE, 0, false, false, 15),
};
#define SET_COUNT (sizeof sets / sizeof sets[0])

/* Spellings found in clients and game records. */
static const struct {
    const char *spelling, *name;
} aliases[] = {
    {"tromptaylor", "tromp-taylor"},
    {"tt", "tromp-taylor"},
    {"cn", "chinese"},
    {"jp", "japanese"},
    {"kr", "korean"},
    {"us", "aga"},
    {"american", "aga"},
    {"british", "bga"},
    {"french", "bga"},
    {"nz", "new-zealand"},
    {"newzealand", "new-zealand"},
    {"ancient-area", "stone-scoring"},
    {"ing", "goe"},
};
#define ALIAS_COUNT (sizeof aliases / sizeof aliases[0])

/* Ignores case, and treats '-', '_' and a space between words alike. */
static bool same_name(const char *a, const char *b, size_t b_len) {
    if (strlen(a) != b_len) return false;
    for (size_t i = 0; i < b_len; i++) {
        int c = b[i] == '_' || b[i] == ' ' ? '-' : tolower((unsigned char)b[i]);
        if (a[i] != c) return false;
    }
    return true;
}

static const char *resolve_alias(const char *text, size_t len) {
    for (size_t i = 0; i < ALIAS_COUNT; i++)
        if (same_name(aliases[i].spelling, text, len)) return aliases[i].name;
    return NULL;
}

static enum yo_err unknown_name(const char *text, size_t len, struct yo_diag *diag) {
    char name[41] = "";
    memcpy(name, text, len < 40 ? len : 40);
    struct yo_nearest nearest = {.text = name};
    for (size_t i = 0; i < SET_COUNT; i++)
        yo_nearest_offer(&nearest, sets[i].name);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown rules '%s'", name);
    if (nearest.best)
        yo_diag_hint(diag, "did you mean %s?", nearest.best);
    else
        yo_diag_hint(diag, "use tromp-taylor, chinese, chinese-kgs, japanese, korean, aga, bga, "
                           "new-zealand, stone-scoring, goe, cgos, or a JSON object");
    return YO_ERR_UNKNOWN;
}

static enum yo_err parse_name(const char *text, size_t len, struct yo_go_rules *rules,
                              struct yo_diag *diag) {
    const char *name = resolve_alias(text, len);
    for (size_t i = 0; i < SET_COUNT; i++) {
        bool hit = name ? strcmp(sets[i].name, name) == 0 : same_name(sets[i].name, text, len);
        if (!hit) continue;
        int komi2 = rules->komi2;
        *rules = sets[i].rules;
        rules->komi2 = komi2;
        return YO_OK;
    }
    return unknown_name(text, len, diag);
}

enum yo_err yo_go_rules_parse(const char *text, struct yo_go_rules *rules, struct yo_diag *diag) {
    while (isspace((unsigned char)*text))
        text++;
    size_t len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        len--;
    if (*text == '{') return yo_go_rules_parse_json(text, len, rules, diag);
    return parse_name(text, len, rules, diag);
}

bool yo_go_rules_equal_but_komi(const struct yo_go_rules *a, const struct yo_go_rules *b) {
    return a->ko == b->ko && a->scoring == b->scoring && a->tax == b->tax &&
           a->handicap_bonus == b->handicap_bonus && a->suicide == b->suicide &&
           a->friendly_pass_ok == b->friendly_pass_ok;
}

const char *yo_go_rules_name(const struct yo_go_rules *rules) {
    for (size_t i = 0; i < SET_COUNT; i++)
        if (yo_go_rules_equal_but_komi(&sets[i].rules, rules)) return sets[i].name;
    return NULL;
}

int yo_go_rules_usual_komi2(const struct yo_go_rules *rules) {
    for (size_t i = 0; i < SET_COUNT; i++)
        if (yo_go_rules_equal_but_komi(&sets[i].rules, rules)) return sets[i].rules.komi2;
    return rules->scoring == YO_GO_TERRITORY ? 13 : 15;
}

const char *yo_go_rules_list(size_t i, struct yo_go_rules *rules) {
    if (i >= SET_COUNT) return NULL;
    if (rules) *rules = sets[i].rules;
    return sets[i].name;
}
