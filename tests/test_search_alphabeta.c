/* Alpha-beta against plain minimax, and what the engine must see whatever it prunes. */
#include "test.h"

#include <string.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "plain_minimax.h"
#include "search/alphabeta.h"
#include "shogi_random.h"

static struct yo_ab *engine;

static int set_up(void **unused) {
    (void)unused;
    return yo_ab_new(1, &engine) == YO_OK ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_ab_delete(engine);
    return 0;
}

static struct yo_ab_report think(const struct yo_shogi_position *pos,
                                 const struct yo_ab_limits *limits) {
    struct yo_shogi_past past = yo_shogi_past_first(pos);
    struct yo_ab_report result;
    assert_int_equal(yo_ab_run(engine, pos, &yo_shogi_rules_default, &past, 1, limits, NULL, NULL,
                               NULL, &result),
                     YO_OK);
    return result;
}

/* The line can be played, and its first move is the answer. */
static void assert_line(const struct yo_shogi_position *root, const struct yo_ab_report *result) {
    struct yo_shogi_position pos = *root;
    assert_true(result->length > 0);
    for (size_t i = 0; i < result->length; i++) {
        assert_true(yo_shogi_move_is_sound(&pos, result->line[i]));
        yo_shogi_play(&pos, result->line[i]);
    }
}

static void same_value_as_minimax(void **unused) {
    (void)unused;
    uint64_t state = 31;
    static struct plain_search plain;
    yo_ab_set_plain(engine, true);
    for (int i = 0; i < 10; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, (int)shogi_random(&state, 40), &pos);
        if (!yo_shogi_can_move(&pos)) continue;
        for (int depth = 1; depth <= 3; depth++) {
            plain_init(&plain, &pos, &yo_shogi_rules_default);
            int wanted = plain_alphabeta(&plain, &pos, depth, 0, -100000, 100000);
            if (depth <= 2) {
                plain_init(&plain, &pos, &yo_shogi_rules_default);
                assert_int_equal(plain_minimax(&plain, &pos, depth, 0), wanted);
            }
            struct yo_ab_report result = think(&pos, &(struct yo_ab_limits){.depth = depth});
            char sfen[YO_SHOGI_SFEN_MAX];
            if (result.score != wanted)
                fail_msg("%s: depth %d: %d, not %d", yo_shogi_sfen_format(&pos, sfen), depth,
                         result.score, wanted);
            assert_line(&pos, &result);
        }
    }
    yo_ab_set_plain(engine, false);
}

/* A lone rook: most lines come back to where they were, and some only by checks. */
static void repetition_is_seen_by_both(void **unused) {
    (void)unused;
    static struct plain_search plain;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse("4k4/9/9/9/9/9/9/9/R3K4 b - 1", &pos, NULL), YO_OK);
    yo_ab_set_plain(engine, true);
    for (int depth = 4; depth <= 5; depth++) {
        plain_init(&plain, &pos, &yo_shogi_rules_default);
        int wanted = plain_alphabeta(&plain, &pos, depth, 0, -100000, 100000);
        assert_int_equal(think(&pos, &(struct yo_ab_limits){.depth = depth}).score, wanted);
    }
    yo_ab_set_plain(engine, false);
}

static void mates_are_found(void **unused) {
    (void)unused;
    uint64_t state = 37;
    int found = 0;
    for (int i = 0; i < 400; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, 60 + (int)shogi_random(&state, 100), &pos);
        if (yo_shogi_mate_in_one(&pos) == YO_SHOGI_NO_MOVE) continue;
        yo_ab_clear(engine);
        struct yo_ab_report result = think(&pos, &(struct yo_ab_limits){.depth = 3});
        assert_int_equal(result.score, YO_AB_MATE - 1);
        yo_shogi_play(&pos, result.line[0]);
        assert_false(yo_shogi_can_move(&pos));
        found++;
    }
    assert_true(found >= 5);
}

static void limits_are_kept(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    yo_ab_clear(engine);
    struct yo_ab_report result = think(&pos, &(struct yo_ab_limits){.nodes = 20000});
    assert_true(result.nodes >= 20000 && result.nodes < 21000);
    assert_line(&pos, &result);
    yo_shogi_move only;
    assert_int_equal(yo_shogi_move_parse("9g9f", &only, NULL), YO_OK);
    result = think(&pos, &(struct yo_ab_limits){.depth = 4, .only = &only, .only_count = 1});
    assert_int_equal(result.line[0], only);
    result = think(&pos, &(struct yo_ab_limits){.hard_ms = 50});
    assert_true(result.elapsed_ms < 1000);
}

static void no_move_no_line(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", &pos, NULL), YO_OK);
    struct yo_ab_report result = think(&pos, &(struct yo_ab_limits){.depth = 3});
    assert_int_equal(result.length, 0);
    assert_int_equal(result.score, -YO_AB_MATE);
}

/* The same position, table and limits give the same search. */
static void it_is_reproducible(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        yo_ab_clear(engine);
        nodes[i] = think(&pos, &(struct yo_ab_limits){.depth = 7}).nodes;
    }
    assert_int_equal(nodes[0], nodes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_value_as_minimax), cmocka_unit_test(repetition_is_seen_by_both),
        cmocka_unit_test(mates_are_found),       cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(no_move_no_line),       cmocka_unit_test(it_is_reproducible),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
