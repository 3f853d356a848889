/* Base64: RFC 4648's examples, every byte, and what is not base64. */
#include "support/test.h"

#include <string.h>

#include "base/base64.h"

static void examples(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"", ""},
        {"Zg==", "f"},
        {"Zm8=", "fo"},
        {"Zm9v", "foo"},
        {"Zm9vYg==", "foob"},
        {"Zm9vYmE=", "fooba"},
        {"Zm9vYmFy", "foobar"},
        {"Zg", "f"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct yo_buf out = {0};
        assert_true(yo_base64_decode(pairs[i][0], strlen(pairs[i][0]), &out));
        assert_string_equal(yo_buf_text(&out), pairs[i][1]);
        yo_buf_free(&out);
    }
}

static void every_byte(void **state) {
    (void)state;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int b = 0; b < 256; b++) {
        char text[4] = {digits[b >> 2], digits[(b & 3) << 4], '=', '='};
        struct yo_buf out = {0};
        assert_true(yo_base64_decode(text, 4, &out));
        assert_int_equal(out.len, 1);
        assert_int_equal((unsigned char)out.data[0], b);
        yo_buf_free(&out);
    }
}

static void refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"Z", "Zm9vY", "Zg =", "Z===", "Zm9v\n", "Zm_v", "===="};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct yo_buf out = {0};
        assert_false(yo_base64_decode(wrong[i], strlen(wrong[i]), &out));
        yo_buf_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples),
        cmocka_unit_test(every_byte),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
