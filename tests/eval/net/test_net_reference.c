/* The reference backend against numbers computed one by one from their definition, on graphs of
 * random operations; and what a graph refuses. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/net/reference.h"
#include "support/naive_net.h"
#include "support/test.h"

static uint32_t seed;

static uint32_t random_below(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

static float random_float(void) { return (float)random_below(2001) / 1000.0f - 1; }

static float *random_floats(struct yo_net_graph *graph, int count) {
    float *floats = yo_net_graph_floats(graph, (size_t)count);
    assert_non_null(floats);
    for (int i = 0; i < count; i++)
        floats[i] = random_float();
    return floats;
}

/* A tensor of the shape, or none. */
static int find_tensor(const struct yo_net_graph *graph, bool spatial, int channels) {
    int found = YO_NET_NONE;
    for (int t = 0; t < graph->tensor_count; t++)
        if (graph->tensors[t].spatial == spatial && graph->tensors[t].channels == channels &&
            random_below(2))
            found = t;
    return found;
}

static void random_op(struct yo_net_graph *graph) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = (enum yo_net_op_kind)random_below(graph->fixed_size ? 5 : 4);
    op.in = (int)random_below((uint32_t)graph->tensor_count);
    int channels = graph->tensors[op.in].channels;
    bool spatial = graph->tensors[op.in].spatial;
    if (channels > 40) return;
    op.activation = (enum yo_net_activation)random_below(6);
    op.pool = (enum yo_net_pool)random_below(2);
    op.kernel_y = 1 + 2 * (int)random_below(3);
    op.kernel_x = 1 + 2 * (int)random_below(3);
    op.dilation_y = 1 + (int)random_below(2);
    op.dilation_x = 1 + (int)random_below(2);
    op.out_channels = 1 + (int)random_below(5);
    op.first_channel = (int)random_below((uint32_t)channels);
    op.in_channels = 1 + (int)random_below((uint32_t)(channels - op.first_channel));
    if (op.kind == YO_NET_CONV || op.kind == YO_NET_DENSE)
        op.weights = random_floats(graph, 25 * op.in_channels * op.out_channels);
    int out = op.kind == YO_NET_AFFINE ? channels
              : op.kind == YO_NET_POOL ? 3 * channels
                                       : op.out_channels;
    bool out_spatial = op.kind == YO_NET_CONV || (op.kind == YO_NET_AFFINE && spatial);
    if (random_below(2)) op.bias = random_floats(graph, out);
    if (random_below(2)) op.scale = random_floats(graph, out);
    if (op.kind != YO_NET_FLATTEN) {
        if (random_below(2)) op.add_vector = find_tensor(graph, false, out);
        if (random_below(2)) op.add = find_tensor(graph, out_spatial, out);
    }
    bool needs_board =
        op.kind == YO_NET_CONV || op.kind == YO_NET_POOL || op.kind == YO_NET_FLATTEN;
    bool fits = op.kind == YO_NET_AFFINE || needs_board == spatial;
    int added;
    struct yo_diag diag;
    assert_int_equal(yo_net_graph_add(graph, &op, &added, &diag), fits ? YO_OK : YO_ERR_PARSE);
}

static void compare(const struct yo_net_graph *graph, int size, int count) {
    int points = size * size, words = yo_net_plane_words(size);
    uint64_t planes[4 * 3 * 6] = {0};
    float globals[4 * 2], expanded[4 * 3 * YO_NET_MAX_POINTS];
    for (int i = 0; i < count * 2; i++)
        globals[i] = random_float();
    for (int i = 0; i < count * 3 * points; i++) {
        bool set = random_below(2);
        expanded[i] = set;
        if (set) planes[i / points * words + i % points / 64] |= UINT64_C(1) << (i % points % 64);
    }
    size_t floats = yo_net_tensor_floats(graph, graph->outputs[0], size);
    float *out = yo_alloc((size_t)count * floats, sizeof *out);
    void *program, *worker;
    struct yo_diag diag;
    assert_int_equal(yo_net_reference.compile(graph, &program, &diag), YO_OK);
    assert_int_equal(yo_net_reference.worker_new(program, size, count, &worker, &diag), YO_OK);
    struct yo_net_batch batch = {
        .count = count, .size = size, .planes = planes, .globals = globals, .out = {out}};
    assert_int_equal(yo_net_reference.run(worker, &batch, &diag), YO_OK);
    for (int i = 0; i < count; i++) {
        struct naive_net naive;
        naive_net_start(&naive, graph, size, expanded + i * 3 * points, globals + i * 2);
        bool spatial = graph->tensors[graph->outputs[0]].spatial;
        for (size_t f = 0; f < floats; f++) {
            int p = spatial ? (int)f % points : 0, c = spatial ? (int)f / points : (int)f;
            double expected = naive_net_at(&naive, graph->outputs[0], c, p / size, p % size);
            double got = (double)out[(size_t)i * floats + f];
            assert_true(fabs(got - expected) <= 1e-4 * (1 + fabs(expected)));
        }
        naive_net_end(&naive);
    }
    yo_net_reference.worker_delete(worker);
    yo_net_reference.program_delete(program);
    yo_free(out);
}

static void random_graphs_are_computed_as_defined(void **state) {
    (void)state;
    struct yo_diag diag;
    int compared = 0;
    for (uint32_t round = 0; round < 150; round++) {
        seed = round;
        struct yo_net_graph graph;
        assert_int_equal(yo_net_graph_init(&graph, 3, 2, &diag), YO_OK);
        int size = 2 + (int)random_below(8);
        graph.fixed_size = random_below(2) ? size : 0;
        for (int i = 0; i < 12; i++)
            random_op(&graph);
        if (graph.op_count > 0) {
            graph.outputs[0] = graph.tensor_count - 1;
            compare(&graph, size, 1 + (int)random_below(3));
            compared++;
        }
        yo_net_graph_free(&graph);
    }
    assert_true(compared > 100);
}

static void unread_planes_are_known(void **state) {
    (void)state;
    struct yo_net_graph graph;
    struct yo_diag diag;
    uint64_t used[2];
    int out;
    assert_int_equal(yo_net_graph_init(&graph, 70, 0, &diag), YO_OK);
    struct yo_net_op op = YO_NET_OP;
    op.kernel_y = op.kernel_x = op.dilation_y = op.dilation_x = 1;
    op.first_channel = 3;
    op.in_channels = 67;
    op.out_channels = 2;
    float *weights = yo_net_graph_floats(&graph, 67 * 2);
    weights[2] = 1;       /* plane 5 */
    weights[67 + 66] = 2; /* plane 69 */
    op.weights = weights;
    assert_int_equal(yo_net_graph_add(&graph, &op, &out, &diag), YO_OK);
    yo_net_graph_planes_used(&graph, used);
    assert_true(used[0] == UINT64_C(1) << 5 && used[1] == UINT64_C(1) << 5);
    assert_int_equal(yo_net_graph_parameters(&graph), 134);
    assert_int_equal(yo_net_graph_operations(&graph, 9), 134 * 81);
    yo_net_graph_free(&graph);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    struct yo_net_graph graph;
    struct yo_diag diag;
    int out;
    static const float weights[9] = {1};
    assert_int_equal(yo_net_graph_init(&graph, 0, 0, &diag), YO_ERR_UNSUPPORTED);
    assert_int_equal(yo_net_graph_init(&graph, 1, 1, &diag), YO_OK);
    struct yo_net_op good = YO_NET_OP, op;
    good.kernel_y = good.kernel_x = 3;
    good.dilation_y = good.dilation_x = good.in_channels = good.out_channels = 1;
    good.weights = weights;
    struct {
        const char *what;
        int *field;
        int value;
    } cases[] = {
        {"odd", &op.kernel_y, 2},
        {"odd", &op.kernel_x, 0},
        {"dilation", &op.dilation_x, 0},
        {"exist", &op.in, 2},
        {"vector", &op.in, 1},
        {"channels", &op.in_channels, 2},
        {"channels", &op.first_channel, -1},
        {"channels", &op.out_channels, 0},
        {"exist", &op.add, 7},
        {"exist", &op.add_vector, 7},
        {"shape", &op.add, 1},
        {"shape", &op.add_vector, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        op = good;
        *cases[i].field = cases[i].value;
        assert_int_equal(yo_net_graph_add(&graph, &op, &out, &diag), YO_ERR_PARSE);
        assert_non_null(strstr(diag.what, cases[i].what));
    }
    assert_int_equal(yo_net_graph_add(&graph, &good, &out, &diag), YO_OK);
    assert_int_equal(out, 2);
    yo_net_graph_free(&graph);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    struct yo_diag diag;
    for (long n = 0; n < 3; n++) {
        struct yo_net_graph graph;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_net_graph_init(&graph, 3, 2, &diag);
        void *worker;
        if (!err) {
            err = yo_net_reference.worker_new(&graph, 9, 1, &worker, &diag);
            yo_net_graph_free(&graph);
        }
        yo_alloc_fail_after(-1);
        assert_int_equal(err, YO_ERR_NOMEM);
    }
}

static void backends_are_found_by_name(void **state) {
    (void)state;
    struct yo_diag diag;
    assert_ptr_equal(yo_net_backend_find("reference", &diag), &yo_net_reference);
    assert_non_null(yo_net_backend_find("auto", &diag));
    assert_null(yo_net_backend_find("referense", &diag));
    assert_string_equal(diag.hint, "did you mean reference?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_computed_as_defined),
        cmocka_unit_test(unread_planes_are_known),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(backends_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
