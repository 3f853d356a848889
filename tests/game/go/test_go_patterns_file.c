/* Patterns as text: what is written comes out, and what is wrong is told with its place. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/playout/cuda/cuda.h"
#include "game/go/patterns.h"

static struct yo_go_patterns table;

static enum yo_err parse(const char *text, struct yo_diag *diag) {
    *diag = (struct yo_diag){0};
    return yo_go_patterns_parse(text, strlen(text), "own", &table, diag);
}

/* Directions of a code: N E S W, NE SE SW NW. */
static unsigned code_of(const char *shape) {
    static const int place[8] = {1, 5, 7, 3, 2, 8, 6, 0};
    static const char symbols[] = ".XO#";
    unsigned code = 0;
    for (int d = 0; d < 8; d++)
        code |= (unsigned)(strchr(symbols, shape[place[d]]) - symbols) << 2 * d;
    return code;
}

static bool fits(enum yo_go_color color, const char *shape) {
    return yo_go_patterns_match(&table, color, code_of(shape));
}

static void is_what_is_written(void **state) {
    (void)state;
    struct yo_diag diag;
    assert_int_equal(parse("// one\r\nX X ?\r\n. + .\r\n? . ?\r\n", &diag), YO_OK);
    assert_true(fits(YO_GO_BLACK, "XX......."));
    assert_true(fits(YO_GO_WHITE, "..O..O...")); /* turned and swapped */
    assert_false(fits(YO_GO_BLACK, "XO......."));
    assert_int_equal(parse("XX?\n.+.\n?.?\nblack", &diag), YO_OK);
    assert_true(fits(YO_GO_BLACK, "XX......."));
    assert_false(fits(YO_GO_WHITE, "XX......."));
    assert_true(fits(YO_GO_WHITE, "OO......."));
    assert_int_equal(parse("XX?\n.+.\n?.?\n\nunless\nXXX\n?+?\n???\n", &diag), YO_OK);
    assert_true(fits(YO_GO_BLACK, "XXO......"));
    assert_false(fits(YO_GO_BLACK, "XXX......"));
    assert_int_equal(parse("OOO\nO+O\nOOO\nXX?\n.+.\n?.?", &diag), YO_OK); /* two of them */
    assert_true(fits(YO_GO_WHITE, "OOOO.OOOO"));
    assert_true(fits(YO_GO_WHITE, "XX......."));
    assert_false(fits(YO_GO_WHITE, "OOOO.OOO."));
}

static void refuses(const char *text, int line, int column, const char *what) {
    struct yo_diag diag;
    if (parse(text, &diag) == YO_OK) fail_msg("takes %s", text);
    if (diag.line != line || diag.column != column || !strstr(diag.what, what))
        fail_msg("%s: %d:%d: %s", text, diag.line, diag.column, diag.what);
    assert_string_equal(diag.where, "own");
}

static void mistakes_are_told(void **state) {
    (void)state;
    refuses("", 0, 0, "no pattern in this file");
    refuses("// nothing\n\n", 2, 0, "no pattern in this file");
    refuses("XO?\n.+.\n", 2, 1, "three rows");
    refuses("XO?\n\n.+.\n", 2, 1, "three rows");
    refuses("XO?\n.+.\n??\n", 3, 3, "three symbols");
    refuses("XO?\n.+.\n????\n", 3, 4, "three symbols");
    refuses("XO?\n.+Y\n???\n", 2, 3, "no symbol");
    refuses("XO?\n...\n???\n", 2, 2, "the middle of a pattern is +");
    refuses("XO+\n.+.\n???\n", 1, 3, "for the middle alone");
    refuses("black\nXO?\n.+.\n???\n", 1, 1, "no pattern before this");
    refuses("unless\nXO?\n.+.\n???\n", 1, 1, "no pattern before this");
    refuses("XO?\n.+.\n???\nunless\n", 4, 1, "behind unless");
    refuses("XO?\n.+.\n???\nunless\nblack\n", 5, 1, "no symbol");
    refuses("X.?\n.+.\n???\nunless\nXO?\n.+.\n???\nunless\nXO?\n.+.\n???\nunless\nXO?\n.+.\n???\n",
            12, 1, "at most two");
    struct yo_diag diag;
    assert_int_equal(yo_go_patterns_parse("XO\0\n.+.\n???", 11, NULL, &table, &diag), YO_ERR_PARSE);
    assert_int_equal(diag.column, 3);
    char *many = malloc(1001 * 12 + 1);
    for (int i = 0; i <= 1000; i++)
        strcpy(many + 12 * i, "OOO\nO+O\nOOO\n");
    refuses(many, 3001, 1, "too many");
    free(many);
}

/* A table of its own: what is built in stays as it is. */
static void reads_a_file(void **state) {
    (void)state;
    char path[] = "/tmp/yomi-patterns-XXXXXX";
    struct yo_diag diag;
    struct yo_go_patterns *patterns = NULL;
    int fd = mkstemp(path);
    static const char text[] = "OOO\nO+O\nOOO\n";
    const unsigned hane = code_of("XOX......"), eye = code_of("OOOO.OOOO");
    assert_true(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    assert_int_equal(yo_go_patterns_load(path, &patterns, &diag), YO_OK);
    assert_false(yo_go_patterns_match(patterns, YO_GO_BLACK, hane));
    assert_true(yo_go_patterns_match(patterns, YO_GO_BLACK, eye));
    assert_true(yo_go_patterns_match(yo_go_patterns(), YO_GO_BLACK, hane));
    struct yo_playout_env env = {.patterns = patterns};
    assert_true(yo_playout_supports(&yo_playout_cuda, &yo_playout_env_default, YO_PLAYOUT_MOGO, 9));
    assert_false(yo_playout_supports(&yo_playout_cuda, &env, YO_PLAYOUT_MOGO, 9));
    assert_true(yo_playout_supports(&yo_playout_cuda, &env, YO_PLAYOUT_LIGHT, 9));
    yo_free(patterns);
    assert_int_equal(ftruncate(fd, 5), 0);
    assert_int_equal(yo_go_patterns_load(path, &patterns, &diag), YO_ERR_PARSE);
    close(fd);
    unlink(path);
    assert_int_equal(yo_go_patterns_load(path, &patterns, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_is_written),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(reads_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
