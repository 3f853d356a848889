/* option.c, option_argv.c and nearest.c: what is read, and what is said when it cannot be. */
#include "support/test.h"

#include <string.h>

#include "base/alloc.h"
#include "base/nearest.h"
#include "base/option.h"

static const char *const policies[] = {"light", "mogo", NULL};

static const struct yo_option rows[] = {
    YO_INT("size", YO_EVERYWHERE, "9", 2, 19, "N", "board size"),
    YO_REAL("komi", YO_EVERYWHERE, "7.5", -400, 400, "K", "points for White"),
    YO_CHOICE("policy", YO_ON_CLI | YO_ON_GTP, "light", policies, "NAME", "playout policy"),
    YO_BOOL("json", YO_ON_CLI, "false", "machine readable"),
    YO_BOOL("color", YO_ON_CLI, "true", "colours"),
    YO_STRING("log-file", YO_ON_CLI | YO_ON_USI, NULL, "FILE", "where to log"),
    YO_INT("seed", YO_ON_CLI, "1", 0, 9007199254740992.0, "N", "seed"),
    YO_OPTIONS_END,
};

static const char *const shells[] = {"bash", "zsh", NULL};
static const struct yo_argument one_shell[] = {
    {.name = "SHELL", .choices = shells, .help = "which"}, {.name = NULL}};
static const struct yo_argument files[] = {{.name = "DEPTH", .help = "how deep"},
                                           {.name = "FILE", .optional = true, .many = true},
                                           {.name = NULL}};

struct outcome {
    struct yo_options options;
    struct yo_diag diag;
    enum yo_err err;
    bool help;
};

/* Words are separated by single blanks. */
static struct outcome parse(const struct yo_argument *arguments, char *line) {
    static char *argv[32];
    int argc = 0;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    struct outcome o = {.help = false};
    assert_int_equal(yo_options_init(&o.options, rows, &o.diag), YO_OK);
    o.err = yo_options_parse(&o.options, arguments, argc, argv, &o.help, &o.diag);
    return o;
}

#define PARSE(arguments, text) parse(arguments, (char[]){text})

static void fails(struct outcome o, enum yo_err err, const char *what, const char *hint) {
    assert_int_equal(o.err, err);
    char text[512];
    yo_diag_format(&o.diag, text, sizeof text);
    if (!strstr(text, what)) fail_msg("no \"%s\" in \"%s\"", what, text);
    if (!strstr(o.diag.hint, hint)) fail_msg("no \"%s\" in hint \"%s\"", hint, o.diag.hint);
    yo_options_free(&o.options);
}

static void test_defaults(void **state) {
    (void)state;
    struct outcome o = PARSE(NULL, "");
    assert_int_equal(o.err, YO_OK);
    assert_int_equal(yo_options_int(&o.options, "size"), 9);
    assert_true(yo_options_real(&o.options, "komi") == 7.5);
    assert_int_equal(yo_options_choice(&o.options, "policy"), 0);
    assert_string_equal(yo_options_text(&o.options, "policy"), "light");
    assert_false(yo_options_bool(&o.options, "json"));
    assert_true(yo_options_bool(&o.options, "color"));
    assert_null(yo_options_text(&o.options, "log-file"));
    assert_false(yo_options_given(&o.options, "size"));
    assert_null(yo_options_argument(&o.options, 0));
    yo_options_free(&o.options);
}

static void test_every_spelling(void **state) {
    (void)state;
    struct outcome o = PARSE(NULL, "--size 13 --komi=-3.5 --policy=mogo --json --no-color "
                                   "--log-file=--odd --seed 9007199254740992");
    assert_int_equal(o.err, YO_OK);
    assert_int_equal(yo_options_int(&o.options, "size"), 13);
    assert_true(yo_options_given(&o.options, "size"));
    assert_true(yo_options_real(&o.options, "komi") == -3.5);
    assert_int_equal(yo_options_choice(&o.options, "policy"), 1);
    assert_true(yo_options_bool(&o.options, "json"));
    assert_false(yo_options_bool(&o.options, "color"));
    assert_string_equal(yo_options_text(&o.options, "log-file"), "--odd");
    assert_true(yo_options_int(&o.options, "seed") == INT64_C(9007199254740992));
    yo_options_free(&o.options);

    o = PARSE(NULL, "--komi -6 --json=yes --color=off --log-file a --log-file b --size 5 --size 7");
    assert_int_equal(o.err, YO_OK);
    assert_true(yo_options_real(&o.options, "komi") == -6);
    assert_true(yo_options_bool(&o.options, "json"));
    assert_false(yo_options_bool(&o.options, "color"));
    assert_string_equal(yo_options_text(&o.options, "log-file"), "b");
    assert_int_equal(yo_options_int(&o.options, "size"), 7);
    yo_options_free(&o.options);
}

static void test_arguments(void **state) {
    (void)state;
    struct outcome o = PARSE(files, "-5 a --size 5 - -- --size -h");
    assert_int_equal(o.err, YO_OK);
    assert_false(o.help);
    static const char *const expected[] = {"-5", "a", "-", "--size", "-h"};
    assert_int_equal(o.options.argument_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(yo_options_argument(&o.options, i), expected[i]);
    assert_null(yo_options_argument(&o.options, 5));
    assert_int_equal(yo_options_int(&o.options, "size"), 5);
    yo_options_free(&o.options);

    fails(PARSE(files, ""), YO_ERR_ARGUMENT, "DEPTH is missing", "how deep");
    fails(PARSE(NULL, "extra"), YO_ERR_ARGUMENT, "extra is one argument too many", "");
    fails(PARSE(one_shell, "bash zsh"), YO_ERR_ARGUMENT, "zsh is one argument too many", "");
    fails(PARSE(one_shell, "bsh"), YO_ERR_UNKNOWN, "bsh is not a SHELL", "did you mean bash?");
    fails(PARSE(one_shell, "powershell"), YO_ERR_UNKNOWN, "is not a SHELL", "it takes bash, zsh");
}

static void test_help_comes_first(void **state) {
    (void)state;
    static const char *const lines[] = {"--help", "-h", "--nonsense -h", "--size 99 --help"};
    for (size_t i = 0; i < 4; i++) {
        char line[64];
        strcpy(line, lines[i]);
        struct outcome o = parse(files, line);
        assert_int_equal(o.err, YO_OK);
        assert_true(o.help);
        yo_options_free(&o.options);
    }
}

static void test_messages(void **state) {
    (void)state;
    fails(PARSE(NULL, "--siez 9"), YO_ERR_UNKNOWN, "no option --siez", "did you mean --size?");
    fails(PARSE(NULL, "--xyzzy"), YO_ERR_UNKNOWN, "no option --xyzzy", "");
    fails(PARSE(NULL, "--xyzzy=1"), YO_ERR_UNKNOWN, "no option --xyzzy", "");
    fails(PARSE(NULL, "-size 9"), YO_ERR_UNKNOWN, "no option -size", "--size");
    fails(PARSE(NULL, "--size 20"), YO_ERR_RANGE, "--size: 20 is out of range", "2 to 19");
    fails(PARSE(NULL, "--size 1"), YO_ERR_RANGE, "1 is out of range", "2 to 19");
    fails(PARSE(NULL, "--size 99999999999999999999"), YO_ERR_RANGE, "out of range", "2 to 19");
    fails(PARSE(NULL, "--size nine"), YO_ERR_PARSE, "nine is not a whole number", "2 to 19");
    fails(PARSE(NULL, "--size 9x"), YO_ERR_PARSE, "9x is not a whole number", "2 to 19");
    fails(PARSE(NULL, "--size="), YO_ERR_PARSE, "an empty value is not", "2 to 19");
    fails(PARSE(NULL, "--size"), YO_ERR_ARGUMENT, "--size needs a value", "2 to 19");
    fails(PARSE(NULL, "--size --json"), YO_ERR_ARGUMENT, "--size needs a value", "2 to 19");
    fails(PARSE(NULL, "--log-file"), YO_ERR_ARGUMENT, "needs a value", "--log-file FILE");
    fails(PARSE(NULL, "--komi nan"), YO_ERR_PARSE, "nan is not a number", "-400 to 400");
    fails(PARSE(NULL, "--komi 0x10"), YO_ERR_PARSE, "0x10 is not a number", "-400 to 400");
    fails(PARSE(NULL, "--komi 401"), YO_ERR_RANGE, "401 is out of range", "-400 to 400");
    fails(PARSE(NULL, "--policy mog"), YO_ERR_UNKNOWN, "mog is not one", "did you mean mogo?");
    fails(PARSE(NULL, "--policy zzz"), YO_ERR_UNKNOWN, "--policy: zzz", "it takes light, mogo");
    fails(PARSE(NULL, "--json=maybe"), YO_ERR_PARSE, "maybe is neither", "true or false");
}

static void test_from_a_protocol(void **state) {
    (void)state;
    struct outcome o = PARSE(NULL, "");
    struct yo_options *set = &o.options;
    assert_int_equal(yo_options_set(set, YO_ON_USI, "Log_File", "x", &o.diag), YO_OK);
    assert_string_equal(yo_options_text(set, "log-file"), "x");
    assert_int_equal(yo_options_set(set, YO_ON_GTP, "policy", "MoGo", &o.diag), YO_OK);
    assert_string_equal(yo_options_text(set, "policy"), "mogo");

    /* An option that does not show in a place does not exist there, not even as a suggestion. */
    assert_int_equal(yo_options_set(set, YO_ON_USI, "policy", "light", &o.diag), YO_ERR_UNKNOWN);
    assert_string_equal(o.diag.hint, "");
    assert_int_equal(yo_options_set(set, YO_ON_GTP, "komy", "1", &o.diag), YO_ERR_UNKNOWN);
    assert_string_equal(o.diag.hint, "did you mean komi?");

    assert_int_equal(yo_options_set(set, YO_ON_GTP, "size", "25", NULL), YO_ERR_RANGE);
    assert_int_equal(yo_options_int(set, "size"), 9);
    assert_false(yo_options_given(set, "size"));
    yo_options_free(set);
}

static void test_bad_default_is_found(void **state) {
    (void)state;
    static const struct yo_option bad[] = {YO_STRING("name", YO_ON_CLI, "x", "S", ""),
                                           YO_INT("size", YO_ON_CLI, "1", 2, 19, "N", ""),
                                           YO_OPTIONS_END};
    struct yo_options options;
    assert_int_equal(yo_options_init(&options, bad, NULL), YO_ERR_RANGE);
    yo_options_free(&options);
}

static void test_out_of_memory(void **state) {
    (void)state;
    static const struct yo_option named[] = {YO_STRING("name", YO_ON_CLI, "x", "S", ""),
                                             YO_OPTIONS_END};
    char *argv[] = {(char[]){"--name=longer"}, (char[]){"a"}};
    int failures = 0;
    for (long n = 0; n < 4; n++) {
        struct yo_options options;
        bool help;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_options_init(&options, named, NULL);
        if (!err) err = yo_options_parse(&options, files, 2, argv, &help, NULL);
        yo_alloc_fail_after(-1);
        failures += err == YO_ERR_NOMEM;
        yo_options_free(&options);
    }
    assert_int_equal(failures, 4); /* the values, the default, the arguments, the new value */
}

static void test_range_text(void **state) {
    (void)state;
    char out[64];
    assert_string_equal(yo_option_range(&rows[0], out, sizeof out), "2 to 19");
    assert_string_equal(yo_option_range(&rows[2], out, sizeof out), "light, mogo");
    assert_string_equal(yo_option_range(&rows[3], out, sizeof out), "");
    assert_string_equal(yo_option_range(&rows[6], out, sizeof out), "0 or more");
    assert_string_equal(yo_option_range(&rows[2], out, 8), "light, ");
}

static void test_edit_distance(void **state) {
    (void)state;
    assert_int_equal(yo_edit_distance("", ""), 0);
    assert_int_equal(yo_edit_distance("abc", ""), 3);
    assert_int_equal(yo_edit_distance("", "abcd"), 4);
    assert_int_equal(yo_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(yo_edit_distance("siez", "size"), 1);
    assert_int_equal(yo_edit_distance("Board_Size", "board-size"), 0);
    char long_a[200], long_b[200];
    memset(long_a, 'a', 199);
    memset(long_b, 'b', 199);
    long_a[199] = long_b[199] = '\0';
    assert_int_equal(yo_edit_distance(long_a, long_b), 63);
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const names[] = {"help", "version", "devices", "play", "perft"};
    static const char *const pairs[][2] = {
        {"hlep", "help"}, {"ver", "version"}, {"device", "devices"},
        {"plya", "play"}, {"PLAY", "play"},   {"q", NULL},
        {"xyzzy", NULL},  {"cat", NULL},      {"prft", "perft"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct yo_nearest nearest = {.text = pairs[i][0]};
        for (size_t n = 0; n < 5; n++)
            yo_nearest_offer(&nearest, names[n]);
        if (pairs[i][1])
            assert_string_equal(nearest.best, pairs[i][1]);
        else
            assert_null(nearest.best);
    }
    assert_true(yo_name_equal("Board_Size", "board-size"));
    assert_false(yo_name_equal("board", "board-size"));
    assert_false(yo_name_equal("board-size", "board"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_spelling),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_help_comes_first),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_from_a_protocol),
        cmocka_unit_test(test_bad_default_is_found),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_range_text),
        cmocka_unit_test(test_edit_distance),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
