/* Growing text, and the messages that are made for people. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"

static void text_grows(void **state) {
    (void)state;
    struct yo_buf buf = {0};
    char expected[2000] = "";
    assert_string_equal(yo_buf_text(&buf), "");
    for (int i = 0; i < 300; i++) {
        yo_buf_printf(&buf, "%d", i);
        yo_buf_char(&buf, ',');
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%d,", i);
        assert_int_equal(buf.len, strlen(yo_buf_text(&buf)));
    }
    assert_string_equal(yo_buf_text(&buf), expected);
    yo_buf_clear(&buf);
    yo_buf_add(&buf, "a\0b", 3);
    assert_int_equal(buf.len, 3);
    assert_memory_equal(buf.data, "a\0b", 4);
    yo_buf_free(&buf);
    yo_buf_free(&buf);
    assert_string_equal(yo_buf_text(&buf), "");
}

/* What could not be appended is remembered, and nothing is appended behind the gap. */
static void failure_is_remembered(void **state) {
    (void)state;
    struct yo_buf buf = {0};
    yo_buf_str(&buf, "kept");
    yo_alloc_fail_after(0);
    for (int i = 0; i < 100; i++)
        yo_buf_str(&buf, "more");
    yo_alloc_fail_after(-1);
    size_t len = buf.len;
    assert_int_equal(yo_buf_status(&buf), YO_ERR_NOMEM);
    yo_buf_char(&buf, '!');
    assert_int_equal(buf.len, len);
    assert_int_equal(strncmp(yo_buf_text(&buf), "keptmore", 8), 0);
    yo_buf_clear(&buf);
    assert_int_equal(yo_buf_status(&buf), YO_OK);
    yo_buf_free(&buf);
}

static void huge_sizes_fail(void **state) {
    (void)state;
    struct yo_buf buf = {0};
    yo_buf_add(&buf, "", (size_t)-1); /* refused before a byte is read */
    assert_int_equal(yo_buf_status(&buf), YO_ERR_NOMEM);
    yo_buf_free(&buf);
    assert_null(yo_alloc((size_t)-1, 2));
    assert_null(yo_realloc(NULL, (size_t)-1 / 2, 3));
    assert_null(yo_alloc_aligned((size_t)-1));
}

static void messages_have_their_parts(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    char text[640];
    assert_int_equal(yo_diag_set(&diag, YO_ERR_PARSE, "bad %s", "thing"), YO_ERR_PARSE);
    yo_diag_format(&diag, text, sizeof text);
    assert_string_equal(text, "bad thing");
    yo_diag_hint(&diag, "first");
    yo_diag_hint(&diag, "try %d", 2);
    yo_diag_where(&diag, "file", 0, 0);
    yo_diag_format(&diag, text, sizeof text);
    assert_string_equal(text, "file: bad thing; try 2");
    yo_diag_where(&diag, "file", 3, 0);
    yo_diag_format(&diag, text, sizeof text);
    assert_string_equal(text, "file: line 3: bad thing; try 2");
    yo_diag_where(&diag, "", 3, 4);
    yo_diag_format(&diag, text, sizeof text);
    assert_string_equal(text, "line 3, column 4: bad thing; try 2");
    yo_diag_format(&diag, text, 5);
    assert_string_equal(text, "line");
    yo_diag_set(&diag, YO_ERR_IO, "%s", "");
    yo_diag_format(&diag, text, sizeof text);
    assert_string_equal(text, yo_err_text(YO_ERR_IO)); /* and nothing is left of the last one */
    assert_int_equal(yo_diag_set(NULL, YO_ERR_NOMEM, "unheard"), YO_ERR_NOMEM);
    yo_diag_hint(NULL, "unheard");
    yo_diag_where(NULL, "nowhere", 1, 1);
}

static void every_code_has_its_text(void **state) {
    (void)state;
    for (int a = YO_OK; a <= YO_ERR_CANCELLED; a++) {
        assert_string_not_equal(yo_err_text((enum yo_err)a), "unknown error");
        for (int b = YO_OK; b < a; b++)
            assert_string_not_equal(yo_err_text((enum yo_err)a), yo_err_text((enum yo_err)b));
    }
    assert_non_null(yo_err_text((enum yo_err)1000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_grows),
        cmocka_unit_test(failure_is_remembered),
        cmocka_unit_test(huge_sizes_fail),
        cmocka_unit_test(messages_have_their_parts),
        cmocka_unit_test(every_code_has_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
