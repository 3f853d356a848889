/* EvalFile and FV_SCALE over USI: networks come and go between searches. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "protocol/usi/usi.h"

static struct yo_buf said;

static void hear(void *user, const char *line) {
    (void)user;
    yo_buf_printf(&said, "%s\n", line);
}

static void tell(struct yo_usi *usi, const char *line) { yo_usi_line(usi, line); }

/* What is said until the answer of a short search. */
static const char *think(struct yo_usi *usi) {
    yo_buf_clear(&said);
    /* White's rook is in Black's hand. */
    tell(usi, "position sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
    tell(usi, "go depth 4");
    yo_usi_wait(usi);
    assert_non_null(strstr(yo_buf_text(&said), "bestmove "));
    return yo_buf_text(&said);
}

static int score(struct yo_usi *usi) {
    const char *at = think(usi), *last = NULL;
    while ((at = strstr(at, "score cp ")))
        last = at++;
    assert_non_null(last);
    int value;
    assert_int_equal(sscanf(last, "score cp %d", &value), 1);
    return value;
}

static void networks_come_and_go(void **unused) {
    (void)unused;
    struct yo_usi *usi;
    assert_int_equal(yo_usi_new(&(struct yo_usi_config){.write = hear, .tune = false}, &usi, NULL),
                     YO_OK);
    tell(usi, "setoption name USI_Hash value 1");
    tell(usi, "setoption name EvalFile value material");
    tell(usi, "isready");
    int material = score(usi);
    tell(usi, "setoption name EvalFile value builtin");
    tell(usi, "isready");
    int net = score(usi);
    assert_int_not_equal(net, material);
    assert_true(net > 200);
    tell(usi, "setoption name FV_SCALE value 1");
    assert_true(score(usi) > 4 * net); /* taken over without isready too */
    tell(usi, "setoption name FV_SCALE value 16");
    tell(usi, "setoption name Threads value 2");
    score(usi);
    tell(usi, "setoption name Threads value 1");
    tell(usi, "setoption name EvalFile value material");
    tell(usi, "isready");
    tell(usi, "usinewgame");
    assert_int_equal(score(usi), material);
    yo_usi_delete(usi);
}

static void bad_files_are_said_once(void **unused) {
    (void)unused;
    struct yo_usi *usi;
    assert_int_equal(yo_usi_new(&(struct yo_usi_config){.write = hear, .tune = false}, &usi, NULL),
                     YO_OK);
    tell(usi, "setoption name USI_Hash value 1");
    tell(usi, "setoption name EvalFile value builtin");
    tell(usi, "isready");
    yo_buf_clear(&said);
    tell(usi, "setoption name EvalFile value /no such folder/nn.bin");
    tell(usi, "isready");
    assert_non_null(strstr(yo_buf_text(&said), "cannot open /no such folder/nn.bin"));
    assert_non_null(strstr(yo_buf_text(&said), "expected K-P or HalfKP"));
    assert_non_null(strstr(yo_buf_text(&said), "evaluating by HalfKA zones"));
    assert_non_null(strstr(yo_buf_text(&said), "readyok"));
    assert_null(strstr(think(usi), "cannot open"));
    yo_usi_delete(usi);
}

/* Before anything evaluated, too: the built-in network does. */
static void a_bad_file_at_first(void **unused) {
    (void)unused;
    struct yo_usi *usi;
    assert_int_equal(yo_usi_new(&(struct yo_usi_config){.write = hear, .tune = false}, &usi, NULL),
                     YO_OK);
    yo_buf_clear(&said);
    tell(usi, "setoption name USI_Hash value 1");
    tell(usi, "setoption name EvalFile value /no such folder/nn.bin");
    tell(usi, "isready");
    assert_non_null(strstr(yo_buf_text(&said), "cannot open /no such folder/nn.bin"));
    assert_non_null(strstr(yo_buf_text(&said), "evaluating by HalfKA zones"));
    assert_non_null(strstr(yo_buf_text(&said), "readyok"));
    int bad = score(usi);
    tell(usi, "usinewgame");
    tell(usi, "setoption name EvalFile value builtin");
    tell(usi, "isready");
    assert_int_equal(score(usi), bad);
    yo_usi_delete(usi);
}

static int tear_down(void **unused) {
    (void)unused;
    yo_buf_free(&said);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_come_and_go),
        cmocka_unit_test(bad_files_are_said_once),
        cmocka_unit_test(a_bad_file_at_first),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
