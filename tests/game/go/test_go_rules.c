/* rules.c, rules_json.c, text.c, handicap.c: names, JSON, points, komi, and what is refused. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/go/rules.h"
#include "yomi/go.h"

static struct yo_go_rules parsed(const char *text) {
    struct yo_go_rules rules = yo_go_rules_default;
    struct yo_diag diag = {0};
    if (yo_go_rules_parse(text, &rules, &diag) != YO_OK) fail_msg("%s: %s", text, diag.what);
    return rules;
}

static void assert_same_rules(const struct yo_go_rules *a, const struct yo_go_rules *b) {
    char a_text[200], b_text[200];
    yo_go_rules_format(a, a_text, sizeof a_text);
    yo_go_rules_format(b, b_text, sizeof b_text);
    assert_string_equal(a_text, b_text);
    assert_int_equal(a->komi2, b->komi2);
}

static void names_mean_what_katago_says(void **state) {
    (void)state;
    static const char *const expected[][2] = {
        {"tromp-taylor", "false,false,POSITIONAL,AREA,true,NONE,0"},
        {"chinese", "true,false,SIMPLE,AREA,false,NONE,N"},
        {"chinese-kgs", "true,false,POSITIONAL,AREA,false,NONE,N"},
        {"chinese-ogs", "true,false,POSITIONAL,AREA,false,NONE,N"},
        {"japanese", "true,false,SIMPLE,TERRITORY,false,SEKI,0"},
        {"korean", "true,false,SIMPLE,TERRITORY,false,SEKI,0"},
        {"aga", "true,false,SITUATIONAL,AREA,false,NONE,N-1"},
        {"bga", "true,false,SITUATIONAL,AREA,false,NONE,N-1"},
        {"new-zealand", "true,false,SITUATIONAL,AREA,true,NONE,0"},
        {"stone-scoring", "true,false,SIMPLE,AREA,false,ALL,0"},
        {"goe", "true,false,POSITIONAL,AREA,true,NONE,0"},
        {"Ing", "true,false,POSITIONAL,AREA,true,NONE,0"},
        /* not KataGo's: no agreement on dead stones, as on the server */
        {"cgos", "false,false,POSITIONAL,AREA,false,NONE,0"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct yo_go_rules rules = parsed(expected[i][0]);
        char friendly[8], button[8], ko[16], scoring[16], suicide[8], tax[8], bonus[8], json[200];
        yo_go_rules_format(&rules, json, sizeof json);
        int n = sscanf(json,
                       "{\"friendlyPassOk\":%7[a-z],\"hasButton\":%7[a-z],\"ko\":\"%15[A-Z]\","
                       "\"scoring\":\"%15[A-Z]\",\"suicide\":%7[a-z],\"tax\":\"%7[A-Z]\","
                       "\"whiteHandicapBonus\":\"%7[-0N1]\"}",
                       friendly, button, ko, scoring, suicide, tax, bonus);
        assert_int_equal(n, 7);
        char flat[100];
        snprintf(flat, sizeof flat, "%s,%s,%s,%s,%s,%s,%s", friendly, button, ko, scoring, suicide,
                 tax, bonus);
        assert_string_equal(flat, expected[i][1]);
    }
}

static void spellings_are_forgiven(void **state) {
    (void)state;
    static const char *const same[][2] = {
        {"Tromp_Taylor", "tromp-taylor"}, {"  Chinese ", "chinese"}, {"NEW ZEALAND", "new-zealand"},
        {"new_zealand", "new-zealand"},   {"jp", "japanese"},        {"CGOS", "cgos"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        struct yo_go_rules rules = parsed(same[i][0]);
        assert_string_equal(yo_go_rules_name(&rules), same[i][1]);
    }
}

static void every_listed_name_parses_to_its_set(void **state) {
    (void)state;
    struct yo_go_rules listed;
    const char *name;
    size_t i = 0;
    for (; (name = yo_go_rules_list(i, &listed)); i++) {
        struct yo_go_rules rules = parsed(name);
        listed.komi2 = rules.komi2; /* a name keeps the komi that was set */
        assert_same_rules(&rules, &listed);
        char json[200];
        yo_go_rules_format(&rules, json, sizeof json);
        struct yo_go_rules back = parsed(json);
        assert_same_rules(&back, &rules);
    }
    assert_true(i >= 8);
}

static void default_is_chinese_with_superko(void **state) {
    (void)state;
    assert_string_equal(yo_go_rules_name(&yo_go_rules_default), "chinese-kgs");
    assert_int_equal(yo_go_rules_default.komi2, 15);
    char json[200];
    int len = yo_go_rules_format(&yo_go_rules_default, json, sizeof json);
    assert_string_equal(json, "{\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"POSITIONAL\","
                              "\"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\","
                              "\"whiteHandicapBonus\":\"N\"}");
    assert_int_equal(len, strlen(json));
    char small[10];
    assert_int_equal(yo_go_rules_format(&yo_go_rules_default, small, sizeof small), len);
    assert_int_equal(strlen(small), 9);
}

static void json_is_tromp_taylor_but_for_what_it_names(void **state) {
    (void)state;
    struct yo_go_rules rules = parsed("japanese"), tromp_taylor = parsed("tromp-taylor");
    rules.komi2 = tromp_taylor.komi2 = -3;
    assert_int_equal(yo_go_rules_parse("{}", &rules, NULL), YO_OK);
    assert_same_rules(&rules, &tromp_taylor);
    assert_int_equal(
        yo_go_rules_parse(" { \"suicide\" : false , \"scoring\":\"territory\" } ", &rules, NULL),
        YO_OK);
    assert_false(rules.suicide);
    assert_int_equal(rules.tax, YO_GO_TAX_SEKI);
    assert_int_equal(rules.handicap_bonus, YO_GO_BONUS_0);
    assert_int_equal(rules.ko, YO_GO_KO_POSITIONAL);
    assert_int_equal(rules.komi2, -3);
    assert_null(yo_go_rules_name(&rules));
    assert_int_equal(yo_go_rules_usual_komi2(&rules), 13);
    assert_int_equal(
        yo_go_rules_parse("{\"scoring\":\"TERRITORY\",\"tax\":\"NONE\"}", &rules, NULL), YO_OK);
    assert_int_equal(rules.tax, YO_GO_TAX_NONE);
}

static void a_change_keeps_what_it_does_not_name(void **state) {
    (void)state;
    struct yo_go_rules rules = parsed("japanese"), before = rules;
    static const char text[] = "{\"suicide\":true}";
    assert_int_equal(yo_go_rules_change(text, strlen(text), &rules, NULL), YO_OK);
    assert_true(rules.suicide);
    rules.suicide = false;
    assert_same_rules(&rules, &before);
    assert_int_equal(yo_go_rules_change("{\"ko\":1}", 8, &rules, NULL), YO_ERR_PARSE);
    assert_same_rules(&rules, &before);
}

static void bad_rules_change_nothing_and_say_why(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum yo_err err;
        const char *what, *hint;
    } cases[] = {
        {"", YO_ERR_UNKNOWN, "unknown rules ''", "tromp-taylor"},
        {"chines", YO_ERR_UNKNOWN, "'chines'", "did you mean chinese?"},
        {"xyzzy", YO_ERR_UNKNOWN, "'xyzzy'", "stone-scoring"},
        {"{", YO_ERR_PARSE, "near end of file", "for example"},
        {"{\"ko\"", YO_ERR_PARSE, "':'", ""},
        {"{\"ko\":", YO_ERR_PARSE, "unexpected token near end of file", ""},
        {"{\"ko\":\"NONE\"}", YO_ERR_PARSE, "ko cannot be \"NONE\"",
         "\"SIMPLE\" or \"POSITIONAL\" or \"SITUATIONAL\""},
        {"{\"ko\":SIMPLE}", YO_ERR_PARSE, "invalid token near 'SIMPLE'", "for example"},
        {"{\"ko\":true}", YO_ERR_PARSE, "ko cannot be true", "\"SIMPLE\""},
        {"{\"suicide\":\"true\"}", YO_ERR_PARSE, "suicide cannot be", "false or true"},
        {"{\"suicide\":true,}", YO_ERR_PARSE, "string or '}' expected", ""},
        {"{\"suicide\":true,\"suicide\":false}", YO_ERR_PARSE, "duplicate object key", ""},
        {"{\"suicide\":true} x", YO_ERR_PARSE, "end of file expected near 'x'", ""},
        {"{\"suicide\":true \"ko\":\"SIMPLE\"}", YO_ERR_PARSE, "'}' expected near '\"ko\"'", ""},
        {"{\"suicid\":true}", YO_ERR_UNKNOWN, "unknown rule 'suicid'", "whiteHandicapBonus"},
        {"{\"ko\\u0041\":1}", YO_ERR_UNKNOWN, "unknown rule 'koA'", ""},
        {"{\"ko\":\"SIMPLE\",\"KO\":\"SIMPLE\"}", YO_ERR_PARSE, "given twice", ""},
        {"{\"hasButton\":true}", YO_ERR_UNSUPPORTED, "button", "hasButton"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_go_rules rules = parsed("aga"), before = rules;
        struct yo_diag diag = {0};
        assert_int_equal(yo_go_rules_parse(cases[i].text, &rules, &diag), cases[i].err);
        assert_same_rules(&rules, &before);
        assert_non_null(strstr(diag.what, cases[i].what));
        assert_non_null(strstr(diag.hint, cases[i].hint));
        assert_true(strlen(diag.hint) < sizeof diag.hint - 1); /* nothing cut off */
    }
}

static void points_go_there_and_back(void **state) {
    (void)state;
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        for (int p = 0; p < size * size; p++) {
            char text[8];
            yo_go_point back;
            yo_go_point_format((yo_go_point)p, size, text);
            assert_int_equal(yo_go_point_parse(text, size, &back, NULL), YO_OK);
            assert_int_equal(back, p);
        }
    char text[8];
    assert_string_equal(yo_go_point_format(0, 19, text), "A19");
    assert_string_equal(yo_go_point_format(8, 9, text), "J9");
    assert_string_equal(yo_go_point_format(360, 19, text), "T1");
    assert_string_equal(yo_go_point_format(YO_GO_PASS, 19, text), "pass");
    assert_string_equal(yo_go_point_format(YO_GO_RESIGN, 9, text), "resign");
    yo_go_point p;
    assert_int_equal(yo_go_point_parse("d4", 19, &p, NULL), YO_OK);
    assert_int_equal(p, 15 * 19 + 3);
    assert_int_equal(yo_go_point_parse("PASS", 9, &p, NULL), YO_OK);
    assert_int_equal(p, YO_GO_PASS);
}

static void bad_points_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",    "D",   "4",  "I5",  "K1",  "A10",          "A0",
                                      "A-1", "D4x", "AA", "A 1", "pas", "A99999999999", "\xff",
                                      "A+1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        yo_go_point p = 7;
        struct yo_diag diag = {0};
        assert_int_equal(yo_go_point_parse(bad[i], 9, &p, &diag), YO_ERR_PARSE);
        assert_int_equal(p, 7);
        assert_non_null(strstr(diag.what, "9x9"));
        assert_true(diag.hint[0] != '\0');
    }
}

static void colors_and_komi(void **state) {
    (void)state;
    enum yo_go_color color;
    assert_int_equal(yo_go_color_parse("B", &color, NULL), YO_OK);
    assert_int_equal(color, YO_GO_BLACK);
    assert_int_equal(yo_go_color_parse("white", &color, NULL), YO_OK);
    assert_int_equal(color, YO_GO_WHITE);
    assert_int_equal(yo_go_color_parse("blac", &color, NULL), YO_ERR_PARSE);
    static const struct {
        const char *text;
        int komi2;
    } good[] = {{"7.5", 15},  {"-3", -6},    {"0", 0},    {"0.5", 1},     {".5", 1},
                {"-0.5", -1}, {"+6.50", 13}, {"7.0", 14}, {"4000", 8000}, {"-4000.0", -8000}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int komi2;
        assert_int_equal(yo_go_komi_parse(good[i].text, &komi2, NULL), YO_OK);
        assert_int_equal(komi2, good[i].komi2);
    }
    static const char *const bad[] = {"",    "x",   "7.25",   "7.51",           "7,5", "nan", "inf",
                                      "1e3", "--1", "4000.5", "99999999999999", ".",   "- 1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int komi2 = 99;
        assert_int_not_equal(yo_go_komi_parse(bad[i], &komi2, NULL), YO_OK);
        assert_int_equal(komi2, 99);
    }
}

static void handicap_text(int size, int stones, char *out) {
    yo_go_point points[9];
    assert_int_equal(yo_go_handicap_points(size, stones, points, NULL), YO_OK);
    out[0] = '\0';
    for (int i = 0; i < stones; i++) {
        char point[8];
        strcat(strcat(out, i ? " " : ""), yo_go_point_format(points[i], size, point));
    }
}

static void fixed_handicap_is_the_standards(void **state) {
    (void)state;
    static const struct {
        int size, stones;
        const char *points;
    } cases[] = {
        {19, 2, "D4 Q16"},
        {19, 3, "D4 Q16 D16"},
        {19, 4, "D4 Q16 D16 Q4"},
        {19, 5, "D4 Q16 D16 Q4 K10"},
        {19, 6, "D4 Q16 D16 Q4 D10 Q10"},
        {19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"},
        {19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"},
        {19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"},
        {13, 5, "D4 K10 D10 K4 G7"},
        {12, 4, "C3 K10 C10 K3"},
        {9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"},
        {8, 4, "C3 F6 C6 F3"},
        {7, 4, "C3 E5 C5 E3"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        handicap_text(cases[i].size, cases[i].stones, text);
        assert_string_equal(text, cases[i].points);
    }
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        for (int stones = -1; stones <= 12; stones++) {
            int most = size < 7 ? 0 : size == 7 || size % 2 == 0 ? 4 : 9;
            yo_go_point points[12];
            enum yo_err expected = stones >= 2 && stones <= most ? YO_OK : YO_ERR_RANGE;
            assert_int_equal(yo_go_handicap_points(size, stones, points, NULL), expected);
        }
    for (int size = 20; size < 100; size += 3) {
        yo_go_point points[9];
        assert_int_equal(yo_go_handicap_points(size, 4, points, NULL), YO_ERR_RANGE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_mean_what_katago_says),
        cmocka_unit_test(spellings_are_forgiven),
        cmocka_unit_test(every_listed_name_parses_to_its_set),
        cmocka_unit_test(default_is_chinese_with_superko),
        cmocka_unit_test(json_is_tromp_taylor_but_for_what_it_names),
        cmocka_unit_test(a_change_keeps_what_it_does_not_name),
        cmocka_unit_test(bad_rules_change_nothing_and_say_why),
        cmocka_unit_test(points_go_there_and_back),
        cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(colors_and_komi),
        cmocka_unit_test(fixed_handicap_is_the_standards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
