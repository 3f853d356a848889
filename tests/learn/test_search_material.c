/* Fitting the evaluation's weights: positions whose values come from known weights give these back.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "game/shogi/packed.h"
#include "learn/material.h"
#include "support/shogi_random.h"

enum { POSITIONS = 6000 };

/* Training positions whose scores are what `teacher` says. */
static size_t write_samples(const struct yo_shogi_material_weights *teacher, uint8_t *bytes) {
    uint64_t state = 5;
    size_t count = 0;
    while (count < POSITIONS) {
        struct yo_shogi_position pos;
        struct yo_shogi_sample sample = {.flags = YO_SHOGI_SAMPLE_QUIET};
        shogi_random_game(&state, 20 + (int)shogi_random(&state, 150), &pos);
        if (yo_shogi_pack(&pos, sample.position) != YO_OK) continue;
        int value = yo_shogi_material_by(teacher, &pos);
        if (value < -3000 || value > 3000) continue;
        sample.score = (int16_t)value;
        sample.result = (int8_t)(value > 0 ? 1 : value < 0 ? -1 : 0);
        yo_shogi_sample_write(&sample, bytes + YO_SHOGI_SAMPLE * count++);
    }
    return count * YO_SHOGI_SAMPLE;
}

/* How far two sets of weights are apart, on average over positions. Single weights say less: what a
 * gold is worth can as well be in all of its distances. */
static double apart(const struct yo_shogi_material_weights *a,
                    const struct yo_shogi_material_weights *b) {
    uint64_t state = 11;
    double sum = 0;
    for (int i = 0; i < 300; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, 20 + (int)shogi_random(&state, 150), &pos);
        sum += abs(yo_shogi_material_by(a, &pos) - yo_shogi_material_by(b, &pos));
    }
    return sum / 300;
}

static void the_teacher_is_found(void **unused) {
    (void)unused;
    struct yo_shogi_material_weights teacher = yo_shogi_material_weights;
    teacher.on_board[YO_SHOGI_PAWN] = 80;
    teacher.on_board[YO_SHOGI_GOLD] = 700;
    teacher.in_hand[YO_SHOGI_ROOK] = 900;
    teacher.small_reach[0] = 40;
    teacher.mobility[0] = 30;
    uint8_t *bytes = yo_alloc(POSITIONS, YO_SHOGI_SAMPLE);
    struct yo_material_set *set;
    struct yo_material_fitted fitted, again;
    struct yo_material_fit fit = {.results = 0, .ridge = 0.001};
    struct yo_diag diag = {0};
    assert_non_null(bytes);
    size_t len = write_samples(&teacher, bytes);
    assert_int_equal(yo_material_set_new(&set), YO_OK);
    assert_int_equal(yo_material_set_add(set, bytes, len, "samples", &diag), YO_OK);
    assert_int_equal(yo_material_set_count(set), POSITIONS);
    assert_int_equal(yo_material_learn(set, &fit, &fitted, &diag), YO_OK);
    assert_true(fitted.learned_loss[1] < fitted.learned_loss[0]);
    assert_true(fitted.aside_loss[1] < fitted.aside_loss[0]);
    assert_true(abs(fitted.weights.on_board[YO_SHOGI_PAWN] - 80) <= 4);
    assert_true(abs(fitted.weights.in_hand[YO_SHOGI_ROOK] - 900) <= 10);
    assert_true(abs(fitted.weights.small_reach[0] - 40) <= 3);
    assert_true(abs(fitted.weights.mobility[0] - 30) <= 3);
    assert_true(apart(&yo_shogi_material_weights, &teacher) > 100);
    assert_true(apart(&fitted.weights, &teacher) < 10);
    assert_int_equal(fitted.weights.king_rank[0], yo_shogi_material_weights.king_rank[0]);
    assert_int_equal(yo_material_learn(set, &fit, &again, &diag), YO_OK);
    assert_memory_equal(&again.weights, &fitted.weights, sizeof again.weights);
    /* Held fast, they stay where they were. */
    fit.ridge = 1e9;
    assert_int_equal(yo_material_learn(set, &fit, &again, &diag), YO_OK);
    assert_memory_equal(&again.weights, &yo_shogi_material_weights, sizeof again.weights);
    yo_material_set_delete(set);
    yo_free(bytes);
}

static void what_is_passed_over_and_refused(void **unused) {
    (void)unused;
    uint8_t bytes[YO_SHOGI_SAMPLE];
    struct yo_shogi_position pos;
    struct yo_shogi_sample sample = {0};
    struct yo_material_set *set;
    struct yo_diag diag = {0};
    uint64_t state = 7;
    shogi_random_game(&state, 0, &pos);
    assert_int_equal(yo_shogi_pack(&pos, sample.position), YO_OK);
    yo_shogi_sample_write(&sample, bytes);
    assert_int_equal(yo_material_set_new(&set), YO_OK);
    assert_int_equal(yo_material_set_add(set, bytes, sizeof bytes, "x", &diag), YO_OK);
    assert_int_equal(yo_material_set_count(set), 0); /* it is not quiet */
    assert_int_equal(yo_material_set_add(set, bytes, 39, "x", &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.hint, "selfplay"));
    bytes[38] = 2; /* its result */
    assert_int_equal(yo_material_set_add(set, bytes, sizeof bytes, "x", &diag), YO_ERR_PARSE);
    assert_string_equal(diag.where, "x: position 1");
    yo_material_set_delete(set);
}

/* What is written is what the compiler read. */
static void the_source_comes_out(void **unused) {
    (void)unused;
    struct yo_buf text = {0}, file = {0};
    yo_material_write(&yo_shogi_material_weights, &text);
    FILE *source = fopen("src/eval/shogi/material_weights.inc", "r");
    assert_non_null(source);
    char bytes[4096];
    size_t got = fread(bytes, 1, sizeof bytes, source);
    fclose(source);
    yo_buf_add(&file, bytes, got);
    assert_string_equal(yo_buf_text(&text), yo_buf_text(&file));
    yo_buf_free(&text);
    yo_buf_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_teacher_is_found),
        cmocka_unit_test(what_is_passed_over_and_refused),
        cmocka_unit_test(the_source_comes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
