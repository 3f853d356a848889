/* Learning the shogi network: gradients against a slow network's, the file against what was
 * learned, and a teacher that is found. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "eval/shogi/material.h"
#include "eval/shogi/net_eval.h"
#include "game/shogi/packed.h"
#include "learn/network/fit.h"
#include "support/shogi_random.h"

/* ---- A slow network ---- */

/* In doubles, unit by unit. `exact` divides without rounding, so that differences of the loss are
 * derivatives; else the values are the engine's. */
struct slow {
    double sums[2 * FIT_SUMS], sums1[FIT_HIDDEN], sums2[FIT_HIDDEN]; /* after the divisions */
    double x[2 * FIT_SUMS], x1[FIT_HIDDEN], x2[FIT_HIDDEN];
    double logit;
};

static double clamped(double x) { return x < 0 ? 0 : x > 127 ? 127 : x; }
static bool passes(double x) { return x >= 0 && x <= 127; }

static void slow_forward(const struct fit_view *v, const struct fit_inputs *in, bool exact,
                         struct slow *s) {
    for (int i = 0; i < 2 * FIT_SUMS; i++) {
        s->sums[i] = v->bias[i % FIT_SUMS];
        for (int j = 0; j < in->count[i / FIT_SUMS]; j++)
            s->sums[i] += v->rows[in->on[i / FIT_SUMS][j]][i % FIT_SUMS];
        s->x[i] = clamped(s->sums[i]);
    }
    for (int o = 0; o < FIT_HIDDEN; o++) {
        double sum = v->biases1[o];
        for (int i = 0; i < 2 * FIT_SUMS; i++)
            sum += v->weights1[o][i] * s->x[i];
        s->sums1[o] = exact ? sum / 64 : floor(sum / 64);
        s->x1[o] = clamped(s->sums1[o]);
    }
    double output = v->bias3;
    for (int o = 0; o < FIT_HIDDEN; o++) {
        double sum = v->biases2[o];
        for (int i = 0; i < FIT_HIDDEN; i++)
            sum += v->weights2[o][i] * s->x1[i];
        s->sums2[o] = exact ? sum / 64 : floor(sum / 64);
        s->x2[o] = clamped(s->sums2[o]);
        output += v->weights3[o] * s->x2[o];
    }
    s->logit = output / v->output_one;
}

/* The gradient by the chain rule, from the values of a forward pass. */
static void slow_backward(const struct fit_view *v, const struct fit_inputs *in, double target,
                          const struct slow *s, struct fit_slope *g) {
    double error = (1 / (1 + exp(-s->logit)) - target) / v->output_one;
    double d1[FIT_HIDDEN] = {0}, d[2 * FIT_SUMS] = {0};
    g->bias3 = (float)error;
    for (int o = 0; o < FIT_HIDDEN; o++) {
        double d2 = passes(s->sums2[o]) ? error * v->weights3[o] / 64 : 0;
        g->weights3[o] = (float)(error * s->x2[o]);
        g->biases2[o] = (float)d2;
        for (int i = 0; i < FIT_HIDDEN; i++) {
            g->weights2[o][i] = (float)(d2 * s->x1[i]);
            if (passes(s->sums1[i])) d1[i] += d2 * v->weights2[o][i] / 64;
        }
    }
    for (int o = 0; o < FIT_HIDDEN; o++) {
        g->biases1[o] = (float)d1[o];
        for (int i = 0; i < 2 * FIT_SUMS; i++) {
            g->weights1[o][i] = (float)(d1[o] * s->x[i]);
            if (passes(s->sums[i])) d[i] += d1[o] * v->weights1[o][i];
        }
    }
    for (int i = 0; i < 2 * FIT_SUMS; i++) {
        g->bias[i % FIT_SUMS] += (float)d[i];
        for (int j = 0; j < in->count[i / FIT_SUMS]; j++)
            g->rows[in->on[i / FIT_SUMS][j]][i % FIT_SUMS] += (float)d[i];
    }
}

/* ---- Fixtures ---- */

static struct fit_position random_position(uint64_t *state) {
    struct yo_shogi_position pos;
    struct fit_position p = {.target = 0.7f};
    do
        shogi_random_game(state, 10 + (int)shogi_random(state, 150), &pos);
    while (yo_shogi_pack(&pos, p.packed) != YO_OK);
    return p;
}

enum { CP = 320 };

struct fixture {
    struct fit_params *params;
    struct fit_view *view;
    struct fit_slope *slope;
};

/* Weights large enough that many of the clamps are at work. */
static struct fixture make_fixture(uint64_t seed) {
    struct fixture f = {yo_alloc_aligned(sizeof *f.params), yo_alloc_aligned(sizeof *f.view),
                        yo_alloc_aligned(sizeof *f.slope)};
    assert_true(f.params && f.view && f.slope);
    yo_fit_params_draw(f.params, CP, seed);
    for (int i = 0; i < FIT_RELATIVE; i++)
        for (int j = 0; j < FIT_SUMS; j++)
            f.params->relative[i][j] = 0.05f * (float)yo_random_normal(&seed);
    yo_fit_view_update(f.view, f.params, CP, 0, SHOGI_RELATIVE_INPUTS);
    return f;
}

static void free_fixture(struct fixture *f) {
    yo_free_aligned(f->params);
    yo_free_aligned(f->view);
    yo_free_aligned(f->slope);
}

/* ---- Gradients ---- */

/* The derivative of the loss by one number of the view, without rounding. */
static double difference(struct fit_view *v, const struct fit_inputs *in, float *number,
                         double target) {
    /* Small, so that hardly any clamp begins within it, but not lost beside a large bias. */
    float kept = *number, step = fabsf(kept) < 256 ? 1.0f / 4096 : 1.0f / 64;
    struct slow above, below;
    *number = kept + step;
    slow_forward(v, in, true, &above);
    *number = kept - step;
    slow_forward(v, in, true, &below);
    *number = kept;
    return (yo_fit_loss(above.logit, target) - yo_fit_loss(below.logit, target)) / (2 * step);
}

static void check_number(struct fixture *f, const struct fit_inputs *in, float *number,
                         float slope) {
    double wanted = difference(f->view, in, number, 0.7);
    if (fabs(slope - wanted) > 1e-7 + 0.01 * fabs(wanted))
        fail_msg("number %td: %g, not %g", number - (float *)f->view, slope, wanted);
}

/* The slow gradient is that of the loss, where nothing is rounded. */
static void the_chain_rule_is_right(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        uint64_t state = seed;
        struct fixture f = make_fixture(seed);
        struct fit_position p = random_position(&state);
        struct fit_inputs in;
        struct slow slow;
        yo_fit_inputs_of(&p, false, &in);
        for (int i = 0; i < FIT_SUMS; i++)
            f.view->bias[i] += 0.3f; /* no sum is just where a clamp begins */
        slow_forward(f.view, &in, true, &slow);
        slow_backward(f.view, &in, 0.7, &slow, f.slope);
        for (int i = 0; i < 100; i++) {
            int o = (int)shogi_random(&state, FIT_HIDDEN),
                x = (int)shogi_random(&state, 2 * FIT_SUMS),
                h = (int)shogi_random(&state, FIT_HIDDEN), side = (int)shogi_random(&state, 2);
            int row = in.on[side][shogi_random(&state, in.count[side])], column = x % FIT_SUMS;
            check_number(&f, &in, &f.view->rows[row][column], f.slope->rows[row][column]);
            check_number(&f, &in, &f.view->bias[column], f.slope->bias[column]);
            check_number(&f, &in, &f.view->weights1[o][x], f.slope->weights1[o][x]);
            check_number(&f, &in, &f.view->biases1[o], f.slope->biases1[o]);
            check_number(&f, &in, &f.view->weights2[o][h], f.slope->weights2[o][h]);
            check_number(&f, &in, &f.view->biases2[o], f.slope->biases2[o]);
            check_number(&f, &in, &f.view->weights3[o], f.slope->weights3[o]);
        }
        check_number(&f, &in, &f.view->bias3, f.slope->bias3);
        free_fixture(&f);
    }
}

/* Not fmax: that passes over what is no number, and gcc 12 for arm64 fails on loops with it
 * ("internal compiler error: in vect_transform_reduction"). */
static double larger(double x, double most) { return x <= most ? most : x; }

/* The largest difference of two gradients, as a share of the largest number. */
static double apart(const struct fit_slope *a, const struct fit_slope *b) {
    double off = 0, most = 0;
    for (size_t i = 0; i < sizeof *a / sizeof(float); i++) {
        double x = ((const float *)a)[i], y = ((const float *)b)[i];
        off = larger(fabs(x - y), off);
        most = larger(fabs(y), most);
    }
    return off / most;
}

static void every_version_has_the_slow_gradient(void **unused) {
    (void)unused;
    const struct fit_kernel *kernels[] = {&yo_fit_plain, yo_fit_kernel()};
    struct fit_slope *wanted = yo_alloc_aligned(sizeof *wanted);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        struct fixture f = make_fixture(seed);
        struct fit_position p = random_position(&state);
        struct fit_inputs in;
        struct slow slow;
        yo_fit_inputs_of(&p, seed % 2, &in);
        slow_forward(f.view, &in, false, &slow);
        memset(wanted, 0, sizeof *wanted);
        slow_backward(f.view, &in, 0.7, &slow, wanted);
        for (int k = 0; k < 2; k++) {
            memset(f.slope, 0, sizeof *f.slope);
            float logit = kernels[k]->backward(f.view, &in, 0.7f, f.slope);
            assert_true(logit == (float)slow.logit);
            assert_true(kernels[k]->forward(f.view, &in) == logit);
            assert_true(apart(f.slope, wanted) < 1e-4);
        }
        free_fixture(&f);
    }
    yo_free_aligned(wanted);
}

static void the_loss_is_zero_at_its_target(void **unused) {
    (void)unused;
    assert_true(fabs(yo_fit_loss(0.3, 1 / (1 + exp(-0.3)))) < 1e-12);
    assert_true(fabs(yo_fit_loss(0, 1) - log(2)) < 1e-12);
    assert_true(fabs(yo_fit_loss(-50, 1) - 50) < 1e-9);
    assert_true(yo_fit_loss(800, 1) == 0 && yo_fit_loss(-800, 0) == 0);
}

/* ---- Inputs ---- */

static int compare(const void *a, const void *b) {
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* The inputs that the engine's own function finds. */
static void inputs_are_the_engines(void **unused) {
    (void)unused;
    uint64_t state = 3;
    for (int n = 0; n < 200; n++) {
        struct fit_position p = random_position(&state);
        struct yo_shogi_position pos;
        struct fit_inputs in;
        size_t wanted[SHOGI_INPUTS_ON];
        yo_fit_inputs_of(&p, false, &in);
        assert_int_equal(yo_shogi_unpack(p.packed, &pos, NULL), YO_OK);
        for (int side = 0; side < 2; side++) {
            uint16_t sorted[SHOGI_INPUTS_ON];
            size_t count = yo_shogi_inputs(&pos, pos.side ^ side, YO_SHOGI_NET_RELATIVE, wanted);
            for (size_t i = 0; i < count; i++)
                sorted[i] = (uint16_t)wanted[i];
            assert_int_equal(in.count[side], count);
            qsort(sorted, count, sizeof *sorted, compare);
            qsort(in.on[side], count, sizeof *sorted, compare);
            assert_memory_equal(in.on[side], sorted, count * sizeof *sorted);
        }
    }
}

/* A position and its mirror image, made square by square. */
static void mirrored_inputs_are_those_of_the_mirror(void **unused) {
    (void)unused;
    uint64_t state = 4;
    for (int n = 0; n < 100; n++) {
        struct fit_position p = random_position(&state), other = p;
        struct yo_shogi_position pos, image;
        struct fit_inputs one, two;
        assert_int_equal(yo_shogi_unpack(p.packed, &pos, NULL), YO_OK);
        image = pos;
        for (int square = 0; square < 81; square++)
            image.board[(8 - square / 9) * 9 + square % 9] = pos.board[square];
        for (int side = 0; side < 2; side++)
            image.king[side] = (uint8_t)((8 - pos.king[side] / 9) * 9 + pos.king[side] % 9);
        assert_int_equal(yo_shogi_pack(&image, other.packed), YO_OK);
        yo_fit_inputs_of(&p, true, &one);
        yo_fit_inputs_of(&other, false, &two);
        for (int side = 0; side < 2; side++) {
            assert_int_equal(one.count[side], two.count[side]);
            qsort(one.on[side], one.count[side], sizeof(uint16_t), compare);
            qsort(two.on[side], two.count[side], sizeof(uint16_t), compare);
            assert_memory_equal(one.on[side], two.on[side], one.count[side] * sizeof(uint16_t));
        }
    }
}

/* ---- The file ---- */

static int value_of(struct yo_shogi_net *net, const struct fit_position *p) {
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    struct yo_shogi_position pos;
    void *state = yo_alloc_aligned(eval.state_size);
    assert_int_equal(yo_shogi_unpack(p->packed, &pos, NULL), YO_OK);
    eval.root(net, &pos, state);
    int value = eval.value(net, &pos, state);
    yo_free_aligned(state);
    return value;
}

/* A network that is learned on from and written at once is the same file, and what learning
 * computes is what the engine computes, to the last bit. */
static void a_network_comes_back(void **unused) {
    (void)unused;
    struct yo_shogi_net *net, *again;
    struct fixture f = make_fixture(1);
    struct yo_buf before = {0}, after = {0};
    struct yo_diag diag = {0};
    assert_int_equal(yo_shogi_net_new(YO_SHOGI_NET_RELATIVE, &net), YO_OK);
    yo_fit_view_store(f.view, net);
    assert_int_equal(yo_fit_params_from(f.params, CP, net, &diag), YO_OK);
    assert_int_equal(yo_shogi_net_new(YO_SHOGI_NET_RELATIVE, &again), YO_OK);
    yo_fit_view_update(f.view, f.params, CP, 0, SHOGI_RELATIVE_INPUTS);
    yo_fit_view_store(f.view, again);
    yo_shogi_net_write(net, &before);
    yo_shogi_net_write(again, &after);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.data, after.data, before.len);
    yo_shogi_net_delete(again);
    assert_int_equal(yo_shogi_net_read((const uint8_t *)before.data, before.len, &again, &diag),
                     YO_OK);
    uint64_t state = 9;
    for (int n = 0; n < 300; n++) {
        struct fit_position p = random_position(&state);
        struct fit_inputs in;
        yo_fit_inputs_of(&p, false, &in);
        double output = yo_fit_kernel()->forward(f.view, &in) * (double)f.view->output_one;
        assert_int_equal((int)rint(output) / SHOGI_NET_SCALE, value_of(again, &p));
    }
    yo_shogi_net_delete(again);
    yo_shogi_net_delete(net);
    yo_buf_free(&before);
    yo_buf_free(&after);
    free_fixture(&f);
}

static void other_kinds_are_refused(void **unused) {
    (void)unused;
    static const struct {
        enum yo_shogi_net_kind kind;
        const char *name;
    } others[] = {{YO_SHOGI_NET_HALFKP, "HalfKP"}, {YO_SHOGI_NET_ZONES, "HalfKA zones"}};
    struct fit_params *params = yo_alloc_aligned(sizeof *params);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct yo_shogi_net *net;
        struct yo_diag diag = {0};
        assert_int_equal(yo_shogi_net_new(others[i].kind, &net), YO_OK);
        assert_int_equal(yo_fit_params_from(params, CP, net, &diag), YO_ERR_UNSUPPORTED);
        assert_non_null(strstr(diag.what, others[i].name));
        yo_shogi_net_delete(net);
    }
    yo_free_aligned(params);
}

/* What a file may hold, and no learned network does. They keep their signs. */
static void extreme_biases_keep_their_signs(void **unused) {
    (void)unused;
    struct fit_params *params = yo_alloc_aligned(sizeof *params);
    struct fit_view *view = yo_alloc_aligned(sizeof *view);
    struct yo_shogi_net *net, *back;
    assert_int_equal(yo_shogi_net_new(YO_SHOGI_NET_RELATIVE, &net), YO_OK);
    assert_int_equal(yo_shogi_net_new(YO_SHOGI_NET_RELATIVE, &back), YO_OK);
    net->layers.biases1[0] = net->layers.biases2[1] = net->layers.bias3 = INT32_MAX;
    net->layers.biases1[1] = net->layers.biases2[0] = INT32_MIN;
    assert_int_equal(yo_fit_params_from(params, CP, net, NULL), YO_OK);
    yo_fit_view_update(view, params, CP, 0, SHOGI_RELATIVE_INPUTS);
    yo_fit_view_store(view, back);
    const struct shogi_net_layers *l = &back->layers;
    assert_true(l->biases1[0] >= 1 << 23 && l->biases2[1] >= 1 << 23 && l->bias3 >= 1 << 23);
    assert_true(l->biases1[1] < -(1 << 22) && l->biases2[0] < -(1 << 22));
    yo_shogi_net_delete(net);
    yo_shogi_net_delete(back);
    yo_free_aligned(view);
    yo_free_aligned(params);
}

/* ---- Learning ---- */

enum { POSITIONS = 6000 };

static const struct fit_targets by_score = {.results = 0, .scale = 600, .below = 2500};

/* Quiet positions, whose scores are a part of what `material` says, and some others. */
static void make_set(struct fit_set *set) {
    uint8_t *bytes = yo_alloc(POSITIONS, YO_SHOGI_SAMPLE);
    uint64_t state = 17;
    struct yo_diag diag = {0};
    for (size_t i = 0; i < POSITIONS; i++) {
        struct fit_position p = random_position(&state);
        struct yo_shogi_position pos;
        struct yo_shogi_sample sample = {.result = 1, .flags = YO_SHOGI_SAMPLE_QUIET};
        yo_shogi_unpack(p.packed, &pos, NULL);
        memcpy(sample.position, p.packed, sizeof sample.position);
        int value = yo_shogi_material_by(&yo_shogi_material_weights, &pos) / 4;
        sample.score = (int16_t)(value > 2000 ? 2000 : value < -2000 ? -2000 : value);
        if (i % 10 == 0) sample.score = 2500; /* too much, and */
        if (i % 10 == 1) sample.flags = 0;    /* not quiet: both are left out */
        yo_shogi_sample_write(&sample, bytes + i * YO_SHOGI_SAMPLE);
    }
    *set = (struct fit_set){0};
    assert_int_equal(
        yo_fit_set_add(set, bytes, POSITIONS * YO_SHOGI_SAMPLE, "test", &by_score, &diag), YO_OK);
    assert_int_equal(yo_fit_set_divide(set), YO_OK);
    assert_int_equal(set->count, POSITIONS * 8 / 10);
    assert_int_equal(set->learned_count + set->held_count, set->count);
    assert_in_range(set->held_count, set->count / 25, set->count / 15);
    yo_free(bytes);
}

/* Of the first epoch and of the last. */
struct log {
    struct yo_fit_losses first, last;
};

static void keep_losses(void *user, int epoch, const struct yo_fit_losses *losses) {
    struct log *log = user;
    if (epoch == 1) log->first = *losses;
    log->last = *losses;
}

static void learn(const struct fit_set *set, int threads, int epochs, struct fit_params *params,
                  struct log *log) {
    struct yo_fit_settings settings = {.epochs = epochs,
                                       .batch = 256,
                                       .threads = threads,
                                       .rate = 2e-3,
                                       .decay = 0.1,
                                       .cp = CP,
                                       .seed = 5};
    struct yo_fit_watcher watcher = {.epoch = keep_losses, .user = log};
    struct yo_fit_losses best;
    yo_fit_params_draw(params, CP, 1);
    assert_int_equal(yo_fit_run(params, set, &settings, &watcher, &best, NULL), YO_OK);
}

static void material_is_learned(void **unused) {
    (void)unused;
    struct fit_set set;
    struct log log;
    struct fit_params *one = yo_alloc_aligned(sizeof *one), *two = yo_alloc_aligned(sizeof *two);
    make_set(&set);
    learn(&set, 2, 3, one, &log);
    assert_true(log.last.learned < 0.5 * log.first.learned);
    set.learned_count /= 4;
    learn(&set, 2, 1, one, &log);
    learn(&set, 2, 1, two, &log);
    assert_memory_equal(one, two, sizeof *one);
    learn(&set, 1, 1, two, &log); /* sums in another order: nearly the same */
    double off = 0;
    for (size_t i = 0; i < FIT_PARAMS; i++)
        off = larger(fabs(((float *)one)[i] - ((float *)two)[i]), off);
    assert_true(off > 0 && off < 0.05);
    yo_fit_set_free(&set);
    yo_free_aligned(one);
    yo_free_aligned(two);
}

static void results_count_as_asked(void **unused) {
    (void)unused;
    uint64_t state = 2;
    struct fit_position p = random_position(&state);
    struct yo_shogi_sample sample = {.score = 600, .result = -1, .flags = YO_SHOGI_SAMPLE_QUIET};
    struct fit_targets targets = {.results = 0.25, .scale = 600, .below = 2500};
    struct fit_set set = {0};
    uint8_t bytes[2 * YO_SHOGI_SAMPLE];
    memcpy(sample.position, p.packed, sizeof sample.position);
    yo_shogi_sample_write(&sample, bytes);
    sample.flags |= YO_SHOGI_SAMPLE_ASIDE;
    yo_shogi_sample_write(&sample, bytes + YO_SHOGI_SAMPLE);
    assert_int_equal(yo_fit_set_add(&set, bytes, sizeof bytes, "test", &targets, NULL), YO_OK);
    double chance = 1 / (1 + exp(-1));
    assert_true(fabs(set.positions[0].target - 0.75 * chance) < 1e-6);
    assert_true(fabs(set.positions[1].target - chance) < 1e-6); /* beside the game: no result */
    assert_int_equal(set.positions[1].result, FIT_NO_RESULT);
    struct yo_diag diag = {0};
    memset(bytes + YO_SHOGI_SAMPLE, 0xff, YO_SHOGI_PACKED); /* no position */
    assert_int_not_equal(yo_fit_set_add(&set, bytes, sizeof bytes, "games", &targets, &diag),
                         YO_OK);
    assert_string_equal(diag.where, "games: position 2");
    assert_int_equal(diag.line, 0);
    yo_fit_set_free(&set);
}

static void memory_may_end_anywhere(void **unused) {
    (void)unused;
    struct fit_set set;
    struct fit_params *params = yo_alloc_aligned(sizeof *params);
    struct yo_fit_settings settings = {.batch = 256, .threads = 2, .cp = CP};
    struct yo_fit_watcher watcher = {0};
    struct yo_fit_losses best;
    struct yo_diag diag = {0};
    make_set(&set);
    enum yo_err err = YO_ERR_NOMEM;
    for (long n = 0; err && n < 100; n++) {
        yo_alloc_fail_after(n);
        err = yo_fit_run(params, &set, &settings, &watcher, &best, &diag);
        yo_alloc_fail_after(-1);
    }
    assert_int_equal(err, YO_OK);
    yo_fit_set_free(&set);
    yo_free_aligned(params);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_rule_is_right),
        cmocka_unit_test(every_version_has_the_slow_gradient),
        cmocka_unit_test(the_loss_is_zero_at_its_target),
        cmocka_unit_test(inputs_are_the_engines),
        cmocka_unit_test(mirrored_inputs_are_those_of_the_mirror),
        cmocka_unit_test(a_network_comes_back),
        cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(extreme_biases_keep_their_signs),
        cmocka_unit_test(material_is_learned),
        cmocka_unit_test(results_count_as_asked),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
