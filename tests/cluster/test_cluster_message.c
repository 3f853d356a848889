/* cluster/message: every field survives the way out and back; what is wrong is refused; what is
 * unknown is passed over. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "cluster/message.h"

static void assert_same(const struct yo_message *m) {
    struct yo_buf first = {0}, second = {0};
    struct yo_message read;
    struct yo_diag diag = {0};
    assert_int_equal(yo_message_write(m, &first), YO_OK);
    if (yo_message_read(first.data, first.len, &read, &diag)) fail_msg("%s", diag.what);
    assert_int_equal(read.kind, m->kind);
    assert_int_equal(yo_message_write(&read, &second), YO_OK);
    assert_string_equal(first.data, second.data);
    yo_message_free(&read);
    yo_buf_free(&first);
    yo_buf_free(&second);
}

static struct yo_message job(void) {
    static char start[] = "9/9 b - 1", moves[] = "7g7f", path[] = "3c3d 2g2f", only[] = "8c8d";
    return (struct yo_message){.kind = YO_MESSAGE_JOB,
                               .worker = "w-1",
                               .master = "m_2",
                               .job = 7,
                               .root = {.game = "shogi",
                                        .start = start,
                                        .moves = moves,
                                        .rules = "CSARule27",
                                        .max_moves = 256},
                               .path = path,
                               .only = only,
                               .lines = 3,
                               .most_nodes = 1000,
                               .most_ms = 5,
                               .lease_ms = 3000,
                               .report_ms = 5};
}

static void what_is_written_is_read(void **state) {
    (void)state;
    static char pv[] = "7g7f 3c3d", note[] = "none";
    struct yo_message_line lines[] = {{.pv = pv,
                                       .winrate = 0.25,
                                       .proven = true,
                                       .centipawns = -123,
                                       .mate = -4,
                                       .depth = 9,
                                       .seldepth = 12,
                                       .visits = 100,
                                       .bound = -1,
                                       .score = -2.5,
                                       .prior = 0.125}};
    struct yo_message j = job();
    assert_same(&j);
    assert_same(&(struct yo_message){.kind = YO_MESSAGE_ANNOUNCE,
                                     .worker = "w",
                                     .game = "go",
                                     .engine = "\xe3\x82\x88\xe3\x81\xbf",
                                     .host = "h",
                                     .threads = 4,
                                     .pid = 12,
                                     .speed = 1e6,
                                     .values = true,
                                     .searchmoves = true,
                                     .multi_pv = true,
                                     .table = "0123456789abcdef"});
    char options[] = "threads=4;memory=16", path[] = "7g7f";
    assert_same(&(struct yo_message){
        .kind = YO_MESSAGE_ANNOUNCE, .worker = "w", .game = "shogi", .options = options});
    assert_same(&(struct yo_message){.kind = YO_MESSAGE_BEAT,
                                     .worker = "w",
                                     .master = "m",
                                     .job = 3,
                                     .moves = 7,
                                     .best = "3c3d",
                                     .winrate = 0.5,
                                     .centipawns = -3,
                                     .mate = -2,
                                     .depth = 9,
                                     .value_ms = 120,
                                     .path = path});
    char data[] = "00ff";
    assert_same(&(struct yo_message){
        .kind = YO_MESSAGE_ENTRIES, .master = "m", .table = "0123456789abcdef", .data = data});
    assert_same(&(struct yo_message){.kind = YO_MESSAGE_REPORT,
                                     .worker = "w",
                                     .master = "m",
                                     .job = 3,
                                     .nodes = 9,
                                     .busy_ms = 8,
                                     .done = true,
                                     .failed = true,
                                     .note = note,
                                     .found = lines,
                                     .found_count = 1});
    assert_same(&(struct yo_message){.kind = YO_MESSAGE_WHO});
}

static void assert_refused(const char *text) {
    struct yo_message m;
    struct yo_diag diag = {0};
    if (yo_message_read(text, strlen(text), &m, &diag) == YO_OK) fail_msg("taken: %s", text);
    assert_string_not_equal(diag.what, "");
}

static void what_is_wrong_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",
        "[]",
        "{}",
        "{\"kind\":\"who\"}",
        "{\"yomi\":2,\"kind\":\"who\"}",
        "{\"yomi\":1,\"kind\":\"what\"}",
        "{\"yomi\":1,\"kind\":\"beat\"}",
        "{\"yomi\":1,\"kind\":\"beat\",\"worker\":\"a b\"}",
        "{\"yomi\":1,\"kind\":\"beat\",\"worker\":\"a.>\"}",
        "{\"yomi\":1,\"kind\":\"beat\",\"worker\":7}",
        "{\"yomi\":1,\"kind\":\"beat\",\"worker\":\"a\",\"nodes\":-1}",
        "{\"yomi\":1,\"kind\":\"beat\",\"worker\":\"a\",\"nodes\":1.5}",
        "{\"yomi\":1,\"kind\":\"beat\",\"worker\":\"a\",\"nodes\":9223372036854775807}",
        "{\"yomi\":1,\"kind\":\"beat\",\"worker\":\"a\",\"speed\":1e300}",
        "{\"yomi\":1,\"kind\":\"stop\",\"worker\":\"a\"}",
        "{\"yomi\":1,\"kind\":\"job\",\"worker\":\"a\",\"master\":\"m\",\"job\":1}",
        "{\"yomi\":1,\"kind\":\"job\",\"worker\":\"a\",\"master\":\"m\",\"job\":1,\"root\":[]}",
        "{\"yomi\":1,\"kind\":\"report\",\"worker\":\"a\",\"found\":7}",
        "{\"yomi\":1,\"kind\":\"report\",\"worker\":\"a\",\"found\":[7]}",
        "{\"yomi\":1,\"kind\":\"report\",\"worker\":\"a\",\"found\":[{\"winrate\":2}]}",
        "{\"yomi\":1,\"kind\":\"report\",\"worker\":\"a\",\"found\":[],\"done\":1}",
        "{\"yomi\":1,\"kind\":\"report\",\"worker\":\"a\",\"found\":[{\"pv\":\"a\\u0000b\"}]}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(wrong[i]);
    struct yo_buf large = {0};
    yo_buf_str(&large, "{\"yomi\":1,\"kind\":\"report\",\"worker\":\"a\",\"found\":[");
    for (int i = 0; i < YO_MESSAGE_LINES_MAX + 1; i++)
        yo_buf_str(&large, i ? ",{}" : "{}");
    yo_buf_str(&large, "]}");
    assert_refused(yo_buf_text(&large));
    yo_buf_clear(&large);
    for (int i = 0; i < YO_MESSAGE_BYTES_MAX + 1; i++)
        yo_buf_char(&large, ' ');
    assert_refused(yo_buf_text(&large));
    yo_buf_free(&large);
}

static void unknown_names_are_passed_over(void **state) {
    (void)state;
    const char *text = "{\"yomi\":1,\"kind\":\"beat\",\"worker\":\"a\",\"later\":[1],\"job\":4}";
    struct yo_message m;
    assert_int_equal(yo_message_read(text, strlen(text), &m, NULL), YO_OK);
    assert_int_equal(m.job, 4);
    yo_message_free(&m);
}

/* The n-th allocation fails, for every n, in writing and in reading. */
/* What a worker calls itself is printed as a line of USI and on terminals. */
static void control_characters_become_spaces(void **state) {
    (void)state;
    static const char announce[] =
        "{\"yomi\":1,\"kind\":\"announce\",\"worker\":\"w\",\"engine\":\"E\\nbestmove resign\","
        "\"host\":\"\\u001b[2Jh\\u007f\"}";
    static const char report[] =
        "{\"yomi\":1,\"kind\":\"report\",\"worker\":\"w\",\"master\":\"m\","
        "\"note\":\"no\\r\\nbestmove resign\",\"found\":[]}";
    struct yo_message m;
    assert_int_equal(yo_message_read(announce, strlen(announce), &m, NULL), YO_OK);
    assert_string_equal(m.engine, "E bestmove resign");
    assert_string_equal(m.host, " [2Jh ");
    yo_message_free(&m);
    assert_int_equal(yo_message_read(report, strlen(report), &m, NULL), YO_OK);
    assert_string_equal(m.note, "no  bestmove resign");
    yo_message_free(&m);
}

/* A program may name itself in another encoding, whose bytes are three each in a message. */
static void words_that_are_too_long_are_cut(void **state) {
    (void)state;
    char long_note[300];
    struct yo_message m = {.kind = YO_MESSAGE_ANNOUNCE, .worker = "w"}, read;
    struct yo_buf text = {0};
    memset(m.engine, 0x8f, 63);
    memset(long_note, 0x8f, sizeof long_note - 1);
    long_note[sizeof long_note - 1] = '\0';
    assert_int_equal(yo_message_write(&m, &text), YO_OK);
    assert_int_equal(yo_message_read(text.data, text.len, &read, NULL), YO_OK);
    assert_int_equal(strlen(read.engine), 78); /* 26 characters */
    yo_message_free(&read);
    yo_buf_clear(&text);
    m = (struct yo_message){
        .kind = YO_MESSAGE_REPORT, .worker = "w", .master = "m", .job = 1, .note = long_note};
    assert_int_equal(yo_message_write(&m, &text), YO_OK);
    assert_int_equal(yo_message_read(text.data, text.len, &read, NULL), YO_OK);
    assert_int_equal(strlen(read.note), 399);
    yo_message_free(&read);
    yo_buf_free(&text);
}

static void missing_memory_is_an_error(void **state) {
    (void)state;
    struct yo_message j = job(), read;
    struct yo_buf text = {0};
    assert_int_equal(yo_message_write(&j, &text), YO_OK);
    bool wrote = false, was_read = false;
    for (long n = 0; n < 200 && !(wrote && was_read); n++) {
        struct yo_buf out = {0};
        yo_alloc_fail_after(n);
        wrote = yo_message_write(&j, &out) == YO_OK;
        yo_alloc_fail_after(n);
        was_read = yo_message_read(text.data, text.len, &read, NULL) == YO_OK;
        yo_alloc_fail_after(-1);
        if (wrote) assert_string_equal(out.data, text.data);
        if (was_read) yo_message_free(&read);
        yo_buf_free(&out);
    }
    assert_true(wrote && was_read);
    yo_buf_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(unknown_names_are_passed_over),
        cmocka_unit_test(control_characters_become_spaces),
        cmocka_unit_test(words_that_are_too_long_are_cut),
        cmocka_unit_test(missing_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
