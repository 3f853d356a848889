/* SGF: the tree that is read, the text that is written, and what is said about broken files. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "support/sgf_same.h"

static struct yo_sgf *parse(const char *text) {
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag = {0};
    if (yo_sgf_parse(text, strlen(text), "test", &sgf, &diag) != YO_OK)
        fail_msg("%s: %d:%d %s", text, diag.line, diag.column, diag.what);
    return sgf;
}

static void assert_written(const char *text, const char *expected) {
    struct yo_sgf *sgf = parse(text);
    char *out;
    size_t len;
    assert_int_equal(yo_sgf_write(sgf, &out, &len), YO_OK);
    assert_string_equal(out, expected);
    assert_int_equal(len, strlen(expected));
    yo_sgf_free_text(out);
    yo_sgf_delete(sgf);
}

static void tree_has_the_file_s_shape(void **state) {
    (void)state;
    struct yo_sgf *sgf = parse("(;A[1];B[2](;C[3];D[4])(;E[5](;F[6])(;G[7]))) (;H[8])");
    assert_int_equal(yo_sgf_game_count(sgf), 2);
    struct yo_sgf_node *a = yo_sgf_root(sgf, 0), *b = yo_sgf_child(a), *c = yo_sgf_child(b);
    struct yo_sgf_node *e = yo_sgf_sibling(c), *f = yo_sgf_child(e), *g = yo_sgf_sibling(f);
    assert_null(yo_sgf_parent(a));
    assert_null(yo_sgf_sibling(b));
    assert_string_equal(yo_sgf_get(yo_sgf_child(c), "D", 0), "4");
    assert_string_equal(yo_sgf_get(e, "E", 0), "5");
    assert_string_equal(yo_sgf_get(g, "G", 0), "7");
    assert_ptr_equal(yo_sgf_parent(g), e);
    assert_ptr_equal(yo_sgf_parent(e), b);
    assert_null(yo_sgf_sibling(g));
    assert_null(yo_sgf_child(g));
    assert_string_equal(yo_sgf_get(yo_sgf_root(sgf, 1), "H", 0), "8");
    assert_null(yo_sgf_root(sgf, 2));
    yo_sgf_delete(sgf);
}

static void properties_keep_order_and_place(void **state) {
    (void)state;
    struct yo_sgf *sgf = parse("(;\n  ZZ[x]AB[aa]\r\n[bb] C [é]LB[]\rAB[cc];)");
    struct yo_sgf_node *root = yo_sgf_root(sgf, 0);
    static const char *const ids[] = {"ZZ", "AB", "C", "LB", "AB"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(yo_sgf_id(root, i), ids[i]);
    assert_null(yo_sgf_id(root, 5));
    assert_int_equal(yo_sgf_count(root, "AB"), 3);
    assert_string_equal(yo_sgf_get(root, "AB", 2), "cc");
    assert_null(yo_sgf_get(root, "AB", 3));
    assert_string_equal(yo_sgf_get(root, "LB", 0), "");
    int line, column;
    yo_sgf_place(root, "AB", &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 8);
    yo_sgf_place(root, "LB", &line, &column);
    assert_int_equal(line, 3);
    assert_int_equal(column, 11); /* characters, not bytes */
    yo_sgf_place(root, "XX", &line, &column);
    assert_int_equal(line, 0);
    assert_null(yo_sgf_id(yo_sgf_child(root), 0));
    yo_sgf_delete(sgf);
}

static void values_are_decoded(void **state) {
    (void)state;
    static const struct {
        const char *id, *raw, *text;
    } cases[] = {
        {"C", "a\\]b\\\\c\\:d:e", "a]b\\c:d:e"},
        {"C", "one\\\ntwo\nthree\r\nfour\\\r\nfive\n\rsix", "onetwo\nthree\nfourfive\nsix"},
        {"C", "tab\there\vand\fthere", "tab here and there"},
        {"C", "[open [is plain", "[open [is plain"},
        {"C", "\\n\\x", "nx"},
        {"PB", "two\nlines\\\n joined", "two lines joined"},
        {"XX", "\n\n", "\n\n"},
        {"C", " space is kept ", " space is kept "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "(;%s[%s])", cases[i].id, cases[i].raw);
        struct yo_sgf *sgf = parse(text);
        assert_string_equal(yo_sgf_get(yo_sgf_root(sgf, 0), cases[i].id, 0), cases[i].text);
        assert_string_equal(yo_sgf_raw(yo_sgf_root(sgf, 0), cases[i].id, 0), cases[i].raw);
        yo_sgf_delete(sgf);
    }
}

static void old_ids_are_their_capitals(void **state) {
    (void)state;
    struct yo_sgf *sgf = parse("(;GaMe[1]Black[aa]AddWhite[bb]lower[x])");
    struct yo_sgf_node *root = yo_sgf_root(sgf, 0);
    assert_string_equal(yo_sgf_get(root, "B", 0), "aa");
    assert_string_equal(yo_sgf_get(root, "AW", 0), "bb");
    assert_string_equal(yo_sgf_get(root, "GM", 0), "1");
    assert_string_equal(yo_sgf_get(root, "lower", 0), "x");
    yo_sgf_delete(sgf);
    assert_written("(;GaMe[1]Black[aa])", "(;GaMe[1]CA[UTF-8]Black[aa])\n");
}

static void writes_what_it_read(void **state) {
    (void)state;
    assert_written("(;FF[4]GM[1]SZ[9];B[aa];W[bb])", "(;FF[4]GM[1]CA[UTF-8]SZ[9]\n;B[aa];W[bb])\n");
    assert_written(" ( ; CA [GBK]\nB [ aa ]\n( ; W[] ) ( ;W[tt] ) )",
                   "(;CA[UTF-8]B[ aa ]\n(;W[])\n(;W[tt]))\n");
    assert_written("(;(;)(;))", "(;CA[UTF-8]\n(;)\n(;))\n");
    assert_written("(;C[a\\]\\\\\\:\\\n])(;)", "(;CA[UTF-8]C[a\\]\\\\\\:\\\n])\n(;CA[UTF-8])\n");
}

static void warns_of_text_around_the_games(void **state) {
    (void)state;
    static const char *const texts[] = {"From: me (you)\n[x] y(;B[aa])", "(;B[aa])\n:-) bye",
                                        "(;B[aa]) and (;W[bb])"};
    for (size_t i = 0; i < 3; i++) {
        struct yo_sgf *sgf = parse(texts[i]);
        assert_string_equal(yo_sgf_get(yo_sgf_root(sgf, 0), "B", 0), "aa");
        assert_non_null(yo_sgf_warning(sgf, 0));
        assert_int_equal(yo_sgf_warning(sgf, 0)->line, i == 1 ? 2 : 1);
        assert_null(yo_sgf_warning(sgf, 1));
        yo_sgf_delete(sgf);
    }
    struct yo_sgf *sgf = parse(" \r\n (;B[aa])\n\n");
    assert_null(yo_sgf_warning(sgf, 0));
    yo_sgf_delete(sgf);
}

static const struct {
    const char *text;
    int line, column;
    const char *what;
} broken[] = {
    {"", 1, 1, "no game"},
    {"hello", 1, 1, "no game"},
    {"\n;B[aa])", 2, 1, "outside of a game"},
    {"(B[aa])", 1, 1, "no game"},
    {"(;B)", 1, 3, "B has no value"},
    {"(;B[aa] W;B[bb])", 1, 9, "W has no value"},
    {"(;B[aa] some text;)", 1, 9, "some has no value"},
    {"(;[aa])", 1, 3, "without a property"},
    {"(;B[aa]];W[bb])", 1, 8, "unexpected ']'"},
    {"(;é[aa])", 1, 3, "unexpected byte 0xc3"},
    {"(;C[é é]\n  ?)", 2, 3, "unexpected '?'"},
    {"(;C[é é]?)", 1, 9, "unexpected '?'"}, /* the ninth character, the eleventh byte */
    {"(;B[aa]()(;W[bb]))", 1, 8, "without a node"},
    {"(;B[aa](W[bb]))", 1, 8, "without a node"},
    {"(;B[aa](;W[bb]);W[cc])", 1, 16, "follows a variation"},
    {"(;B[aa](;W[bb])C[x])", 1, 16, "follows a variation"},
    {"(;B[aa]))", 1, 9, "unexpected ')'"},
    {"(;B[aa]);W[bb])", 1, 9, "unexpected ';'"},
    {"(;B[aa]) W[bb]", 1, 11, "without a property"},
};

static void broken_files_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct yo_sgf *sgf = NULL;
        struct yo_diag diag = {0};
        const char *text = broken[i].text;
        enum yo_err err = yo_sgf_parse(text, strlen(text), "broken.sgf", &sgf, &diag);
        if (err != YO_ERR_PARSE || diag.line != broken[i].line || diag.column != broken[i].column ||
            !strstr(diag.what, broken[i].what))
            fail_msg("%s: %d, %d:%d %s", text, err, diag.line, diag.column, diag.what);
        assert_null(sgf);
        assert_string_equal(diag.where, "broken.sgf");
        assert_true(diag.hint[0] != '\0');
        assert_int_equal(yo_sgf_parse(text, strlen(text), NULL, &sgf, NULL), YO_ERR_PARSE);
    }
    struct yo_sgf *sgf = NULL;
    assert_int_equal(yo_sgf_parse("(;C[\0])", 7, "nul", &sgf, NULL), YO_ERR_PARSE);
    assert_int_equal(yo_sgf_parse("(;\0)", 4, "nul", &sgf, NULL), YO_ERR_PARSE);
}

static const struct {
    const char *text;
    int line, column;
    const char *what, *kept;
} cut[] = {
    {"(;B[aa]", 1, 8, "1 ( still open", "(;B[aa])"},
    {"(;B[aa](;W[bb]\n", 2, 1, "2 ( still open", "(;B[aa];W[bb])"},
    {"(;\nC[no end\n)", 2, 2, "C that begins here", "(;)"},
    {"(;C[no end\\]", 1, 4, "C that begins here", "(;)"},
    {"(;C[no end\\", 1, 4, "C that begins here", "(;)"},
    {"(;B[aa];W", 1, 9, "W has no value", "(;B[aa];)"},
    {"(;B[aa];AW[ab][b", 1, 15, "AW that begins here", "(;B[aa];AW[ab])"},
    {"(;B[aa](", 1, 8, "without a node", "(;B[aa])"},
    {"(;B[aa](;W[bb])(;W[cc", 1, 19, "W that begins here", "(;B[aa](;W[bb])(;))"},
    {"(;B[aa])(;B[bb];W[c", 1, 18, "W that begins here", "(;B[aa])(;B[bb];)"},
};

static void assert_same(const struct yo_sgf *sgf, const char *text) {
    struct yo_sgf *other = parse(text);
    if (!sgf_same(sgf, other)) fail_msg("not as %s", text);
    yo_sgf_delete(other);
}

static void cut_files_are_read_as_far_as_they_go(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        struct yo_sgf *sgf = parse(cut[i].text);
        const struct yo_diag *warning = yo_sgf_warning(sgf, 0);
        if (!warning || warning->line != cut[i].line || warning->column != cut[i].column ||
            !strstr(warning->what, cut[i].what))
            fail_msg("%s: %d:%d %s", cut[i].text, warning ? warning->line : 0,
                     warning ? warning->column : 0, warning ? warning->what : "no warning");
        assert_true(warning->hint[0] != '\0');
        assert_null(yo_sgf_warning(sgf, 1));
        assert_same(sgf, cut[i].kept);
        yo_sgf_delete(sgf);
    }
}

/* Any file cut off anywhere gives a warning, or an error as long as there is no node. */
static void every_prefix_is_told(void **state) {
    (void)state;
    const char *text = "(;GM[1]C[a\\]b](;B[aa];W[bb])(;B[cc]LB[aa:x][bb:y]))";
    for (size_t len = 0; len < strlen(text); len++) {
        struct yo_sgf *sgf = NULL;
        struct yo_diag diag = {0};
        enum yo_err err = yo_sgf_parse(text, len, "cut", &sgf, &diag);
        assert_int_equal(err, len < 2 ? YO_ERR_PARSE : YO_OK);
        if (!err) diag = *yo_sgf_warning(sgf, 0);
        assert_true(diag.line == 1 && diag.column >= 1 && diag.column <= (int)len + 1);
        yo_sgf_delete(sgf);
    }
}

/* A guess of the charset may hide the end of a value: that is an error, as other mistakes are. */
static void a_guessed_charset_is_no_cut_file(void **state) {
    (void)state;
    const char *text = "(;B[aa]C[\x83\\])"; /* Shift_JIS, without CA */
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag = {0};
    assert_int_equal(yo_sgf_parse(text, strlen(text), "x", &sgf, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.hint, "CA[GBK]"));
}

/* Nodes must not need stack frames, in either direction: so many would overflow any usual stack. */
static void deep_files_are_read(void **state) {
    (void)state;
    enum { DEPTH = 300000 };
    static const struct {
        const char *open, *close;
        size_t more;
    } shapes[] = {{";B[aa]", "", 0}, {"(;B[aa]", ")", 0}, {"(;B[aa](;)", ")", 1}};
    for (size_t s = 0; s < 3; s++) {
        struct yo_buf text = {0};
        yo_buf_str(&text, "(;GM[1]");
        for (int i = 0; i < DEPTH; i++)
            yo_buf_str(&text, shapes[s].open);
        for (int i = 0; i < DEPTH; i++)
            yo_buf_str(&text, shapes[s].close);
        yo_buf_str(&text, ")");
        assert_int_equal(yo_buf_status(&text), YO_OK);
        struct yo_sgf *sgf = parse(yo_buf_text(&text));
        size_t depth = 0;
        for (const struct yo_sgf_node *n = yo_sgf_root(sgf, 0); n; n = n->last_child)
            depth++;
        assert_int_equal(depth, DEPTH + 1 + shapes[s].more);
        char *out;
        size_t len;
        assert_int_equal(yo_sgf_write(sgf, &out, &len), YO_OK);
        struct yo_sgf *again = parse(out);
        assert_true(sgf_same(sgf, again));
        yo_sgf_free_text(out);
        yo_sgf_delete(again);
        yo_sgf_delete(sgf);
        yo_buf_free(&text);
    }
}

static void trees_can_be_changed(void **state) {
    (void)state;
    struct yo_sgf *sgf;
    struct yo_sgf_node *child;
    assert_int_equal(yo_sgf_new(9, &sgf), YO_OK);
    struct yo_sgf_node *root = yo_sgf_root(sgf, 0);
    assert_string_equal(yo_sgf_get(root, "SZ", 0), "9");
    assert_string_equal(yo_sgf_charset(sgf), "UTF-8");
    assert_int_equal(yo_sgf_set(sgf, root, "C", "a]\\b: 囲碁\n"), YO_OK);
    assert_string_equal(yo_sgf_get(root, "C", 0), "a]\\b: 囲碁\n");
    assert_string_equal(yo_sgf_raw(root, "C", 0), "a\\]\\\\b: 囲碁\n");
    assert_int_equal(yo_sgf_add(sgf, root, "AB", "aa"), YO_OK);
    assert_int_equal(yo_sgf_add(sgf, root, "AB", "bb"), YO_OK);
    assert_int_equal(yo_sgf_count(root, "AB"), 2);
    assert_int_equal(yo_sgf_set(sgf, root, "AB", "cc"), YO_OK);
    assert_int_equal(yo_sgf_count(root, "AB"), 1);
    assert_int_equal(yo_sgf_node_new(sgf, root, &child), YO_OK);
    assert_ptr_equal(yo_sgf_parent(child), root);
    assert_int_equal(yo_sgf_set(sgf, child, "b", "aa"), YO_ERR_ARGUMENT);
    assert_int_equal(yo_sgf_set(sgf, child, "", "aa"), YO_ERR_ARGUMENT);
    assert_int_equal(yo_sgf_set(sgf, child, "C", "\xff"), YO_ERR_ARGUMENT);
    assert_null(yo_sgf_id(child, 0));
    yo_sgf_delete(sgf);
    assert_int_equal(yo_sgf_new(20, &sgf), YO_ERR_RANGE);

    sgf = parse("(;AB[aa]C[x]AB[bb])");
    root = yo_sgf_root(sgf, 0);
    assert_int_equal(yo_sgf_set(sgf, root, "AB", "cc"), YO_OK);
    assert_int_equal(yo_sgf_add(sgf, root, "N", "last"), YO_OK);
    char *out;
    size_t len;
    assert_int_equal(yo_sgf_write(sgf, &out, &len), YO_OK);
    assert_string_equal(out, "(;CA[UTF-8]AB[cc]C[x]N[last])\n");
    yo_sgf_free_text(out);
    yo_sgf_delete(sgf);
}

static enum yo_err round_trip(const char *text, size_t len) {
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag;
    enum yo_err err = yo_sgf_parse(text, len, "memory", &sgf, &diag);
    if (!err) err = yo_sgf_set(sgf, yo_sgf_root(sgf, 0), "GN", "name");
    char *out = NULL;
    if (!err) err = yo_sgf_write(sgf, &out, &len);
    yo_sgf_free_text(out);
    yo_sgf_delete(sgf);
    return err;
}

static void running_out_of_memory_is_an_error(void **state) {
    (void)state;
    const char *text = "(;CA[GBK]PB[\xc6\xe5\xca\xd6]C[a\\]b](;B[aa])(;B[bb]Black[cc]))(;)";
    enum yo_err err = YO_ERR_NOMEM;
    long n = 0;
    for (; n < 1000 && err != YO_OK; n++) {
        yo_alloc_fail_after(n);
        err = round_trip(text, strlen(text));
        yo_alloc_fail_after(-1);
        assert_true(err == YO_OK || err == YO_ERR_NOMEM);
    }
    assert_int_equal(err, YO_OK);
    assert_true(n > 5);
}

static void files_that_cannot_be_read(void **state) {
    (void)state;
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag = {0};
    assert_int_equal(yo_sgf_load("tests/data/sgf/absent.sgf", &sgf, &diag), YO_ERR_IO);
    assert_string_equal(diag.where, "tests/data/sgf/absent.sgf");
    assert_int_equal(yo_sgf_load("tests/data/sgf", &sgf, &diag), YO_ERR_IO);
    assert_int_equal(yo_sgf_load("/dev/zero", &sgf, &diag), YO_ERR_RANGE);
    assert_int_equal(yo_sgf_load("/dev/null", &sgf, &diag), YO_ERR_PARSE);
    assert_int_equal(yo_sgf_parse(NULL, 0, NULL, &sgf, &diag), YO_ERR_PARSE);
    assert_null(sgf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_has_the_file_s_shape),
        cmocka_unit_test(properties_keep_order_and_place),
        cmocka_unit_test(values_are_decoded),
        cmocka_unit_test(old_ids_are_their_capitals),
        cmocka_unit_test(writes_what_it_read),
        cmocka_unit_test(warns_of_text_around_the_games),
        cmocka_unit_test(broken_files_are_told),
        cmocka_unit_test(cut_files_are_read_as_far_as_they_go),
        cmocka_unit_test(a_guessed_charset_is_no_cut_file),
        cmocka_unit_test(every_prefix_is_told),
        cmocka_unit_test(deep_files_are_read),
        cmocka_unit_test(trees_can_be_changed),
        cmocka_unit_test(running_out_of_memory_is_an_error),
        cmocka_unit_test(files_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
