/* Networks as evaluators: values, policies and ownership of random networks against numbers
 * computed layer by layer; children, symmetries, the cache, batches from many threads, errors. */
#include "support/test.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/net/evaluator.h"
#include "eval/net/go_features.h"
#include "eval/net/reference.h"
#include "eval/net/symmetry.h"
#include "support/katago_net.h"

static const struct katago_net old = {
    .version = 8, .blocks = "og", .trunk = 5, .mid = 4, .pool = 3, .head = 2, .ky = 3, .kx = 3};
static const struct katago_net late = {.version = 16,
                                       .blocks = "[og]",
                                       .trunk = 5,
                                       .mid = 4,
                                       .pool = 3,
                                       .head = 5,
                                       .ky = 3,
                                       .kx = 3,
                                       .act = "ACTIVATION_MISH"};

static struct yo_eval open_eval(const struct katago_net *kind, struct katago_net *made,
                                struct yo_net_eval_options options) {
    struct yo_buf file = {0};
    struct yo_net *net;
    struct yo_eval eval;
    *made = *kind;
    katago_net_make(made);
    katago_net_write(made, true, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &net, NULL), YO_OK);
    yo_buf_free(&file);
    options.backend = &yo_net_reference;
    if (options.threads == 0) options.threads = 1;
    assert_int_equal(yo_net_eval_new(net, &options, &eval, NULL), YO_OK);
    return eval;
}

static uint32_t seed = 5;

static uint32_t below(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

/* After some random moves. The situations of the game are the position's own. */
static void start(struct yo_go_position *pos, int size, const char *rules, int moves) {
    struct yo_go_rules r = yo_go_rules_default;
    struct yo_go_game *game;
    assert_int_equal(yo_go_rules_parse(rules, &r, NULL), YO_OK);
    assert_int_equal(yo_go_game_new(size, &r, &game), YO_OK);
    yo_go_position_from_game(game, pos);
    static uint64_t none[1];
    pos->game = none; /* the empty board needs no memory of itself here */
    pos->game_count = 0;
    yo_go_game_delete(game);
    yo_move list[YO_GO_POINTS_MAX + 1];
    for (int i = 0; i < moves; i++) {
        size_t count = yo_go_ops.moves(pos, list);
        yo_go_ops.play(pos, list[below((uint32_t)count)]);
    }
}

struct asked {
    struct yo_eval_result result;
    yo_move moves[YO_GO_POINTS_MAX + 1];
    float policy[YO_GO_POINTS_MAX + 1], owner[YO_GO_POINTS_MAX];
};

static struct yo_eval_item make_item(const struct yo_go_position *pos, struct asked *asked) {
    memset(asked, 0, sizeof *asked);
    asked->result.policy = asked->policy;
    asked->result.ownership = asked->owner;
    return (struct yo_eval_item){.position = pos,
                                 .want = YO_EVAL_VALUE | YO_EVAL_POLICY | YO_EVAL_OWNERSHIP,
                                 .results = &asked->result,
                                 .moves = asked->moves,
                                 .move_count = yo_go_ops.moves(pos, asked->moves)};
}

/* ---- the judge: from the layers of the file to what is expected, one symmetry ---- */

static double softplus(double x) { return log(1 + exp(x)); }

static void expect(const struct katago_net *net, const struct yo_go_position *pos, int symmetry,
                   const yo_move *moves, size_t count, struct asked *out) {
    struct yo_go_net_input in;
    int size = pos->board.geometry->size, points = size * size;
    static float planes[22 * 361];
    memset(planes, 0, sizeof planes);
    yo_go_features_v7(pos, YO_GO_NET_ALL_PLANES, &in);
    for (int i = 0; i < 22; i++)
        for (int p = 0; p < points; p++)
            planes[i * points + yo_net_symmetry_point(size, symmetry, p)] =
                in.plane[i][p / 64] >> (p % 64) & 1;
    struct katago_outputs raw;
    katago_net_eval(net, size, planes, in.global, &raw);
    bool third = pos->rules.ko == YO_GO_KO_SIMPLE || pos->rules.scoring == YO_GO_TERRITORY;
    double win = exp(raw.value[0]), loss = exp(raw.value[1]), none = third ? exp(raw.value[2]) : 0;
    double sum = win + loss + none, result = 1 - none / sum;
    const double *m = net->multipliers;
    bool given = net->version >= 13;
    double mean = raw.score[0] * (given ? m[1] : 20);
    double stdev = softplus(raw.score[1]) * (given ? m[2] : 20);
    out->result.value.win = (float)(win / sum);
    out->result.value.draw = (float)(none / sum);
    out->result.value.score_mean = (float)(mean * result);
    out->result.value.score_stdev =
        (float)sqrt((mean * mean + stdev * stdev) * result - mean * result * mean * result);
    out->result.value.score_lead = (float)(raw.score[2] * (given ? m[3] : 20) * result);
    double total = 0;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < count; i++) {
            double logit =
                moves[i] == YO_GO_PASS
                    ? raw.pass[0]
                    : raw.policy[0][yo_net_symmetry_point(size, symmetry, (int)moves[i])];
            if (turn == 0)
                total += exp(logit);
            else
                out->policy[i] = (float)(exp(logit) / total);
        }
    for (int p = 0; p < points; p++) {
        double mine = tanh(raw.owner[yo_net_symmetry_point(size, symmetry, p)]);
        out->owner[p] = (float)(pos->to_move == YO_GO_BLACK ? mine : -mine);
    }
}

static void near(float got, float expected, double reach) {
    if (!(fabs((double)got - (double)expected) <= reach * (1 + fabs((double)expected))))
        print_error("%g, not %g\n", (double)got, (double)expected);
    assert_true(fabs((double)got - (double)expected) <= reach * (1 + fabs((double)expected)));
}

static void same_value(const struct yo_eval_value *a, const struct yo_eval_value *b, double reach) {
    near(a->win, b->win, reach);
    near(a->draw, b->draw, reach);
    near(a->score_mean, b->score_mean, reach);
    near(a->score_stdev, b->score_stdev, reach);
    near(a->score_lead, b->score_lead, reach);
}

static void same(const struct asked *got, const struct asked *expected, size_t moves, int points,
                 double reach) {
    same_value(&got->result.value, &expected->result.value, reach);
    for (size_t i = 0; i < moves; i++)
        near(got->policy[i], expected->policy[i], reach);
    for (int p = 0; p < points; p++)
        near(got->owner[p], expected->owner[p], reach);
}

/* ---- tests ---- */

static void answers_are_those_of_the_layers(void **state) {
    (void)state;
    static const struct {
        int size, moves;
        const char *rules;
    } cases[] = {{9, 20, "chinese"},     {5, 7, "japanese"}, {13, 60, "aga"},
                 {2, 1, "tromp-taylor"}, {7, 30, "korean"},  {19, 100, "new-zealand"}};
    for (int kind = 0; kind < 2; kind++) {
        struct katago_net made;
        for (int symmetry = 0; symmetry < 8; symmetry += kind ? 3 : 5) {
            struct yo_eval eval = open_eval(kind ? &late : &old, &made,
                                            (struct yo_net_eval_options){.symmetry = symmetry});
            enum { CASES = sizeof cases / sizeof cases[0] };
            static struct yo_go_position pos[CASES];
            static struct asked got[CASES], expected;
            struct yo_eval_item items[CASES];
            for (int i = 0; i < CASES; i++) {
                start(&pos[i], cases[i].size, cases[i].rules, cases[i].moves);
                items[i] = make_item(&pos[i], &got[i]);
            }
            assert_int_equal(yo_eval_run(eval, items, CASES, NULL), YO_OK);
            for (int i = 0; i < CASES; i++) {
                expect(&made, &pos[i], symmetry, got[i].moves, items[i].move_count, &expected);
                same(&got[i], &expected, items[i].move_count, cases[i].size * cases[i].size, 5e-4);
            }
            eval.ops->destroy(eval.ctx);
            katago_net_free(&made);
        }
    }
}

static void children_are_positions(void **state) {
    (void)state;
    struct katago_net made;
    struct yo_eval eval = open_eval(&old, &made, (struct yo_net_eval_options){.batch = 7});
    static struct yo_go_position pos, child;
    start(&pos, 9, "chinese", 15);
    yo_move moves[YO_GO_POINTS_MAX + 1];
    size_t count = yo_go_ops.moves(&pos, moves);
    static struct yo_eval_result results[YO_GO_POINTS_MAX + 1];
    struct yo_eval_item item = {.position = &pos,
                                .want = YO_EVAL_VALUE,
                                .results = results,
                                .children = moves,
                                .child_count = count};
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    for (size_t i = 0; i < count; i++) {
        static struct asked one;
        child = pos;
        yo_go_ops.play(&child, moves[i]);
        struct yo_eval_item alone = make_item(&child, &one);
        assert_int_equal(yo_eval_run(eval, &alone, 1, NULL), YO_OK);
        same_value(&results[i].value, &one.result.value, 1e-6);
    }
    item.child_count = 0;
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    eval.ops->destroy(eval.ctx);
    katago_net_free(&made);
}

/* A position with its policy and the values of its children, in one batch, whichever comes first.
 */
static void policies_and_values_go_together(void **state) {
    (void)state;
    static const int symmetries[] = {0, YO_NET_SYMMETRY_ALL};
    static struct yo_go_position pos, child;
    static struct asked both, alone;
    static struct yo_eval_result results[YO_GO_POINTS_MAX + 1];
    start(&pos, 5, "chinese", 6);
    for (int round = 0; round < 4; round++) {
        struct katago_net made;
        struct yo_net_eval_options options = {
            .batch = 256, .symmetry = symmetries[round / 2], .cache_bytes = 1 << 20};
        struct yo_eval eval = open_eval(&old, &made, options);
        struct yo_eval_item items[2], item = make_item(&pos, &both);
        items[round % 2] = item;
        items[1 - round % 2] = (struct yo_eval_item){.position = &pos,
                                                     .want = YO_EVAL_VALUE,
                                                     .results = results,
                                                     .children = both.moves,
                                                     .child_count = item.move_count};
        assert_int_equal(yo_eval_run(eval, items, 2, NULL), YO_OK);
        expect(&made, &pos, 0, both.moves, item.move_count, &alone);
        for (size_t i = 0; i < item.move_count && round < 2; i++)
            assert_float_equal(both.policy[i], alone.policy[i], 1e-5);
        for (size_t i = 0; i < item.move_count; i++) {
            child = pos;
            yo_go_ops.play(&child, both.moves[i]);
            /* Its value is in the cache, its policy is not: that is asked for then. */
            struct yo_eval_item whole = make_item(&child, &alone);
            assert_int_equal(yo_eval_run(eval, &whole, 1, NULL), YO_OK);
            same_value(&results[i].value, &alone.result.value, 1e-6);
            double sum = 0;
            for (size_t m = 0; m < whole.move_count; m++)
                sum += alone.policy[m];
            assert_float_equal(sum, 1, 1e-4);
        }
        eval.ops->destroy(eval.ctx);
        katago_net_free(&made);
    }
}

static void the_mean_is_over_all_symmetries(void **state) {
    (void)state;
    static struct yo_go_position pos;
    static struct asked got, one, mean;
    struct katago_net made;
    start(&pos, 6, "chinese", 9);
    memset(&mean, 0, sizeof mean);
    size_t count = yo_go_ops.moves(&pos, got.moves);
    struct yo_eval eval =
        open_eval(&late, &made, (struct yo_net_eval_options){.symmetry = YO_NET_SYMMETRY_ALL});
    double square = 0;
    for (int s = 0; s < 8; s++) {
        expect(&made, &pos, s, got.moves, count, &one);
        const struct yo_eval_value *v = &one.result.value;
        mean.result.value.win += v->win / 8;
        mean.result.value.draw += v->draw / 8;
        mean.result.value.score_mean += v->score_mean / 8;
        mean.result.value.score_lead += v->score_lead / 8;
        square += (double)(v->score_stdev * v->score_stdev + v->score_mean * v->score_mean) / 8;
        for (size_t i = 0; i < count; i++)
            mean.policy[i] += one.policy[i] / 8;
        for (int p = 0; p < 36; p++)
            mean.owner[p] += one.owner[p] / 8;
    }
    double score = (double)mean.result.value.score_mean;
    mean.result.value.score_stdev = (float)sqrt(square - score * score);
    struct yo_eval_item item = make_item(&pos, &got);
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    same(&got, &mean, count, 36, 5e-4);
    eval.ops->destroy(eval.ctx);
    katago_net_free(&made);
}

static void a_position_is_evaluated_once(void **state) {
    (void)state;
    static struct yo_go_position pos[3];
    static struct asked first[3], again;
    struct katago_net made;
    struct yo_eval eval = open_eval(&old, &made,
                                    (struct yo_net_eval_options){
                                        .symmetry = YO_NET_SYMMETRY_RANDOM,
                                        .cache_bytes = 8 << 20,
                                    });
    struct yo_net_eval_counts counts;
    for (int i = 0; i < 3; i++) {
        start(&pos[i], i == 2 ? 7 : 9, "chinese", 10);
        struct yo_eval_item item = make_item(&pos[i], &first[i]);
        item.want &= i == 1 ? ~(unsigned)YO_EVAL_OWNERSHIP : ~0u;
        assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    }
    yo_net_eval_counts(&eval, &counts);
    assert_int_equal(counts.evaluations, 3);
    assert_int_equal(counts.cache_hits, 0);
    /* What a search wants again: the same answer; ownership was not there for the second. */
    for (int i = 0; i < 3; i++) {
        struct yo_eval_item item = make_item(&pos[i], &again);
        assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
        same(&again, &first[i], item.move_count, i == 1 ? 0 : i == 2 ? 49 : 81, 1e-6);
    }
    yo_net_eval_counts(&eval, &counts);
    assert_int_equal(counts.cache_hits, 2);
    assert_int_equal(counts.evaluations, 4);
    /* Komi is part of the question. */
    pos[0].rules.komi2 += 2;
    struct yo_eval_item item = make_item(&pos[0], &again);
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    yo_net_eval_counts(&eval, &counts);
    assert_int_equal(counts.evaluations, 5);
    assert_true(fabsf(again.result.value.win - first[0].result.value.win) > 1e-6F);
    eval.ops->destroy(eval.ctx);
    katago_net_free(&made);
}

/* ---- threads ---- */

enum { ASKERS = 4, ROUNDS = 30, POSITIONS = 16 };
static struct yo_go_position shared[POSITIONS];
static struct yo_eval_value known[POSITIONS];

static void *ask_many(void *ctx) {
    struct yo_eval *eval = ctx;
    static _Thread_local struct asked asked[3];
    for (int round = 0; round < ROUNDS; round++) {
        struct yo_eval_item items[3];
        int which[3];
        for (int i = 0; i < 3; i++) {
            which[i] = (round * 5 + i * 7) % POSITIONS;
            items[i] = make_item(&shared[which[i]], &asked[i]);
        }
        if (yo_eval_run(*eval, items, 3, NULL)) abort();
        for (int i = 0; i < 3; i++)
            if (fabsf(asked[i].result.value.win - known[which[i]].win) > 1e-6F) abort();
    }
    return NULL;
}

static void many_threads_get_the_same_answers(void **state) {
    (void)state;
    struct katago_net made;
    for (int cached = 0; cached < 2; cached++) {
        struct yo_eval eval = open_eval(&old, &made,
                                        (struct yo_net_eval_options){
                                            .threads = 3,
                                            .batch = 4,
                                            .wait_us = cached ? 0 : 200,
                                            .cache_bytes = cached ? 4 << 20 : 0,
                                        });
        for (int i = 0; i < POSITIONS; i++) {
            static struct asked asked;
            start(&shared[i], i % 3 ? 5 : 6, "chinese", i);
            struct yo_eval_item item = make_item(&shared[i], &asked);
            assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
            known[i] = asked.result.value;
        }
        pthread_t askers[ASKERS];
        for (int i = 0; i < ASKERS; i++)
            assert_int_equal(pthread_create(&askers[i], NULL, ask_many, &eval), 0);
        for (int i = 0; i < ASKERS; i++)
            pthread_join(askers[i], NULL);
        struct yo_net_eval_counts counts;
        yo_net_eval_counts(&eval, &counts);
        assert_int_equal(counts.evaluations + counts.cache_hits, POSITIONS + ASKERS * ROUNDS * 3);
        eval.ops->destroy(eval.ctx);
        katago_net_free(&made);
    }
}

static atomic_int called;
static void note_done(struct yo_eval_batch *batch) {
    assert_int_equal(batch->err, YO_OK);
    atomic_fetch_add(&called, 1);
}

static void batches_end_by_callback_or_are_cancelled(void **state) {
    (void)state;
    struct katago_net made;
    struct yo_eval eval = open_eval(&late, &made, (struct yo_net_eval_options){.batch = 1});
    static struct yo_go_position pos;
    static struct asked asked[41];
    struct yo_eval_item items[41];
    start(&pos, 13, "chinese", 10);
    for (int i = 0; i < 41; i++)
        items[i] = make_item(&pos, &asked[i]);
    struct yo_eval_batch call = {.items = &items[40], .item_count = 1, .done = note_done};
    struct yo_eval_batch batch = {.items = items, .item_count = 40};
    atomic_store(&called, 0);
    assert_int_equal(eval.ops->submit(eval.ctx, &call, NULL), YO_OK);
    assert_int_equal(eval.ops->submit(eval.ctx, &batch, NULL), YO_OK);
    eval.ops->cancel(eval.ctx, &batch);
    assert_int_equal(eval.ops->wait(eval.ctx, &batch), YO_ERR_CANCELLED);
    assert_true(eval.ops->poll(eval.ctx, &batch));
    assert_true(batch.diag.what[0]);
    eval.ops->cancel(eval.ctx, &batch); /* there is nothing to cancel */
    eval.ops->destroy(eval.ctx);        /* finishes the other */
    assert_int_equal(atomic_load(&called), 1);
    katago_net_free(&made);
}

static void what_it_cannot_do_is_refused(void **state) {
    (void)state;
    struct katago_net made;
    struct yo_eval eval = open_eval(&old, &made, (struct yo_net_eval_options){0});
    struct yo_eval_about about;
    eval.ops->describe(eval.ctx, 0, &about);
    assert_string_equal(about.name, "random-net on reference");
    assert_ptr_equal(about.game, &yo_go_ops);
    assert_non_null(yo_net_eval_program(&eval));
    static struct yo_go_position pos;
    static struct asked asked;
    struct yo_diag diag;
    start(&pos, 9, "chinese", 0);
    struct yo_eval_item item = make_item(&pos, &asked);
    item.want |= YO_EVAL_PLAYOUTS;
    assert_int_equal(yo_eval_run(eval, &item, 1, &diag), YO_ERR_UNSUPPORTED);
    item = make_item(&pos, &asked);
    item.children = item.moves;
    item.child_count = 1;
    assert_int_equal(yo_eval_run(eval, &item, 1, &diag), YO_ERR_ARGUMENT);
    eval.ops->destroy(eval.ctx);
    katago_net_free(&made);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    struct katago_net made = old;
    struct yo_buf file = {0};
    katago_net_make(&made);
    katago_net_write(&made, true, &file);
    int failures = 0;
    for (long n = 0;; n++) {
        struct yo_net *net;
        struct yo_eval eval;
        struct yo_diag diag;
        struct yo_net_eval_options options = {
            .backend = &yo_net_reference, .threads = 2, .cache_bytes = 1 << 20};
        assert_int_equal(yo_net_read(file.data, file.len, &net, NULL), YO_OK);
        yo_alloc_fail_after(n);
        enum yo_err err = yo_net_eval_new(net, &options, &eval, &diag);
        yo_alloc_fail_after(-1);
        if (!err) {
            eval.ops->destroy(eval.ctx);
            break;
        }
        assert_int_equal(err, YO_ERR_NOMEM);
        failures++;
    }
    assert_true(failures > 10);
    yo_buf_free(&file);
    katago_net_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_layers),
        cmocka_unit_test(children_are_positions),
        cmocka_unit_test(policies_and_values_go_together),
        cmocka_unit_test(the_mean_is_over_all_symmetries),
        cmocka_unit_test(a_position_is_evaluated_once),
        cmocka_unit_test(many_threads_get_the_same_answers),
        cmocka_unit_test(batches_end_by_callback_or_are_cancelled),
        cmocka_unit_test(what_it_cannot_do_is_refused),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
