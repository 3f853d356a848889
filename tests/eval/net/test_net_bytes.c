/* Convolutions in bytes: plain C against the reference; the code for AMX against plain C bit for
 * bit, on a model of the tile instructions and, where the processor has them, on the real ones. */
#include <math.h>
#include <string.h>

#include "eval/net/cpu/cpu.h"
#include "eval/net/cpu/worker.h"
#include "eval/net/reference.h"
#include "support/amx_model.h"
#include "support/random_net.h"
#include "support/test.h"

#include "eval/net/cpu/body/vec_plain.h"

#include "eval/net/cpu/body/activation.h"
#include "eval/net/cpu/body/epilogue.h"

#include "eval/net/cpu/body/amx.h"

static struct yo_net_kernels model_kernels;
static int split_count; /* convolutions that the model computed in split numbers */

static void model_split(const struct yo_net_bytes *b) {
    amx_split(b);
    split_count++;
}

static enum yo_err model_compile(const struct yo_net_graph *graph, void **program,
                                 struct yo_diag *diag) {
    model_kernels = yo_net_kernels_plain;
    model_kernels.begin = amx_begin;
    model_kernels.end = amx_end;
    model_kernels.bytes = amx_bytes;
    model_kernels.split = model_split;
    return yo_net_cpu_program_new(graph, &model_kernels, YO_NET_INT8,
                                  (struct yo_net_cpu_program **)program, diag);
}

static void compare(struct random_net *net, int size, int count, double bound, double *worst) {
    struct yo_net_backend model = yo_net_plain_int8;
    model.compile = model_compile;
    struct random_net_batch reference, plain, other;
    random_net_batch_init(&reference, net, size, count);
    random_net_batch_copy(&plain, &reference);
    random_net_batch_copy(&other, &reference);
    random_net_run(&yo_net_reference, net, &reference, count);
    random_net_run(&yo_net_plain_int8, net, &plain, count);
    double difference = random_net_difference(&reference, &plain);
    if (difference > bound) fail_msg("off by %g", difference);
    *worst = fmax(*worst, difference);
    random_net_run(&model, net, &other, count);
    random_net_assert_same(&plain, &other);
    const struct yo_net_backend *amx = yo_net_backend_find("amx-int8", NULL); /* here or not */
    if (amx) {
        random_net_run(amx, net, &other, count);
        random_net_assert_same(&plain, &other);
    }
    random_net_batch_free(&other, false);
    random_net_batch_free(&plain, false);
    random_net_batch_free(&reference, true);
}

static void random_operations_agree(void **state) {
    (void)state;
    double worst = 0;
    for (uint64_t round = 0; round < 100; round++) {
        struct random_net net;
        int size = 2 + (int)(round % 18);
        random_net_operations(&net, round, 0, 12);
        compare(&net, size, 1 + (int)(round % 3), 0.1, &worst);
        random_net_free(&net);
    }
    print_message("worst: %g\n", worst);
}

static void towers_agree(void **state) {
    (void)state;
    static const int channels[] = {48, 16, 33, 64, 96};
    double worst = 0;
    for (int round = 0; round < 8; round++) {
        struct random_net net;
        random_net_tower(&net, (uint64_t)round, channels[round % 5], 4,
                         round % 2 ? YO_NET_MISH : YO_NET_RELU);
        compare(&net, 3 + 2 * round, 1 + round % 3, 0.1, &worst);
        random_net_free(&net);
    }
    print_message("worst: %g\n", worst);
}

/* 1x1 convolutions alone, with the largest weights and inputs of either sign: few channels, so that
 * a weight takes all of its 16 bits, and more than one tile of them. The judge computes in 16 bits
 * without splitting. */
static void split_numbers_agree(void **state) {
    (void)state;
    static const int channels[] = {1, 2, 3, 16, 63, 64, 65, 130};
    double worst = 0;
    for (int round = 0; round < 32; round++) {
        struct random_net net;
        random_net_points(&net, (uint64_t)round, channels[round % 8], 1 + 7 * (round % 5),
                          round < 16 ? YO_NET_IDENTITY : YO_NET_RELU);
        int before = split_count;
        compare(&net, 2 + round % 18, 1 + round % 2, 0.01, &worst);
        assert_true(split_count > before);
        random_net_free(&net);
    }
    print_message("worst: %g\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree),
        cmocka_unit_test(towers_agree),
        cmocka_unit_test(split_numbers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
