/* The evaluator over threads: the same sums whatever the number of threads, the way a batch is cut
 * up or the backend; callbacks, errors, and the check combinator that catches a wrong backend. */
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/combine/check.h"
#include "eval/playout/playouts.h"
#include "eval/playout/scalar.h"

#define SIZE   9
#define POINTS (SIZE * SIZE)

struct totals {
    uint32_t histogram[2 * POINTS + 1];
    int32_t ownership[POINTS];
};

static void start(struct yo_playout_position *position) {
    memset(position, 0, sizeof *position);
    position->size = SIZE;
    position->to_move = YO_GO_BLACK;
    position->ko = position->last = YO_GO_NONE;
}

static struct yo_eval open_eval(const char *name, int threads) {
    struct yo_eval eval;
    struct yo_diag diag;
    assert_int_equal(yo_playouts_eval_open(name, threads, &eval, &diag), YO_OK);
    return eval;
}

static struct yo_eval_item make_item(const struct yo_playout_position *position,
                                     struct yo_eval_result *result, struct totals *totals,
                                     uint64_t games) {
    memset(totals, 0, sizeof *totals);
    *result = (struct yo_eval_result){
        .playouts = {.histogram = totals->histogram, .ownership = totals->ownership}};
    return (struct yo_eval_item){.position = position,
                                 .want = YO_EVAL_PLAYOUTS,
                                 .results = result,
                                 .playouts = games,
                                 .seed = 7};
}

static void run(struct yo_eval *eval, struct yo_eval_item *items, size_t count) {
    struct yo_eval_batch batch = {.items = items, .item_count = count};
    assert_int_equal(eval->ops->submit(eval->ctx, &batch, NULL), YO_OK);
    assert_int_equal(eval->ops->wait(eval->ctx, &batch), YO_OK);
}

static void threads_make_no_difference(void **state) {
    (void)state;
    struct yo_playout_position position;
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
        assert_int_equal(results[i].playouts.score_sum, results[0].playouts.score_sum);
        assert_memory_equal(&totals[i], &totals[0], sizeof totals[0]);
    }
}

/* An item with children gives what the children give when they are asked for one by one. */
static void children_are_evaluated(void **state) {
    (void)state;
    enum { CHILDREN = 5 };
    static const yo_move children[CHILDREN] = {0, 40, 41, 80, YO_GO_PASS};
    struct yo_playout_position position, after;
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
        after.to_move = YO_GO_WHITE;
        if (children[i] != YO_GO_PASS) after.stones[children[i]] = YO_GO_BLACK;
        struct yo_eval_item single = make_item(&after, &alone, &alone_totals, 300);
        run(&eval, &single, 1);
        assert_int_equal(results[i].playouts.score_sum, alone.playouts.score_sum);
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
    struct yo_playout_position position;
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
    struct yo_playout_position good, bad;
    struct yo_eval_result results[2];
    static struct totals totals[2];
    struct yo_diag diag;
    struct yo_eval eval = open_eval("auto", 1);
    start(&good);
    for (int kind = 0; kind < 9; kind++) {
        bad = good;
        struct yo_eval_item items[2] = {make_item(&good, &results[0], &totals[0], 10),
                                        make_item(&bad, &results[1], &totals[1], 10)};
        yo_move occupied = 3;
        if (kind == 0) bad.size = 1;
        if (kind == 1) bad.to_move = YO_GO_EMPTY;
        if (kind == 2) bad.stones[0] = YO_GO_BLACK, bad.stones[1] = bad.stones[9] = YO_GO_WHITE;
        if (kind == 3) bad.stones[5] = YO_GO_BLACK, bad.ko = 5;
        if (kind == 4) items[1].want = YO_EVAL_VALUE;
        if (kind == 5) {
            bad.stones[3] = YO_GO_BLACK;
            items[1].children = &occupied;
            items[1].child_count = 1;
        }
        if (kind == 6) items[1].playouts = UINT64_MAX;
        if (kind == 7) items[1].playouts = (uint64_t)YO_PLAYOUT_GAMES_MAX + 1;
        if (kind == 8) items[0].policy = items[1].policy = (enum yo_playout_policy)7;
        struct yo_eval_batch batch = {.items = items, .item_count = 2};
        assert_int_not_equal(eval.ops->submit(eval.ctx, &batch, &diag), YO_OK);
        assert_true(diag.what[0] != '\0');
    }
    eval.ops->destroy(eval.ctx);
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
    struct yo_playout_position position;
    struct yo_eval_result result, expected;
    static struct totals totals, expected_totals;
    struct yo_eval eval = open_eval("auto", 1), reference = open_eval("scalar", 1);
    start(&position);
    for (size_t i = 0; i < 3; i++) {
        struct yo_eval_item item = make_item(&position, &result, &totals, 500);
        item.policy = policies[i];
        run(&eval, &item, 1);
        item = make_item(&position, &expected, &expected_totals, 500);
        item.policy = policies[i];
        run(&reference, &item, 1);
        assert_int_equal(result.playouts.moves, expected.playouts.moves);
        assert_memory_equal(&totals, &expected_totals, sizeof totals);
    }
    eval.ops->destroy(eval.ctx);
    reference.ops->destroy(reference.ctx);
}

/* ---- check ---- */

static void check_passes_on_right_results(void **state) {
    (void)state;
    struct yo_playout_position position;
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
    assert_int_equal(checked.playouts.score_sum, plain.playouts.score_sum);
    assert_memory_equal(&checked_totals, &plain_totals, sizeof plain_totals);
}

/* A backend that counts one point wrong. */
static struct yo_playout_result *spoil;

static bool spoiling_next(void *ctx, struct yo_playout_piece *piece) {
    const struct yo_playout_source *inner = ctx;
    bool more = inner->next(inner->ctx, piece);
    if (more) spoil = piece->result;
    return more;
}

static void run_spoilt(enum yo_playout_policy policy, int size,
                       const struct yo_playout_source *source, void *scratch) {
    struct yo_playout_source spoiling = {spoiling_next, (void *)source};
    yo_playout_scalar.run(policy, size, &spoiling, scratch);
    spoil->ownership[40]++;
}

static void check_catches_a_wrong_backend(void **state) {
    (void)state;
    struct yo_playout_backend wrong = yo_playout_scalar;
    wrong.name = "wrong";
    wrong.run = run_spoilt;
    struct yo_eval pair[2], eval;
    assert_int_equal(yo_playouts_eval_new(&wrong, 1, &pair[0], NULL), YO_OK);
    pair[1] = open_eval("scalar", 1);
    assert_int_equal(yo_eval_check_new(pair[0], pair[1], &eval, NULL), YO_OK);
    struct yo_playout_position position;
    struct yo_eval_result result;
    static struct totals totals;
    start(&position);
    struct yo_eval_item item = make_item(&position, &result, &totals, 50);
    struct yo_eval_batch batch = {.items = &item, .item_count = 1};
    assert_int_equal(eval.ops->submit(eval.ctx, &batch, NULL), YO_OK);
    assert_int_equal(eval.ops->wait(eval.ctx, &batch), YO_ERR_MISMATCH);
    assert_non_null(strstr(batch.diag.what, "ownership"));
    assert_non_null(strstr(batch.diag.where, "wrong"));
    eval.ops->destroy(eval.ctx);
}

static void blocking_interface(void **state) {
    (void)state;
    struct yo_playouts *playouts;
    struct yo_playout_position position;
    static struct totals totals;
    struct yo_diag diag;
    start(&position);
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
    struct yo_playout_position position;
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
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(auto_plays_every_policy),
        cmocka_unit_test(check_passes_on_right_results),
        cmocka_unit_test(check_catches_a_wrong_backend),
        cmocka_unit_test(blocking_interface),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
