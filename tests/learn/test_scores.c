/* Training positions scored anew, by an evaluator whose chances are known. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/packed.h"
#include "learn/scores.h"
#include "support/shogi_random.h"

enum { COUNT = 2 * 8192 + 77 }; /* two whole portions and a part */

/* The chance depends on the position alone. */
static float chance_of(const struct yo_shogi_position *pos) {
    uint8_t bytes[YO_SHOGI_PACKED];
    unsigned sum = 0;
    assert_int_equal(yo_shogi_pack(pos, bytes), YO_OK);
    for (size_t i = 0; i < sizeof bytes; i++)
        sum = 31 * sum + bytes[i];
    return sum % 50 == 0 ? 1 : sum % 50 == 1 ? 0 : (float)(sum % 1000 + 1) / 1002;
}

static long waited, failing; /* the number of the batch that fails; 0: none */
static bool overflows;       /* the network's numbers, at sample 100 */

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    (void)ctx, (void)diag;
    for (size_t i = 0; i < batch->item_count; i++) {
        const struct yo_shogi_state *state = batch->items[i].position;
        assert_int_equal(batch->items[i].want, YO_EVAL_VALUE);
        batch->items[i].results->value.win = chance_of(&state->position);
    }
    if (overflows) batch->items[100].results->value.win = NAN;
    return YO_OK;
}

static enum yo_err wait_for(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    if (++waited == failing) yo_diag_set(&batch->diag, YO_ERR_STATE, "it broke");
    return waited == failing ? YO_ERR_STATE : YO_OK;
}

static const struct yo_eval_ops ops = {.submit = submit, .wait = wait_for};
static uint8_t samples[COUNT * YO_SHOGI_SAMPLE], before[sizeof samples];

static void make_samples(void) {
    struct yo_shogi_position pos;
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        struct yo_shogi_sample s = {.score = (int16_t)(i % 4001 - 2000),
                                    .ply = (uint16_t)(i % 300),
                                    .result = (int8_t)(i % 3 - 1),
                                    .flags = (uint8_t)(i % 4)};
        shogi_random_game(&random, (int)(i % 40), &pos);
        assert_int_equal(yo_shogi_pack(&pos, s.position), YO_OK);
        yo_shogi_sample_write(&s, before + i * YO_SHOGI_SAMPLE);
    }
}

static enum yo_err replace(double share, struct yo_diag *diag) {
    waited = 0;
    memcpy(samples, before, sizeof samples);
    return yo_scores_replace((struct yo_eval){&ops, NULL},
                             &(struct yo_scores_mix){.scale = 300, .share = share}, samples, COUNT,
                             "games.psv", NULL, NULL, diag);
}

static void scores_are_those_of_the_evaluator(void **unused) {
    (void)unused;
    static const double shares[] = {1, 0.25, 0};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(replace(shares[k], NULL), YO_OK);
        for (size_t i = 0; i < COUNT; i++) {
            struct yo_shogi_sample was, is;
            struct yo_shogi_position pos;
            yo_shogi_sample_read(before + i * YO_SHOGI_SAMPLE, &was, NULL);
            assert_int_equal(yo_shogi_sample_read(samples + i * YO_SHOGI_SAMPLE, &is, NULL), YO_OK);
            assert_int_equal(yo_shogi_unpack(is.position, &pos, NULL), YO_OK);
            double chance = chance_of(&pos);
            double found = chance == 1 ? 30000 : chance == 0 ? -30000 : -300 * log(1 / chance - 1);
            double wanted = shares[k] * found + (1 - shares[k]) * was.score;
            assert_true(fabs(is.score - wanted) <= 0.501);
            is.score = was.score; /* and nothing else has changed */
            assert_memory_equal(&is, &was, sizeof is);
        }
    }
}

static void errors_are_told(void **unused) {
    (void)unused;
    struct yo_diag diag = {0};
    for (failing = 1; failing <= 3; failing++) {
        assert_int_equal(replace(1, &diag), YO_ERR_STATE);
        assert_string_equal(diag.what, "it broke");
        assert_true(waited >= failing && waited <= failing + 1);
    }
    failing = 0;
    overflows = true;
    assert_int_equal(replace(1, &diag), YO_ERR_STATE);
    assert_string_equal(diag.where, "games.psv: position 101");
    overflows = false;
    memset(before + 9000L * YO_SHOGI_SAMPLE, 0, YO_SHOGI_PACKED);
    assert_int_not_equal(replace(1, &diag), YO_OK);
    assert_string_equal(diag.where, "games.psv: position 9001");
    assert_int_equal(waited, 1); /* for the first portion, which was on its way */
}

int main(void) {
    make_samples();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_evaluator),
        cmocka_unit_test(errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
