/* Who may talk to the server: secrets, Host and Origin. */
#include "support/test.h"

#include <string.h>

#include "protocol/web/gate.h"

static void keys(void **state) {
    (void)state;
    char a[YO_WEB_KEY_SIZE], b[YO_WEB_KEY_SIZE];
    assert_true(yo_web_key_make(a) && yo_web_key_make(b));
    assert_int_equal(strlen(a), YO_WEB_KEY_SIZE - 1);
    assert_string_not_equal(a, b);
    assert_true(yo_web_key_matches("key=abc", "abc"));
    assert_true(yo_web_key_matches("x=1&key=abc&y=2", "abc"));
    static const char *const wrong[] = {
        NULL,      "",         "key",     "key=",          "key=ab", "key=abcd",
        "key=abd", "xkey=abc", "Key=abc", "key=x&key=abc", "abc"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(yo_web_key_matches(wrong[i], "abc"));
}

static void loopback(void **state) {
    (void)state;
    assert_true(yo_web_is_loopback("127.0.0.1"));
    assert_true(yo_web_is_loopback("127.8.9.1"));
    assert_true(yo_web_is_loopback("::1"));
    assert_false(yo_web_is_loopback("0.0.0.0"));
    assert_false(yo_web_is_loopback("::"));
    assert_false(yo_web_is_loopback("192.168.127.0"));
    assert_false(yo_web_is_loopback("1270.0.0.1"));
}

static void origins(void **state) {
    (void)state;
    static const struct {
        const char *host, *origin;
        bool loopback, allowed;
    } cases[] = {
        {"127.0.0.1:80", "http://127.0.0.1:80", true, true},
        {"localhost:80", "http://LOCALHOST:80", true, true},
        {"[::1]:80", "http://[::1]:80", true, true},
        {"127.0.0.1:80", NULL, true, true},
        {"127.0.0.1:80", "https://127.0.0.1:80", true, true},
        {NULL, NULL, true, false},
        {"127.0.0.1:80", "http://127.0.0.1:81", true, false},
        {"127.0.0.1:80", "http://evil.example", true, false},
        {"127.0.0.1:80", "null", true, false},
        {"127.0.0.1:80", "", true, false},
        {"evil.example:80", "http://evil.example:80", true, false},
        {"127.0.0.1.evil.example", "http://127.0.0.1.evil.example", true, false},
        {"localhost.evil.example", NULL, true, false},
        {"box:80", "http://box:80", false, true},
        {"box:80", "http://other:80", false, false},
        {"box:80", NULL, false, true},
        {"[", NULL, true, false},
        {"", NULL, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (yo_web_origin_allowed(cases[i].host, cases[i].origin, cases[i].loopback) !=
            cases[i].allowed)
            fail_msg("Host %s, Origin %s", cases[i].host, cases[i].origin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys),
        cmocka_unit_test(loopback),
        cmocka_unit_test(origins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
