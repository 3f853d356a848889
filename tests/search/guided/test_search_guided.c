/* search/guided on a game that is not Go: it plays as minimax does, keeps its promises about
 * limits, memory and failing evaluators, and gives the same answer twice. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/text.h"
#include "search/guided/guided.h"
#include "support/hash_eval.h"
#include "support/tictactoe.h"
#include "support/ttt_eval.h"

static struct yo_guided_options options_for(enum yo_guided_mode mode) {
    struct yo_guided_options options;
    yo_guided_options_default(&options);
    options.mode = mode;
    options.memory_mb = 8;
    options.seed = 7;
    return options;
}

static struct yo_guided *make(struct ttt_eval *eval, const struct yo_guided_options *options) {
    struct yo_guided *g = NULL;
    struct yo_diag diag = {0};
    assert_int_equal(yo_guided_new(&ttt_ops, ttt_eval(eval), NULL, options, &g, &diag), YO_OK);
    return g;
}

static struct yo_search_result search(struct yo_guided *g, const struct ttt *position,
                                      uint64_t visits) {
    struct yo_search_limits limits = {.playouts = visits};
    struct yo_search_result result;
    yo_guided_clear(g);
    assert_int_equal(yo_guided_run(g, position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    return result;
}

/* Some legal position with moves left, after two moves or more: small enough to be proven. */
static struct ttt draw_position(void) {
    for (;;) {
        struct ttt position = {0};
        for (int n = 2 + rand() % 5; n > 0 && ttt_ops.outcome(&position) == YO_OUTCOME_NONE; n--) {
            yo_move moves[9];
            size_t count = ttt_ops.moves(&position, moves);
            ttt_ops.play(&position, moves[(size_t)rand() % count]);
        }
        if (ttt_ops.outcome(&position) == YO_OUTCOME_NONE) return position;
    }
}

static void finds_the_best_move(enum yo_guided_mode mode, unsigned gumbel, size_t batch) {
    struct ttt_eval eval = {.fail_after = -1, .batch = batch};
    struct yo_guided_options options = options_for(mode);
    options.gumbel = gumbel;
    struct yo_guided *g = make(&eval, &options);
    srand(5);
    for (int round = 0; round < 20; round++) {
        struct ttt position = draw_position();
        struct yo_search_result result = search(g, &position, 3000);
        assert_true(result.move_count > 0);
        assert_int_equal(ttt_move_value(&position, result.moves[0].move), ttt_value(&position));
        if (result.moves[0].proven)
            assert_int_equal(result.moves[0].winrate_to_move > 0.5, ttt_value(&position) > 0);
    }
    yo_guided_delete(g);
}

/* A small search that has most of its visits in flight at once spreads them over moves that it
 * would not look at one by one. */
static void small_searches_have_small_batches(void **state) {
    (void)state;
    static const struct {
        uint64_t visits;
        long batches; /* at least */
    } cases[] = {{8, 7}, {64, 15}, {320, 15}};
    struct hash_eval eval = {.game = &ttt_ops, .batch = 64};
    struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_guided *g;
    options.solve = false;
    assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL), YO_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ttt position = {0};
        eval.batches = 0;
        search(g, &position, cases[i].visits);
        if (eval.batches < cases[i].batches)
            fail_msg("%d visits in %ld batches", (int)cases[i].visits, (long)eval.batches);
    }
    yo_guided_delete(g);
}

static void puct_plays_as_minimax(void **state) {
    (void)state;
    finds_the_best_move(YO_GUIDED_PUCT, 0, 1);
    finds_the_best_move(YO_GUIDED_PUCT, 0, 16);
}

static void mcss_plays_as_minimax(void **state) {
    (void)state;
    finds_the_best_move(YO_GUIDED_MCSS, 0, 1);
    finds_the_best_move(YO_GUIDED_MCSS, 0, 4);
}

static void gumbel_plays_as_minimax(void **state) {
    (void)state;
    finds_the_best_move(YO_GUIDED_PUCT, 9, 1);
}

/* The evaluator knows nothing, so that the draws alone decide: not for the same rank everywhere. */
static void gumbel_draws_anew_in_each_position(void **state) {
    (void)state;
    struct ttt_eval eval = {.fail_after = -1, .batch = 1};
    struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
    bool ranks[9] = {false};
    options.gumbel = 8;
    struct yo_guided *g = make(&eval, &options);
    for (yo_move first = 0; first < 9; first++) {
        struct ttt position = {0};
        ttt_ops.play(&position, first);
        yo_move chosen = search(g, &position, 2).moves[0].move;
        assert_int_equal(search(g, &position, 2).moves[0].move, chosen);
        ranks[chosen - (chosen > first)] = true;
    }
    size_t count = 0;
    for (int rank = 0; rank < 9; rank++)
        count += ranks[rank];
    assert_true(count > 2);
    yo_guided_delete(g);
}

/* A kept tree has visits that PUCT chose; Gumbel's search has its own schedule all the same. */
static void gumbel_tries_all_moves_of_a_kept_tree(void **state) {
    (void)state;
    struct ttt_eval eval = {.fail_after = -1, .batch = 1};
    struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
    struct ttt position = {0};
    uint64_t had[9] = {0};
    options.gumbel = 8;
    options.solve = false;
    struct yo_guided *g = make(&eval, &options);
    yo_move move = search(g, &position, 1000).moves[0].move;
    struct yo_search_result result;
    struct yo_search_limits limits = {.playouts = 1};
    ttt_ops.play(&position, move);
    yo_guided_advance(g, move);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        for (size_t i = 0; i < result.move_count; i++) {
            if (round > 0) assert_true(result.moves[i].visits > had[result.moves[i].move]);
            had[result.moves[i].move] = result.moves[i].visits;
        }
        limits.playouts = 24;
    }
    assert_int_equal(result.move_count, 8);
    yo_guided_delete(g);
}

/* Visits add up: one of the root itself, and those of its children. */
static void visits_are_those_asked_for(void **state) {
    (void)state;
    static const uint64_t wanted[] = {1, 2, 3, 10, 50, 400};
    for (int solve = 0; solve < 2; solve++)
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
            struct ttt_eval eval = {.fail_after = -1, .batch = 1};
            struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
            options.solve = false;
            struct yo_guided *g = make(&eval, &options);
            struct ttt position = {0};
            struct yo_search_result result = search(g, &position, wanted[i]);
            uint64_t sum = 0;
            for (size_t m = 0; m < result.move_count; m++)
                sum += result.moves[m].visits;
            assert_int_equal(result.playouts, wanted[i]);
            assert_int_equal(sum, wanted[i] - 1);
            assert_true(result.move_count > 0); /* also with the root alone */
            yo_guided_delete(g);
        }
}

static void the_same_twice(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct ttt position = {0};
        uint64_t visits[2][9] = {0};
        double rates[2][9] = {0};
        for (int round = 0; round < 2; round++) {
            struct ttt_eval eval = {.fail_after = -1, .batch = 8};
            struct yo_guided_options options = options_for((enum yo_guided_mode)mode);
            struct yo_guided *g = make(&eval, &options);
            struct yo_search_result result = search(g, &position, 500);
            for (size_t m = 0; m < result.move_count; m++) {
                visits[round][result.moves[m].move] = result.moves[m].visits;
                rates[round][result.moves[m].move] = result.moves[m].winrate_to_move;
            }
            yo_guided_delete(g);
        }
        assert_memory_equal(visits[0], visits[1], sizeof visits[0]);
        assert_memory_equal(rates[0], rates[1], sizeof rates[0]);
    }
}

static void only_and_avoid(void **state) {
    (void)state;
    struct ttt_eval eval = {.fail_after = -1, .batch = 1};
    struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_guided *g = make(&eval, &options);
    struct ttt position = {0};
    yo_move only[] = {1, 4, 7}, avoid[] = {4};
    struct yo_search_limits limits = {
        .playouts = 300, .only = only, .only_count = 3, .avoid = avoid, .avoid_count = 1};
    struct yo_search_result result;
    assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_int_equal(result.move_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(result.moves[i].move == 1 || result.moves[i].move == 7);
    yo_guided_delete(g);
}

static void keeps_its_tree(void **state) {
    (void)state;
    struct ttt_eval eval = {.fail_after = -1, .batch = 1};
    struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
    options.solve = false;
    struct yo_guided *g = make(&eval, &options);
    struct ttt position = {0};
    struct yo_search_result result = search(g, &position, 1000);
    yo_move move = result.moves[0].move;
    uint64_t before = result.moves[0].visits, sum = 0;
    ttt_ops.play(&position, move);
    yo_guided_advance(g, move);
    struct yo_search_limits limits = {.playouts = 100};
    assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    for (size_t m = 0; m < result.move_count; m++)
        sum += result.moves[m].visits;
    assert_int_equal(result.playouts, 100);
    assert_int_equal(sum, before + 100 - 1);
    yo_guided_delete(g);
}

/* The root of a kept tree has the policy that it would have in a new one, also when it is searched
 * again. */
static void a_kept_root_has_its_own_temperature(void **state) {
    (void)state;
    struct hash_eval eval = {.game = &ttt_ops, .batch = 1};
    struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
    options.root_policy_temperature = 2;
    double share[3][9] = {{0}};
    struct yo_guided *g;
    struct ttt position = {0};
    assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL), YO_OK);
    yo_move move = search(g, &position, 300).moves[0].move;
    ttt_ops.play(&position, move);
    yo_guided_advance(g, move);
    for (int round = 0; round < 3; round++) {
        struct yo_search_limits limits = {.playouts = 20};
        struct yo_search_result result;
        if (round == 2) yo_guided_clear(g);
        assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        assert_int_equal(result.prior_count, 8);
        for (size_t i = 0; i < result.prior_count; i++) {
            if (i > 0) assert_true(result.priors[i].share <= result.priors[i - 1].share);
            share[round][result.priors[i].move] = result.priors[i].share;
        }
    }
    for (int i = 0; i < 9; i++) {
        assert_float_equal(share[0][i], share[2][i], 1e-4);
        assert_float_equal(share[1][i], share[2][i], 1e-4);
    }
    yo_guided_delete(g);
}

/* The policy is uniform; the noise is not, differs from search to search, and leaves a policy. */
static void noise_changes_the_policy(void **state) {
    (void)state;
    struct ttt_eval eval = {.fail_after = -1, .batch = 1};
    struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
    options.noise = 0.25f;
    struct yo_guided *g = make(&eval, &options);
    struct ttt position = {0};
    double before[9] = {0};
    for (int round = 0; round < 2; round++) {
        struct yo_search_result result = search(g, &position, 50);
        double sum = 0, changed = 0;
        for (size_t i = 0; i < result.prior_count; i++) {
            double share = result.priors[i].share;
            if (i > 0) assert_true(share <= result.priors[i - 1].share);
            assert_true(share > 0.74 / 9);
            changed += fabs(share - before[result.priors[i].move]);
            before[result.priors[i].move] = share;
            sum += share;
        }
        assert_true(fabs(sum - 1) < 1e-3);
        assert_true(changed > 0.01);
    }
    yo_guided_delete(g);
}

/* The smallest tree there is, and more visits than it has room for. */
static void goes_on_when_the_tree_is_full(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct ttt_eval eval = {.fail_after = -1, .batch = 4};
        struct yo_guided_options options = options_for((enum yo_guided_mode)mode);
        options.memory_mb = 0;
        options.solve = false;
        struct yo_guided *g = make(&eval, &options);
        struct ttt position = {0};
        struct yo_search_result result = search(g, &position, 20000);
        assert_int_equal(result.playouts, 20000);
        assert_int_equal(ttt_move_value(&position, result.moves[0].move), 0);
        yo_guided_delete(g);
    }
}

/* The game comes to nodes that had no room for their moves. */
static void plays_on_when_the_tree_is_full(void **state) {
    (void)state;
    srand(9);
    for (int game = 0; game < 60; game++) {
        struct hash_eval eval = {.game = &ttt_ops, .batch = 4};
        struct yo_guided_options options = options_for((enum yo_guided_mode)(game % 2));
        struct yo_guided *g;
        struct ttt position = {0};
        options.memory_mb = 0;
        options.solve = false;
        assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL),
                         YO_OK);
        while (ttt_ops.outcome(&position) == YO_OUTCOME_NONE) {
            struct yo_search_limits limits = {.playouts = 400};
            struct yo_search_result result;
            assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                             YO_OK);
            assert_true(result.move_count > 0);
            yo_move move = result.moves[(size_t)rand() % result.move_count].move;
            ttt_ops.play(&position, move);
            yo_guided_advance(g, move);
        }
        yo_guided_delete(g);
    }
}

static void a_failing_evaluator_is_an_error(void **state) {
    (void)state;
    for (long after = 0; after < 5; after++) {
        struct ttt_eval eval = {.fail_after = after, .batch = 2};
        struct yo_guided_options options = options_for(YO_GUIDED_PUCT);
        struct yo_guided *g = make(&eval, &options);
        struct ttt position = {0};
        struct yo_search_limits limits = {.playouts = 500};
        struct yo_search_result result;
        struct yo_diag diag = {0};
        assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, &diag),
                         YO_ERR_IO);
        assert_non_null(strstr(diag.what, "gone"));
        /* What was found until then is still there, and the search can go on. */
        eval.fail_after = -1;
        assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, &diag),
                         YO_OK);
        assert_true(result.move_count > 0);
        yo_guided_delete(g);
    }
}

static void no_memory(void **state) {
    (void)state;
    struct ttt_eval eval = {.fail_after = -1, .batch = 4};
    struct yo_guided_options options = options_for(YO_GUIDED_MCSS);
    options.threads = 2;
    for (long n = 0;; n++) {
        struct yo_guided *g = NULL;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_guided_new(&ttt_ops, ttt_eval(&eval), NULL, &options, &g, NULL);
        yo_alloc_fail_after(-1);
        if (err == YO_OK) {
            yo_guided_delete(g);
            assert_true(n > 10);
            return;
        }
        assert_int_equal(err, YO_ERR_NOMEM);
    }
}

/* An evaluator that looks at the batches another one gets, and ends the search after some. */
struct watcher {
    struct hash_eval eval;
    struct yo_eval_ops ops;
    size_t asked, widest;
    bool too_wide;
    atomic_bool stop;
};

static enum yo_err watch(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct watcher *w = ctx;
    if (batch->item_count > 1 + w->asked / 16) w->too_wide = true;
    if (batch->item_count > w->widest) w->widest = batch->item_count;
    w->asked += batch->item_count;
    if (w->asked > 3000) atomic_store(&w->stop, true);
    return hash_eval(&w->eval).ops->submit(&w->eval, batch, diag);
}

/* A search without a number of visits does not begin with full batches: most of its visits would be
 * in flight. */
static void batches_grow_with_the_tree(void **state) {
    (void)state;
    struct watcher w = {.eval = {.game = &yo_shogi_ops, .batch = 64}};
    struct yo_guided_options options;
    struct yo_guided *g = NULL;
    struct yo_shogi_position position;
    struct yo_shogi_past first;
    struct yo_shogi_state shogi;
    struct yo_search_result result;
    const struct yo_search_limits limits = {.whole = true};
    w.ops = *hash_eval(&w.eval).ops;
    w.ops.submit = watch;
    yo_guided_options_default(&options);
    const char *start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_int_equal(yo_shogi_sfen_parse(start, &position, NULL), YO_OK);
    yo_shogi_state_init(&shogi, &position, &yo_shogi_rules_default, &first);
    assert_int_equal(
        yo_guided_new(&yo_shogi_ops, (struct yo_eval){&w.ops, &w}, NULL, &options, &g, NULL),
        YO_OK);
    assert_int_equal(yo_guided_run(g, &shogi, &limits, &w.stop, NULL, NULL, &result, NULL), YO_OK);
    assert_false(w.too_wide);
    assert_int_equal(w.widest, 64);
    yo_guided_delete(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puct_plays_as_minimax),
        cmocka_unit_test(mcss_plays_as_minimax),
        cmocka_unit_test(gumbel_plays_as_minimax),
        cmocka_unit_test(gumbel_draws_anew_in_each_position),
        cmocka_unit_test(gumbel_tries_all_moves_of_a_kept_tree),
        cmocka_unit_test(visits_are_those_asked_for),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(only_and_avoid),
        cmocka_unit_test(keeps_its_tree),
        cmocka_unit_test(small_searches_have_small_batches),
        cmocka_unit_test(batches_grow_with_the_tree),
        cmocka_unit_test(a_kept_root_has_its_own_temperature),
        cmocka_unit_test(noise_changes_the_policy),
        cmocka_unit_test(goes_on_when_the_tree_is_full),
        cmocka_unit_test(plays_on_when_the_tree_is_full),
        cmocka_unit_test(a_failing_evaluator_is_an_error),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
