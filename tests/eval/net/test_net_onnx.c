/* Shogi networks in ONNX: random ones, written in the ways that exporters do, give what their
 * layers give; what is damaged or not supported is refused by name. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/net/evaluator.h"
#include "eval/net/reference.h"
#include "eval/net/shogi_features.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/text.h"
#include "support/onnx_net.h"
#include "support/picking_net.h"

static const struct onnx_net kinds[] = {
    {.planes1 = 62, .planes2 = 57, .channels = 6, .blocks = 2, .value_channels = 3, .hidden = 5},
    {.planes1 = 62,
     .planes2 = 57,
     .channels = 5,
     .blocks = 3,
     .value_channels = 2,
     .hidden = 4,
     .swish = true,
     .norms = true,
     .reshape = true},
    {.planes1 = 62,
     .planes2 = 57,
     .channels = 4,
     .blocks = 1,
     .value_channels = 1,
     .hidden = 3,
     .matmul = true,
     .half = true,
     .identity = true},
    {.planes1 = 104,
     .channels = 7,
     .blocks = 2,
     .value_channels = 2,
     .hidden = 6,
     .swish = true,
     .matmul = true,
     .no_sigmoid = true,
     .norms = true},
    {.planes1 = 104, .channels = 3, .blocks = 0, .value_channels = 1, .hidden = 1, .reshape = true},
    {.planes1 = 62,
     .planes2 = 57,
     .channels = 4,
     .blocks = 1,
     .value_channels = 3,
     .hidden = 7,
     .matmul = true,
     .transpose = true},
    {.planes1 = 104,
     .channels = 4,
     .blocks = 1,
     .value_channels = 2,
     .hidden = 5,
     .transpose = true,
     .reshape = true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static uint32_t seed = 7;
static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void make_file(int kind, struct onnx_net *made, struct yo_buf *file) {
    *made = kinds[kind];
    made->seed = (unsigned)kind;
    onnx_net_make(made);
    onnx_net_write(made, file);
}

static void near(double got, double expected) {
    assert_true(fabs(got - expected) <= 2e-4 * (1 + fabs(expected)));
}

static void compare(const struct onnx_net *made, const struct yo_net *net) {
    int planes = net->graph.planes;
    float *numbers = malloc((size_t)planes * 81 * sizeof *numbers), policy[27 * 81], value[1];
    uint64_t *bits = calloc((size_t)planes * 2, 8);
    assert_true(numbers && bits);
    for (int i = 0; i < planes * 81; i++) {
        numbers[i] = next_random() & 1;
        if (numbers[i] > 0) bits[i / 81 * 2 + i % 81 / 64] |= UINT64_C(1) << (i % 81 % 64);
    }
    double *expected = malloc(27 * 81 * sizeof *expected), chance;
    assert_non_null(expected);
    onnx_net_eval(made, numbers, expected, &chance);
    struct yo_net_batch batch = {.count = 1, .size = 9, .planes = bits};
    batch.out[YO_NET_OUT_POLICY] = policy;
    batch.out[YO_NET_OUT_VALUE] = value;
    void *program, *worker;
    assert_int_equal(yo_net_reference.compile(&net->graph, &program, NULL), YO_OK);
    assert_int_equal(yo_net_reference.worker_new(program, 9, 1, &worker, NULL), YO_OK);
    assert_int_equal(yo_net_reference.run(worker, &batch, NULL), YO_OK);
    for (int i = 0; i < 27 * 81; i++)
        near((double)policy[i], expected[i]);
    near((double)value[0], chance);
    yo_net_reference.worker_delete(worker);
    yo_net_reference.program_delete(program);
    free(numbers), free(bits), free(expected);
}

static void networks_are_read_as_written(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        struct onnx_net made;
        struct yo_buf file = {0};
        struct yo_net *net;
        struct yo_diag diag = {0};
        make_file(k, &made, &file);
        enum yo_err err = yo_net_read(file.data, file.len, &net, &diag);
        if (err) print_error("%s\n", diag.what);
        assert_int_equal(err, YO_OK);
        assert_int_equal(net->format, made.planes2 ? YO_NET_DLSHOGI : YO_NET_PIECES);
        assert_int_equal(net->value_kind, made.no_sigmoid ? YO_NET_LOGIT : YO_NET_CHANCE);
        for (int i = 0; i < 3; i++)
            compare(&made, net);
        yo_net_delete(net);
        yo_buf_free(&file);
        onnx_net_free(&made);
    }
}

/* What a backend likes: the stem one convolution, blocks of two, nothing between. */
static void layers_are_folded(void **state) {
    (void)state;
    struct onnx_net made;
    struct yo_buf file = {0};
    struct yo_net *net;
    make_file(1, &made, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &net, NULL), YO_OK);
    const struct yo_net_graph *g = &net->graph;
    assert_int_equal(g->op_count, 1 + 2 * 3 + 3 + 1 + 1 + 2); /* stem, blocks, policy, value */
    assert_int_equal(g->ops[0].in_channels, 119);
    assert_int_equal(g->ops[0].kernel_y, 3);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(g->ops[i].kind, YO_NET_CONV);
        assert_int_equal(g->ops[i].activation, YO_NET_SWISH);
        assert_int_equal(g->ops[i].add != YO_NET_NONE, i > 0 && i % 2 == 0);
    }
    yo_net_delete(net);
    yo_buf_free(&file);
    onnx_net_free(&made);
}

static enum yo_err read_copy(const char *bytes, size_t len, struct yo_diag *diag) {
    char *copy = malloc(len ? len : 1);
    if (!copy) abort();
    memcpy(copy, bytes, len);
    struct yo_net *net = NULL;
    *diag = (struct yo_diag){0};
    enum yo_err err = yo_net_read(copy, len, &net, diag);
    yo_net_delete(net);
    free(copy);
    return err;
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    struct onnx_net made;
    struct yo_buf file = {0};
    struct yo_diag diag;
    make_file(2, &made, &file);
    for (size_t len = 0; len < file.len; len += 1 + len / 40) {
        assert_int_not_equal(read_copy(file.data, len, &diag), YO_OK);
        assert_true(diag.what[0]);
    }
    for (int round = 0; round < 1000; round++) {
        size_t at = next_random() % (round & 1 ? file.len : file.len / 8);
        char before = file.data[at];
        file.data[at] ^= (char)(1 + next_random() % 255);
        enum yo_err err = read_copy(file.data, file.len, &diag);
        assert_true(!err || diag.what[0]);
        file.data[at] = before;
    }
    yo_buf_free(&file);
    onnx_net_free(&made);
}

/* Replaces a word of the file by another of the same length. */
static enum yo_err read_edited(int kind, const char *from, const char *to, struct yo_diag *diag) {
    struct onnx_net made;
    struct yo_buf file = {0};
    make_file(kind, &made, &file);
    char *at = memmem(file.data, file.len, from, strlen(from));
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    enum yo_err err = read_copy(file.data, file.len, diag);
    yo_buf_free(&file);
    onnx_net_free(&made);
    return err;
}

static void what_is_not_supported_is_named(void **state) {
    (void)state;
    static const struct {
        int kind;
        const char *from, *to, *says;
    } cases[] = {
        {0, "Relu", "Celu", "Celu 'u0': this operation is not supported"},
        {1, "Mul", "Div", "Div 'u0'"},
        {0, "input1", "inputx", "Conv 's1': its input is not a layer"},
        {0, "output_value", "output_valve", "outputs"},
        {5, "va.back", "va.bach", "Transpose 'va.front': its input is neither a matrix"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_diag diag;
        assert_int_equal(read_edited(cases[i].kind, cases[i].from, cases[i].to, &diag),
                         YO_ERR_UNSUPPORTED);
        if (!strstr(diag.what, cases[i].says)) print_error("%zu: %s\n", i, diag.what);
        assert_non_null(strstr(diag.what, cases[i].says));
        if (i == 0) assert_non_null(strstr(diag.hint, "docs/networks.md"));
    }
    struct onnx_net made = kinds[0];
    struct yo_buf file = {0};
    struct yo_diag diag;
    made.planes1 = 45;
    onnx_net_make(&made);
    onnx_net_write(&made, &file);
    assert_int_equal(read_copy(file.data, file.len, &diag), YO_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.what, "inputs are not those"));
    yo_buf_free(&file);
    onnx_net_free(&made);
}

static void put_message(struct yo_buf *out, int field, struct yo_buf *message) {
    onnx_put_bytes(out, field, yo_buf_text(message), message->len);
    yo_buf_free(message);
}

static void put_text(struct yo_buf *out, int field, const char *text) {
    onnx_put_bytes(out, field, text, strlen(text));
}

/* Zeros of up to four dimensions, in raw_data (9) or int64_data (7). */
static void put_zeros(struct yo_buf *graph, const char *name, const int *dims, int count,
                      int field) {
    struct yo_buf t = {0}, data = {0};
    int numbers = 1;
    for (int i = 0; i < count; i++) {
        onnx_put_int(&t, 1, dims[i]);
        numbers *= dims[i];
    }
    onnx_put_int(&t, 2, 1); /* float */
    put_text(&t, 8, name);
    for (int i = 0; i < numbers; i++)
        yo_buf_add(&data, "\0\0\0", field == 9 ? 4 : 1);
    put_message(&t, field, &data);
    put_message(graph, 5, &t);
}

/* The weights of a 1x1 convolution. */
static void put_constant(struct yo_buf *graph, const char *name, int in, int out, int field) {
    put_zeros(graph, name, (const int[]){out, in, 1, 1}, 4, field);
}

/* inputs: names with spaces between. */
static void put_node(struct yo_buf *graph, const char *kind, const char *inputs, const char *out) {
    struct yo_buf node = {0}, padding = {0};
    for (size_t len; *inputs; inputs += len + (inputs[len] == ' ')) {
        len = strcspn(inputs, " ");
        onnx_put_bytes(&node, 1, inputs, len);
    }
    put_text(&node, 2, out);
    put_text(&node, 4, kind);
    put_text(&padding, 1, "auto_pad");
    put_text(&padding, 4, "SAME_UPPER");
    put_message(&node, 5, &padding);
    put_message(graph, 1, &node);
}

static void put_conv(struct yo_buf *graph, const char *in, const char *weights, const char *out) {
    char inputs[32];
    snprintf(inputs, sizeof inputs, "%s %s", in, weights);
    put_node(graph, "Conv", inputs, out);
}

static void put_input(struct yo_buf *graph, const char *name, int planes) {
    struct yo_buf port = {0}, shape = {0}, tensor = {0}, type = {0};
    const int dims[] = {1, planes, 9, 9};
    for (int i = 0; i < 4; i++) {
        struct yo_buf dim = {0};
        onnx_put_int(&dim, 1, dims[i]);
        put_message(&shape, 1, &dim);
    }
    put_message(&tensor, 2, &shape);
    put_message(&type, 1, &tensor);
    put_text(&port, 1, name);
    put_message(&port, 2, &type);
    put_message(graph, 11, &port);
}

static enum yo_err read_graph(struct yo_buf *graph, struct yo_diag *diag) {
    struct yo_buf file = {0};
    onnx_put_int(&file, 1, 8);
    put_message(&file, 7, graph);
    enum yo_err err = read_copy(file.data, file.len, diag);
    yo_buf_free(&file);
    return err;
}

/* 4,000 layers that share one constant of 1 MB would be 4 GB. */
static void small_files_stay_small(void **state) {
    (void)state;
    struct yo_buf graph = {0};
    struct yo_diag diag;
    put_input(&graph, "input1", 62);
    put_input(&graph, "input2", 57);
    put_constant(&graph, "w0", 62, 512, 9);
    put_constant(&graph, "w", 512, 512, 9);
    put_conv(&graph, "input1", "w0", "x0");
    for (int i = 0; i < 4000; i++) {
        char in[16], out[16];
        snprintf(in, sizeof in, "x%d", i);
        snprintf(out, sizeof out, "x%d", i + 1);
        put_conv(&graph, in, "w", out);
    }
    assert_int_equal(read_graph(&graph, &diag), YO_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.what, "more numbers than the file"));
}

/* The same by normalisations, whose constants are not copied as they are: 16 MB. */
static void normalisations_stay_small(void **state) {
    (void)state;
    struct yo_buf graph = {0};
    struct yo_diag diag;
    put_input(&graph, "input1", 62);
    put_input(&graph, "input2", 57);
    put_constant(&graph, "w", 62, 512, 9);
    put_zeros(&graph, "c", (const int[]){512}, 1, 9);
    put_conv(&graph, "input1", "w", "x0");
    for (int i = 0; i < 4000; i++) {
        char in[32], out[16];
        snprintf(in, sizeof in, "x%d c c c c", i);
        snprintf(out, sizeof out, "x%d", i + 1);
        put_node(&graph, "BatchNormalization", in, out);
    }
    assert_int_equal(read_graph(&graph, &diag), YO_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.what, "more numbers than the file"));
}

/* A column and a row of weights, added, are a square of them: 37 times as many. */
static void sums_of_convolutions_stay_small(void **state) {
    (void)state;
    struct yo_buf graph = {0};
    struct yo_diag diag;
    put_input(&graph, "input1", 62);
    put_input(&graph, "input2", 57);
    put_zeros(&graph, "column", (const int[]){64, 62, 37, 1}, 4, 9);
    put_zeros(&graph, "row", (const int[]){64, 62, 1, 37}, 4, 9);
    put_conv(&graph, "input1", "column", "x");
    put_conv(&graph, "input1", "row", "y");
    put_node(&graph, "Add", "x y", "z");
    assert_int_equal(read_graph(&graph, &diag), YO_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.what, "more numbers than the file"));
}

/* Weights written as integers of varying length were read each from the start: hours. */
static void numbers_are_of_their_kind(void **state) {
    (void)state;
    struct yo_buf graph = {0};
    struct yo_diag diag;
    put_input(&graph, "input1", 62);
    put_input(&graph, "input2", 57);
    put_constant(&graph, "w0", 62, 20000, 7);
    put_conv(&graph, "input1", "w0", "x0");
    assert_int_equal(read_graph(&graph, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.what, "numbers of another kind"));
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    struct onnx_net made;
    struct yo_buf file = {0};
    struct yo_diag diag;
    make_file(1, &made, &file);
    int failures = 0;
    for (long n = 0;; n++) {
        struct yo_net *net = NULL;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_net_read(file.data, file.len, &net, &diag);
        yo_alloc_fail_after(-1);
        yo_net_delete(net);
        if (!err) break;
        assert_int_equal(err, YO_ERR_NOMEM);
        failures++;
    }
    assert_true(failures > 20);
    yo_buf_free(&file);
    onnx_net_free(&made);
}

static const char middle_game[] =
    "ln1g2g1l/2s1k4/2ppp1n1p/p5pp1/1p5PP/PPP1SPP2/3PP1N2/2GK1G3/LN6L w RBSrbsp 72";

/* With a cache, policies are kept for the moves that were asked for. */
static void cached_policies_are_of_the_same_moves(void **unused) {
    (void)unused;
    struct onnx_net made;
    struct yo_buf file = {0};
    struct yo_net *net;
    struct yo_eval eval;
    struct yo_net_eval_counts counts;
    struct yo_shogi_position pos;
    static struct yo_shogi_state s;
    struct yo_shogi_past first;
    struct yo_shogi_rules rules = {0};
    make_file(0, &made, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &net, NULL), YO_OK);
    struct yo_net_eval_options options = {
        .backend = &yo_net_reference, .threads = 1, .cache_bytes = 4 << 20};
    assert_int_equal(yo_net_eval_new(net, &options, &eval, NULL), YO_OK);
    assert_int_equal(yo_shogi_sfen_parse(middle_game, &pos, NULL), YO_OK);
    yo_shogi_state_init(&s, &pos, &rules, &first);
    yo_move moves[YO_SHOGI_MOVES_MAX], turned[YO_SHOGI_MOVES_MAX];
    float policy[3][YO_SHOGI_MOVES_MAX];
    size_t count = yo_shogi_ops.moves(&s, moves);
    for (size_t i = 0; i < count; i++)
        turned[i] = moves[count - 1 - i];
    /* All moves, again, in another order, and without a policy. */
    const struct {
        const yo_move *moves;
        unsigned want;
        uint64_t evaluations, hits;
    } rows[] = {{moves, YO_EVAL_VALUE | YO_EVAL_POLICY, 1, 0},
                {moves, YO_EVAL_VALUE | YO_EVAL_POLICY, 1, 1},
                {turned, YO_EVAL_VALUE | YO_EVAL_POLICY, 2, 1},
                {NULL, YO_EVAL_VALUE, 2, 2}};
    float win = 0;
    for (int i = 0; i < 4; i++) {
        struct yo_eval_result result = {.policy = policy[i < 3 ? i : 0]};
        struct yo_eval_item item = {.position = &s,
                                    .want = rows[i].want,
                                    .results = &result,
                                    .moves = rows[i].moves,
                                    .move_count = rows[i].moves ? count : 0};
        assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
        yo_net_eval_counts(&eval, &counts);
        assert_int_equal(counts.evaluations, rows[i].evaluations);
        assert_int_equal(counts.cache_hits, rows[i].hits);
        if (i == 0) win = result.value.win;
        assert_true(result.value.win == win);
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(policy[1][i] == policy[0][i]);
        near((double)policy[2][count - 1 - i], (double)policy[0][i]);
    }
    eval.ops->destroy(eval.ctx);
    yo_buf_free(&file);
    onnx_net_free(&made);
}

/* One batch: all moves, none, one, some of them twice, and positions without a policy between. */
enum { ASKED = 6 };
static void ask(const struct yo_buf *file, const struct yo_net_backend *backend, size_t cache_bytes,
                const struct yo_shogi_state *s, float (*policy)[YO_SHOGI_MOVES_MAX],
                struct yo_eval_value *values) {
    struct yo_net_eval_options options = {
        .backend = backend, .threads = 1, .cache_bytes = cache_bytes};
    struct yo_net *net;
    struct yo_eval eval;
    struct yo_eval_item items[ASKED];
    struct yo_eval_result results[ASKED] = {0};
    yo_move moves[YO_SHOGI_MOVES_MAX], twice[40];
    size_t count = yo_shogi_ops.moves(s, moves);
    for (size_t i = 0; i < 40; i++)
        twice[i] = moves[i / 2 * 3];
    const struct {
        const yo_move *moves;
        size_t count;
    } lists[ASKED] = {{moves, count}, {NULL, 0}, {moves, 0},
                      {moves + 7, 1}, {NULL, 0}, {twice, 40}};
    assert_int_equal(yo_net_read(file->data, file->len, &net, NULL), YO_OK);
    assert_int_equal(yo_net_eval_new(net, &options, &eval, NULL), YO_OK);
    for (int i = 0; i < ASKED; i++) {
        results[i].policy = policy[i];
        items[i] = (struct yo_eval_item){.position = s,
                                         .want = lists[i].moves ? YO_EVAL_VALUE | YO_EVAL_POLICY
                                                                : YO_EVAL_VALUE,
                                         .results = &results[i],
                                         .moves = lists[i].moves,
                                         .move_count = lists[i].count};
    }
    for (int round = 0; round < 2; round++) /* the second time from the cache, if there is one */
        assert_int_equal(yo_eval_run(eval, items, ASKED, NULL), YO_OK);
    for (int i = 0; i < ASKED; i++)
        values[i] = results[i].value;
    eval.ops->destroy(eval.ctx);
}

/* A backend that gives the wanted entries alone. */
static void picked_policies_are_the_same(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    static struct yo_shogi_state s;
    static float right[ASKED][YO_SHOGI_MOVES_MAX], other[ASKED][YO_SHOGI_MOVES_MAX];
    struct yo_shogi_past first;
    struct yo_shogi_rules rules = {0};
    assert_int_equal(yo_shogi_sfen_parse(middle_game, &pos, NULL), YO_OK);
    yo_shogi_state_init(&s, &pos, &rules, &first);
    for (size_t cache_bytes = 0; cache_bytes <= 4 << 20; cache_bytes += 4 << 20) {
        struct onnx_net made;
        struct yo_buf file = {0};
        struct yo_eval_value values[2][ASKED];
        make_file(1, &made, &file);
        ask(&file, &yo_net_reference, cache_bytes, &s, right, values[0]);
        const long before = picking_net_picked();
        ask(&file, &picking_net, cache_bytes, &s, other, values[1]);
        assert_true(picking_net_picked() - before >= 4);
        assert_memory_equal(right, other, sizeof right);
        assert_true(right[0][0] > 0 && right[3][0] == 1 && right[5][0] == right[5][1]);
        for (int i = 0; i < ASKED; i++)
            assert_true(values[0][i].win == values[1][i].win);
        yo_buf_free(&file);
        onnx_net_free(&made);
    }
}

/* From a position to numbers, White to move. */
static void positions_are_evaluated(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k += 3) {
        struct onnx_net made;
        struct yo_buf file = {0};
        struct yo_net *net;
        struct yo_eval eval;
        make_file(k, &made, &file);
        assert_int_equal(yo_net_read(file.data, file.len, &net, NULL), YO_OK);
        struct yo_net_eval_options options = {
            .backend = &yo_net_reference, .threads = 1, .symmetry = YO_NET_SYMMETRY_RANDOM};
        assert_int_equal(yo_net_eval_new(net, &options, &eval, NULL), YO_OK);

        struct yo_shogi_position pos;
        static struct yo_shogi_state s;
        struct yo_shogi_past first;
        struct yo_shogi_rules rules = {0};
        assert_int_equal(yo_shogi_sfen_parse(middle_game, &pos, NULL), YO_OK);
        yo_shogi_state_init(&s, &pos, &rules, &first);
        yo_move moves[YO_SHOGI_MOVES_MAX];
        float policy[YO_SHOGI_MOVES_MAX];
        struct yo_eval_result result = {.policy = policy};
        struct yo_eval_item item = {.position = &s,
                                    .want = YO_EVAL_VALUE | YO_EVAL_POLICY,
                                    .results = &result,
                                    .moves = moves,
                                    .move_count = yo_shogi_ops.moves(&s, moves)};
        assert_true(item.move_count > 50);
        assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);

        static uint64_t bits[128][2];
        static float numbers[128 * 81];
        const uint64_t all[2] = {~UINT64_C(0), ~UINT64_C(0)};
        memset(bits, 0, sizeof bits);
        if (made.planes2)
            yo_shogi_features_dlshogi(&pos, all, bits);
        else
            yo_shogi_features_pieces(&pos, bits);
        for (int i = 0; i < 128 * 81; i++)
            numbers[i] = bits[i / 81][i % 81 / 64] >> (i % 81 % 64) & 1;
        static double logits[27 * 81];
        double value, sum = 0;
        onnx_net_eval(&made, numbers, logits, &value);
        if (made.no_sigmoid) value = 1 / (1 + exp(-value));
        near((double)result.value.win, value);
        for (size_t i = 0; i < item.move_count; i++)
            sum += exp(logits[yo_shogi_policy_index(&pos, (yo_shogi_move)moves[i])]);
        for (size_t i = 0; i < item.move_count; i++)
            near((double)policy[i],
                 exp(logits[yo_shogi_policy_index(&pos, (yo_shogi_move)moves[i])]) / sum);
        eval.ops->destroy(eval.ctx);
        yo_buf_free(&file);
        onnx_net_free(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_are_read_as_written),
        cmocka_unit_test(layers_are_folded),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(what_is_not_supported_is_named),
        cmocka_unit_test(small_files_stay_small),
        cmocka_unit_test(normalisations_stay_small),
        cmocka_unit_test(sums_of_convolutions_stay_small),
        cmocka_unit_test(numbers_are_of_their_kind),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(positions_are_evaluated),
        cmocka_unit_test(cached_policies_are_of_the_same_moves),
        cmocka_unit_test(picked_policies_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
