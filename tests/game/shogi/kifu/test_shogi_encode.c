/* Records written as Shift_JIS and read again. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/charset.h"
#include "base/file.h"
#include "game/shogi/kifu/encode.h"
#include "game/shogi/movegen.h"
#include "support/shogi_random.h"
#include "support/shogi_same.h"

static struct yo_shogi_record *parse(const struct yo_buf *bytes) {
    struct yo_shogi_record *record = NULL;
    struct yo_diag diag;
    if (yo_shogi_record_parse(yo_buf_text(bytes), bytes->len, "test", &record, &diag) != YO_OK)
        fail_msg("line %d, column %d: %s", diag.line, diag.column, diag.what);
    return record;
}

static struct yo_shogi_record *load(const char *path) {
    struct yo_buf bytes = {0};
    assert_int_equal(yo_file_read(path, &bytes, NULL), YO_OK);
    struct yo_shogi_record *record = parse(&bytes);
    yo_buf_free(&bytes);
    return record;
}

static void names_say_how(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        enum yo_shogi_format format;
        enum yo_shogi_charset charset;
    } rows[] = {
        {"game.kif", YO_SHOGI_KIF, YO_SHOGI_SHIFT_JIS},
        {"a.b/GAME.KIF", YO_SHOGI_KIF, YO_SHOGI_SHIFT_JIS},
        {"game.kifu", YO_SHOGI_KIF, YO_SHOGI_UTF8},
        {"game.ki2", YO_SHOGI_KI2, YO_SHOGI_SHIFT_JIS},
        {"game.ki2u", YO_SHOGI_KI2, YO_SHOGI_UTF8},
        {"game.csa", YO_SHOGI_CSA, YO_SHOGI_UTF8},
        {"game.jkf", YO_SHOGI_JKF, YO_SHOGI_UTF8},
        {"game.JSON", YO_SHOGI_JKF, YO_SHOGI_UTF8},
    };
    struct yo_shogi_writing how = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(yo_shogi_writing_of_name(rows[i].name, &how));
        assert_int_equal(how.format, rows[i].format);
        assert_int_equal(how.charset, rows[i].charset);
    }
    assert_false(yo_shogi_writing_of_name("game.sgf", &how));
    assert_false(yo_shogi_writing_of_name("kif", &how));
}

/* What a program wrote in Shift_JIS, and the same game in UTF-8. */
static void files_in_both_charsets(void **unused) {
    (void)unused;
    struct yo_shogi_record *windows = load("tests/data/shogi/shift_jis.kif");
    struct yo_shogi_record *modern = load("tests/data/shogi/variations.kif");
    assert_int_equal(yo_shogi_writing_as_read(windows).charset, YO_SHOGI_SHIFT_JIS);
    assert_int_equal(yo_shogi_writing_as_read(modern).charset, YO_SHOGI_UTF8);
    static const int keeps[] = {SAME_TIMES, SAME_ALL,
                                SAME_VARIATIONS | SAME_BOOKMARKS | SAME_ORDER};
    for (int format = YO_SHOGI_CSA; format <= YO_SHOGI_KI2; format++) {
        struct yo_shogi_writing how = {.format = (enum yo_shogi_format)format,
                                       .charset = YO_SHOGI_SHIFT_JIS};
        struct yo_buf bytes = {0};
        size_t replaced = 99;
        assert_int_equal(yo_shogi_record_encode(modern, &how, &bytes, &replaced, NULL), YO_OK);
        assert_int_equal(replaced, 0);
        assert_false(yo_utf8_valid(bytes.data, bytes.len));
        if (format == YO_SHOGI_KIF) assert_non_null(strstr(bytes.data, "encoding=Shift_JIS\n"));
        if (format == YO_SHOGI_CSA) assert_non_null(strstr(bytes.data, "encoding=SHIFT_JIS\n"));
        struct yo_shogi_record *again = parse(&bytes);
        assert_string_equal(again->charset, "CP932");
        assert_true(shogi_same(windows, again, keeps[format]));
        yo_shogi_record_delete(again);
        yo_buf_free(&bytes);
    }
    struct yo_shogi_writing json = {.format = YO_SHOGI_JKF, .charset = YO_SHOGI_SHIFT_JIS};
    struct yo_buf none = {0};
    assert_int_equal(yo_shogi_record_encode(modern, &json, &none, NULL, NULL), YO_ERR_UNSUPPORTED);
    yo_buf_free(&none);
    assert_non_null(yo_shogi_writing_loss(modern, YO_SHOGI_CSA));
    assert_non_null(yo_shogi_writing_loss(modern, YO_SHOGI_KI2));
    assert_null(yo_shogi_writing_loss(modern, YO_SHOGI_KIF));
    yo_shogi_record_delete(modern);
    yo_shogi_record_delete(windows);
}

/* A record of one move with this comment, in Shift_JIS and back; NULL if it was refused. */
static char *through(const char *comment, bool replaces, size_t *replaced, struct yo_diag *diag) {
    static char text[256];
    struct yo_shogi_record *record;
    struct yo_buf bytes = {0};
    int node;
    assert_int_equal(yo_shogi_record_new(&record), YO_OK);
    assert_int_equal(yo_shogi_record_add(
                         record, 0, shogi_move(shogi_square(6, 6), shogi_square(6, 5)), 0, &node),
                     YO_OK);
    yo_shogi_record_add_line(record, &record->nodes[node].comment, comment, strlen(comment));
    struct yo_shogi_writing how = {
        .format = YO_SHOGI_KIF, .charset = YO_SHOGI_SHIFT_JIS, .replaces = replaces};
    yo_buf_str(&bytes, "x");
    enum yo_err err = yo_shogi_record_encode(record, &how, &bytes, replaced, diag);
    yo_shogi_record_delete(record);
    if (err) {
        assert_string_equal(yo_buf_text(&bytes), "x");
    } else {
        bytes.data[0] = '\n';
        struct yo_shogi_record *again = parse(&bytes);
        snprintf(text, sizeof text, "%s",
                 yo_shogi_record_text(again, again->nodes[again->nodes[0].child].comment));
        yo_shogi_record_delete(again);
    }
    yo_buf_free(&bytes);
    return err ? NULL : text;
}

/* musl has the standard's characters alone. */
static void what_cp932_has_besides(void **unused) {
    (void)unused;
    struct yo_diag diag = {0};
    size_t replaced = 0;
    iconv_t cd = iconv_open("CP932", "UTF-8");
    if (cd == (iconv_t)-1) skip();
    iconv_close(cd);
    assert_string_equal(through("髙﨑 ①", false, &replaced, &diag), "髙﨑 ①");
    /* The same character by another number, from other systems' tables. */
    assert_string_equal(through("１〜２−３ ¥", false, &replaced, &diag), "１～２－３ ￥");
    assert_int_equal(replaced, 0);
    assert_string_equal(through("換わり〜", true, &replaced, &diag), "換わり～");
    assert_int_equal(replaced, 0);
}

static void what_shift_jis_lacks(void **unused) {
    (void)unused;
    struct yo_diag diag = {0};
    size_t replaced = 0;
    assert_null(through("角換わり 😀", false, &replaced, &diag));
    assert_int_equal(diag.err, YO_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.what, "😀"));
    assert_non_null(strstr(diag.hint, "UTF-8"));
    assert_int_equal(diag.line, 5);
    assert_int_equal(diag.column, 7);
    assert_string_equal(through("😀角換わり ☗", true, &replaced, &diag), "〓角換わり 〓");
    assert_int_equal(replaced, 2);
}

static void no_memory(void **unused) {
    (void)unused;
    struct yo_shogi_record *r = load("tests/data/shogi/variations.kif");
    struct yo_buf bytes = {.failed = true};
    struct yo_shogi_writing how = {.format = YO_SHOGI_KIF, .charset = YO_SHOGI_SHIFT_JIS};
    struct yo_diag diag = {0};
    assert_int_equal(yo_shogi_record_encode(r, &how, &bytes, NULL, &diag), YO_ERR_NOMEM);
    assert_int_equal(diag.err, YO_ERR_NOMEM);
    yo_shogi_record_delete(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_how),
        cmocka_unit_test(files_in_both_charsets),
        cmocka_unit_test(what_cp932_has_besides),
        cmocka_unit_test(what_shift_jis_lacks),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
