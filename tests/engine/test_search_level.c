/* Levels: what a weaker one may choose, how often, and what it never does. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/options.h"
#include "engine/session.h"

enum { PASS = 361, DRAWS = 20000 };

static struct yo_search_result go_result(const struct yo_search_move *moves, size_t count,
                                         const struct yo_search_prior *priors, size_t prior_count) {
    return (struct yo_search_result){
        .moves = moves, .move_count = count, .priors = priors, .prior_count = prior_count};
}

/* The level of a game's options. */
static struct yo_level level_of(enum yo_session_game game, const char *key, const char *value) {
    struct yo_options options;
    assert_int_equal(yo_options_init(&options, yo_session_rows(game), NULL), YO_OK);
    assert_int_equal(yo_options_set(&options, YO_EVERYWHERE, key, value, NULL), YO_OK);
    struct yo_level level =
        game == YO_SESSION_GO ? yo_level_go(&options, 9, true) : yo_level_shogi(&options, ~0u);
    yo_options_free(&options);
    return level;
}

static struct yo_level at(enum yo_session_game game, int level) {
    char text[8];
    snprintf(text, sizeof text, "%d", level);
    return level_of(game, "level", text);
}

static void full_strength_plays_the_best(void **state) {
    (void)state;
    struct yo_search_move moves[] = {{.move = 7, .visits = 10}, {.move = 8, .visits = 9}};
    struct yo_search_result r = go_result(moves, 2, NULL, 0);
    uint64_t random = 1;
    struct yo_level go = at(YO_SESSION_GO, YO_LEVEL_MAX),
                    shogi = at(YO_SESSION_SHOGI, YO_LEVEL_MAX);
    assert_true(yo_level_is_full(&go) && yo_level_is_full(&shogi));
    for (int i = 0; i < 100; i++) {
        assert_int_equal(yo_level_choose_go(&go, &r, PASS, &random), 7);
        assert_int_equal(yo_level_choose_shogi(&shogi, &r, &random), 0);
    }
    struct yo_search_limits limits = {0}, none = {0};
    yo_level_limit(&go, &limits);
    yo_level_limit(&shogi, &limits);
    assert_memory_equal(&limits, &none, sizeof limits);
}

/* Each level has more to search with than the one below it, or chooses less freely, and never the
 * other way round; and never searches more than was asked for. */
static void levels_rise(void **state) {
    (void)state;
    for (int game = YO_SESSION_GO; game <= YO_SESSION_SHOGI; game++)
        for (int level = YO_LEVEL_MIN; level < YO_LEVEL_MAX; level++) {
            struct yo_level low = at((enum yo_session_game)game, level);
            struct yo_search_limits tight = {.visits = 1, .nodes = 5, .playouts = 3};
            uint64_t effort = low.visits + low.nodes;
            assert_false(yo_level_is_full(&low));
            assert_true(effort > 0 && low.temperature > 0);
            yo_level_limit(&low, &tight);
            assert_true(tight.visits == 1 && tight.nodes == 5 && tight.playouts == 3);
            if (level + 1 == YO_LEVEL_MAX) continue;
            struct yo_level high = at((enum yo_session_game)game, level + 1);
            uint64_t more = high.visits + high.nodes;
            assert_true(more >= effort && high.temperature <= low.temperature);
            assert_true(more > effort || high.temperature < low.temperature);
        }
    struct yo_level free = level_of(YO_SESSION_GO, "temperature", "0.5");
    assert_true(free.temperature == 0.5 && free.visits == 0 && !yo_level_is_full(&free));
}

/* Only priors, as after one visit: the draw follows prior^(1/temperature), and moves far behind the
 * best are never played. */
static void go_draws_by_share(void **state) {
    (void)state;
    struct yo_search_move first = {.move = 10};
    struct yo_search_prior priors[] = {{10, 0.6}, {11, 0.3}, {12, 0.085}, {13, 0.015}};
    struct yo_search_result r = go_result(&first, 1, priors, 4);
    struct yo_level level = {.visits = 1, .temperature = 1};
    uint64_t random = 42;
    int count[4] = {0};
    for (int i = 0; i < DRAWS; i++) {
        yo_move move = yo_level_choose_go(&level, &r, PASS, &random);
        assert_true(move >= 10 && move <= 13);
        count[move - 10]++;
    }
    double sum = 0.6 + 0.3 + 0.085;
    for (int i = 0; i < 3; i++) {
        double p = priors[i].share / sum, sigma = sqrt(p * (1 - p) * DRAWS);
        assert_true(fabs(count[i] - p * DRAWS) < 5 * sigma);
    }
    assert_int_equal(count[3], 0);
}

/* A pass is the search's decision: never drawn, and never replaced. */
static void passes_are_not_drawn(void **state) {
    (void)state;
    struct yo_search_move moves[] = {{.move = 10, .visits = 5}, {.move = PASS, .visits = 4}};
    struct yo_search_prior priors[] = {{10, 0.5}, {PASS, 0.5}};
    struct yo_search_result r = go_result(moves, 2, priors, 2);
    struct yo_search_move pass_first[] = {{.move = PASS, .visits = 5}, {.move = 10, .visits = 4}};
    struct yo_search_result p = go_result(pass_first, 2, priors, 2);
    struct yo_level level = {.visits = 1, .temperature = 2};
    uint64_t random = 7;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(yo_level_choose_go(&level, &r, PASS, &random), 10);
        assert_int_equal(yo_level_choose_go(&level, &p, PASS, &random), PASS);
    }
}

static void shogi_draws_by_loss(void **state) {
    (void)state;
    struct yo_search_move moves[] = {{.move = 1, .centipawns = 100},
                                     {.move = 2, .centipawns = 100 - 110},
                                     {.move = 3, .centipawns = 100 - 400},
                                     {.move = 4, .mate = -3},
                                     {.move = 5, .bound = YO_BOUND_UNKNOWN}};
    struct yo_search_result r = {.moves = moves, .move_count = 5};
    struct yo_level level = {.nodes = 1000, .temperature = 110};
    uint64_t random = 3;
    int count[5] = {0};
    for (int i = 0; i < DRAWS; i++)
        count[yo_level_choose_shogi(&level, &r, &random)]++;
    double p = exp(-1) / (1 + exp(-1)), sigma = sqrt(p * (1 - p) * DRAWS);
    assert_true(fabs(count[1] - p * DRAWS) < 5 * sigma);
    assert_int_equal(count[0] + count[1], DRAWS);
}

/* A mate that is seen is played; if all moves lose, the search's first is. */
static void shogi_mates(void **state) {
    (void)state;
    struct yo_search_move mates[] = {{.move = 1, .mate = 3}, {.move = 2, .centipawns = 2000}};
    struct yo_search_move lost[] = {{.move = 1, .mate = -7}, {.move = 2, .mate = -5}};
    struct yo_search_result r = {.moves = mates, .move_count = 2};
    struct yo_search_result l = {.moves = lost, .move_count = 2};
    struct yo_level level = {.nodes = 1000, .temperature = 300};
    uint64_t random = 3;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(yo_level_choose_shogi(&level, &r, &random), 0);
        assert_int_equal(yo_level_choose_shogi(&level, &l, &random), 0);
    }
}

/* The table of docs/levels.md is the program's. */
static void the_page_has_the_numbers(void **state) {
    (void)state;
    static char page[1 << 14];
    FILE *file = fopen("docs/levels.md", "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    struct yo_options go, shogi;
    assert_int_equal(yo_options_init(&go, yo_session_rows(YO_SESSION_GO), NULL), YO_OK);
    assert_int_equal(yo_options_init(&shogi, yo_session_rows(YO_SESSION_SHOGI), NULL), YO_OK);
    for (int level = YO_LEVEL_MIN; level < YO_LEVEL_MAX; level++) {
        char row[96], text[8];
        snprintf(text, sizeof text, "%d", level);
        assert_int_equal(yo_options_set(&go, YO_EVERYWHERE, "level", text, NULL), YO_OK);
        assert_int_equal(yo_options_set(&shogi, YO_EVERYWHERE, "level", text, NULL), YO_OK);
        struct yo_level small = yo_level_go(&go, 9, true), large = yo_level_go(&go, 19, true);
        struct yo_level plain = yo_level_go(&go, 9, false), s = yo_level_shogi(&shogi, ~0u);
        snprintf(row, sizeof row, "\n| %d | %d | %.2f | %d | %.2f | %d | %.2f | %d | %.0f | %d |",
                 level, (int)small.visits, small.temperature, (int)large.visits, large.temperature,
                 (int)plain.playouts, plain.temperature, (int)s.nodes, s.temperature, (int)s.lines);
        if (!strstr(page, row)) fail_msg("docs/levels.md has no row%s", row);
    }
    yo_options_free(&go);
    yo_options_free(&shogi);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_strength_plays_the_best),
        cmocka_unit_test(levels_rise),
        cmocka_unit_test(go_draws_by_share),
        cmocka_unit_test(passes_are_not_drawn),
        cmocka_unit_test(shogi_draws_by_loss),
        cmocka_unit_test(shogi_mates),
        cmocka_unit_test(the_page_has_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
