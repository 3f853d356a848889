/* search/guided with several threads on one tree: every visit is counted, a full tree is thinned
 * while they wait, and a search can be stopped. */
#include "support/test.h"

#include <pthread.h>
#include <unistd.h>

#include "game/shogi/game.h"
#include "game/shogi/game_ops.h"
#include "search/guided/internal.h"
#include "support/check_graph.h"
#include "support/hash_eval.h"
#include "support/tictactoe.h"
#include "support/ttt_eval.h"

static size_t cells(const void *position) {
    (void)position;
    return 9;
}

/* Threads add to the errors of the same keys. */
static uint64_t few_keys(void *ctx, const void *position, yo_move move) {
    (void)ctx, (void)position;
    return 1 + move % 3;
}

static uint64_t position_key(void *ctx, const void *position, yo_move last) {
    (void)ctx, (void)last;
    return ttt_ops.hash(position) + 1;
}

static struct yo_guided *make(struct ttt_eval *eval, enum yo_guided_mode mode, size_t memory_mb,
                              bool transpositions) {
    struct yo_guided_options options;
    const struct yo_guided_hooks hooks = {
        .surroundings = few_keys, .cells = cells, .position_key = position_key};
    struct yo_guided *g = NULL;
    yo_guided_options_default(&options);
    options.mode = mode;
    options.threads = 4;
    options.memory_mb = memory_mb;
    options.solve = false;
    options.joining = transpositions ? YO_GUIDED_JOIN_ALL : YO_GUIDED_JOIN_NONE;
    assert_int_equal(yo_guided_new(&ttt_ops, ttt_eval(eval), &hooks, &options, &g, NULL), YO_OK);
    return g;
}

/* What the evaluator wants in flight is for all threads together. */
static void threads_share_what_is_in_flight(void **state) {
    (void)state;
    const struct {
        int threads;
        size_t leaves, in_batch;
    } cases[] = {{1, 0, 64}, {2, 0, 64}, {8, 0, 16}, {70, 0, 1}, {8, 5, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ttt_eval eval = {.fail_after = -1, .batch = 64};
        struct yo_guided_options options;
        struct yo_guided *g = NULL;
        yo_guided_options_default(&options);
        options.threads = cases[i].threads;
        options.batch = cases[i].leaves;
        assert_int_equal(yo_guided_new(&ttt_ops, ttt_eval(&eval), NULL, &options, &g, NULL), YO_OK);
        assert_int_equal(g->batch, cases[i].in_batch);
        yo_guided_delete(g);
    }
}

/* Simulations that meet a node in evaluation go elsewhere, as long as there is room for more. */
static void batches_are_full(void **state) {
    (void)state;
    struct hash_eval eval = {.game = &yo_shogi_ops, .batch = 256, .slow_ms = 3};
    struct yo_search_limits limits = {.playouts = 12000};
    struct yo_search_result result;
    struct yo_guided_options options;
    struct yo_guided *g = NULL;
    struct yo_shogi_game *game;
    struct yo_shogi_state position;
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    yo_shogi_ops.from_game(game, &position);
    yo_guided_options_default(&options);
    options.threads = 8;
    options.policy_temperature = options.root_policy_temperature = 0.1f; /* few moves matter */
    assert_int_equal(yo_guided_new(&yo_shogi_ops, hash_eval(&eval), NULL, &options, &g, NULL),
                     YO_OK);
    assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    long full = (long)g->width;
    if (eval.items < eval.batches * full * 4 / 5)
        fail_msg("%ld leaves in %ld batches of %ld", (long)eval.items, (long)eval.batches, full);
    yo_guided_delete(g);
    yo_shogi_game_delete(game);
}

static void counts_every_visit(void **state) {
    (void)state;
    for (int mode = 0; mode < 4; mode++)
        for (size_t memory_mb = 0; memory_mb < 9; memory_mb += 8) {
            struct ttt_eval eval = {.fail_after = -1, .batch = 4};
            struct yo_guided *g = make(&eval, (enum yo_guided_mode)(mode % 2), memory_mb, mode > 1);
            struct ttt position = {0};
            struct yo_search_limits limits = {.playouts = 3000};
            struct yo_search_result result;
            uint64_t sum = 0;
            assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                             YO_OK);
            for (size_t i = 0; i < result.move_count; i++)
                sum += result.moves[i].visits;
            assert_int_equal(result.playouts, 3000);
            assert_int_equal(sum, 2999);
            bool joined = check_graph(g, memory_mb ? GRAPH_EXACT : GRAPH_WAS_FULL).joined > 0;
            if (memory_mb > 0) assert_int_equal(joined, mode > 1);
            yo_guided_delete(g);
        }
}

/* Threads free what the game has left behind while others look for nodes to join. */
static void goes_on_with_the_game(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++)
        for (int game = 0; game < 5; game++) {
            struct ttt_eval eval = {.fail_after = -1, .batch = 2};
            struct yo_guided *g = make(&eval, (enum yo_guided_mode)mode, 1, true);
            struct ttt position = {0};
            while (ttt_ops.outcome(&position) == YO_OUTCOME_NONE) {
                struct yo_search_limits limits = {.playouts = 800};
                struct yo_search_result result;
                assert_int_equal(
                    yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
                check_graph(g, GRAPH_EXACT);
                yo_move move = result.moves[(size_t)game % result.move_count].move;
                ttt_ops.play(&position, move);
                yo_guided_advance(g, move);
            }
            yo_guided_delete(g);
        }
}

/* A node's means once more, from what its children have now. */
static void check_means(const struct guided_search *s, yo_cell cell) {
    struct yo_guided_node *node = yo_guided_node(&s->tree, cell);
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, node);
    unsigned reach = atomic_load(&node->reach);
    for (unsigned i = 0; edges && i < reach; i++)
        if (yo_guided_child(&edges[i])) check_means(s, yo_guided_child(&edges[i]));
    if (reach == 0) return;
    float weight = yo_guided_get(&node->weight), utility = yo_guided_get(&node->mean.utility);
    assert_int_equal(atomic_load(&node->lock), 0);
    guided_update(s, node);
    assert_true(yo_guided_get(&node->mean.utility) == utility);
    assert_true(s->options.mode == YO_GUIDED_MCSS || yo_guided_get(&node->weight) == weight);
}

/* Threads leave changes to the one that holds a node's lock: none is lost. */
static void takes_every_change_in(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++)
        for (int game = 0; game < 5; game++) {
            struct hash_eval eval = {.game = &ttt_ops, .batch = 2};
            struct yo_guided_options options;
            struct yo_guided *g = NULL;
            yo_guided_options_default(&options);
            options.mode = (enum yo_guided_mode)mode;
            options.threads = 4;
            options.memory_mb = 64;
            options.solve = false;
            assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL),
                             YO_OK);
            struct ttt position = {0};
            struct yo_search_limits limits = {.playouts = 1500};
            struct yo_search_result result;
            assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                             YO_OK);
            check_means(&g->search, g->search.tree.root);
            yo_guided_delete(g);
        }
}

static void *stop_soon(void *flag) {
    usleep(30000);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void *stop_when_stalled(void *both) {
    void **args = both;
    struct hash_eval *eval = args[0];
    while (eval->batches <= eval->stall_after)
        usleep(1000);
    atomic_store((atomic_bool *)args[1], true);
    return NULL;
}

static void stops_when_told(void **state) {
    (void)state;
    struct ttt_eval eval = {.fail_after = -1, .batch = 4};
    struct yo_guided *g = make(&eval, YO_GUIDED_PUCT, 8, false);
    struct ttt position = {0};
    struct yo_search_limits limits = {.whole = true};
    struct yo_search_result result;
    atomic_bool stop = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    assert_int_equal(yo_guided_run(g, &position, &limits, &stop, NULL, NULL, &result, NULL), YO_OK);
    pthread_join(thread, NULL);
    assert_true(result.move_count > 0);
    yo_guided_delete(g);
}

/* Where evaluations take long, a search that is stopped does not wait for them: this evaluator
 * answers what it has begun only when it is cancelled. It still has a move. */
static void drops_evaluations_when_stopped(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++)
        for (int threads = 1; threads < 4; threads += 2) {
            struct hash_eval eval = {
                .game = &ttt_ops, .batch = 2, .slow_ms = 12, .stall_after = 2 + 8 * threads};
            struct yo_guided_options options;
            struct yo_guided *g = NULL;
            yo_guided_options_default(&options);
            options.mode = (enum yo_guided_mode)mode;
            options.threads = threads;
            options.memory_mb = 8;
            assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL),
                             YO_OK);
            struct ttt position = {0};
            struct yo_search_limits limits = {.whole = true};
            struct yo_search_result result;
            atomic_bool stop = false;
            pthread_t thread;
            assert_int_equal(
                pthread_create(&thread, NULL, stop_when_stalled, &(void *[2]){&eval, &stop}), 0);
            assert_int_equal(yo_guided_run(g, &position, &limits, &stop, NULL, NULL, &result, NULL),
                             YO_OK);
            pthread_join(thread, NULL);
            assert_true(result.move_count > 0);
            assert_true(eval.cancelled > 0);
            yo_guided_delete(g);
        }
}

/* MC softmax search is stopped while it evaluates the children of the root: the policy has a move,
 * and the next search begins again. */
static void half_a_root_is_not_kept(void **state) {
    (void)state;
    struct hash_eval eval = {.game = &ttt_ops, .batch = 2, .slow_ms = 12, .stall_after = 1};
    struct yo_guided_options options;
    struct yo_guided *g = NULL;
    yo_guided_options_default(&options);
    options.mode = YO_GUIDED_MCSS;
    options.memory_mb = 8;
    assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL), YO_OK);
    struct ttt position = {0};
    struct yo_search_limits limits = {.playouts = 50};
    struct yo_search_result result;
    atomic_bool stop = true;
    assert_int_equal(yo_guided_run(g, &position, &limits, &stop, NULL, NULL, &result, NULL), YO_OK);
    assert_int_equal(result.move_count, 1);
    eval.stall_after = 0;
    eval.slow_ms = 0;
    assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_int_equal(result.playouts, 50);
    assert_true(result.move_count > 1);
    yo_guided_delete(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_what_is_in_flight),
        cmocka_unit_test(batches_are_full),
        cmocka_unit_test(counts_every_visit),
        cmocka_unit_test(goes_on_with_the_game),
        cmocka_unit_test(takes_every_change_in),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(drops_evaluations_when_stopped),
        cmocka_unit_test(half_a_root_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
