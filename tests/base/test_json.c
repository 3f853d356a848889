/* base/json: what is JSON, what is not, and that what is read can be written again. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"

static void assert_rewritten(const char *text, const char *want) {
    struct yo_json_doc doc;
    struct yo_diag diag = {0};
    struct yo_buf out = {0};
    if (yo_json_parse(text, strlen(text), &doc, &diag)) fail_msg("%s: %s", text, diag.what);
    yo_json_write(&out, doc.root);
    assert_string_equal(yo_buf_text(&out), want);
    yo_buf_free(&out);
    yo_json_free(&doc);
}

static void what_is_read_can_be_written(void **state) {
    (void)state;
    static const char *const same[] = {"null",    "true",
                                       "false",   "0",
                                       "-1",      "1e5",
                                       "1.50",    "[]",
                                       "{}",      "\"\"",
                                       "[1,[2]]", "\"\\n\\\"\\\\\"",
                                       "\"é\"",   "{\"a\":{\"b\":[null,true]}}",
                                       "-0.5E-3"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        assert_rewritten(same[i], same[i]);
    assert_rewritten(" { \"b\" : 1 , \"a\" : [ 1 , 2 ] } \r\n", "{\"a\":[1,2],\"b\":1}");
    assert_rewritten("\"\\u00e9\\u4e00\\ud83d\\ude00\\/\\u0000\"", "\"é一😀/\\u0000\"");
    assert_rewritten("{\"ab\":1,\"a\":2,\"\":3}", "{\"\":3,\"a\":2,\"ab\":1}");
}

static void values_are_what_was_written(void **state) {
    (void)state;
    const char *text = "{\"n\":-12,\"x\":1.5,\"big\":9223372036854775808,\"s\":\"a\\u0000b\","
                       "\"t\":true,\"l\":[1,2,3]}";
    struct yo_json_doc doc;
    assert_int_equal(yo_json_parse(text, strlen(text), &doc, NULL), YO_OK);
    const struct yo_json *n = yo_json_find(doc.root, "n"), *x = yo_json_find(doc.root, "x");
    assert_true(n->is_integer);
    assert_int_equal(n->integer, -12);
    assert_false(x->is_integer);
    assert_true(x->number == 1.5);
    assert_false(yo_json_find(doc.root, "big")->is_integer);
    const struct yo_json *s = yo_json_find(doc.root, "s"), *l = yo_json_find(doc.root, "l");
    assert_int_equal(s->len, 3);
    assert_null(yo_json_string(s)); /* a C string would be cut */
    assert_int_equal(l->count, 3);
    assert_int_equal(l->first->next->next->integer, 3);
    assert_null(l->first->next->next->next);
    assert_null(yo_json_find(doc.root, "none"));
    assert_null(yo_json_find(l, "n"));
    yo_json_free(&doc);
}

static void what_is_no_json_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
        int column;
    } bad[] = {
        {"", "text ends", 1},
        {"{", "a name", 2},
        {"[1,]", "a value, not ']'", 4},
        {"{\"a\":1,}", "a name", 8},
        {"{\"a\" 1}", "':'", 6},
        {"{\"a\":1,\"a\":2}", "\"a\" is given twice", 8},
        {"01", "nothing more", 2},
        {"-", "a digit", 2},
        {"1.", "a digit", 3},
        {"1e", "a digit", 3},
        {"+1", "a value", 1},
        {"tru", "a value", 1},
        {"NaN", "a value", 1},
        {"'a'", "a value", 1},
        {"\"a", "closing", 3},
        {"\"a\nb\"", "closing", 3},
        {"\"\\x\"", "an escape", 3},
        {"\"\\u12g4\"", "hexadecimal", 6},
        {"\"\\ud800\"", "surrogate", 2},
        {"\"\\udc00\"", "surrogate", 2},
        {"\"\xff\"", "no UTF-8", 2},
        {"\"\xed\xa0\x80\"", "no UTF-8", 2},
        {"[1] 2", "nothing more", 5},
        {"[1 2]", "',' or ']'", 4},
        {"\xef\xbb\xbf{}", "not byte 239", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct yo_json_doc doc;
        struct yo_diag diag = {0};
        assert_int_equal(yo_json_parse(bad[i].text, strlen(bad[i].text), &doc, &diag),
                         YO_ERR_PARSE);
        if (!strstr(diag.what, bad[i].what)) fail_msg("%s: %s", bad[i].text, diag.what);
        assert_int_equal(diag.column, bad[i].column);
        assert_null(doc.values);
    }
}

static void depth_and_names_have_a_limit(void **state) {
    (void)state;
    struct yo_json_doc doc;
    struct yo_diag diag;
    char deep[2 * YO_JSON_DEPTH_MAX + 3];
    memset(deep, '[', YO_JSON_DEPTH_MAX);
    memset(deep + YO_JSON_DEPTH_MAX, ']', YO_JSON_DEPTH_MAX);
    assert_int_equal(yo_json_parse(deep, 2 * YO_JSON_DEPTH_MAX, &doc, &diag), YO_OK);
    yo_json_free(&doc);
    memset(deep, '[', sizeof deep);
    assert_int_equal(yo_json_parse(deep, YO_JSON_DEPTH_MAX + 1, &doc, &diag), YO_ERR_PARSE);
    assert_string_equal(diag.what, "too many levels");
    struct yo_buf many = {0};
    for (int i = 0; i <= YO_JSON_MEMBERS_MAX; i++)
        yo_buf_printf(&many, "%c\"%d\":1", i ? ',' : '{', i);
    yo_buf_char(&many, '}');
    assert_int_equal(yo_json_parse(many.data, many.len, &doc, &diag), YO_ERR_PARSE);
    assert_string_equal(diag.what, "too many names");
    yo_buf_free(&many);
}

static void reals_are_short_and_real(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0.0"},     {1, "1.0"},     {-0.25, "-0.25"}, {1.0 / 3, "0.333333"},
                 {-1e-9, "0.0"}, {100, "100.0"}, {0.0 / 1, "0.0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_buf out = {0};
        yo_json_put_real(&out, cases[i].number);
        assert_string_equal(yo_buf_text(&out), cases[i].text);
        yo_buf_free(&out);
    }
}

static void strings_from_anywhere_are_escaped(void **state) {
    (void)state;
    struct yo_buf out = {0};
    yo_json_put_string(&out, "a\xff\x01\x7f\tb", 6);
    assert_string_equal(yo_buf_text(&out), "\"a\xef\xbf\xbd\\u0001\\u007f\\tb\"");
    yo_buf_free(&out);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    for (long n = 0; n < 2; n++) {
        struct yo_json_doc doc;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_json_parse("[1]", 3, &doc, NULL);
        yo_alloc_fail_after(-1);
        assert_int_equal(err, YO_ERR_NOMEM);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_can_be_written),
        cmocka_unit_test(values_are_what_was_written),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_place),
        cmocka_unit_test(depth_and_names_have_a_limit),
        cmocka_unit_test(reals_are_short_and_real),
        cmocka_unit_test(strings_from_anywhere_are_escaped),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
