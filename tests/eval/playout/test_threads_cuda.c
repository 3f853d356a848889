/* The GPU backend on the host's side, with a driver that is not one (fake_cuda.h): pieces are put
 * together and their results given back right, and whatever fails, nothing is lost. That the kernel
 * plays the right games is for warp_light.cpp, warp_mogo.cpp and, on a GPU, tests/gpu/. */
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "eval/playout/cuda/cuda.h"
#include "eval/playout/cuda/gpu.h"
#include "eval/playout/playouts.h"
#include "eval/playout/position.h"
#include "eval/playout/scalar.h"
#include "support/backend_env.h"
#include "support/backend_games.h"
#include "support/cuda_games.h"
#include "support/fake_cuda.h"
#include "support/playout_positions.h"

static int notices;
static char last_notice[512];
static unsigned told; /* of the tests that use no evaluator */

static void hear(void *user, const char *text) {
    (void)user;
    notices++;
    snprintf(last_notice, sizeof last_notice, "%s", text);
}

static int setup(void **state) {
    (void)state;
    fake_cuda_start(1);
    notices = 0;
    last_notice[0] = 0;
    told = 0;
    backend_env.notices.notify = hear;
    backend_env.told = &told;
    return 0;
}

static int teardown(void **state) {
    (void)state;
    backend_env = (struct yo_playout_env){0};
    fake_cuda_start(0);
    return 0;
}

static bool agree(int size, int pieces, uint32_t mean) {
    return cuda_games_agree(YO_PLAYOUT_LIGHT, &yo_playout_cuda, &yo_playout_scalar, size, pieces,
                            mean, (unsigned)(size * 1000 + pieces));
}

/* ---- results ---- */

static void every_size_and_kind_of_piece(void **state) {
    (void)state;
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++) {
        assert_true(agree(size, 40, 2));
        assert_true(agree(size, 5, size < 10 ? 50 : 5));
    }
    assert_int_equal(notices, 0);
    assert_in_range(fake_cuda_launches(), 36, 72); /* never the CPU instead */
}

static void both_policies(void **state) {
    (void)state;
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++) {
        assert_true(cuda_games_agree(YO_PLAYOUT_MOGO, &yo_playout_cuda, &yo_playout_scalar, size,
                                     20, 2, (unsigned)size));
        assert_true(agree(size, 20, 2));
    }
    assert_int_equal(notices, 0);
    assert_int_equal(fake_cuda_launches(), 36); /* never the CPU instead */
}

static void large_pieces_are_summed_on_the_gpu(void **state) {
    (void)state;
    /* The fake fills with some 5000 games; these are more than half of it. */
    assert_true(
        cuda_sums_agree(YO_PLAYOUT_LIGHT, &yo_playout_cuda, &yo_playout_scalar, 5, 6000, 4));
    assert_true(
        cuda_sums_agree(YO_PLAYOUT_LIGHT, &yo_playout_cuda, &yo_playout_scalar, 9, 2600, 3));
    /* Large ones between small ones: each in a launch of its own. */
    assert_true(agree(4, 6, 8000));
    assert_int_equal(notices, 0);
}

static void small_pieces_go_together(void **state) {
    (void)state;
    assert_true(agree(3, 3000, 1));
    assert_int_equal(fake_cuda_launches(), 1);
    assert_in_range(fake_cuda_most_items(), 1000, 3000);
    assert_true(agree(2, 6500, 1)); /* more than one launch holds */
    assert_in_range(fake_cuda_launches(), 2, 4);
}

/* ---- through the evaluator ---- */

enum { BATCHES = 24, ITEMS = 30 };
struct stack {
    struct yo_go_position positions[ITEMS];
    struct yo_eval_item items[BATCHES][ITEMS];
    struct yo_eval_result results[BATCHES][ITEMS];
    uint32_t histograms[BATCHES][ITEMS][2 * 81 + 1];
    struct yo_eval_batch batches[BATCHES];
};

static void make_position(struct yo_go_position *position, int size, int moves) {
    struct yo_playout_position plain;
    random_position(&plain, size, moves);
    yo_playout_position_to_go(&plain, position);
}

/* large: the playouts of one item. */
static void fill_stack(struct stack *stack, uint64_t large) {
    memset(stack, 0, sizeof *stack);
    srand(3);
    for (int i = 0; i < ITEMS; i++)
        make_position(&stack->positions[i], 9, rand() % 80);
    for (int b = 0; b < BATCHES; b++) {
        for (int i = 0; i < ITEMS; i++) {
            stack->results[b][i].playouts.histogram = stack->histograms[b][i];
            stack->items[b][i] = (struct yo_eval_item){.position = &stack->positions[i],
                                                       .want = YO_EVAL_PLAYOUTS,
                                                       .results = &stack->results[b][i],
                                                       .playouts = (uint64_t)(rand() % 4),
                                                       .seed = (uint64_t)b};
        }
        stack->batches[b] = (struct yo_eval_batch){.items = stack->items[b], .item_count = ITEMS};
    }
    stack->items[0][0].playouts = large;
}

static void run_large(const char *backend, int threads, uint64_t large, struct stack *stack) {
    struct yo_eval eval;
    struct yo_diag diag;
    fill_stack(stack, large);
    assert_int_equal(yo_playouts_eval_open_with(backend, &backend_env, threads, &eval, &diag),
                     YO_OK);
    for (int b = 0; b < BATCHES; b++)
        assert_int_equal(eval.ops->submit(eval.ctx, &stack->batches[b], &diag), YO_OK);
    for (int b = 0; b < BATCHES; b++)
        assert_int_equal(eval.ops->wait(eval.ctx, &stack->batches[b]), YO_OK);
    eval.ops->destroy(eval.ctx);
}

/* The large item is shared by threads. */
static void run_stack(const char *backend, int threads, struct stack *stack) {
    run_large(backend, threads, 12000, stack);
}

static void compare_stacks(const struct stack *a, const struct stack *b) {
    assert_memory_equal(a->histograms, b->histograms, sizeof a->histograms);
    for (int i = 0; i < BATCHES; i++)
        for (int j = 0; j < ITEMS; j++)
            assert_int_equal(a->results[i][j].playouts.moves, b->results[i][j].playouts.moves);
}

static void batches_in_flight_on_several_gpus(void **state) {
    (void)state;
    static struct stack expected, actual;
    run_stack("scalar", 2, &expected);
    for (int gpus = 1; gpus <= 3; gpus++) {
        fake_cuda_start(gpus);
        run_stack("cuda", 1, &actual);
        compare_stacks(&expected, &actual);
        assert_true(fake_cuda_launches() >= BATCHES);
    }
    run_stack("cuda:2", 2, &actual);
    compare_stacks(&expected, &actual);
    assert_int_equal(notices, 0);
}

/* A launch that waits until others are played beside it. */
enum { BESIDE = 6 };
static atomic_int launches_in_play, most_in_play;
static void (*play_plainly)(enum yo_playout_policy, int, const struct yo_cuda_job *);

static void play_beside(enum yo_playout_policy policy, int size, const struct yo_cuda_job *job) {
    int now = atomic_fetch_add(&launches_in_play, 1) + 1;
    if (now > atomic_load(&most_in_play)) atomic_store(&most_in_play, now);
    for (int ms = 0; ms < 2000 && atomic_load(&most_in_play) < BESIDE; ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    play_plainly(policy, size, job);
    atomic_fetch_sub(&launches_in_play, 1);
}

static void small_batches_are_played_side_by_side(void **state) {
    (void)state;
    static struct stack expected, actual;
    run_stack("scalar", 2, &expected);
    play_plainly = fake_cuda.play;
    fake_cuda.play = play_beside;
    atomic_store(&most_in_play, 0);
    run_stack("cuda", 1, &actual);
    compare_stacks(&expected, &actual);
    assert_int_equal(notices, 0);
    assert_true(atomic_load(&most_in_play) >= BESIDE);
    /* Only the large one of them in parts: two of its large item, and one or two of the others. */
    assert_in_range(fake_cuda_launches(), BATCHES + 1, BATCHES + 5);
}

static void one_gpu_of_two_is_lost(void **state) {
    (void)state;
    static struct stack expected, actual;
    run_stack("scalar", 2, &expected);
    fake_cuda_start(2);
    fake_cuda.fail_at = 60;
    fake_cuda.fail_count = 1;
    run_stack("cuda", 1, &actual);
    compare_stacks(&expected, &actual);
    assert_int_equal(notices, 1);
    assert_true(yo_playout_available(&yo_playout_cuda));
}

/* ---- two engines at once ---- */

/* An engine's evaluator: its own thread, its own listener. */
struct engine {
    const char *backend;
    struct yo_eval eval;
    struct yo_playout_env env;
    struct stack stack;
    atomic_int heard;
    char notice[512];
};

static void hear_for(void *user, const char *text) {
    struct engine *engine = user;
    if (atomic_fetch_add(&engine->heard, 1) == 0)
        snprintf(engine->notice, sizeof engine->notice, "%s", text);
}

static void open_engine(struct engine *engine) {
    struct yo_diag diag;
    fill_stack(&engine->stack, 100);
    engine->env = (struct yo_playout_env){.notices = {hear_for, engine}};
    atomic_store(&engine->heard, 0);
    assert_int_equal(
        yo_playouts_eval_open_with(engine->backend, &engine->env, 1, &engine->eval, &diag), YO_OK);
}

static void *play_stack(void *arg) {
    struct engine *engine = arg;
    for (int b = 0; b < BATCHES; b++)
        if (engine->eval.ops->submit(engine->eval.ctx, &engine->stack.batches[b], NULL)) return arg;
    for (int b = 0; b < BATCHES; b++)
        if (engine->eval.ops->wait(engine->eval.ctx, &engine->stack.batches[b])) return arg;
    return NULL;
}

/* They share the GPUs and nothing else: each gets the results that it would get alone, one may end
 * while the other plays, and each is told once of a GPU that is lost, whichever of them lost it. */
static void engines_do_not_disturb_each_other(void **state) {
    (void)state;
    static struct stack expected;
    static struct engine engines[3] = {
        {.backend = "cuda"}, {.backend = "cuda"}, {.backend = "auto"}};
    run_large("scalar", 2, 100, &expected);
    for (int failing = 0; failing < 2; failing++) {
        pthread_t threads[2];
        void *failed;
        fake_cuda_start(2);
        for (int i = 0; i < 3; i++)
            open_engine(&engines[i]);
        if (failing) {
            fake_cuda.fail_at = 80;
            fake_cuda.fail_count = 1;
        }
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, play_stack, &engines[i]), 0);
        for (int i = 0; i < 2; i++) {
            pthread_join(threads[i], &failed);
            assert_null(failed);
            compare_stacks(&expected, &engines[i].stack);
            engines[i].eval.ops->destroy(engines[i].eval.ctx);
        }
        assert_null(play_stack(&engines[2])); /* the others are gone */
        compare_stacks(&expected, &engines[2].stack);
        engines[2].eval.ops->destroy(engines[2].eval.ctx);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(atomic_load(&engines[i].heard), failing);
            if (failing) assert_non_null(strstr(engines[i].notice, "is not used any more"));
        }
        /* What was lost before an engine began is no news to it. */
        open_engine(&engines[0]);
        assert_null(play_stack(&engines[0]));
        engines[0].eval.ops->destroy(engines[0].eval.ctx);
        assert_int_equal(atomic_load(&engines[0].heard), 0);
    }
    assert_int_equal(notices, 0);
}

static int logged;
static void log_game(void *user, const struct yo_playout_game *game) {
    (void)user;
    logged += game->move_count > 0;
}

static void moves_come_from_the_cpu(void **state) {
    (void)state;
    struct yo_go_position position;
    struct yo_playout_sink sink = {log_game, NULL};
    struct yo_eval_playouts results[2] = {0};
    struct yo_playout_piece pieces[2];
    make_position(&position, 9, 0);
    for (int i = 0; i < 2; i++)
        pieces[i] = (struct yo_playout_piece){
            .position = &position, .games = 50, .result = &results[i], .sink = i ? &sink : NULL};
    logged = 0;
    backend_run(&yo_playout_cuda, pieces, 2);
    assert_int_equal(logged, 50);
    assert_int_equal(results[0].moves, results[1].moves);
    assert_int_equal(results[0].score2_first, results[1].score2_first);
}

/* ---- what is chosen ---- */

/* A search batches its leaves on a GPU without being told to: the evaluator says that it gains by
 * it; but not with patterns that its kernels do not have. */
static void auto_gains_by_batches_on_a_gpu(void **state) {
    (void)state;
    static const struct yo_go_patterns other;
    for (int built_in = 0; built_in < 2; built_in++) {
        struct yo_playout_env env = {.patterns = built_in ? NULL : &other};
        struct yo_eval eval;
        struct yo_eval_about light, mogo, rich;
        assert_int_equal(yo_playouts_eval_open_with("auto", &env, 1, &eval, NULL), YO_OK);
        eval.ops->describe(eval.ctx, YO_PLAYOUT_LIGHT, &light);
        eval.ops->describe(eval.ctx, YO_PLAYOUT_MOGO, &mogo);
        eval.ops->describe(eval.ctx, YO_PLAYOUT_RICH, &rich);
        if (light.batch > 1) { /* on machines of so many cores that a GPU is not worth it */
            assert_string_equal(light.name, "cuda");
            assert_true(light.playouts > 1);
            assert_string_equal(mogo.name, built_in ? "cuda" : "scalar");
        }
        assert_int_equal(rich.batch, 1);
        assert_string_equal(rich.name, "scalar");
        eval.ops->destroy(eval.ctx);
    }
}

static void a_gpu_is_chosen_for_large_batches(void **state) {
    (void)state;
    assert_ptr_equal(yo_playout_backend_best(&backend_env, YO_PLAYOUT_LIGHT, 9, 1000000),
                     &yo_playout_cuda);
    assert_ptr_not_equal(yo_playout_backend_best(&backend_env, YO_PLAYOUT_LIGHT, 9, 100),
                         &yo_playout_cuda);
    assert_ptr_equal(yo_playout_backend_best(&backend_env, YO_PLAYOUT_MOGO, 9, 1000000),
                     &yo_playout_cuda);
    assert_ptr_not_equal(yo_playout_backend_here(&backend_env, YO_PLAYOUT_LIGHT, 9),
                         &yo_playout_cuda);
    const struct yo_playout_backend *one;
    const char *const names[] = {"cuda:0", "cuda:1"}, *const wrong[] = {"cuda:", "cuda:16",
                                                                        "cuda:00"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(yo_playout_backend_open(names[i], &one, NULL), YO_OK);
        assert_string_equal(one->name, names[i]);
        assert_int_equal(yo_playout_available(one), i == 0);
        yo_playout_backend_close(one);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(yo_playout_backend_open(wrong[i], &one, NULL), YO_ERR_UNKNOWN);
}

static void expect_none(const char *why) {
    char text[300];
    int version;
    struct yo_cuda_gpu gpu;
    fake_cuda_again();
    assert_false(yo_playout_available(&yo_playout_cuda));
    yo_cuda_state(text, sizeof text, &version);
    if (!text[0] && yo_cuda_gpu_describe(0, &gpu)) snprintf(text, sizeof text, "%s", gpu.why);
    if (!strstr(text, why)) fail_msg("'%s' does not say '%s'", text, why);
    struct yo_eval eval;
    assert_int_equal(yo_playouts_eval_open("cuda", 1, &eval, NULL), YO_ERR_UNSUPPORTED);
    assert_ptr_not_equal(yo_playout_backend_best(&backend_env, YO_PLAYOUT_LIGHT, 9, 1000000),
                         &yo_playout_cuda);
}

static void what_cannot_be_used_says_why(void **state) {
    (void)state;
    fake_cuda.version = 12080;
    expect_none("for CUDA 12.8 and Yomi was built with 13.0");
    fake_cuda_start(1);
    fake_cuda.major = 6;
    expect_none("compute capability 6.0");
    fake_cuda_start(1);
    fake_cuda.mode = YO_CUDA_MODE_PROHIBITED;
    expect_none("prohibited");
    fake_cuda_start(-1);
    expect_none("finds no GPU");
    fake_cuda_start(1);
    fake_cuda.fail_at = 2;
    expect_none("does not start");
}

/* ---- what fails ---- */

/* One call after the other fails, and with it all that follow. */
static void whatever_fails_nothing_is_lost(void **state) {
    (void)state;
    assert_true(agree(5, 20, 3)); /* how many calls there are */
    long calls = fake_cuda_calls();
    assert_true(calls > 25);
    for (long n = 1; n <= calls; n++)
        for (int once = 0; once < 2; once++) {
            fake_cuda_start(1);
            notices = 0;
            told = 0;
            fake_cuda.fail_at = n;
            if (once) fake_cuda.fail_count = 1;
            bool there = yo_playout_available(&yo_playout_cuda);
            assert_true(agree(5, 20, 3));
            assert_true(agree(5, 3, 4000)); /* and after it */
            assert_int_equal(notices, there ? 1 : 0);
            assert_false(n > 2 && yo_playout_available(&yo_playout_cuda));
        }
}

static void reasons_are_told(void **state) {
    (void)state;
    assert_true(agree(9, 3, 1));
    fake_cuda.fail_at = fake_cuda_calls() + 1;
    fake_cuda.fail_code = YO_CUDA_OUT_OF_MEMORY;
    assert_true(agree(9, 3, 1));
    assert_non_null(strstr(last_notice, "GPU 0 (Fake 100)"));
    assert_non_null(strstr(last_notice, "out of GPU memory (CUDA_ERROR_OUT_OF_MEMORY"));
    assert_non_null(strstr(last_notice, "the CPU goes on"));
    struct yo_cuda_gpu gpu;
    assert_true(yo_cuda_gpu_describe(0, &gpu));
    assert_non_null(strstr(gpu.why, "out of GPU memory"));
}

static void a_launch_that_does_not_end(void **state) {
    (void)state;
    fake_cuda.hangs = true;
    assert_true(agree(9, 20, 3));
    assert_int_equal(notices, 1);
    assert_non_null(strstr(last_notice, "did not end in 50 ms"));
    fake_cuda.hangs = false;
    assert_true(agree(9, 20, 3)); /* it is left alone */
    assert_int_equal(fake_cuda_launches(), 1);
}

static void nonsense_is_not_believed(void **state) {
    (void)state;
    fake_cuda.nonsense = true;
    assert_true(agree(9, 20, 3));
    assert_int_equal(notices, 1);
    assert_non_null(strstr(last_notice, "make no sense"));
    fake_cuda_start(1);
    told = 0;
    fake_cuda.nonsense = true;
    assert_true(
        cuda_sums_agree(YO_PLAYOUT_LIGHT, &yo_playout_cuda, &yo_playout_scalar, 5, 6000, 4));
    assert_int_equal(notices, 2);
}

static void memory_of_the_host_may_run_out(void **state) {
    (void)state;
    yo_alloc_fail_after(0);
    bool good = agree(9, 20, 3); /* its own memory does not come from there */
    yo_alloc_fail_after(-1);
    assert_true(good);
    assert_int_equal(notices, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_size_and_kind_of_piece),
        TEST(both_policies),
        TEST(large_pieces_are_summed_on_the_gpu),
        TEST(small_pieces_go_together),
        TEST(batches_in_flight_on_several_gpus),
        TEST(small_batches_are_played_side_by_side),
        TEST(one_gpu_of_two_is_lost),
        TEST(engines_do_not_disturb_each_other),
        TEST(moves_come_from_the_cpu),
        TEST(a_gpu_is_chosen_for_large_batches),
        TEST(auto_gains_by_batches_on_a_gpu),
        TEST(what_cannot_be_used_says_why),
        TEST(whatever_fails_nothing_is_lost),
        TEST(reasons_are_told),
        TEST(a_launch_that_does_not_end),
        TEST(nonsense_is_not_believed),
        TEST(memory_of_the_host_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
