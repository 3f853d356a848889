/* The evaluator over threads: the same sums whatever the number of threads, the way a batch is cut
 * up or the backend; callbacks, errors, and the check combinator that catches a wrong backend. */
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/combine/check.h"
#include "eval/playout/playouts.h"
#include "eval/playout/position.h"
#include "eval/playout/scalar.h"

#define SIZE   9
#define POINTS (SIZE * SIZE)

struct totals {
    uint32_t histogram[2 * POINTS + 1];
    int32_t ownership[POINTS];
};

static void start_plain(struct yo_playout_position *position) {
    memset(position, 0, sizeof *position);
    position->size = SIZE;
    position->to_move = YO_GO_BLACK;
    position->ko = position->last = YO_GO_NONE;
}

static void start(struct yo_go_position *position) {
    struct yo_playout_position plain;
    start_plain(&plain);
    yo_playout_position_to_go(&plain, position);
    position->rules.komi2 = 14;
}

static struct yo_eval open_eval(const char *name, int threads) {
    struct yo_eval eval;
    struct yo_diag diag;
    assert_int_equal(yo_playouts_eval_open(name, threads, &eval, &diag), YO_OK);
    return eval;
}

static struct yo_eval_item make_item(const struct yo_go_position *position,
                                     struct yo_eval_result *result, struct totals *totals,
                                     uint64_t games) {
    memset(totals, 0, sizeof *totals);
    *result = (struct yo_eval_result){
        .playouts = {.histogram = totals->histogram, .owner = totals->ownership}};
    return (struct yo_eval_item){.position = position,
                                 .want = YO_EVAL_PLAYOUTS,
                                 .results = result,
                                 .playouts = games,
                                 .seed = 7};
}

static void run(struct yo_eval *eval, struct yo_eval_item *items, size_t count) {
    assert_int_equal(yo_eval_run(*eval, items, count, NULL), YO_OK);
}

static void threads_make_no_difference(void **state) {
    (void)state;
    struct yo_go_position position;
    struct yo_eval_result results[3];
    static struct totals totals[3];
    start(&position);
    const char *names[] = {"scalar", "auto", "auto"};
    const int threads[] = {1, 1, 3};
    for (int i = 0; i < 3; i++) {
        struct yo_eval eval = open_eval(names[i], threads[i]);
        struct yo_eval_item item = make_item(&position, &results[i], &totals[i], 5000);
        run(&eval, &item, 1);
        eval.ops->destroy(eval.ctx);
        assert_int_equal(results[i].playouts.games, 5000);
        assert_int_equal(results[i].playouts.moves, results[0].playouts.moves);
        assert_int_equal(results[i].playouts.score2_first, results[0].playouts.score2_first);
        assert_int_equal(results[i].playouts.score2_squared, results[0].playouts.score2_squared);
        assert_int_equal(results[i].playouts.half_wins_first, results[0].playouts.half_wins_first);
        assert_memory_equal(&totals[i], &totals[0], sizeof totals[0]);
    }
}

/* An item with children gives what the children give when they are asked for one by one. */
static void children_are_evaluated(void **state) {
    (void)state;
    enum { CHILDREN = 5 };
    static const yo_move children[CHILDREN] = {0, 40, 41, 80, YO_GO_PASS};
    struct yo_go_position position, after;
    struct yo_eval_result results[CHILDREN], alone;
    static struct totals totals[CHILDREN], alone_totals;
    start(&position);
    struct yo_eval eval = open_eval("auto", 2);
    struct yo_eval_item item = make_item(&position, &results[0], &totals[0], 300);
    for (int i = 0; i < CHILDREN; i++)
        make_item(&position, &results[i], &totals[i], 300);
    item.children = children;
    item.child_count = CHILDREN;
    run(&eval, &item, 1);
    for (int i = 0; i < CHILDREN; i++) {
        after = position;
        yo_go_position_play(&after, (yo_go_point)children[i]);
        struct yo_eval_item single = make_item(&after, &alone, &alone_totals, 300);
        run(&eval, &single, 1);
        assert_int_equal(results[i].playouts.score2_first, alone.playouts.score2_first);
        assert_memory_equal(&totals[i], &alone_totals, sizeof alone_totals);
    }
    eval.ops->destroy(eval.ctx);
}

static atomic_int callbacks;

static void count_callback(struct yo_eval_batch *batch) {
    assert_int_equal(batch->err, YO_OK);
    atomic_fetch_add(&callbacks, 1);
}

static void many_batches_in_flight(void **state) {
    (void)state;
    enum { BATCHES = 40 };
    static struct yo_eval_batch batches[BATCHES];
    static struct yo_eval_item items[BATCHES];
    static struct yo_eval_result results[BATCHES];
    static struct totals totals[BATCHES];
    struct yo_go_position position;
    start(&position);
    atomic_store(&callbacks, 0);
    struct yo_eval eval = open_eval("auto", 3);
    for (int i = 0; i < BATCHES; i++) {
        items[i] = make_item(&position, &results[i], &totals[i], (uint64_t)(i * 37 % 400));
        batches[i] = (struct yo_eval_batch){
            .items = &items[i], .item_count = 1, .done = i % 2 ? count_callback : NULL};
        assert_int_equal(eval.ops->submit(eval.ctx, &batches[i], NULL), YO_OK);
    }
    for (int i = 0; i < BATCHES; i += 2)
        assert_int_equal(eval.ops->wait(eval.ctx, &batches[i]), YO_OK);
    eval.ops->destroy(eval.ctx); /* finishes what was submitted */
    assert_int_equal(atomic_load(&callbacks), BATCHES / 2);
    for (int i = 0; i < BATCHES; i++)
        assert_int_equal(results[i].playouts.games, i * 37 % 400);
}

static void bad_batches_are_refused(void **state) {
    (void)state;
    struct yo_go_position good, bad;
    struct yo_eval_result results[2];
    static struct totals totals[2];
    struct yo_diag diag;
    struct yo_eval eval = open_eval("auto", 1);
    start(&good);
    for (int kind = 0; kind < 7; kind++) {
        bad = good;
        struct yo_eval_item items[2] = {make_item(&good, &results[0], &totals[0], 10),
                                        make_item(&bad, &results[1], &totals[1], 10)};
        yo_move child = kind == 2 ? 3 : kind == 3 ? POINTS : YO_GO_PASS;
        if (kind == 0) yo_go_board_init(&bad.board, SIZE + 2);
        if (kind == 1) items[1].want = YO_EVAL_VALUE;
        if (kind == 2) yo_go_board_play(&bad.board, YO_GO_BLACK, 3);
        if (kind == 2 || kind == 3) {
            items[1].children = &child;
            items[1].child_count = 1;
        }
        if (kind == 4) items[1].playouts = UINT64_MAX;
        if (kind == 5) items[1].playouts = (uint64_t)YO_PLAYOUT_GAMES_MAX + 1;
        if (kind == 6) items[0].playout_policy = items[1].playout_policy = 7;
        struct yo_eval_batch batch = {.items = items, .item_count = 2};
        diag.what[0] = 0;
        assert_int_not_equal(eval.ops->submit(eval.ctx, &batch, &diag), YO_OK);
        assert_true(diag.what[0] != 0);
    }
    eval.ops->destroy(eval.ctx);
}

static void bad_positions_are_refused(void **state) {
    (void)state;
    struct yo_playouts *playouts;
    struct yo_diag diag;
    assert_int_equal(yo_playouts_new(NULL, 1, &playouts, &diag), YO_OK);
    for (int kind = 0; kind < 4; kind++) {
        struct yo_playout_position bad;
        struct yo_playout_result result = {0};
        start_plain(&bad);
        if (kind == 0) bad.size = 1;
        if (kind == 1) bad.to_move = YO_GO_EMPTY;
        if (kind == 2) bad.stones[0] = YO_GO_BLACK, bad.stones[1] = bad.stones[9] = YO_GO_WHITE;
        if (kind == 3) bad.stones[5] = YO_GO_BLACK, bad.ko = 5;
        diag.what[0] = 0;
        assert_int_not_equal(
            yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &bad, 1, 0, 10, &result, &diag), YO_OK);
        assert_true(diag.what[0] != 0);
        assert_int_equal(result.games, 0);
    }
    yo_playouts_delete(playouts);
}

/* The sums are what the histogram says, komi counted. */
static void sums_are_those_of_the_histogram(void **state) {
    (void)state;
    struct yo_go_position position;
    struct yo_eval_result result;
    static struct totals totals;
    const int komi2s[] = {14, 0, -7};
    struct yo_eval eval = open_eval("auto", 2);
    for (int i = 0; i < 3; i++) {
        start(&position);
        position.rules.komi2 = komi2s[i];
        struct yo_eval_item item = make_item(&position, &result, &totals, 2000);
        run(&eval, &item, 1);
        uint64_t half_wins = 0, squared = 0;
        int64_t sum = 0;
        for (int score = -POINTS; score <= POINTS; score++) {
            int64_t score2 = 2 * score - komi2s[i], games = totals.histogram[score + POINTS];
            half_wins += (uint64_t)(score2 > 0 ? 2 * games : score2 == 0 ? games : 0);
            sum += games * score2;
            squared += (uint64_t)(games * score2 * score2);
        }
        assert_int_equal(result.playouts.half_wins_first, half_wins);
        assert_int_equal(result.playouts.score2_first, sum);
        assert_int_equal(result.playouts.score2_squared, squared);
    }
    eval.ops->destroy(eval.ctx);
}

/* More results that threads share than one of them has sums for at a time. */
static void many_shared_results(void **state) {
    (void)state;
    enum { MANY = 90, GAMES = 1100 };
    static struct yo_eval_item items[MANY];
    static struct yo_eval_result results[2][MANY];
    static struct totals totals[2][MANY];
    struct yo_go_position position;
    start(&position);
    for (int k = 0; k < 2; k++) {
        struct yo_eval eval = open_eval(k ? "auto" : "scalar", k ? 3 : 1);
        for (int i = 0; i < MANY; i++) {
            items[i] = make_item(&position, &results[k][i], &totals[k][i], GAMES);
            items[i].seed = (uint64_t)i;
        }
        run(&eval, items, MANY);
        eval.ops->destroy(eval.ctx);
    }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(results[1][i].playouts.games, GAMES);
        assert_int_equal(results[1][i].playouts.moves, results[0][i].playouts.moves);
    }
    assert_memory_equal(totals[0], totals[1], sizeof totals[0]);
}

/* Neither where threads share a result nor where each has its own. */
static void submit_allocates_nothing(void **state) {
    (void)state;
    enum { ITEMS = 50 };
    static struct yo_eval_item items[ITEMS];
    static struct yo_eval_result results[ITEMS];
    static struct totals totals[ITEMS];
    static const yo_move children[] = {1, YO_GO_PASS};
    struct yo_eval_result child_results[2] = {0};
    struct yo_go_position position;
    start(&position);
    for (int threads = 1; threads <= 2; threads++) {
        struct yo_eval eval = open_eval("auto", threads);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < ITEMS; i++)
                items[i] = make_item(&position, &results[i], &totals[i], i ? 3 : 5000);
            items[1].children = children;
            items[1].child_count = 2;
            items[1].results = child_results;
            struct yo_eval_batch batch = {.items = items, .item_count = ITEMS};
            if (round > 0) yo_alloc_fail_after(0);
            assert_int_equal(eval.ops->submit(eval.ctx, &batch, NULL), YO_OK);
            enum yo_err err = eval.ops->wait(eval.ctx, &batch);
            yo_alloc_fail_after(-1);
            /* A thread gets its scratch memory with its first batch. */
            if (threads == 1) assert_int_equal(err, YO_OK);
        }
        eval.ops->destroy(eval.ctx);
    }
}

/* What is cancelled finishes soon, and says so unless it was done already. */
static void batches_can_be_cancelled(void **state) {
    (void)state;
    const char *const names[] = {"scalar", "auto", "check:auto"};
    for (int k = 0; k < 3; k++) {
        struct yo_go_position position;
        struct yo_eval_result results[2];
        static struct totals totals[2];
        struct yo_eval_item items[2];
        struct yo_eval_batch batches[2];
        start(&position);
        struct yo_eval eval = open_eval(names[k], 1);
        for (int i = 0; i < 2; i++) { /* the second waits for the first, which would take hours */
            items[i] = make_item(&position, &results[i], &totals[i], YO_PLAYOUT_GAMES_MAX);
            batches[i] = (struct yo_eval_batch){.items = &items[i], .item_count = 1};
            assert_int_equal(eval.ops->submit(eval.ctx, &batches[i], NULL), YO_OK);
        }
        for (int i = 1; i >= 0; i--) {
            assert_false(eval.ops->poll(eval.ctx, &batches[i]));
            eval.ops->cancel(eval.ctx, &batches[i]);
            assert_int_equal(eval.ops->wait(eval.ctx, &batches[i]), YO_ERR_CANCELLED);
            assert_true(eval.ops->poll(eval.ctx, &batches[i]));
            assert_true(results[i].playouts.games < YO_PLAYOUT_GAMES_MAX);
        }
        items[0] = make_item(&position, &results[0], &totals[0], 100);
        batches[0] = (struct yo_eval_batch){.items = &items[0], .item_count = 1};
        assert_int_equal(eval.ops->submit(eval.ctx, &batches[0], NULL), YO_OK);
        assert_int_equal(eval.ops->wait(eval.ctx, &batches[0]), YO_OK);
        eval.ops->cancel(eval.ctx, &batches[0]); /* too late */
        assert_int_equal(eval.ops->wait(eval.ctx, &batches[0]), YO_OK);
        assert_int_equal(results[0].playouts.games, 100);
        eval.ops->destroy(eval.ctx);
    }
}

/* What it says is what it does: the game, the wants, and who plays. */
static void evaluators_describe_themselves(void **state) {
    (void)state;
    struct yo_eval_about about;
    for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++) {
        struct yo_eval eval = open_eval("scalar", 1);
        eval.ops->describe(eval.ctx, policy, &about);
        assert_ptr_equal(about.game, &yo_go_ops);
        assert_int_equal(about.wants, YO_EVAL_PLAYOUTS);
        assert_int_equal(about.batch, 1);
        assert_true(about.exact);
        assert_string_equal(about.name, "scalar");
        eval.ops->destroy(eval.ctx);
        eval = open_eval("auto", 1);
        eval.ops->describe(eval.ctx, policy, &about);
        assert_int_equal(about.wants, YO_EVAL_PLAYOUTS);
        assert_string_equal(about.name,
                            yo_playout_backend_here(&yo_playout_env_default,
                                                    (enum yo_playout_policy)policy, YO_GO_SIZE_MAX)
                                ->name);
        eval.ops->destroy(eval.ctx);
        eval = open_eval("slice64", 1);
        eval.ops->describe(eval.ctx, policy, &about);
        assert_int_equal(about.wants, policy == YO_PLAYOUT_LIGHT ? YO_EVAL_PLAYOUTS : 0);
        eval.ops->destroy(eval.ctx);
        eval = open_eval("check:scalar", 1);
        eval.ops->describe(eval.ctx, policy, &about);
        assert_string_equal(about.name, "check:scalar,scalar");
        assert_true(about.batch > 1); /* so that leaves of a tree are compared too */
        eval.ops->destroy(eval.ctx);
    }
}

static void unknown_names_are_refused(void **state) {
    (void)state;
    struct yo_eval eval;
    struct yo_diag diag;
    assert_int_equal(yo_playouts_eval_open("abacus", 1, &eval, &diag), YO_ERR_UNKNOWN);
    assert_int_equal(yo_playouts_eval_open("check:abacus", 1, &eval, &diag), YO_ERR_UNKNOWN);
    assert_int_equal(yo_playouts_eval_open("check:check:auto", 1, &eval, &diag), YO_ERR_UNKNOWN);
    assert_int_equal(yo_playouts_eval_open("auto", -1, &eval, &diag), YO_ERR_RANGE);
    assert_int_equal(yo_playouts_eval_open("auto", 5000, &eval, &diag), YO_ERR_RANGE);
}

/* "auto" plays what is asked for on whatever can, one after the other on the same threads. */
static void auto_plays_every_policy(void **state) {
    (void)state;
    static const enum yo_playout_policy policies[] = {YO_PLAYOUT_LIGHT, YO_PLAYOUT_MOGO,
                                                      YO_PLAYOUT_LIGHT};
    struct yo_go_position position;
    struct yo_eval_result result, expected;
    static struct totals totals, expected_totals;
    struct yo_eval eval = open_eval("auto", 1), reference = open_eval("scalar", 1);
    start(&position);
    for (size_t i = 0; i < 3; i++) {
        struct yo_eval_item item = make_item(&position, &result, &totals, 500);
        item.playout_policy = (int)policies[i];
        run(&eval, &item, 1);
        item = make_item(&position, &expected, &expected_totals, 500);
        item.playout_policy = (int)policies[i];
        run(&reference, &item, 1);
        assert_int_equal(result.playouts.moves, expected.playouts.moves);
        assert_memory_equal(&totals, &expected_totals, sizeof totals);
    }
    eval.ops->destroy(eval.ctx);
    reference.ops->destroy(reference.ctx);
}

static int heard[2];

static void hear(void *user, const char *text) {
    (void)text;
    ++*(int *)user;
}

static void run_and_tell(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                         enum yo_playout_policy policy, int size,
                         const struct yo_playout_source *source, void *scratch) {
    yo_notice(&env->notices, "%s plays", backend->name);
    yo_playout_run(&yo_playout_scalar, env, policy, size, source, scratch);
}

/* Two evaluators in one process: each with its own patterns, and its own listener. */
static void evaluators_share_nothing(void **state) {
    (void)state;
    static struct yo_go_patterns nowhere;
    struct yo_playout_backend_ops ops = *yo_playout_scalar.ops;
    ops.run = run_and_tell;
    struct yo_playout_backend loud = {.name = "loud", .ops = &ops};
    struct yo_go_position position;
    struct yo_eval_result results[2], expected;
    static struct totals totals[2], expected_totals;
    struct yo_eval evals[2], plain = open_eval("scalar", 1);
    start(&position);
    yo_go_position_play(&position, 40);
    for (int i = 0; i < 2; i++) {
        struct yo_playout_env env = {.patterns = i ? &nowhere : NULL, .notices = {hear, &heard[i]}};
        assert_int_equal(yo_playouts_eval_new(&loud, false, &env, 1, &evals[i], NULL), YO_OK);
    }
    for (int i = 0; i < 2; i++) {
        struct yo_eval_item item = make_item(&position, &results[i], &totals[i], 200);
        item.playout_policy = YO_PLAYOUT_MOGO;
        run(&evals[i], &item, 1);
        assert_int_equal(heard[i], 1);
    }
    struct yo_eval_item item = make_item(&position, &expected, &expected_totals, 200);
    item.playout_policy = YO_PLAYOUT_MOGO;
    run(&plain, &item, 1);
    assert_memory_equal(&totals[0], &expected_totals, sizeof expected_totals);
    assert_memory_not_equal(&totals[1], &expected_totals, sizeof expected_totals);
    for (int i = 0; i < 2; i++)
        evals[i].ops->destroy(evals[i].ctx);
    plain.ops->destroy(plain.ctx);
}

/* ---- check ---- */

static void check_passes_on_right_results(void **state) {
    (void)state;
    struct yo_go_position position;
    struct yo_eval_result checked, plain;
    static struct totals checked_totals, plain_totals;
    start(&position);
    struct yo_eval eval = open_eval("check:auto", 2);
    struct yo_eval_item item = make_item(&position, &checked, &checked_totals, 1000);
    run(&eval, &item, 1);
    eval.ops->destroy(eval.ctx);
    eval = open_eval("scalar", 1);
    item = make_item(&position, &plain, &plain_totals, 1000);
    run(&eval, &item, 1);
    eval.ops->destroy(eval.ctx);
    assert_int_equal(checked.playouts.score2_first, plain.playouts.score2_first);
    assert_memory_equal(&checked_totals, &plain_totals, sizeof plain_totals);
}

/* A backend that counts one point wrong. */
static struct yo_eval_playouts *spoil;

static bool spoiling_next(void *ctx, struct yo_playout_piece *piece) {
    const struct yo_playout_source *inner = ctx;
    bool more = inner->next(inner->ctx, piece);
    if (more) spoil = piece->result;
    return more;
}

static void run_spoilt(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                       enum yo_playout_policy policy, int size,
                       const struct yo_playout_source *source, void *scratch) {
    (void)backend;
    struct yo_playout_source spoiling = {spoiling_next, (void *)source};
    yo_playout_run(&yo_playout_scalar, env, policy, size, &spoiling, scratch);
    spoil->owner[40]++;
}

static void check_catches_a_wrong_backend(void **state) {
    (void)state;
    struct yo_playout_backend_ops ops = *yo_playout_scalar.ops;
    ops.run = run_spoilt;
    struct yo_playout_backend wrong = {.name = "wrong", .ops = &ops};
    struct yo_eval pair[2], eval;
    assert_int_equal(yo_playouts_eval_new(&wrong, false, NULL, 1, &pair[0], NULL), YO_OK);
    pair[1] = open_eval("scalar", 1);
    assert_int_equal(yo_eval_check_new(pair[0], pair[1], &eval, NULL), YO_OK);
    struct yo_go_position position;
    struct yo_eval_result result;
    static struct totals totals;
    start(&position);
    struct yo_eval_item item = make_item(&position, &result, &totals, 50);
    struct yo_eval_batch batch = {.items = &item, .item_count = 1};
    assert_int_equal(eval.ops->submit(eval.ctx, &batch, NULL), YO_OK);
    assert_int_equal(eval.ops->wait(eval.ctx, &batch), YO_ERR_MISMATCH);
    assert_non_null(strstr(batch.diag.what, "ownership"));
    assert_non_null(strstr(batch.diag.where, "wrong"));
    /* Another batch of that size needs no memory. */
    yo_alloc_fail_after(0);
    assert_int_equal(eval.ops->submit(eval.ctx, &batch, NULL), YO_OK);
    yo_alloc_fail_after(-1);
    assert_int_equal(eval.ops->wait(eval.ctx, &batch), YO_ERR_MISMATCH);
    eval.ops->destroy(eval.ctx);
}

static void blocking_interface(void **state) {
    (void)state;
    struct yo_playouts *playouts;
    struct yo_playout_position position;
    static struct totals totals;
    struct yo_diag diag;
    start_plain(&position);
    assert_int_equal(yo_playouts_new(NULL, 2, &playouts, &diag), YO_OK);
    struct yo_playout_result result = {.histogram = totals.histogram};
    for (int i = 0; i < 2; i++)
        assert_int_equal(yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, 1,
                                         (uint64_t)i * 1000, 1000, &result, &diag),
                         YO_OK);
    uint64_t black, white, draws;
    yo_playout_count_wins(totals.histogram, SIZE, 15, &black, &white, &draws);
    assert_int_equal(result.games, 2000);
    assert_int_equal(black + white + draws, 2000);
    assert_int_equal(draws, 0);
    assert_in_range(black, 740, 940); /* 42.1% of 2000, four standard deviations */
    yo_playouts_delete(playouts);
}

/* Whatever allocation fails, the answer is an error and nothing leaks. */
static void memory_may_run_out(void **state) {
    (void)state;
    struct yo_go_position position;
    struct yo_eval_result result;
    static struct totals totals;
    start(&position);
    enum yo_err err = YO_ERR_NOMEM;
    for (long n = 0; n < 40; n++) {
        struct yo_eval eval;
        yo_alloc_fail_after(n);
        err = yo_playouts_eval_open("check:auto", 2, &eval, NULL);
        if (!err) {
            struct yo_eval_item item = make_item(&position, &result, &totals, 600);
            struct yo_eval_batch batch = {.items = &item, .item_count = 1};
            err = eval.ops->submit(eval.ctx, &batch, NULL);
            if (!err) err = eval.ops->wait(eval.ctx, &batch);
            eval.ops->destroy(eval.ctx);
        }
        yo_alloc_fail_after(-1);
        assert_true(err == YO_ERR_NOMEM || (err == YO_OK && result.playouts.games == 600));
        if (n == 0) assert_int_equal(err, YO_ERR_NOMEM);
    }
    assert_int_equal(err, YO_OK); /* enough were let through to see all of it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(children_are_evaluated),
        cmocka_unit_test(many_batches_in_flight),
        cmocka_unit_test(bad_batches_are_refused),
        cmocka_unit_test(bad_positions_are_refused),
        cmocka_unit_test(sums_are_those_of_the_histogram),
        cmocka_unit_test(many_shared_results),
        cmocka_unit_test(submit_allocates_nothing),
        cmocka_unit_test(batches_can_be_cancelled),
        cmocka_unit_test(evaluators_describe_themselves),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(auto_plays_every_policy),
        cmocka_unit_test(evaluators_share_nothing),
        cmocka_unit_test(check_passes_on_right_results),
        cmocka_unit_test(check_catches_a_wrong_backend),
        cmocka_unit_test(blocking_interface),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
