/* The unit of an evaluation: larger values, larger unit. */
#include "support/test.h"

#include "eval/shogi/net_eval.h"
#include "eval/shogi/net_open.h"
#include "eval/shogi/unit.h"

static int factor;

static int scaled(const void *net, const struct yo_shogi_position *pos, void *state) {
    return yo_shogi_eval_material.value(net, pos, state) * factor / 4;
}

/* Values times a number: a unit times that number. */
static void follows_the_values(void **unused) {
    (void)unused;
    struct yo_shogi_eval eval = yo_shogi_eval_material;
    int usual = yo_shogi_eval_unit(&eval);
    assert_true(usual > 30 && usual < 150);
    eval.value = scaled;
    for (factor = 1; factor <= 4; factor++) {
        int unit = yo_shogi_eval_unit(&eval), wanted = usual * factor / 4;
        assert_true(unit >= wanted - 2 && unit <= wanted + 2);
    }
    factor = 0;
    assert_int_equal(yo_shogi_eval_unit(&eval), 1);
}

/* The scale of a network's output is part of its unit. */
static void follows_the_scale(void **unused) {
    (void)unused;
    struct yo_shogi_net *net;
    assert_int_equal(yo_shogi_net_open("builtin", &net, NULL), YO_OK);
    net->scale = 32; /* so that few values are cut */
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    int usual = yo_shogi_eval_unit(&eval);
    assert_int_equal(yo_shogi_eval_unit(&eval), usual);
    net->scale = 16;
    int twice = yo_shogi_eval_unit(&eval);
    assert_true(usual >= 10 && usual <= 200);
    assert_true(twice >= 2 * usual - 2 && twice <= 2 * usual + 2);
    yo_shogi_net_delete(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_values),
        cmocka_unit_test(follows_the_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
