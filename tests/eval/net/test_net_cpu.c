/* The backends on the CPU against the reference, on graphs of random operations and towers of every
 * kind of block; and against each other, bit for bit. */
#include "eval/net/cpu/cpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "eval/net/reference.h"
#include "support/random_net.h"
#include "support/shaped_net.h"
#include "support/test.h"

/* Is it the same numbers as the plain backend's? "avx2-float" and "plain-float" are. */
static bool is_kin(const struct yo_net_backend *backend, const struct yo_net_backend *plain) {
    const char *a = strchr(backend->name, '-'), *b = strchr(plain->name, '-');
    return backend != plain && a && strcmp(a, b) == 0 && backend->available();
}

/* Plain C within the bound of the reference, and the same numbers by other instructions equal to
 * it. */
static double compare(const struct yo_net_backend *plain, struct random_net *net, int size,
                      int count, double bound) {
    struct random_net_batch reference, first, other;
    random_net_batch_init(&reference, net, size, count);
    random_net_batch_copy(&first, &reference);
    random_net_batch_copy(&other, &reference);
    random_net_run(&yo_net_reference, net, &reference, count);
    random_net_run(plain, net, &first, count);
    double difference = random_net_difference(&reference, &first);
    if (difference > bound) fail_msg("%s is off by %g", plain->name, difference);
    int backends;
    const struct yo_net_backend *const *backend = yo_net_backends(&backends);
    for (int i = 0; i < backends; i++) {
        if (!is_kin(backend[i], plain)) continue;
        /* The size of the groups does not matter either. */
        random_net_run(backend[i], net, &other, i % 2 ? count : 1);
        random_net_assert_same(&first, &other);
    }
    random_net_batch_free(&other, false);
    random_net_batch_free(&first, false);
    random_net_batch_free(&reference, true);
    return difference;
}

static void random_operations_agree(void **state) {
    (void)state;
    double worst[2] = {0, 0};
    for (uint64_t round = 0; round < 200; round++) {
        struct random_net net;
        int size = 2 + (int)(round % 18);
        random_net_operations(&net, round, round % 3 ? 0 : size, 12);
        worst[0] =
            fmax(worst[0], compare(&yo_net_plain_float, &net, size, 1 + (int)(round % 4), 1e-4));
        worst[1] =
            fmax(worst[1], compare(&yo_net_plain_int16, &net, size, 1 + (int)(round % 4), 0.03));
        random_net_free(&net);
    }
    print_message("worst: float %g, int16 %g\n", worst[0], worst[1]);
}

static void towers_agree(void **state) {
    (void)state;
    static const int channels[] = {16, 48, 5, 33, 64, 96, 23};
    double worst[2] = {0, 0};
    for (int round = 0; round < 14; round++) {
        struct random_net net;
        enum yo_net_activation activation = round % 3 == 0   ? YO_NET_RELU
                                            : round % 3 == 1 ? YO_NET_MISH
                                                             : YO_NET_SWISH;
        int size = round < 3 ? 9 + 5 * round : 2 + round;
        random_net_tower(&net, (uint64_t)round, channels[round % 7], 4, activation);
        worst[0] = fmax(worst[0], compare(&yo_net_plain_float, &net, size, 1 + round % 5, 1e-4));
        worst[1] = fmax(worst[1], compare(&yo_net_plain_int16, &net, size, 1 + round % 5, 0.02));
        random_net_free(&net);
    }
    print_message("worst: float %g, int16 %g\n", worst[0], worst[1]);
}

/* Stems that are summed, and activations behind the sum. */
static void networks_of_shogi_agree(void **state) {
    (void)state;
    static const enum yo_net_activation activations[] = {YO_NET_RELU, YO_NET_SWISH};
    for (unsigned i = 0; i < 2; i++) {
        const struct net_shape shape = {"shogi",        119,  0,    3, 32, "oo", 32, 0, 27,
                                        activations[i], true, false};
        struct random_net net = {.seed = i};
        shaped_net_make(&net.graph, &shape, i);
        compare(&yo_net_plain_float, &net, 9, 2, 1e-4);
        compare(&yo_net_plain_int16, &net, 9, 2, 0.02);
        random_net_free(&net);
    }
}

/* Fails the n-th allocation, for every n: an error each time, and nothing is lost. */
static void memory_runs_out_in(const struct yo_net_backend *backend) {
    struct random_net net;
    random_net_tower(&net, 1, 8, 3, YO_NET_RELU);
    int failures = 0;
    for (long n = 0;; n++, failures++) {
        void *program = NULL, *worker = NULL;
        struct yo_diag diag = {0};
        yo_alloc_fail_after(n);
        enum yo_err err = backend->compile(&net.graph, &program, &diag);
        if (err == YO_OK) err = backend->worker_new(program, 9, 2, &worker, &diag);
        yo_alloc_fail_after(-1);
        if (err != YO_OK) {
            assert_int_equal(err, YO_ERR_NOMEM);
            assert_true(diag.what[0] != 0);
        }
        backend->worker_delete(worker);
        backend->program_delete(program);
        if (err == YO_OK) break;
    }
    if (failures < 30) fail_msg("only %d allocations", failures);
    random_net_free(&net);
}

static void memory_runs_out(void **state) {
    (void)state;
    memory_runs_out_in(&yo_net_plain_int16);
    memory_runs_out_in(&yo_net_plain_int8);
}

/* The time of a run is divided into parts, while somebody wants it. */
static void parts_are_timed(void **state) {
    (void)state;
    const struct yo_net_backend *backend = &yo_net_plain_int16;
    struct random_net net;
    struct random_net_batch b;
    struct yo_diag diag;
    void *program, *worker;
    random_net_tower(&net, 1, 8, 3, YO_NET_RELU);
    random_net_batch_init(&b, &net, 9, 2);
    assert_int_equal(backend->compile(&net.graph, &program, &diag), YO_OK);
    assert_int_equal(backend->worker_new(program, 9, 2, &worker, &diag), YO_OK);
    struct yo_net_times times = {{0}}, later;
    backend->set_times(worker, &times);
    for (int run = 0; run < 50; run++) /* the clock may be coarse */
        assert_int_equal(backend->run(worker, &b.batch, &diag), YO_OK);
    for (int part = 0; part < YO_NET_PARTS; part++)
        if (times.seconds[part] <= 0) fail_msg("%s takes no time", yo_net_part_name(part));
    later = times;
    backend->set_times(worker, NULL);
    assert_int_equal(backend->run(worker, &b.batch, &diag), YO_OK);
    assert_memory_equal(&times, &later, sizeof times);
    backend->worker_delete(worker);
    backend->program_delete(program);
    random_net_batch_free(&b, true);
    random_net_free(&net);
}

static void a_batch_of_another_size_is_refused(void **state) {
    (void)state;
    struct random_net net;
    random_net_tower(&net, 1, 8, 1, YO_NET_RELU);
    struct random_net_batch b;
    random_net_batch_init(&b, &net, 7, 1);
    void *program, *worker;
    struct yo_diag diag;
    assert_int_equal(yo_net_plain_float.compile(&net.graph, &program, &diag), YO_OK);
    assert_int_equal(yo_net_plain_float.worker_new(program, 9, 1, &worker, &diag), YO_OK);
    assert_int_equal(yo_net_plain_float.run(worker, &b.batch, &diag), YO_ERR_ARGUMENT);
    yo_net_plain_float.worker_delete(worker);
    yo_net_plain_float.program_delete(program);
    random_net_batch_free(&b, true);
    random_net_free(&net);
}

/* On any x86-64 of the last ten years there is something to compare. */
static void fast_backends_are_found(void **state) {
    (void)state;
    int backends, kin = 0;
    const struct yo_net_backend *const *backend = yo_net_backends(&backends);
    for (int i = 0; i < backends; i++)
        kin += is_kin(backend[i], &yo_net_plain_int16) + is_kin(backend[i], &yo_net_plain_float);
    int level = yo_cpu_get()->level;
    assert_int_equal(kin, level < 3 ? 0 : level == 3 ? 2 : yo_cpu_get()->avx512vnni ? 5 : 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_backends_are_found),
        cmocka_unit_test(random_operations_agree),
        cmocka_unit_test(towers_agree),
        cmocka_unit_test(networks_of_shogi_agree),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(parts_are_timed),
        cmocka_unit_test(a_batch_of_another_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
