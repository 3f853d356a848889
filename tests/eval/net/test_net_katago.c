/* KataGo's model files: random networks of every version and kind of block, written and read back,
 * give what their layers give; damaged ones are refused with a place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/net/net.h"
#include "eval/net/reference.h"
#include "support/katago_net.h"
#include "support/test.h"

static const struct katago_net kinds[] = {
    {.version = 8, .blocks = "og", .trunk = 5, .mid = 4, .pool = 3, .head = 2, .ky = 3, .kx = 3},
    {.version = 9, .blocks = "ggo", .trunk = 3, .mid = 6, .pool = 1, .head = 3, .ky = 5, .kx = 3},
    {.version = 10, .blocks = "o", .trunk = 1, .mid = 1, .pool = 1, .head = 1, .ky = 1, .kx = 1},
    {.version = 11,
     .blocks = "o[og]",
     .trunk = 6,
     .mid = 4,
     .pool = 2,
     .head = 3,
     .ky = 3,
     .kx = 3,
     .act = "ACTIVATION_MISH"},
    {.version = 12,
     .blocks = "[o[g]o]g",
     .trunk = 7,
     .mid = 3,
     .pool = 2,
     .head = 4,
     .ky = 3,
     .kx = 1,
     .act = "ACTIVATION_RELU"},
    {.version = 13,
     .blocks = "go",
     .trunk = 4,
     .mid = 4,
     .pool = 4,
     .head = 4,
     .ky = 3,
     .kx = 7,
     .act = "ACTIVATION_IDENTITY"},
    {.version = 14,
     .blocks = "[oo][gg]",
     .trunk = 8,
     .mid = 4,
     .pool = 2,
     .head = 2,
     .ky = 3,
     .kx = 3,
     .act = "ACTIVATION_MISH"},
    {.version = 15,
     .blocks = "og",
     .trunk = 5,
     .mid = 4,
     .pool = 3,
     .head = 6,
     .ky = 3,
     .kx = 3,
     .act = "ACTIVATION_MISH"},
    {.version = 16,
     .blocks = "[og]",
     .trunk = 5,
     .mid = 4,
     .pool = 3,
     .head = 5,
     .ky = 3,
     .kx = 3,
     .act = "ACTIVATION_SILU"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static uint32_t seed = 1;

static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void near(double got, double expected) {
    assert_true(fabs(got - expected) <= 2e-4 * (1 + fabs(expected)));
}

/* On a random input of one board size. */
static void compare(const struct katago_net *written, const struct yo_net *read, int size) {
    const struct yo_net_graph *graph = &read->graph;
    int points = size * size, words = yo_net_plane_words(size);
    float planes[22 * 361], globals[19];
    uint64_t bits[22 * 6] = {0};
    for (int i = 0; i < 22 * points; i++) {
        planes[i] = next_random() & 1;
        if (planes[i] > 0)
            bits[i / points * words + i % points / 64] |= UINT64_C(1) << (i % points % 64);
    }
    for (int i = 0; i < 19; i++)
        globals[i] = (float)(next_random() % 1000) / 500 - 1;
    struct katago_outputs expected;
    katago_net_eval(written, size, planes, globals, &expected);

    float policy[4 * 361], pass[4], value[3], score[6], owner[361];
    struct yo_net_batch batch = {.count = 1,
                                 .size = size,
                                 .planes = bits,
                                 .globals = globals,
                                 .out = {policy, pass, value, score, owner}};
    void *program, *worker;
    assert_int_equal(yo_net_reference.compile(graph, &program, NULL), YO_OK);
    assert_int_equal(yo_net_reference.worker_new(program, size, 1, &worker, NULL), YO_OK);
    assert_int_equal(yo_net_reference.run(worker, &batch, NULL), YO_OK);
    assert_int_equal(graph->tensors[graph->outputs[YO_NET_OUT_POLICY]].channels,
                     expected.policy_channels);
    for (int c = 0; c < expected.policy_channels; c++) {
        for (int p = 0; p < points; p++)
            near((double)policy[c * points + p], expected.policy[c][p]);
        near((double)pass[c], expected.pass[c]);
    }
    for (int p = 0; p < points; p++)
        near((double)owner[p], expected.owner[p]);
    for (int i = 0; i < 3; i++)
        near((double)value[i], expected.value[i]);
    for (int i = 0; i < expected.score_channels; i++)
        near((double)score[i], expected.score[i]);
    yo_net_reference.worker_delete(worker);
    yo_net_reference.program_delete(program);
}

static void every_version_and_block_is_read(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int form = 0; form < 4; form++) {
            struct katago_net made = kinds[k];
            made.seed = (unsigned)(k * 4 + form);
            katago_net_make(&made);
            struct yo_buf plain = {0}, packed = {0};
            katago_net_write(&made, form & 1, &plain);
            katago_net_gzip(&plain, &packed);
            const struct yo_buf *file = form & 2 ? &packed : &plain;
            struct yo_net *net;
            struct yo_diag diag = {0};
            assert_int_equal(yo_net_read(file->data, file->len, &net, &diag), YO_OK);
            assert_int_equal(net->version, made.version);
            assert_string_equal(net->name, "random-net");
            if (made.version >= 13)
                assert_true(net->multipliers.lead == made.multipliers[3]);
            else
                assert_true(net->multipliers.lead == 20);
            compare(&made, net, 2 + (int)(next_random() % 9));
            if (form == 0) compare(&made, net, 19);
            yo_net_delete(net);
            yo_buf_free(&plain);
            yo_buf_free(&packed);
            katago_net_free(&made);
        }
}

static void write_small(int version, struct yo_buf *plain, struct yo_buf *packed) {
    struct katago_net made = kinds[version == 8 ? 0 : KINDS - 1];
    katago_net_make(&made);
    katago_net_write(&made, true, plain);
    katago_net_gzip(plain, packed);
    katago_net_free(&made);
}

/* A copy that ends where the file would, so that the sanitizer sees a read beyond it. */
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

static void a_file_that_is_cut_off_is_refused(void **state) {
    (void)state;
    struct yo_buf plain = {0}, packed = {0};
    struct yo_diag diag;
    write_small(16, &plain, &packed);
    assert_int_equal(read_copy(plain.data, plain.len, &diag), YO_OK);
    assert_int_equal(read_copy(packed.data, packed.len, &diag), YO_OK);
    for (size_t len = 0; len < plain.len - 1; len += 1 + len / 50) { /* the last byte: a newline */
        assert_int_not_equal(read_copy(plain.data, len, &diag), YO_OK);
        assert_true(diag.what[0]);
    }
    assert_int_equal(read_copy(plain.data, plain.len - 3, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.what, "conv: the file ends where its weights should be, at byte"));
    for (size_t len = 0; len < packed.len - 1; len += 1 + len / 50)
        assert_int_not_equal(read_copy(packed.data, len, &diag), YO_OK);
    assert_non_null(strstr(diag.what, "damaged or cut off"));
    assert_non_null(strstr(diag.what, "at byte"));
    /* All of the network is there, and the end of gzip's is not. */
    assert_int_equal(read_copy(packed.data, packed.len - 4, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.what, "damaged or cut off where its end should be"));
    yo_buf_free(&plain);
    yo_buf_free(&packed);
}

static void a_damaged_file_does_no_harm(void **state) {
    (void)state;
    struct yo_buf plain = {0}, packed = {0};
    struct yo_diag diag;
    write_small(8, &plain, &packed);
    int refused = 0;
    for (int round = 0; round < 400; round++) {
        struct yo_buf *file = round & 1 ? &plain : &packed;
        size_t at = next_random() % file->len;
        char before = file->data[at];
        file->data[at] ^= (char)(1 + next_random() % 255);
        enum yo_err err = read_copy(file->data, file->len, &diag);
        if (err) refused++;
        assert_true(!err || diag.what[0]);
        /* gzip has a checksum, though what it covers may be read before it is seen. */
        file->data[at] = before;
    }
    assert_true(refused > 200);
    yo_buf_free(&plain);
    yo_buf_free(&packed);
}

static enum yo_err read_edited(int version, const char *from, const char *to,
                               struct yo_diag *diag) {
    struct katago_net made = kinds[version - 8];
    struct yo_buf text = {0}, edited = {0};
    katago_net_make(&made);
    katago_net_write(&made, false, &text);
    char *at = strstr(text.data, from);
    assert_non_null(at);
    yo_buf_add(&edited, text.data, (size_t)(at - text.data));
    yo_buf_str(&edited, to);
    yo_buf_str(&edited, at + strlen(from));
    enum yo_err err = read_copy(edited.data, edited.len, diag);
    katago_net_free(&made);
    yo_buf_free(&text);
    yo_buf_free(&edited);
    return err;
}

static void what_is_not_supported_is_named(void **state) {
    (void)state;
    static const struct {
        int version;
        const char *from, *to, *says;
        enum yo_err err;
    } cases[] = {
        {8, "net\n8\n", "net\n7\n", "version 7", YO_ERR_UNSUPPORTED},
        {16, "net\n16\n", "net\n17\n", "version 17", YO_ERR_UNSUPPORTED},
        {8, "\n22\n", "\n13\n", "input planes is 13", YO_ERR_PARSE},
        {8, "ordinary_block", "dilated_block", "dilated_block", YO_ERR_UNSUPPORTED},
        {16, "nested_bottleneck_block", "transformer_ffn_block", "transformer_ffn_block",
         YO_ERR_UNSUPPORTED},
        {16, "ACTIVATION_SILU", "ACTIVATION_ELU", "ACTIVATION_ELU", YO_ERR_UNSUPPORTED},
        {16, "\n0\n0\n", "\n1\n0\n", "metadata encoder", YO_ERR_UNSUPPORTED},
        {16, "\n0\n0\n", "\n0\n1\n", "option", YO_ERR_UNSUPPORTED},
        {15, "trunk\n2\n5\n4\n4\n3\n3\n0\n", "trunk\n2\n5\n4\n4\n3\n3\n1\n", "normalisation",
         YO_ERR_UNSUPPORTED},
        {8, "conv\n3\n3\n22\n5\n", "conv\n2\n3\n22\n5\n", "odd", YO_ERR_PARSE},
        {8, "conv\n3\n3\n22\n5\n", "conv\n3\n3\n22\n6\n", "weights", YO_ERR_PARSE},
        {8, "conv\n3\n3\n22\n5\n", "conv\n37\n37\n60000\n60000\n", "268 million",
         YO_ERR_UNSUPPORTED},
        {8, "conv\n1\n1\n5\n2\n", "conv\n1\n1\n2\n5\n", "channels", YO_ERR_PARSE},
        {8, "trunk\n2\n5\n", "trunk\n2\n6\n", "than the trunk", YO_ERR_PARSE},
        {8, "norm\n5\n0.001\n", "norm\n5\n-1\n", "epsilon", YO_ERR_PARSE},
        {8, "norm\n5\n0.001\n", "norm\n5\nnan\n", "epsilon", YO_ERR_PARSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_diag diag;
        enum yo_err err = read_edited(cases[i].version, cases[i].from, cases[i].to, &diag);
        if (err != cases[i].err || !strstr(diag.what, cases[i].says))
            print_error("case %zu: %d: %s\n", i, (int)err, diag.what);
        assert_int_equal(err, cases[i].err);
        assert_non_null(strstr(diag.what, cases[i].says));
    }
}

static void more_than_a_network_is_refused(void **state) {
    (void)state;
    struct yo_buf plain = {0}, packed = {0};
    struct yo_diag diag;
    write_small(8, &plain, &packed);
    yo_buf_str(&plain, "more");
    assert_int_equal(read_copy(plain.data, plain.len, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.what, "after the end"));
    yo_buf_free(&plain);
    yo_buf_free(&packed);
}

static void weights_are_finite(void **state) {
    (void)state;
    struct yo_buf plain = {0}, packed = {0};
    struct yo_diag diag;
    write_small(8, &plain, &packed);
    for (size_t i = 0; i + 9 < plain.len; i++) {
        if (memcmp(plain.data + i, "@BIN@", 5) != 0) continue;
        memcpy(plain.data + i + 5, "\0\0\x80\x7f", 4); /* infinity */
        break;
    }
    assert_int_equal(read_copy(plain.data, plain.len, &diag), YO_ERR_PARSE);
    assert_non_null(strstr(diag.what, "finite"));
    yo_buf_free(&plain);
    yo_buf_free(&packed);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    struct yo_buf plain = {0}, packed = {0};
    struct yo_diag diag;
    write_small(16, &plain, &packed);
    int failures = 0;
    for (long n = 0;; n++) {
        struct yo_net *net = NULL;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_net_read(packed.data, packed.len, &net, &diag);
        yo_alloc_fail_after(-1);
        yo_net_delete(net);
        if (!err) break;
        assert_int_equal(err, YO_ERR_NOMEM);
        failures++;
    }
    assert_true(failures > 50);
    yo_buf_free(&plain);
    yo_buf_free(&packed);
}

static void files_are_named_in_errors(void **state) {
    (void)state;
    struct yo_net *net;
    struct yo_diag diag = {0};
    assert_int_equal(yo_net_open("no/such/file", &net, &diag), YO_ERR_IO);
    assert_int_equal(yo_net_open("README.md", &net, &diag), YO_ERR_PARSE);
    assert_string_equal(diag.where, "README.md");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_and_block_is_read),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
        cmocka_unit_test(a_damaged_file_does_no_harm),
        cmocka_unit_test(what_is_not_supported_is_named),
        cmocka_unit_test(more_than_a_network_is_refused),
        cmocka_unit_test(weights_are_finite),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(files_are_named_in_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
