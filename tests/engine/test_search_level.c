/* Levels: what a weaker one may choose, how often, and what it never does. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/level.h"

enum { PASS = 361, DRAWS = 20000 };

static struct yo_search_result go_result(const struct yo_search_move *moves, size_t count,
                                         const struct yo_search_prior *priors, size_t prior_count) {
    return (struct yo_search_result){
        .moves = moves, .move_count = count, .priors = priors, .prior_count = prior_count};
}

static void full_strength_plays_the_best(void **state) {
    (void)state;
    struct yo_search_move moves[] = {{.move = 7, .visits = 10}, {.move = 8, .visits = 9}};
    struct yo_search_result r = go_result(moves, 2, NULL, 0);
    uint64_t random = 1;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(yo_level_choose_go(YO_LEVEL_MAX, &r, PASS, &random), 7);
        assert_int_equal(yo_level_choose_shogi(YO_LEVEL_MAX, &r, &random), 0);
    }
    struct yo_search_limits limits = {0}, none = {0};
    yo_level_limit_go(YO_LEVEL_MAX, true, &limits);
    yo_level_limit_shogi(YO_LEVEL_MAX, ~0u, &limits);
    assert_memory_equal(&limits, &none, sizeof limits);
}

/* Each level has more to search with than the one below it, and never more than was asked for. */
static void levels_rise(void **state) {
    (void)state;
    struct yo_search_limits before_go = {0}, before_shogi = {0};
    for (int level = YO_LEVEL_MIN; level < YO_LEVEL_MAX; level++) {
        struct yo_search_limits go = {0}, shogi = {0},
                                tight = {.visits = 1, .nodes = 5, .depth = 1};
        yo_level_limit_go(level, true, &go);
        yo_level_limit_shogi(level, ~0u, &shogi);
        assert_true(go.visits >= before_go.visits && go.visits > 0);
        assert_true(shogi.nodes > before_shogi.nodes && shogi.depth > before_shogi.depth);
        yo_level_limit_go(level, true, &tight);
        yo_level_limit_shogi(level, ~0u, &tight);
        assert_int_equal(tight.visits, 1);
        assert_int_equal(tight.nodes, 5);
        assert_int_equal(tight.depth, 1);
        before_go = go;
        before_shogi = shogi;
    }
    struct yo_search_limits uct = {0};
    yo_level_limit_shogi(3, YO_LIMIT_NODES | YO_LIMIT_LINES, &uct);
    assert_int_equal(uct.depth, 0);
    assert_true(uct.nodes > 0);
}

/* Only priors, as after one visit: the draw follows prior^(1/temperature), 1.0 at level 3, and
 * moves far behind the best are never played. */
static void go_draws_by_share(void **state) {
    (void)state;
    struct yo_search_move first = {.move = 10};
    struct yo_search_prior priors[] = {{10, 0.6}, {11, 0.3}, {12, 0.08}, {13, 0.02}};
    struct yo_search_result r = go_result(&first, 1, priors, 4);
    uint64_t random = 42;
    int count[4] = {0};
    for (int i = 0; i < DRAWS; i++) {
        yo_move move = yo_level_choose_go(3, &r, PASS, &random);
        assert_true(move >= 10 && move <= 13);
        count[move - 10]++;
    }
    double sum = 0.6 + 0.3 + 0.08;
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
    uint64_t random = 7;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(yo_level_choose_go(1, &r, PASS, &random), 10);
        assert_int_equal(yo_level_choose_go(1, &p, PASS, &random), PASS);
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
    uint64_t random = 3;
    int count[5] = {0};
    for (int i = 0; i < DRAWS; i++)
        count[yo_level_choose_shogi(3, &r, &random)]++; /* temperature 110 */
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
    uint64_t random = 3;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(yo_level_choose_shogi(1, &r, &random), 0);
        assert_int_equal(yo_level_choose_shogi(1, &l, &random), 0);
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
    for (int level = YO_LEVEL_MIN; level < YO_LEVEL_MAX; level++) {
        struct yo_search_limits net = {0}, playouts = {0}, shogi = {0};
        char row[64];
        yo_level_limit_go(level, true, &net);
        yo_level_limit_go(level, false, &playouts);
        yo_level_limit_shogi(level, ~0u, &shogi);
        snprintf(row, sizeof row, "\n| %d | %d | %d | ", level, (int)net.visits,
                 (int)playouts.playouts);
        if (!strstr(page, row)) fail_msg("docs/levels.md has no row%s", row);
        snprintf(row, sizeof row, "\n| %d | %d | %d | %d | ", level, shogi.depth, (int)shogi.nodes,
                 (int)shogi.lines);
        if (!strstr(page, row)) fail_msg("docs/levels.md has no row%s", row);
    }
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
