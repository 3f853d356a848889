/* Values of positions by short searches: as many visits as were asked for, a mate that is found, no
 * value where the game is over, and the same numbers with any number of threads. */
#include "support/test.h"

#include <string.h>

#include "base/diag.h"
#include "eval/net/reference.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/packed.h"
#include "game/shogi/text.h"
#include "learn/netplay/shogi.h"
#include "learn/netplay/values.h"
#include "support/onnx_net.h"
#include "support/shogi_random.h"

enum { COUNT = 16, MATE = 7, OVER = 11, VISITS = 200 };

static struct yo_net *net;
static uint8_t samples[COUNT * YO_SHOGI_SAMPLE];

static void put(int i, const struct yo_shogi_position *pos) {
    struct yo_shogi_sample sample = {.score = 5};
    assert_int_equal(yo_shogi_pack(pos, sample.position), YO_OK);
    yo_shogi_sample_write(&sample, samples + i * YO_SHOGI_SAMPLE);
}

static void put_sfen(int i, const char *sfen) {
    struct yo_shogi_position pos;
    struct yo_diag diag;
    if (yo_shogi_sfen_parse(sfen, &pos, &diag)) fail_msg("%s", diag.what);
    put(i, &pos);
}

static int set_up(void **unused) {
    (void)unused;
    struct onnx_net kind = {
        .planes1 = 62, .planes2 = 57, .channels = 3, .blocks = 1, .value_channels = 2, .hidden = 4};
    struct yo_buf file = {0};
    struct yo_shogi_position pos;
    uint64_t random = 5;
    onnx_net_make(&kind);
    onnx_net_write(&kind, &file);
    enum yo_err err = yo_net_read(file.data, file.len, &net, NULL);
    onnx_net_free(&kind);
    yo_buf_free(&file);
    for (int i = 0; i < COUNT; i++) {
        shogi_random_game(&random, i, &pos);
        put(i, &pos);
    }
    /* A gold before the king mates; after it, the other side to move, the game is over. */
    put_sfen(MATE, "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    put_sfen(OVER, "4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 2");
    return err ? -1 : 0;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_net_delete(net);
    return 0;
}

static uint64_t searched, evaluations;

static void note(void *user, const struct yo_netplay_counts *counts) {
    (void)user;
    searched = counts->games;
    evaluations = counts->evaluations;
}

static void values(int threads, unsigned visits, float *chances) {
    struct yo_diag diag;
    struct yo_netplay_run how = {.net = net,
                                 .backend = &yo_net_reference,
                                 .groups = threads,
                                 .at_once = 6,
                                 .threads = threads,
                                 .eval_threads = threads,
                                 .progress = note};
    if (yo_netplay_values(&how, visits, samples, COUNT, "samples", chances, &diag))
        fail_msg("%s", diag.what);
    assert_int_equal(searched, COUNT - 1);
}

static void searches_each_position(void **state) {
    (void)state;
    float few[COUNT], many[COUNT], again[COUNT];
    values(1, 2, few);
    assert_true(evaluations <= (COUNT - 1) * 3 && evaluations > COUNT);
    values(1, VISITS, many);
    values(3, VISITS, again);
    assert_true(evaluations <= (COUNT - 1) * (VISITS + 1));
    for (int i = 0; i < COUNT; i++) {
        assert_true(many[i] == again[i]);
        if (i == OVER)
            assert_true(few[i] == -1 && many[i] == -1);
        else
            assert_true(few[i] >= 0 && few[i] <= 1 && many[i] >= 0 && many[i] <= 1);
    }
    assert_true(few[MATE] < 0.6f && many[MATE] > 0.7f);
}

static void names_a_damaged_position(void **state) {
    (void)state;
    struct yo_diag diag;
    uint8_t zeros[2 * YO_SHOGI_SAMPLE] = {0};
    float chances[2];
    struct yo_netplay_run how = {.net = net, .backend = &yo_net_reference};
    memcpy(zeros, samples, YO_SHOGI_SAMPLE);
    assert_int_not_equal(yo_netplay_values(&how, 4, zeros, 2, "bad.psv", chances, &diag), YO_OK);
    /* A result that is none, although the position is whole. */
    memcpy(zeros + YO_SHOGI_SAMPLE, samples, YO_SHOGI_SAMPLE);
    zeros[2 * YO_SHOGI_SAMPLE - 2] = 77;
    assert_int_not_equal(yo_netplay_values(&how, 4, zeros, 2, "bad.psv", chances, &diag), YO_OK);
    assert_string_equal(diag.where, "bad.psv: position 2");
}

/* A game from a given position, as a record tells of it. */
static void begins_anywhere(void **state) {
    (void)state;
    struct yo_netplay_record record = {.game = YO_NETPLAY_SHOGI};
    struct yo_buf usi = {0};
    struct yo_diag diag;
    record.setup_size =
        yo_netplay_shogi_setup(samples + (size_t)MATE * YO_SHOGI_SAMPLE, record.setup);
    assert_int_equal(yo_netplay_shogi.size(record.setup, record.setup_size), 9);
    assert_int_equal(yo_netplay_shogi.size(record.setup, record.setup_size - 1), 0);
    assert_int_equal(yo_netplay_usi(&record, &usi, &diag), YO_OK);
    assert_string_equal(yo_buf_text(&usi),
                        "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1 moves\n");
    yo_buf_free(&usi);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_each_position),
        cmocka_unit_test(names_a_damaged_position),
        cmocka_unit_test(begins_anywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
