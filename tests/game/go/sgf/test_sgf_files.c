/* SGF as real programs write it: charsets, private properties, odd places. The files are small and
 * made for this test in the styles of those programs. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/charset.h"
#include "support/sgf_same.h"

#define ROOM "tests/data/sgf/"

static const struct {
    const char *file, *charset;
    size_t games, warnings;
    const char *id, *value; /* of the root */
    size_t moves;
    int komi2;
    const char *rules;
} files[] = {
    {"kgs.sgf", "UTF-8", 1, 0, "C", "gote [5k]: hi!\nsente [3k]: have fun \\o/\n", 7, 1,
     "japanese"},
    {"ogs.sgf", "UTF-8", 1, 0, "PW", "十九", 7, 11, "japanese"},
    {"sabaki.sgf", "UTF-8", 1, 0, "PB", "読み", 5, 13, NULL},
    {"lizzie.sgf", "UTF-8", 1, 0, "AP", "Lizzie: 0.7.4", 3, 15, NULL},
    {"katrain.sgf", "UTF-8", 1, 0, "KTV", "1.0", 6, 12, "japanese"},
    {"fox_gbk.sgf", "GB18030", 1, 0, "PB", "镕乗", 6, 15, "chinese"},
    {"shift_jis.sgf", "CP932", 1, 0, "C", "予]選ｶﾅ 構\n成", 2, 11, "japanese"},
    {"big5.sgf", "BIG5-HKSCS", 1, 0, "PB", "許功蓋", 3, 15, "chinese"},
    {"euc_kr.sgf", "CP949", 1, 0, "PW", "뷁", 2, 13, "korean"},
    {"euc_jp.sgf", "EUC-JP", 1, 0, "PB", "本因坊", 1, 13, NULL},
    {"iso_2022_jp.sgf", "ISO-2022-JP", 1, 1, "PB", "本因坊秀策", 1, 15, NULL},
    {"latin1.sgf", "ISO-8859-1", 1, 0, "PB", "Jérôme", 2, 13, NULL},
    {"utf16.sgf", "UTF-16LE", 1, 0, "PB", "囲碁", 2, 15, NULL},
    {"lying_gbk.sgf", "UTF-8", 1, 1, "PB", "你好啊", 1, 15, NULL},
    {"broken_utf8.sgf", "UTF-8", 1, 1, "PB", "本因", 1, 15, NULL},
    {"old_ff3.sgf", "UTF-8", 1, 1, "GN", "Test of the old style", 5, 11, NULL},
    {"collection.sgf", "UTF-8", 4, 0, "GN", "one", 1, 15, NULL},
};
#define FILE_COUNT (sizeof files / sizeof *files)

static struct yo_sgf *load(const char *file) {
    char path[128], message[600];
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag;
    snprintf(path, sizeof path, ROOM "%s", file);
    if (yo_sgf_load(path, &sgf, &diag) != YO_OK) {
        yo_diag_format(&diag, message, sizeof message);
        fail_msg("%s", message);
    }
    return sgf;
}

static void files_are_understood(void **state) {
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct yo_sgf *sgf = load(files[i].file);
        print_message("%s\n", files[i].file);
        assert_string_equal(yo_sgf_charset(sgf), files[i].charset);
        assert_int_equal(yo_sgf_game_count(sgf), files[i].games);
        assert_string_equal(yo_sgf_get(yo_sgf_root(sgf, 0), files[i].id, 0), files[i].value);
        size_t warnings = 0;
        while (yo_sgf_warning(sgf, warnings))
            warnings++;
        assert_int_equal(warnings, files[i].warnings);
        yo_sgf_delete(sgf);
    }
}

static void files_are_written_back(void **state) {
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct yo_sgf *sgf = load(files[i].file), *again = NULL;
        char *text, *text_again;
        size_t len;
        assert_int_equal(yo_sgf_write(sgf, &text, &len), YO_OK);
        assert_int_equal(yo_sgf_parse(text, len, "again", &again, NULL), YO_OK);
        assert_true(sgf_same(sgf, again));
        assert_string_equal(yo_sgf_charset(again), "UTF-8");
        assert_null(yo_sgf_warning(again, 0));
        assert_int_equal(yo_sgf_write(again, &text_again, &len), YO_OK);
        assert_string_equal(text, text_again);
        yo_sgf_free_text(text_again);
        yo_sgf_free_text(text);
        yo_sgf_delete(again);
        yo_sgf_delete(sgf);
    }
}

static void files_are_played(void **state) {
    (void)state;
    for (size_t i = 0; i < FILE_COUNT; i++) {
        struct yo_sgf *sgf = load(files[i].file);
        struct yo_go_game *game;
        struct yo_diag diag;
        if (yo_sgf_to_game(sgf, 0, 0, &game, &diag) != YO_OK)
            fail_msg("%s: %s", files[i].file, diag.what);
        const struct yo_go_rules *rules = yo_go_game_rules(game);
        struct yo_go_rules named = yo_go_rules_default;
        if (files[i].rules)
            assert_int_equal(yo_go_rules_parse(files[i].rules, &named, NULL), YO_OK);
        assert_int_equal(yo_go_game_move_count(game), files[i].moves);
        assert_int_equal(rules->komi2, files[i].komi2);
        assert_int_equal(rules->scoring, named.scoring);
        assert_int_equal(rules->ko, named.ko);
        yo_go_game_delete(game);
        yo_sgf_delete(sgf);
    }
}

static struct yo_sgf *parse(const char *text, size_t len) {
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag;
    if (yo_sgf_parse(text, len, "test", &sgf, &diag) != YO_OK) fail_msg("%s", diag.what);
    return sgf;
}

static void assert_value(const char *text, const char *charset, const char *value, int warnings) {
    struct yo_sgf *sgf = parse(text, strlen(text));
    assert_string_equal(yo_sgf_charset(sgf), charset);
    assert_string_equal(yo_sgf_get(yo_sgf_root(sgf, 0), "C", 0), value);
    assert_int_equal(yo_sgf_warning(sgf, 0) != NULL, warnings > 0);
    assert_int_equal(yo_sgf_warning(sgf, 1) != NULL, warnings > 1);
    yo_sgf_delete(sgf);
}

static void charsets_are_found(void **state) {
    (void)state;
    assert_value("(;C[\xc3\xa9])", "UTF-8", "é", 0);
    assert_value("(;C[\xe9])", "ISO-8859-1", "é", 0);
    assert_value("(;CA[iso-8859-1]C[\xc3\xa9])", "ISO-8859-1", "Ã©", 0);
    assert_value("(;CA[ISO-8859-2]C[\xb3])", "ISO-8859-2", "ł", 0);
    assert_value("(;CA[windows-1251]C[\xe3\xee])", "windows-1251", "го", 0);
    assert_value("(;CharAcset[ utf8 ]C[\xc3\xa9])", "UTF-8", "é", 0);
    assert_value("(;C[\xe9];CA[CP1252])", "CP1252", "é", 0);
    assert_value("\xef\xbb\xbf(;CA[GBK]C[\xc3\xa9])", "UTF-8", "é", 0);
    assert_value("(;CA[gb18030]C[\x81\x30\x81\x30])", "GB18030", "\xc2\x80", 0);
}

/* musl 1.2.3 reads another character here. */
static void rare_characters_are_found(void **state) {
    (void)state;
    struct yo_buf plain = {0};
    bool ok = yo_charset_convert("UTF-8", "GB18030", "\x95\x32\x82\x36", 4, &plain) &&
              strcmp(yo_buf_text(&plain), "𠀀") == 0;
    yo_buf_free(&plain);
    if (!ok) skip();
    assert_value("(;CA[gb18030]C[\x95\x32\x82\x36])", "GB18030", "𠀀", 0);
}

/* Nothing is lost when CA is wrong: bytes that do not fit are read as ISO-8859-1, and it is said.
 */
static void wrong_charsets_are_survived(void **state) {
    (void)state;
    assert_value("(;CA[no-such-thing]C[\xe9])", "ISO-8859-1", "é", 1);
    assert_value("(;CA[UTF-8//TRANSLIT]C[\xe9])", "ISO-8859-1", "é", 1);
    assert_value("(;CA[UTF-16]C[\xc3\xa9])", "UTF-8", "é", 1);
    assert_value("(;CA[EBCDIC-US]C[x])", "UTF-8", "x", 1);
    assert_value("(;CA[UTF-8]C[\xe9\xe9])", "UTF-8", "éé", 1);
    assert_value("(;CA[EUC-JP]C[\xe9.])", "EUC-JP", "é.", 1);
    /* As GBK the last byte would swallow the bracket that ends the value. */
    assert_value("(;CA[GBK]C[\xe9])", "ISO-8859-1", "é", 1);
    /* Not a character of Shift_JIS, but its second byte is no bracket either. */
    assert_value("(;CA[Shift_JIS]C[\xfc\x5d\\]])", "CP932", "ü]]", 1);
}

static void trees_have_charsets_of_their_own(void **state) {
    (void)state;
    const char *text = "(;CA[Shift_JIS]C[\x95\x5c])(;CA[Big5]C[\xb3\x5c])(;CA[Big5]C[\xa5\x5c])"
                       "(;C[\xe9])";
    static const char *const values[] = {"表", "許", "功", "é"};
    struct yo_sgf *sgf = parse(text, strlen(text));
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(yo_sgf_get(yo_sgf_root(sgf, i), "C", 0), values[i]);
    yo_sgf_delete(sgf);
}

static void wide_files_are_read(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
        const char *charset;
    } wide[] = {{"\xfe\xff\0(\0;\0C\0[\x56\xf2\0]\0)", 16, "UTF-16BE"},
                {"\0(\0;\0C\0[\x56\xf2\0]\0)", 14, "UTF-16BE"},
                {"(\0;\0C\0[\0\xf2\x56]\0)\0", 14, "UTF-16LE"}};
    for (size_t i = 0; i < 3; i++) {
        struct yo_sgf *sgf = parse(wide[i].bytes, wide[i].len);
        assert_string_equal(yo_sgf_get(yo_sgf_root(sgf, 0), "C", 0), "囲");
        assert_string_equal(yo_sgf_charset(sgf), wide[i].charset);
        yo_sgf_delete(sgf);
    }
}

/* GBK without a CA can look like anything; the message should say what may help. */
static void undeclared_charsets_get_a_hint(void **state) {
    (void)state;
    const char *text = "(;C[\x96\x5d x];B[aa])";
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag;
    assert_int_equal(yo_sgf_parse(text, strlen(text), "x", &sgf, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.hint, "CA["));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_understood),
        cmocka_unit_test(files_are_written_back),
        cmocka_unit_test(files_are_played),
        cmocka_unit_test(charsets_are_found),
        cmocka_unit_test(rare_characters_are_found),
        cmocka_unit_test(wrong_charsets_are_survived),
        cmocka_unit_test(trees_have_charsets_of_their_own),
        cmocka_unit_test(wide_files_are_read),
        cmocka_unit_test(undeclared_charsets_get_a_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
