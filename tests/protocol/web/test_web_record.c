/* Records over the page's protocol: what is read and written back is read as the same, in all
 * formats; wrong ones get errors. Reviews. */
#include "support/test.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "support/web_talk.h"

static int open_all(void **state) {
    (void)state;
    web_open(NULL);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    web_close();
    return 0;
}

static void expect(const json_t *message, const char *key, const char *text) {
    assert_string_equal(web_text(message, key), text);
}

/* Feeds an object and releases it; the answer is the caller's. */
static json_t *ask(json_t *request) {
    struct yo_buf text = {0};
    int id = (int)json_integer_value(json_object_get(request, "id"));
    yo_json_write(&text, request);
    web_forget();
    yo_web_feed(web_engine(), yo_buf_text(&text), text.len);
    yo_web_finish(web_engine());
    yo_buf_free(&text);
    json_decref(request);
    json_t *answer = web_last(id);
    assert_non_null(answer);
    return answer;
}

static json_t *read_text(const char *text) {
    return ask(json_pack("{s:s,s:i,s:s}", "type", "record.read", "id", 4, "text", text));
}

static json_t *write_record(json_t *record, const char *format) {
    return ask(json_pack("{s:s,s:i,s:O,s:s}", "type", "record.write", "id", 5, "record", record,
                         "format", format));
}

static const json_t *node(const json_t *answer, size_t i) {
    return json_array_get(json_object_get(json_object_get(answer, "record"), "nodes"), i);
}

/* ---- Go ---- */

static const char two_lines[] =
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]PB[Honinbo]PW[Meijin]RE[B+R]C[the start]"
    "(;B[ee]C[tengen];W[ec];B[])(;B[cc];AW[aa][bb]AE[cc]PL[W];W[dd]))";

static void sgf_becomes_nodes(void **state) {
    (void)state;
    json_t *m = read_text(two_lines);
    expect(m, "type", "record.read");
    expect(m, "format", "sgf");
    const json_t *record = json_object_get(m, "record"), *start = json_object_get(record, "start");
    expect(record, "game", "go");
    expect(start, "rules", "japanese");
    assert_true(web_number(start, "komi") == 6.5);
    expect(json_object_get(record, "headers"), "black", "Honinbo");
    expect(json_object_get(record, "headers"), "result", "B+R");
    assert_int_equal(json_array_size(json_object_get(record, "nodes")), 7);
    expect(node(m, 0), "comment", "the start");
    expect(node(m, 1), "move", "b E5");
    expect(node(m, 1), "comment", "tengen");
    expect(node(m, 3), "move", "b pass");
    assert_true(web_number(node(m, 4), "parent") == 0);
    const json_t *setup = json_object_get(node(m, 5), "setup");
    assert_int_equal(json_array_size(json_object_get(setup, "white")), 2);
    assert_int_equal(json_array_size(json_object_get(setup, "empty")), 1);
    expect(setup, "turn", "w");
    expect(node(m, 6), "move", "w D6");
    json_decref(m);
}

/* The first position of a record can be asked for as it stands. */
static json_t *start_as_position(const char *text, const char *moves) {
    json_t *m = read_text(text);
    json_t *position = json_copy(json_object_get(json_object_get(m, "record"), "start"));
    json_object_set_new(position, "game", json_string("go"));
    json_object_set_new(position, "moves", json_loads(moves, 0, NULL));
    json_decref(m);
    return ask(json_pack("{s:s,s:i,s:o}", "type", "position", "id", 6, "position", position));
}

static void a_start_is_a_position(void **state) {
    (void)state;
    json_t *answer =
        start_as_position("(;SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee];B[cc])", "[\"w E5\",\"b C7\"]");
    expect(answer, "type", "position");
    expect(answer, "turn", "w");
    json_decref(answer);
}

/* Some programs write HA without AB: the stones stand on their usual points, as in a replay. */
static void handicap_stones_that_a_record_leaves_out(void **state) {
    (void)state;
    json_t *answer = start_as_position("(;SZ[9]HA[2]KM[0.5];W[ee];B[cc])", "[\"E5\"]");
    expect(answer, "type", "position");
    expect(answer, "turn", "b");
    const char *board = web_text(answer, "board");
    assert_int_equal(board[2 * 9 + 6], 'b'); /* G7 */
    assert_int_equal(board[6 * 9 + 2], 'b'); /* C3 */
    assert_int_equal(board[4 * 9 + 4], 'w'); /* E5 */
    json_decref(answer);
}

/* ---- Both: written and read again ---- */

static void round_trip(json_t *first, const char *format) {
    json_t *record = json_object_get(first, "record");
    json_t *written = write_record(record, format);
    if (strcmp(web_text(written, "type"), "record.write") != 0)
        fail_msg("not written: %s", web_text(written, "message"));
    json_t *again = read_text(web_text(written, "text"));
    expect(again, "type", "record.read");
    expect(again, "format", format);
    json_t *other = json_object_get(again, "record");
    bool lost = !json_is_null(json_object_get(written, "lost"));
    if (!lost && !json_equal(json_object_get(record, "nodes"), json_object_get(other, "nodes"))) {
        struct yo_buf a = {0}, b = {0};
        yo_json_write(&a, json_object_get(record, "nodes"));
        yo_json_write(&b, json_object_get(other, "nodes"));
        fail_msg("%s:\n%.2000s\nbecame\n%.2000s", format, yo_buf_text(&a), yo_buf_text(&b));
    }
    if (!json_equal(json_object_get(record, "start"), json_object_get(other, "start")))
        fail_msg("%s: another start", format);
    json_decref(again);
    json_decref(written);
}

static void sgf_round_trip(void **state) {
    (void)state;
    json_t *m = read_text(two_lines);
    round_trip(m, "sgf");
    json_decref(m);
    m = read_text("(;SZ[19]HA[3]KM[0.5]RU[Chinese]AB[pd][dp][pp];W[dd]C[a\\]b\\]c];B[cc];W[dc])");
    round_trip(m, "sgf");
    json_decref(m);
}

/* Who moves first may be all that the root sets up: no stones then. */
static void a_side_to_move_without_stones(void **state) {
    (void)state;
    static const char *const texts[] = {"(;SZ[9]PL[W];W[ee])", "(;SZ[9]AE[aa]PL[W];W[ee])",
                                        "(;SZ[9]HA[2]PL[W];W[ee])"};
    for (size_t i = 0; i < 3; i++) {
        json_t *m = read_text(texts[i]);
        const json_t *start = json_object_get(json_object_get(m, "record"), "start");
        assert_null(json_object_get(start, "setup"));
        assert_null(json_object_get(node(m, 0), "setup"));
        expect(start, "turn", "w");
        if (i < 2) round_trip(m, "sgf"); /* the stones of a handicap are written */
        json_decref(m);
        json_t *answer = start_as_position(texts[i], "[\"E5\"]");
        expect(answer, "turn", "b");
        assert_int_equal(web_text(answer, "board")[2 * 9 + 6], i < 2 ? '.' : 'b'); /* G7 */
        json_decref(answer);
    }
}

static void shogi_round_trip(void **state) {
    (void)state;
    json_t *hello = ask(json_pack("{s:s,s:i}", "type", "hello", "id", 1));
    const json_t *formats = json_object_get(hello, "formats");
    assert_int_equal(json_array_size(formats), 5);
    json_t *m =
        read_text("手合割：平手\n先手：A\n後手：B\n手数----指手---------消費時間--\n"
                  "   1 ７六歩(77)   ( 0:03/00:00:03)\n*a comment\n   2 ３四歩(33)\n   3 投了\n");
    expect(m, "format", "kif");
    expect(json_object_get(json_object_get(m, "record"), "headers"), "black", "A");
    expect(node(m, 1), "move", "7g7f");
    assert_true(web_number(node(m, 1), "time_ms") == 3000);
    expect(node(m, 3), "end", "resign");
    for (size_t i = 1; i < 5; i++) /* sgf is the first */
        round_trip(m, json_string_value(json_array_get(formats, i)));
    json_decref(m);
    json_decref(hello);
    m = read_text("手合割：二枚落ち\n手数----指手--\n   1 ６二銀(71)\n   2 ７六歩(77)\n変化：2手\n "
                  "  2 ２六歩(27)\n");
    assert_int_equal(json_array_size(json_object_get(json_object_get(m, "record"), "nodes")), 4);
    round_trip(m, "kif");
    json_decref(m);
}

/* The names that the page has for the ends of its games. */
static void ends_of_games(void **state) {
    (void)state;
    static const char *const ends[][2] = {
        {"resign", "投了"},       {"time up", "切れ負け"},     {"mate", "詰み"},
        {"repetition", "千日手"}, {"declaration", "入玉勝ち"}, {"foul by white", "反則"},
        {"foul by black", "反則"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        json_t *record =
            json_pack("{s:s,s:[{s:i},{s:i,s:s},{s:i,s:s}]}", "game", "shogi", "nodes", "parent", -1,
                      "parent", 0, "move", "7g7f", "parent", 1, "end", ends[i][0]);
        json_t *written = write_record(record, "kif");
        assert_non_null(strstr(web_text(written, "text"), ends[i][1]));
        json_decref(written);
        json_decref(record);
    }
}

/* The game ended, and something was tried there: the main line ends, the rest is a variation. */
static void moves_after_the_end(void **state) {
    (void)state;
    static const char go[] = "{\"game\":\"go\",\"start\":{\"size\":9},\"nodes\":[{\"parent\":-1},"
                             "{\"parent\":0,\"move\":\"b E5\"},{\"parent\":1,\"end\":\"resign\"},"
                             "{\"parent\":1,\"move\":\"w C3\"}]}";
    json_t *record = json_loads(go, 0, NULL), *written = write_record(record, "sgf");
    assert_non_null(strstr(web_text(written, "text"), "B[ee]\n(;)\n(;W[cg])"));
    json_decref(written);
    json_decref(record);
    json_t *m = read_text("手合割：平手\n手数----指手--\n   1 ７六歩(77)\n   2 投了\n変化：2手\n "
                          "  2 ３四歩(33)\n");
    expect(node(m, 2), "end", "resign");
    expect(node(m, 3), "move", "3c3d");
    round_trip(m, "kif");
    json_t *csa = write_record(json_object_get(m, "record"), "csa");
    assert_non_null(strstr(web_text(csa, "text"), "%TORYO"));
    assert_null(strstr(web_text(csa, "text"), "-3334FU"));
    json_decref(csa);
    json_decref(m);
}

/* A file of a program on Windows, in Shift_JIS: its bytes are sent. */
static void shift_jis(void **state) {
    (void)state;
    json_t *m = ask(json_pack("{s:s,s:i,s:s}", "type", "record.read", "id", 4, "bytes",
                              "juiNh4qEgUaVvY7oCo7okJQtLS0tjneO6C0tLS0tLS0tLY/BlO+OnorULS0K"
                              "ICAgMSCCVphaleAoNzcpCg=="));
    expect(m, "format", "kif");
    expect(node(m, 1), "move", "7g7f");
    json_decref(m);
}

static void encode(const struct yo_buf *bytes, struct yo_buf *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->len; i += 3) {
        size_t left = bytes->len - i;
        unsigned bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < left ? (unsigned char)bytes->data[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            yo_buf_char(out, k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=');
    }
}

/* The records of other programs, in their charsets: read, written, and read as the same. */
static void records_of_others(void **state) {
    (void)state;
    glob_t files;
    assert_int_equal(glob("tests/data/sgf/*.*", 0, NULL, &files), 0);
    assert_int_equal(glob("tests/data/shogi/*.*", GLOB_APPEND, NULL, &files), 0);
    assert_true(files.gl_pathc >= 20);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct yo_buf bytes = {0}, text = {0};
        struct yo_diag diag;
        assert_int_equal(yo_file_read_text(files.gl_pathv[i], &bytes, &diag), YO_OK);
        encode(&bytes, &text);
        json_t *m = ask(json_pack("{s:s,s:i,s:s,s:s}", "type", "record.read", "id", 4, "name",
                                  files.gl_pathv[i], "bytes", yo_buf_text(&text)));
        if (strcmp(web_text(m, "type"), "record.read") != 0)
            fail_msg("%s: %s", files.gl_pathv[i], web_text(m, "message"));
        round_trip(m, web_text(m, "format"));
        json_decref(m);
        yo_buf_free(&bytes);
        yo_buf_free(&text);
    }
    globfree(&files);
}

/* ---- What was found ---- */

static void found_is_written(void **state) {
    (void)state;
    json_t *m = read_text("(;SZ[9]KM[7];B[ee];W[ec])");
    json_t *record = json_object_get(m, "record");
    json_t *first = json_array_get(json_object_get(record, "nodes"), 1);
    json_object_set_new(first, "found",
                        json_pack("{s:f,s:f,s:i,s:[s,s]}", "winrate", 0.6, "score", 2.5, "visits",
                                  400, "pv", "C5", "G5"));
    json_t *written = write_record(record, "sgf");
    const char *text = web_text(written, "text");
    assert_non_null(strstr(text, "SBKV[60.00]"));
    assert_non_null(strstr(text, "Yomi: White should play C5 G5"));
    json_t *again = read_text(text);
    assert_true(web_number(node(again, 1), "winrate") == 0.6);
    /* the better line is a variation */
    assert_int_equal(json_array_size(json_object_get(json_object_get(again, "record"), "nodes")),
                     5);
    json_decref(again);
    json_decref(written);
    json_decref(m);
}

static void found_is_written_for_shogi(void **state) {
    (void)state;
    json_t *m = read_text("手合割：平手\n手数----指手--\n   1 ７六歩(77)\n   2 ３四歩(33)\n");
    json_t *record = json_object_get(m, "record");
    json_t *first = json_array_get(json_object_get(record, "nodes"), 1);
    json_object_set_new(first, "found",
                        json_pack("{s:f,s:i,s:i,s:i,s:[s,s]}", "winrate", 0.55, "cp", 120, "depth",
                                  9, "nodes", 4321, "pv", "8c8d", "2g2f"));
    json_t *written = write_record(record, "kif");
    assert_non_null(strstr(web_text(written, "text"), "120"));
    assert_non_null(strstr(web_text(written, "text"), "#深さ=9\n*#ノード数=4321\n"));
    json_t *again = read_text(web_text(written, "text"));
    assert_true(web_number(node(again, 1), "winrate") > 0.5);
    json_decref(again);
    json_decref(written);
    json_decref(m);
}

/* ---- Errors ---- */

static void wrong(json_t *answer, const char *code) {
    expect(answer, "type", "error");
    expect(answer, "code", code);
    json_decref(answer);
}

static json_t *write_text(const char *text) {
    json_t *record;
    assert_int_equal(yo_json_read(text, strlen(text), &record, NULL), YO_OK);
    json_t *answer = write_record(record, "sgf");
    json_decref(record);
    return answer;
}

static void wrong_records(void **state) {
    (void)state;
    wrong(read_text(""), "parse");
    wrong(read_text("(;B[zz]SZ[9])"), "parse");
    wrong(read_text("(;SZ[9]AB[zz])"), "parse");
    wrong(read_text("(;GM[2])"), "unsupported");
    wrong(read_text("no record at all"), "parse");
    wrong(read_text("手合割：平手\n   1 ５五歩(77)\n"), "illegal");
    wrong(ask(json_pack("{s:s,s:i,s:s}", "type", "record.read", "id", 4, "bytes", "&&")), "parse");
    wrong(ask(json_pack("{s:s,s:i}", "type", "record.read", "id", 4)), "parse");
    wrong(ask(json_pack("{s:s,s:i,s:s,s:i}", "type", "record.read", "id", 4, "text", "(;)", "index",
                        3)),
          "range");
    wrong(write_text("{\"game\":\"go\"}"), "parse");
    wrong(write_text("{\"game\":\"go\",\"nodes\":[{}]}"), "parse");
    wrong(write_text(
              "{\"game\":\"go\",\"nodes\":[{\"parent\":-1},{\"parent\":1,\"move\":\"b A1\"}]}"),
          "range");
    wrong(write_text(
              "{\"game\":\"go\",\"nodes\":[{\"parent\":-1},{\"parent\":0,\"move\":\"b Z1\"}]}"),
          "parse");
    wrong(write_text("{\"game\":\"shogi\",\"nodes\":[{\"parent\":-1}]}"), "unknown");
    wrong(write_text("{\"nodes\":[{\"parent\":-1}]}"), "parse");
}

/* ---- Reviews ---- */

static void a_review_of_go(void **state) {
    (void)state;
    json_t *m = web_ask(
        8, "{\"type\":\"review\",\"id\":8,\"limit\":{\"visits\":30},\"position\":"
           "{\"game\":\"go\",\"size\":5,\"komi\":0,\"moves\":[\"C3\",\"A1\",\"C2\",\"E1\"]}}");
    expect(m, "type", "review");
    assert_true(json_is_false(json_object_get(m, "stopped")));
    assert_int_equal(web_count(8, "review.move"), 5);
    assert_true(web_number(json_object_get(m, "b"), "moves") == 2);
    assert_true(web_number(json_object_get(m, "w"), "moves") == 2);
    json_decref(m);
}

/* A rook that is given away is the worst move, and the better one is named. */
static void a_review_of_shogi(void **state) {
    (void)state;
    json_t *m = web_ask(9, "{\"type\":\"review\",\"id\":9,\"limit\":{\"depth\":4},\"position\":"
                           "{\"game\":\"shogi\",\"moves\":[\"2g2f\",\"8c8d\",\"2f2e\",\"8d8e\","
                           "\"2e2d\",\"2c2d\",\"2h2d\",\"8e8f\",\"2d8d\",\"8b8d\"]}}");
    assert_int_equal(web_count(9, "review.move"), 11);
    const json_t *worst = json_array_get(json_object_get(m, "worst"), 0);
    assert_true(web_number(worst, "index") == 9);
    expect(worst, "side", "b");
    expect(worst, "move", "2d8d");
    assert_string_not_equal(web_text(worst, "better"), "2d8d");
    json_decref(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sgf_becomes_nodes),
        cmocka_unit_test(a_start_is_a_position),
        cmocka_unit_test(handicap_stones_that_a_record_leaves_out),
        cmocka_unit_test(sgf_round_trip),
        cmocka_unit_test(a_side_to_move_without_stones),
        cmocka_unit_test(shogi_round_trip),
        cmocka_unit_test(ends_of_games),
        cmocka_unit_test(moves_after_the_end),
        cmocka_unit_test(shift_jis),
        cmocka_unit_test(records_of_others),
        cmocka_unit_test(found_is_written),
        cmocka_unit_test(found_is_written_for_shogi),
        cmocka_unit_test(wrong_records),
        cmocka_unit_test(a_review_of_go),
        cmocka_unit_test(a_review_of_shogi),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
