/* cluster/entries: the text of entries. */
#include "support/test.h"

#include <string.h>

#include "cluster/entries.h"

static void they_come_back(void **state) {
    (void)state;
    const struct yo_search_entry sent[] = {
        {0, UINT64_MAX}, {0x0123456789abcdef, 0xfedcba9876543210}, {UINT64_MAX, 1}};
    struct yo_search_entry got[3] = {0};
    struct yo_buf text = {0};
    yo_entries_write(sent, 3, &text);
    assert_int_equal(text.len, 3 * YO_ENTRIES_DIGITS);
    assert_int_equal(yo_entries_count(yo_buf_text(&text)), 3);
    yo_entries_read(yo_buf_text(&text), 3, got);
    assert_memory_equal(sent, got, sizeof sent);
    yo_buf_free(&text);
}

static void what_is_none_counts_as_none(void **state) {
    (void)state;
    struct yo_buf many = {0};
    assert_int_equal(yo_entries_count(NULL), 0);
    assert_int_equal(yo_entries_count(""), 0);
    assert_int_equal(yo_entries_count("00"), 0);
    assert_int_equal(yo_entries_count("0000000000000000000000000000000g"), 0);
    assert_int_equal(yo_entries_count("0000000000000000000000000000000A"), 0);
    for (int i = 0; i <= YO_ENTRIES_MAX; i++)
        yo_entries_write(&(struct yo_search_entry){1, 1}, 1, &many);
    assert_int_equal(yo_entries_count(yo_buf_text(&many)), 0);
    yo_buf_free(&many);
}

static void kinds_have_a_text(void **state) {
    (void)state;
    char text[20];
    yo_entries_kind_text(0, text);
    assert_string_equal(text, "");
    yo_entries_kind_text(0xab, text);
    assert_string_equal(text, "00000000000000ab");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_come_back),
        cmocka_unit_test(what_is_none_counts_as_none),
        cmocka_unit_test(kinds_have_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
