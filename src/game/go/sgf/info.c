#include "game/go/sgf/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/go/rules.h"
#include "game/go/sgf/text.h"

/* Root properties belong in the root, but some programs write them in the node after it. */
static const struct sgf_property *find_info(const struct yo_sgf_node *root, const char *id) {
    for (const struct yo_sgf_node *node = root; node; node = node->child) {
        const struct sgf_property *property = yo_sgf_tree_find(node, id, NULL);
        if (property) return property;
    }
    return NULL;
}

static const char *skip_space(const char *text) {
    while (sgf_is_space(*text))
        text++;
    return text;
}

/* Reads up to five digits. Returns the first character after them, or NULL if there are none or
 * more. */
static const char *read_digits(const char *text, int *number) {
    int digits = 0;
    for (*number = 0; sgf_is_digit(*text) && digits <= 5; digits++)
        *number = *number * 10 + (*text++ - '0');
    return digits >= 1 && digits <= 5 ? text : NULL;
}

bool yo_sgf_info_number(const char *text, int *number) {
    const char *end = read_digits(skip_space(text), number);
    return end && *skip_space(end) == '\0';
}

static enum yo_err fail(const struct yo_sgf *sgf, const struct sgf_property *property,
                        enum yo_err err, const char *what, const char *hint, struct yo_diag *diag) {
    yo_diag_set(diag, err, "%s: %s[%.40s]", what, property->id, property->first->text);
    yo_diag_hint(diag, "%s", hint);
    yo_diag_where(diag, sgf->name, property->line, property->column);
    return err;
}

static enum yo_err check_game(const struct yo_sgf *sgf, const struct yo_sgf_node *root,
                              struct yo_diag *diag) {
    const struct sgf_property *gm = find_info(root, "GM");
    int number;
    if (!gm || *skip_space(gm->first->text) == '\0') return YO_OK;
    if (yo_sgf_info_number(gm->first->text, &number) && number == 1) return YO_OK;
    return fail(sgf, gm, YO_ERR_UNSUPPORTED, "not a game of Go", "only GM[1] is Go", diag);
}

/* "19", and "19:19", which some programs write for a square board. */
static bool read_size(const char *text, int *columns, int *rows) {
    const char *p = read_digits(skip_space(text), columns);
    if (!p) return false;
    p = skip_space(p);
    *rows = *columns;
    return *p == '\0' || (*p == ':' && yo_sgf_info_number(p + 1, rows));
}

static enum yo_err find_size(const struct yo_sgf *sgf, const struct yo_sgf_node *root, int *size,
                             struct yo_diag *diag) {
    const struct sgf_property *sz = find_info(root, "SZ");
    int columns, rows;
    *size = 19; /* the standard's default for Go */
    if (!sz || *skip_space(sz->first->text) == '\0') return YO_OK;
    if (!read_size(sz->first->text, &columns, &rows))
        return fail(sgf, sz, YO_ERR_PARSE, "no board size", "a size is a number such as 19", diag);
    if (columns != rows)
        return fail(sgf, sz, YO_ERR_UNSUPPORTED, "rectangular boards are not supported",
                    "boards are square, from 2 to 19 lines", diag);
    if (columns < YO_GO_SIZE_MIN || columns > YO_GO_SIZE_MAX)
        return fail(sgf, sz, YO_ERR_UNSUPPORTED, "this board size is not supported",
                    "boards have 2 to 19 lines", diag);
    *size = columns;
    return YO_OK;
}

/* Rule names found in records in addition to those of yo_go_rules_parse. */
static const struct {
    const char *word, *rules;
} spoken[] = {{"japan", "japanese"},      {"日本", "japanese"},     {"chin", "chinese"},
              {"中国", "chinese"},        {"中國", "chinese"},      {"korea", "korean"},
              {"韩国", "korean"},         {"한국", "korean"},       {"aga", "aga"},
              {"zealand", "new-zealand"}, {"tromp", "tromp-taylor"}};

static bool read_rules(const char *text, struct yo_go_rules *rules) {
    if (*skip_space(text) == '\0' || yo_go_rules_parse(text, rules, NULL) == YO_OK) return true;
    for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++)
        if (strcasestr(text, spoken[i].word))
            return yo_go_rules_parse(spoken[i].rules, rules, NULL) == YO_OK;
    return false;
}

/* "5目半" and "5½" */
static bool has_half(const char *text) { return strstr(text, "半") || strstr(text, "½"); }

/* "e999" and "x10": more of a number than its digits. */
static bool goes_on(const char *text) {
    bool sign = *text && (text[1] == '+' || text[1] == '-');
    return sgf_is_alpha(*text) && sgf_is_digit(text[sign ? 2 : 1]);
}

static const char *skip_digits(const char *text) {
    while (sgf_is_digit(*text))
        text++;
    return text;
}

/* The leading number of a komi, in hundredths: "6.5", "6,50", "-3", "7.5 points". */
static bool read_hundredths(const char *text, int *value, bool *has_fraction) {
    text = skip_space(text);
    int sign = *text == '-' ? -1 : 1, whole;
    if (*text == '-' || *text == '+') text++;
    const char *p = *text == '.' ? text : read_digits(text, &whole);
    if (!p) return false;
    if (p == text) whole = 0;
    int cents = 0;
    *has_fraction = (*p == '.' || *p == ',') && sgf_is_digit(p[1]);
    if (*has_fraction)
        cents = (p[1] - '0') * 10 + (sgf_is_digit(p[2]) ? p[2] - '0' : 0);
    else if (has_half(p))
        cents = 50;
    *value = sign * (whole * 100 + cents);
    if (goes_on(skip_digits(*has_fraction ? p + 1 : p))) return false;
    return *has_fraction || p > text;
}

/* Chinese records use other units: 3.75 is counted in stones of two points each, and the Fox server
 * omits the decimal point (375, 650). No komi in points has quarters. */
static bool read_komi2(const char *text, int *komi2) {
    static const int without_point[] = {275, 325, 375, 550, 650, 750};
    int value;
    bool has_fraction;
    if (!read_hundredths(text, &value, &has_fraction)) return false;
    for (size_t i = 0; i < sizeof without_point / sizeof *without_point; i++)
        if (!has_fraction && value == without_point[i] * 100) value /= 100;
    if (abs(value) % 50 == 25) value *= 2;
    if (value % 50 != 0 || abs(value) > 4000 * 100) return false;
    *komi2 = value / 50;
    return true;
}

/* The record has the stones of the handicap before White moves, or Black places them, or they have
 * usual points. */
static bool has_stones(const struct yo_sgf_node *root, const struct sgf_info *info) {
    yo_go_point points[YO_GO_POINTS_MAX];
    if (info->handicap < 2) return true;
    for (const struct yo_sgf_node *node = root; node; node = node->child) {
        const struct sgf_property *stones = yo_sgf_tree_find(node, "AB", NULL);
        if (stones && *skip_space(stones->first->text)) return true;
        if (yo_sgf_tree_find(node, "B", NULL)) return true;
        if (yo_sgf_tree_find(node, "W", NULL)) break;
    }
    return yo_go_handicap_points(info->size, info->handicap, points, NULL) == YO_OK;
}

static void read_handicap(const struct yo_sgf_node *root, struct sgf_info *info) {
    const struct sgf_property *ha = find_info(root, "HA");
    info->handicap = 0;
    info->odd_handicap = NULL;
    if (!ha || *skip_space(ha->first->text) == '\0') return;
    bool is_number = yo_sgf_info_number(ha->first->text, &info->handicap);
    if (is_number && has_stones(root, info)) return;
    info->handicap = 0;
    info->odd_handicap = ha->first->text;
}

enum yo_err yo_sgf_info_read(const struct yo_sgf *sgf, const struct yo_sgf_node *root,
                             const struct yo_go_rules *rules, struct sgf_info *info,
                             struct yo_diag *diag) {
    enum yo_err err = check_game(sgf, root, diag);
    if (!err) err = find_size(sgf, root, &info->size, diag);
    if (err) return err;
    info->rules = rules ? *rules : yo_go_rules_default;
    const struct sgf_property *ru = find_info(root, "RU"), *km = find_info(root, "KM");
    read_handicap(root, info);
    info->odd_rules = ru && !read_rules(ru->first->text, &info->rules) ? ru->first->text : NULL;
    int komi2;
    bool has_komi = km && read_komi2(km->first->text, &komi2);
    info->odd_komi = km && !has_komi && *skip_space(km->first->text) ? km->first->text : NULL;
    if (has_komi)
        info->rules.komi2 = komi2;
    else if (rules)
        info->rules.komi2 = rules->komi2;
    else
        info->rules.komi2 = info->handicap >= 2 ? 0 : yo_go_rules_usual_komi2(&info->rules);
    return YO_OK;
}

bool yo_sgf_info_warning(const struct sgf_info *info, int i, struct yo_diag *warning) {
    if (info->odd_rules && i-- == 0) {
        const char *name = yo_go_rules_name(&info->rules);
        yo_diag_set(warning, YO_ERR_UNKNOWN, "rules '%.40s' are not known; %s are used",
                    info->odd_rules, name ? name : "the current ones");
        return true;
    }
    if (info->odd_komi && i-- == 0) {
        yo_diag_set(warning, YO_ERR_RANGE,
                    "komi '%.40s' is not in whole or half points; %g is used", info->odd_komi,
                    info->rules.komi2 / 2.0);
        return true;
    }
    if (!info->odd_handicap || i != 0) return false;
    int stones;
    if (yo_sgf_info_number(info->odd_handicap, &stones))
        yo_diag_set(
            warning, YO_ERR_RANGE,
            "the record has no stones for its handicap of %d, and %dx%d has no usual points "
            "for so many; none is used",
            stones, info->size, info->size);
    else
        yo_diag_set(warning, YO_ERR_RANGE, "handicap '%.40s' is no number; none is used",
                    info->odd_handicap);
    return true;
}

/* The SGF standard's own names of some rule sets. */
static const char *standard_name(const char *name) {
    static const char *const names[][2] = {{"japanese", "Japanese"},
                                           {"chinese", "Chinese"},
                                           {"korean", "Korean"},
                                           {"aga", "AGA"},
                                           {"new-zealand", "NZ"},
                                           {"tromp-taylor", "Tromp-Taylor"},
                                           {"goe", "GOE"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i][0]) == 0) return names[i][1];
    return name;
}

static enum yo_err write_komi(struct yo_sgf *sgf, struct yo_sgf_node *root, int komi2) {
    char text[32];
    int size2 = abs(komi2);
    const char *half = size2 % 2 ? ".5" : size2 >= 200 ? ".0" : ""; /* or 375 would be 3.75 */
    snprintf(text, sizeof text, "%s%d%s", komi2 < 0 ? "-" : "", size2 / 2, half);
    return yo_sgf_set(sgf, root, "KM", text);
}

static enum yo_err write_rules(struct yo_sgf *sgf, struct yo_sgf_node *root,
                               const struct yo_go_rules *rules) {
    char text[512];
    const char *name = yo_go_rules_name(rules);
    if (name) return yo_sgf_set(sgf, root, "RU", standard_name(name));
    yo_go_rules_format(rules, text, sizeof text);
    return yo_sgf_set(sgf, root, "RU", text);
}

enum yo_err yo_sgf_info_write(struct yo_sgf *sgf, struct yo_sgf_node *root,
                              const struct yo_go_rules *rules, const struct yo_go_rules *known) {
    enum yo_err err = YO_OK;
    if (!known || known->komi2 != rules->komi2) err = write_komi(sgf, root, rules->komi2);
    if (!err && !(known && yo_go_rules_equal_but_komi(known, rules)))
        err = write_rules(sgf, root, rules);
    return err;
}
