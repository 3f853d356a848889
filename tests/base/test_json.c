/* base/json: what is read, what is refused and where, and what is written. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"

static json_t *read_text(const char *text) {
    json_t *value;
    struct yo_diag diag = {0};
    if (yo_json_read(text, strlen(text), &value, &diag)) fail_msg("%s: %s", text, diag.what);
    return value;
}

static void assert_written(json_t *value, const char *want) {
    struct yo_buf out = {0};
    yo_json_write(&out, value);
    assert_string_equal(yo_buf_text(&out), want);
    yo_buf_free(&out);
    json_decref(value);
}

static void what_is_read_can_be_written(void **state) {
    (void)state;
    static const char *const same[] = {"null",    "true",
                                       "false",   "0",
                                       "-1",      "0.1",
                                       "1.5",     "[]",
                                       "{}",      "\"\"",
                                       "[1,[2]]", "\"\\n\\\"\\\\\"",
                                       "\"é\"",   "{\"a\":{\"b\":[null,true]}}",
                                       "-0.0005"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        assert_written(read_text(same[i]), same[i]);
    assert_written(read_text(" { \"b\" : 1 , \"a\" : [ 1 , 2 ] } \r\n"), "{\"a\":[1,2],\"b\":1}");
    assert_written(read_text("\"\\u00e9\\u4e00\\ud83d\\ude00\\/\\u0000\""), "\"é一😀/\\u0000\"");
    assert_written(read_text("{\"ab\":1,\"a\":2,\"\":3}"), "{\"\":3,\"a\":2,\"ab\":1}");
}

static void values_are_what_was_written(void **state) {
    (void)state;
    json_t *root = read_text("{\"n\":-12,\"x\":1.0,\"s\":\"a\\u0000b\",\"t\":\"text\"}");
    assert_true(json_is_integer(json_object_get(root, "n")));
    assert_int_equal(json_integer_value(json_object_get(root, "n")), -12);
    assert_true(json_is_real(json_object_get(root, "x")));
    assert_int_equal(json_string_length(json_object_get(root, "s")), 3);
    assert_null(yo_json_string(json_object_get(root, "s"))); /* a C string would be cut */
    assert_string_equal(yo_json_string(json_object_get(root, "t")), "text");
    assert_null(yo_json_string(json_object_get(root, "n")));
    assert_null(yo_json_string(json_object_get(root, "none")));
    json_decref(root);
}

static void what_is_no_json_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
        int column;
    } bad[] = {
        {"", "end of file", 1},
        {"{\n", "string or '}' expected", 1},
        {"[[1]\n", "']' expected", 1},
        {"{", "string or '}' expected", 1},
        {"[1,]", "unexpected token near ']'", 4},
        {"{\"a\":1,}", "string or '}'", 8},
        {"{\"a\" 1}", "':' expected", 6},
        {"{\"a\":1,\"a\":2}", "duplicate object key", 10},
        {"{\"\\u0000\":1}", "NUL byte in object key", 9},
        {"01", "invalid token", 1},
        {"-", "invalid token", 1},
        {"1.", "invalid token", 2},
        {"1e", "invalid token", 2},
        {"+1", "invalid token", 1},
        {"tru", "invalid token", 3},
        {"NaN", "invalid token", 3},
        {"Infinity", "invalid token", 8},
        {"1e999", "real number overflow", 5},
        {"9223372036854775808", "too big integer", 19},
        {"'a'", "invalid token", 1},
        {"\"a", "premature end", 2},
        {"\"a\nb\"", "unexpected newline", 2},
        {"\"\\x\"", "invalid escape", 3},
        {"\"\\u12g4\"", "invalid escape", 6},
        {"\"\\ud800\"", "invalid Unicode '\\uD800'", 8},
        {"\"\\udc00\"", "invalid Unicode '\\uDC00'", 8},
        {"\"\xff\"", "unable to decode byte 0xff", 1},
        {"\"\xed\xa0\x80\"", "unable to decode byte 0xed", 1},
        {"[1] 2", "end of file expected near '2'", 5},
        {"[1 2]", "']' expected near '2'", 4},
        {"\xef\xbb\xbf{}", "invalid token", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *value;
        struct yo_diag diag = {0};
        assert_int_equal(yo_json_read(bad[i].text, strlen(bad[i].text), &value, &diag),
                         YO_ERR_PARSE);
        if (!strstr(diag.what, bad[i].what) || diag.column != bad[i].column)
            fail_msg("%s: column %d: %s", bad[i].text, diag.column, diag.what);
        assert_null(value);
    }
}

static enum yo_err read_nested(int levels, struct yo_diag *diag) {
    struct yo_buf text = {0};
    json_t *value;
    for (int i = 0; i < levels; i++)
        yo_buf_str(&text, i % 2 ? "[" : "{\"a\":");
    yo_buf_char(&text, '0');
    for (int i = levels; i-- > 0;)
        yo_buf_char(&text, i % 2 ? ']' : '}');
    enum yo_err err = yo_json_read(yo_buf_text(&text), text.len, &value, diag);
    json_decref(value);
    yo_buf_free(&text);
    return err;
}

static void depth_and_names_have_a_limit(void **state) {
    (void)state;
    struct yo_diag diag;
    json_t *value;
    assert_int_equal(read_nested(YO_JSON_DEPTH_MAX, &diag), YO_OK);
    assert_int_equal(read_nested(YO_JSON_DEPTH_MAX + 1, &diag), YO_ERR_PARSE);
    assert_string_equal(diag.what, "too many levels");
    assert_int_equal(read_nested(1000000, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.what, "maximum parsing depth"));
    struct yo_buf many = {0};
    for (int i = 0; i <= YO_JSON_MEMBERS_MAX; i++)
        yo_buf_printf(&many, "%c\"%d\":1", i ? ',' : '{', i);
    yo_buf_char(&many, '}');
    assert_int_equal(yo_json_read(many.data, many.len, &value, &diag), YO_ERR_PARSE);
    assert_string_equal(diag.what, "too many names");
    yo_buf_free(&many);
}

static void reals_are_short_and_real(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0.0"},
                 {1, "1.0"},
                 {-0.25, "-0.25"},
                 {1.0 / 3, "0.333333"},
                 {-1e-9, "0.0"},
                 {100, "100.0"},
                 {0.1, "0.1"},
                 {-361.5, "-361.5"},
                 {NAN, "0.0"},
                 {INFINITY, "0.0"},
                 {12.3456789, "12.345679"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_written(yo_json_real(cases[i].number), cases[i].text);
}

static void text_from_anywhere_becomes_utf8(void **state) {
    (void)state;
    assert_written(yo_json_text("a\xff\x01\tb", 5), "\"a\xef\xbf\xbd\\u0001\\tb\"");
    assert_written(yo_json_text("", 0), "\"\"");
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    static const char text[] =
        "{\"a\":[1,2.5,\"long enough to need more than one block of text\"]}";
    int failures = 0;
    for (long n = 0;; n++) {
        json_t *value;
        struct yo_buf out = {0};
        yo_alloc_fail_after(n);
        enum yo_err err = yo_json_read(text, sizeof text - 1, &value, NULL);
        if (!err) yo_json_write(&out, value);
        yo_alloc_fail_after(-1);
        bool done = !err && !out.failed;
        if (err) assert_int_equal(err, YO_ERR_NOMEM);
        if (done) assert_string_equal(yo_buf_text(&out), text);
        yo_buf_free(&out);
        json_decref(value);
        if (done) break;
        failures++;
    }
    assert_true(failures > 5);
}

static void building_remembers_a_failure(void **state) {
    (void)state;
    bool failed = false;
    json_t *object = yo_json_object();
    yo_json_set(object, "a", json_integer(1), &failed);
    assert_false(failed);
    yo_json_set(object, "b", NULL, &failed);
    assert_true(failed);
    failed = false;
    yo_json_append(NULL, json_integer(1), &failed);
    assert_true(failed);
    assert_written(object, "{\"a\":1}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_can_be_written),
        cmocka_unit_test(values_are_what_was_written),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_place),
        cmocka_unit_test(depth_and_names_have_a_limit),
        cmocka_unit_test(reals_are_short_and_real),
        cmocka_unit_test(text_from_anywhere_becomes_utf8),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(building_remembers_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
