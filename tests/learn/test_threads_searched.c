/* Training positions scored by alpha-beta's searches. */
#include "support/test.h"

#include <string.h>

#include "base/diag.h"
#include "game/shogi/game.h"
#include "game/shogi/text.h"
#include "learn/searched.h"
#include "search/alphabeta/alphabeta.h"
#include "support/shogi_random.h"

enum { PORTION = 64, COUNT = 2 * PORTION + 9, NODES = 1500 }; /* whole portions and a part */

static uint8_t samples[COUNT * YO_SHOGI_SAMPLE], before[sizeof samples];
static size_t told;

static void write_sample(size_t i, const struct yo_shogi_position *pos) {
    struct yo_shogi_sample s = {.score = (int16_t)(i % 4001 - 2000),
                                .ply = (uint16_t)(i % 300),
                                .result = (int8_t)(i % 3 - 1),
                                .flags = (uint8_t)(i % 4)};
    assert_int_equal(yo_shogi_pack(pos, s.position), YO_OK);
    yo_shogi_sample_write(&s, before + i * YO_SHOGI_SAMPLE);
}

static void make_samples(void) {
    struct yo_shogi_position pos;
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        shogi_random_game(&random, (int)(i % 40), &pos);
        write_sample(i, &pos);
    }
}

static void count(void *user, size_t done) {
    (void)user;
    assert_true(done > told && done <= COUNT);
    told = done;
}

static enum yo_err score(int threads, double share, struct yo_diag *diag) {
    struct yo_searched_how how = {
        .nodes = NODES, .share = share, .threads = threads, .told = count};
    told = 0;
    memcpy(samples, before, sizeof samples);
    return yo_searched_scores(&how, samples, COUNT, "games.psv", diag);
}

static struct yo_shogi_sample sample_at(const uint8_t *from, size_t i) {
    struct yo_shogi_sample s;
    assert_int_equal(yo_shogi_sample_read(from + i * YO_SHOGI_SAMPLE, &s, NULL), YO_OK);
    return s;
}

/* By a search of its own: what the first of each portion must get. */
static int searched(const struct yo_shogi_sample *s) {
    struct yo_shogi_position pos;
    struct yo_shogi_game *game;
    struct yo_ab *search;
    struct yo_search_result result;
    struct yo_ab_options options = yo_ab_options_default;
    options.mate_search = false;
    assert_int_equal(yo_shogi_unpack(s->position, &pos, NULL), YO_OK);
    assert_int_equal(yo_shogi_game_begin(&pos, &game), YO_OK);
    assert_int_equal(yo_ab_new(1, &search), YO_OK);
    assert_int_equal(yo_ab_set_options(search, &options), YO_OK);
    assert_int_equal(yo_search_run(yo_ab_as_search(search), game,
                                   &(struct yo_search_limits){.nodes = NODES}, NULL, NULL, NULL,
                                   &result, NULL),
                     YO_OK);
    int score = yo_ab_score(&result); /* the moves of a result are the search's */
    yo_ab_delete(search);
    yo_shogi_game_delete(game);
    return score;
}

static void scores_are_those_of_searches(void **unused) {
    (void)unused;
    static uint8_t once[sizeof samples];
    assert_int_equal(score(1, 1, NULL), YO_OK);
    assert_int_equal(told, COUNT);
    memcpy(once, samples, sizeof once);
    for (size_t i = 0; i < COUNT; i += PORTION) {
        struct yo_shogi_sample was = sample_at(before, i), is = sample_at(once, i);
        assert_int_equal(is.score, searched(&was));
    }
    for (size_t i = 0; i < COUNT; i++) { /* nothing else has changed */
        struct yo_shogi_sample was = sample_at(before, i), is = sample_at(once, i);
        is.score = was.score;
        assert_memory_equal(&is, &was, sizeof is);
    }
    for (int threads = 2; threads <= 5; threads += 3) {
        assert_int_equal(score(threads, 1, NULL), YO_OK);
        assert_memory_equal(samples, once, sizeof once);
    }
    assert_int_equal(score(2, 0.25, NULL), YO_OK);
    for (size_t i = 0; i < COUNT; i++) {
        int old = sample_at(before, i).score, found = sample_at(once, i).score;
        int mixed = sample_at(samples, i).score;
        if (found >= YO_AB_MATE_FROM || found <= -YO_AB_MATE_FROM)
            assert_int_equal(mixed, found);
        else
            assert_in_range(4 * mixed - found - 3 * old + 2, 0, 4);
    }
}

static void set_up(size_t i, const char *sfen) {
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse(sfen, &pos, NULL), YO_OK);
    write_sample(i, &pos);
}

/* A mate is one, whatever the share; a position without moves keeps its score. */
static void ends_are_known(void **unused) {
    (void)unused;
    set_up(3, "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    set_up(4, "4k4/4G4/4P4/9/9/9/9/9/4K4 w 2R2B3G4S4N4L17P 2");
    assert_int_equal(score(2, 0.5, NULL), YO_OK);
    assert_int_equal(sample_at(samples, 3).score, YO_AB_MATE - 1);
    assert_int_equal(sample_at(samples, 4).score, sample_at(before, 4).score);
}

static void errors_are_told(void **unused) {
    (void)unused;
    struct yo_diag diag = {0};
    memset(before + 100 * YO_SHOGI_SAMPLE, 0, YO_SHOGI_PACKED);
    for (int threads = 1; threads <= 3; threads++) {
        assert_int_not_equal(score(threads, 1, &diag), YO_OK);
        assert_string_equal(diag.where, "games.psv: position 101");
    }
}

int main(void) {
    make_samples();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_searches),
        cmocka_unit_test(ends_are_known),
        cmocka_unit_test(errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
