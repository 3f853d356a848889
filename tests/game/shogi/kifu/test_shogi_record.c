/* Game records: CSA, KIF, KI2. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/charset.h"
#include "game/shogi/kifu/record.h"
#include "game/shogi/kifu/words.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "support/shogi_random.h"
#include "support/shogi_same.h"

static struct yo_shogi_record *parse(const char *bytes, size_t len) {
    struct yo_shogi_record *record = NULL;
    struct yo_diag diag;
    if (yo_shogi_record_parse(bytes, len, "test", &record, &diag) != YO_OK)
        fail_msg("line %d, column %d: %s\n%.*s", diag.line, diag.column, diag.what, (int)len,
                 bytes);
    return record;
}

static struct yo_shogi_record *load(const char *name) {
    char path[128], bytes[8192];
    snprintf(path, sizeof path, "tests/data/shogi/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return parse(bytes, len);
}

static struct yo_shogi_record *rewrite(const struct yo_shogi_record *record,
                                       enum yo_shogi_format format) {
    struct yo_buf text = {0};
    assert_int_equal(yo_shogi_record_write(record, format, &text), YO_OK);
    struct yo_shogi_record *again = parse(text.data, text.len);
    yo_buf_free(&text);
    return again;
}

/* The main line in USI, an end as its KIF word. */
static const char *line_text(const struct yo_shogi_record *record, int node) {
    static char out[512];
    size_t len = 0;
    out[0] = '\0';
    for (; node != YO_SHOGI_NO_NODE && len < 400; node = record->nodes[node].child) {
        char move[YO_SHOGI_MOVE_TEXT];
        const struct yo_shogi_node *n = &record->nodes[node];
        if (node == 0) continue;
        len += (size_t)sprintf(out + len, "%s%s", len ? " " : "",
                               n->end ? yo_shogi_kif_ends[n->end]
                                      : yo_shogi_move_format(n->move, move));
    }
    return out;
}

static int nth(const struct yo_shogi_record *record, int ply) {
    int node = 0;
    while (ply-- > 0)
        node = record->nodes[node].child;
    return node;
}

/* ---- Files ---- */

static void check_variations(const struct yo_shogi_record *r) {
    assert_string_equal(line_text(r, 0), "7g7f 3c3d 8h2b+ 3a2b B*4e 投了");
    assert_string_equal(yo_shogi_record_header(r, "先手"), "山田　太郎");
    assert_string_equal(yo_shogi_record_header(r, "棋戦"), "第１回読み杯");
    assert_null(yo_shogi_record_header(r, "手合割"));
    assert_string_equal(yo_shogi_record_text(r, r->nodes[0].comment), "対局前の一言");
    int second = nth(r, 2), third = nth(r, 3), fourth = nth(r, 4);
    assert_string_equal(yo_shogi_record_text(r, r->nodes[second].comment), "角道を開けた\n二行目");
    assert_string_equal(yo_shogi_record_text(r, r->nodes[second].bookmark), "しおり");
    assert_int_equal(r->nodes[third].time_ms, 60000);
    assert_int_equal(r->nodes[nth(r, 1)].time_ms, 16000);
    assert_string_equal(line_text(r, r->nodes[fourth].sibling), "8c8d 投了");
    int other = r->nodes[third].sibling;
    assert_string_equal(line_text(r, other), "2g2f 8c8d 2f2e");
    assert_int_equal(r->nodes[other].time_ms, -1);
    assert_string_equal(line_text(r, r->nodes[r->nodes[other].child].sibling), "4c4d");
}

static void kif_with_variations(void **unused) {
    (void)unused;
    struct yo_shogi_record *r = load("variations.kif");
    assert_int_equal(r->format, YO_SHOGI_KIF);
    assert_string_equal(r->charset, "UTF-8");
    check_variations(r);
    struct yo_shogi_record *again = rewrite(r, YO_SHOGI_KIF);
    assert_true(shogi_same(r, again, SAME_ALL));
    struct yo_shogi_record *ki2 = rewrite(r, YO_SHOGI_KI2);
    assert_true(shogi_same(r, ki2, SAME_VARIATIONS | SAME_BOOKMARKS | SAME_ORDER));
    struct yo_shogi_record *csa = rewrite(r, YO_SHOGI_CSA);
    assert_true(shogi_same(r, csa, SAME_TIMES));
    yo_shogi_record_delete(csa);
    yo_shogi_record_delete(ki2);
    yo_shogi_record_delete(again);
    yo_shogi_record_delete(r);
}

static void shift_jis(void **unused) {
    (void)unused;
    struct yo_shogi_record *r = load("shift_jis.kif");
    assert_string_equal(r->charset, "CP932");
    check_variations(r);
    yo_shogi_record_delete(r);
}

static void handicap_and_diagram(void **unused) {
    (void)unused;
    struct yo_shogi_record *r = load("handicap.kif");
    char sfen[YO_SHOGI_SFEN_MAX];
    assert_string_equal(yo_shogi_sfen_format(&r->start, sfen),
                        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_string_equal(line_text(r, 0), "7a6b 7g7f 中断");
    yo_shogi_record_delete(r);
    r = load("diagram.kif");
    assert_string_equal(yo_shogi_sfen_format(&r->start, sfen),
                        "7k1/9/7+S1/9/4+B4/9/9/9/9 b P2rb4g3s4n4l17p 1");
    assert_string_equal(line_text(r, 0), "2c2b 詰み");
    for (int format = YO_SHOGI_CSA; format <= YO_SHOGI_JKF; format++) {
        struct yo_shogi_record *again = rewrite(r, (enum yo_shogi_format)format);
        assert_true(shogi_same(r, again, SAME_ALL));
        yo_shogi_record_delete(again);
    }
    yo_shogi_record_delete(r);
}

static void every_handicap(void **unused) {
    (void)unused;
    const char *name, *sfen;
    for (size_t i = 0; (name = yo_shogi_handicap(i, &sfen)); i++) {
        char text[128];
        snprintf(text, sizeof text, "手合割：%s\n", name);
        struct yo_shogi_record *r = parse(text, strlen(text));
        assert_string_equal(yo_shogi_handicap_name(&r->start), name);
        struct yo_shogi_record *json = rewrite(r, YO_SHOGI_JKF);
        assert_int_equal(shogi_hash(&json->start), shogi_hash(&r->start));
        yo_shogi_record_delete(json);
        yo_shogi_record_delete(r);
    }
}

static void assert_line(const char *text, const char *line) {
    struct yo_shogi_record *r = parse(text, strlen(text));
    assert_string_equal(line_text(r, 0), line);
    yo_shogi_record_delete(r);
}

/* As other programs write them. */
static void spellings_of_others(void **unused) {
    (void)unused;
    /* A wide space between the piece and where it comes from, and then the time. */
    const char *wide = "手合割：平手\n   1 ７六歩(77)   ( 0:01/00:00:01)\n"
                       "   2 ３四歩(33)   ( 0:01/00:00:01)\n   3 ２二角成(88)   ( 0:03/00:00:04)\n"
                       "   4 同銀　(31)   ( 0:02/00:00:03)\n";
    struct yo_shogi_record *r = parse(wide, strlen(wide));
    assert_string_equal(line_text(r, 0), "7g7f 3c3d 8h2b+ 3a2b");
    assert_int_equal(r->nodes[nth(r, 4)].time_ms, 2000);
    yo_shogi_record_delete(r);
    /* A narrow colon; one in the value is none of ours. */
    const char *narrow =
        "開始日時:2020/01/01 10:00\n手合割:平手\n先手：A:B\n   1 ７六歩(77)\n変化:1手\n"
        "   1 ２六歩(27)\n";
    r = parse(narrow, strlen(narrow));
    assert_string_equal(line_text(r, 0), "7g7f");
    assert_string_equal(yo_shogi_record_header(r, "先手"), "A:B");
    assert_string_equal(yo_shogi_record_header(r, "開始日時"), "2020/01/01 10:00");
    yo_shogi_record_delete(r);
    /* A problem that says so. */
    assert_line("手合割：詰将棋\n後手の持駒：なし\n+---------------------------+\n"
                "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
                "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
                "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
                "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n"
                "先手の持駒：金\n   1 ５二金打\n",
                "G*5b");
    /* An end in the place of a move. */
    assert_line("手合割：平手\n▲７六歩 △投了\n", "7g7f 投了");
    assert_line("手合割：平手\n▲７六歩 △３四歩\n▲千日手\n", "7g7f 3c3d 千日手");
    /* The side's sign after the number. */
    assert_line("手合割：平手\n   1 ▲７六歩(77)   ( 0:01/00:00:01)\n   2 △３四歩(33)\n   3 ▲投了\n",
                "7g7f 3c3d 投了");
    /* The side to move as a header. */
    assert_line("手番：後手\n後手の持駒：なし\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n"
                "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n"
                "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
                "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
                "先手の持駒：金\n   1 ４一玉(51)\n",
                "5a4a");
}

static void ki2(void **unused) {
    (void)unused;
    struct yo_shogi_record *r = load("game.ki2");
    assert_int_equal(r->format, YO_SHOGI_KI2);
    assert_string_equal(line_text(r, 0), "7g7f 3c3d 8h2b+ 3a2b B*4e B*6e 4i4h 6a6b 6i6h 4a4b "
                                         "6h5h 投了");
    yo_shogi_record_delete(r);
}

static void csa(void **unused) {
    (void)unused;
    struct yo_shogi_record *r = load("floodgate.csa");
    assert_int_equal(r->format, YO_SHOGI_CSA);
    assert_string_equal(line_text(r, 0), "7g7f 3c3d 8h2b+ 3a2b B*4e 投了");
    assert_string_equal(yo_shogi_record_header(r, "先手"), "alpha");
    assert_string_equal(yo_shogi_record_header(r, "棋戦"), "test-300-10F");
    assert_int_equal(r->nodes[nth(r, 2)].time_ms, 1000);
    assert_string_equal(yo_shogi_record_text(r, r->nodes[nth(r, 1)].comment), "* 30 -3334FU");
    struct yo_shogi_record *kif = rewrite(r, YO_SHOGI_KIF);
    assert_true(shogi_same(r, kif, SAME_ALL));
    yo_shogi_record_delete(kif);
    yo_shogi_record_delete(r);
    r = load("version3.csa");
    assert_string_equal(line_text(r, 0), "3c3d 7g7f 反則勝ち");
    assert_int_equal(r->nodes[nth(r, 1)].time_ms, 125);
    assert_int_equal(r->nodes[nth(r, 2)].time_ms, 12500);
    assert_int_equal(r->nodes[nth(r, 3)].end, YO_SHOGI_END_FOUL_BY_BLACK);
    assert_string_equal(yo_shogi_record_header(r, "$MAX_MOVES"), "320");
    struct yo_shogi_record *again = rewrite(r, YO_SHOGI_CSA);
    assert_true(shogi_same(r, again, SAME_ALL));
    yo_shogi_record_delete(again);
    yo_shogi_record_delete(r);
}

/* Written by hand after the description of the format; forks, a drop, times, an end. */
static void jkf(void **unused) {
    (void)unused;
    static const char text[] =
        "{\"header\":{\"先手\":\"甲\",\"備考\":\"one\\ntwo\"},\"moves\":[{\"comments\":[\"start\"]}"
        ","
        "{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"color\":0,\"piece\":"
        "\"FU\"},"
        "\"time\":{\"now\":{\"m\":1,\"s\":5},\"total\":{\"h\":0,\"m\":1,\"s\":5}}},"
        "{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\"piece\":\"FU\"},"
        "\"forks\":[[{\"move\":{\"from\":{\"x\":8,\"y\":3},\"to\":{\"x\":8,\"y\":4},\"piece\":"
        "\"FU\"},"
        "\"comments\":[\"a\",\"b\"]},{\"special\":\"CHUDAN\"}]]},"
        "{\"move\":{\"from\":{\"x\":8,\"y\":8},\"to\":{\"x\":2,\"y\":2},\"piece\":\"KA\","
        "\"promote\":true}},"
        "{\"move\":{\"from\":{\"x\":3,\"y\":1},\"same\":true,\"piece\":\"GI\"}},"
        "{\"move\":{\"to\":{\"x\":4,\"y\":5},\"piece\":\"KA\"}},{\"special\":\"TORYO\"}]}";
    struct yo_shogi_record *r = parse(text, strlen(text));
    assert_int_equal(r->format, YO_SHOGI_JKF);
    assert_string_equal(line_text(r, 0), "7g7f 3c3d 8h2b+ 3a2b B*4e 投了");
    assert_string_equal(line_text(r, r->nodes[nth(r, 2)].sibling), "8c8d 中断");
    assert_string_equal(yo_shogi_record_text(r, r->nodes[0].comment), "start");
    assert_string_equal(yo_shogi_record_text(r, r->nodes[r->nodes[nth(r, 2)].sibling].comment),
                        "a\nb");
    assert_int_equal(r->nodes[nth(r, 1)].time_ms, 65000);
    assert_int_equal(r->header_count, 3);
    struct yo_shogi_record *again = rewrite(r, YO_SHOGI_JKF);
    assert_true(shogi_same(r, again, SAME_ALL));
    yo_shogi_record_delete(again);
    yo_shogi_record_delete(r);
    /* Which of two golds, and 同. */
    static const char golds[] = "▲７六歩 △３四歩 ▲２二角成 △同銀 ▲５八金右\n";
    r = parse(golds, strlen(golds));
    struct yo_buf out = {0};
    assert_int_equal(yo_shogi_record_write(r, YO_SHOGI_JKF, &out), YO_OK);
    assert_non_null(strstr(out.data, "\"piece\":\"KI\",\"relative\":\"R\""));
    assert_non_null(strstr(out.data, "\"piece\":\"GI\",\"same\":true,\"capture\":\"UM\""));
    assert_non_null(strstr(out.data, "\"piece\":\"KA\",\"promote\":true,\"capture\":\"KA\""));
    yo_buf_free(&out);
    yo_shogi_record_delete(r);
}

/* Variations in variations, more than JSON can nest: the deepest are left out, the rest is read. */
static void jkf_of_deep_forks(void **unused) {
    (void)unused;
    struct yo_shogi_record *r;
    assert_int_equal(yo_shogi_record_new(&r), YO_OK);
    int at = 0, node;
    for (int i = 0; i < 60; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move moves[YO_SHOGI_LIST];
        yo_shogi_record_position(r, at, &pos);
        assert_true(yo_shogi_legal_moves(&pos, moves) > 1);
        assert_int_equal(yo_shogi_record_add(r, at, moves[0], 0, &node), YO_OK);
        assert_int_equal(yo_shogi_record_add(r, at, moves[1], 0, &at), YO_OK);
    }
    struct yo_shogi_record *again = rewrite(r, YO_SHOGI_JKF);
    assert_in_range(again->node_count, 30, 60);
    assert_false(shogi_same(r, again, SAME_ALL));
    yo_shogi_record_delete(again);
    yo_shogi_record_delete(r);
}

/* What was lost on the way through: the header 手数, whose name CSA writes with a "$", and spaces
 * at the end of a comment. */
static void nothing_is_dropped(void **unused) {
    (void)unused;
    static const char text[] = "手合割：平手\n手数：80\n手数----指手---------消費時間--\n"
                               "   1 ７六歩(77)\n*two spaces  \r\n手数＝1\n";
    struct yo_shogi_record *r = parse(text, strlen(text) - strlen("手数＝1\n"));
    assert_string_equal(yo_shogi_record_header(r, "手数"), "80");
    for (int format = YO_SHOGI_CSA; format <= YO_SHOGI_JKF; format++) {
        struct yo_shogi_record *again = rewrite(r, (enum yo_shogi_format)format);
        assert_string_equal(yo_shogi_record_text(again, again->nodes[nth(again, 1)].comment),
                            "two spaces  ");
        assert_string_equal(yo_shogi_record_header(again, "手数"), "80");
        yo_shogi_record_delete(again);
    }
    yo_shogi_record_delete(r);
}

/* A header of CSA under a name that in KIF is a line of the first position would change that. */
static void setup_among_the_headers_is_passed_over(void **unused) {
    (void)unused;
    static const char text[] = "V2.2\nN+a\nN-b\n$手合割:平手\n$先手の持駒:角\n$備考:x\n"
                               "PI82HI22KA\n-\n-8384FU\n";
    struct yo_shogi_record *r = parse(text, strlen(text));
    struct yo_shogi_record *again = rewrite(r, YO_SHOGI_KIF);
    assert_null(yo_shogi_record_header(r, "手合割"));
    assert_string_equal(yo_shogi_record_header(again, "備考"), "x");
    char first[YO_SHOGI_SFEN_MAX], second[YO_SHOGI_SFEN_MAX];
    yo_shogi_sfen_format(&r->start, first);
    yo_shogi_sfen_format(&again->start, second);
    assert_string_equal(first, second);
    yo_shogi_record_delete(again);
    yo_shogi_record_delete(r);
}

static void lines_of_usi(void **unused) {
    (void)unused;
    static const char *const starts[] = {
        "startpos moves", "position startpos moves", "sfen " YO_SHOGI_START " moves",
        "\r\n\r\nposition sfen " YO_SHOGI_START " moves", YO_SHOGI_START " moves"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s 7g7f 3c3d  8h2b+\t3a2b B*4e resign\r\n", starts[i]);
        assert_line(text, "7g7f 3c3d 8h2b+ 3a2b B*4e 投了");
    }
    assert_line("startpos", "");
    assert_line("4k4/9/9/9/9/9/9/9/4K4 w - 7 moves 5a4a win", "5a4a 入玉勝ち");
    struct yo_shogi_record *r = parse("startpos moves 7g7f\n\nstartpos\n", 30);
    assert_true(r->more);
    assert_int_equal(r->format, YO_SHOGI_KIF);
    yo_shogi_record_delete(r);
    static const struct {
        const char *text;
        int line, column;
    } broken[] = {{"startpos moves 7g7f 7g7f", 1, 21},
                  {"startpos 7g7f", 1, 10},
                  {"\nposition sfen 4k4/9/9/9/9/9/9/9/4X4 b - 1", 2, 34},
                  {"startpos moves resign 7g7f", 1, 23},
                  {"startpos moves 7g7f 33", 1, 21}};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct yo_diag diag;
        assert_int_not_equal(
            yo_shogi_record_parse(broken[i].text, strlen(broken[i].text), "test", &r, &diag),
            YO_OK);
        assert_int_equal(diag.line, broken[i].line);
        assert_int_equal(diag.column, broken[i].column);
    }
}

/* In version 3 of CSA a note is one line, whatever lines it has; some programs break it. */
static void csa_notes_have_lines(void **unused) {
    (void)unused;
    static const char moves[] = "PI\n+\n+7776FU\n";
    static const char *const starts[] = {
        "V3.0\n$NOTE:first\\nC:\\\\new\\n\\nend\n",
        "V3.0\n$NOTE:first\nC:\\\\new\\n\\nend\n",
        "V2.2\n$NOTE:first\nC:\\new\n$NOTE:\n$NOTE:end\n",
    };
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char text[256];
        int len = snprintf(text, sizeof text, "%s%s", starts[i], moves);
        struct yo_shogi_record *r = parse(text, (size_t)len), *again = rewrite(r, YO_SHOGI_KIF);
        assert_int_equal(again->header_count, 4);
        static const char *const lines[] = {"first", "C:\\new", "", "end"};
        for (size_t k = 0; k < 4; k++) {
            assert_string_equal(yo_shogi_record_text(again, again->headers[k].key), "備考");
            assert_string_equal(yo_shogi_record_text(again, again->headers[k].value), lines[k]);
        }
        struct yo_buf out = {0};
        assert_int_equal(yo_shogi_record_write(again, YO_SHOGI_CSA, &out), YO_OK);
        snprintf(text, sizeof text, "'CSA encoding=UTF-8\n%s%s", starts[0], moves);
        assert_string_equal(out.data, text);
        yo_buf_free(&out);
        yo_shogi_record_delete(again);
        yo_shogi_record_delete(r);
    }
    /* Only a note goes on, and version 2 has no escapes. */
    struct yo_shogi_record *r = NULL;
    static const char broken[] = "V3.0\n$EVENT:a\nb\nPI\n+\n", old[] = "V2.2\n$NOTE:a\\nb\nPI\n+\n";
    assert_int_not_equal(yo_shogi_record_parse(broken, strlen(broken), "test", &r, NULL), YO_OK);
    r = parse(old, strlen(old));
    assert_string_equal(yo_shogi_record_header(r, "備考"), "a\\nb");
    yo_shogi_record_delete(r);
}

/* A KIF record begins with the date; programs that read CSA expect the players first. */
static void csa_has_the_players_first(void **unused) {
    (void)unused;
    static const char text[] = "開始日時：2024/01/02\n場所：Tokyo\n手合割：平手\n後手：b\n先手：a\n"
                               "   1 ７六歩(77)\n";
    struct yo_shogi_record *r = parse(text, strlen(text));
    struct yo_buf out = {0};
    assert_int_equal(yo_shogi_record_write(r, YO_SHOGI_CSA, &out), YO_OK);
    assert_string_equal(out.data, "V2.2\nN+a\nN-b\n$START_TIME:2024/01/02\n$SITE:Tokyo\nPI\n+\n"
                                  "+7776FU\n");
    yo_buf_free(&out);
    yo_shogi_record_delete(r);
}

/* KIF has the illegal move itself before 反則勝ち; here it is the end of the game and a comment. */
static void an_illegal_move_is_a_foul(void **unused) {
    (void)unused;
    static const char start[] = "手合割：平手\n   1 ７六歩(77)   ( 0:16/00:00:16)\n";
    static const struct {
        const char *end, *comment;
    } rows[] = {
        {"   2 ３五歩(33)   ( 0:05/00:00:05)\n*二マス\n   3 反則勝ち     ( 0:02/00:00:18)\n",
         "反則手：３五歩(33)\n二マス"},
        {"   2 ５五歩打     ( 0:05/00:00:05)\nまで2手で後手の反則負け\n", "反則手：５五歩打"},
        {"   2 同　銀(99)   ( 0:05/00:00:05)\n   3 反則勝ち\nまで2手で反則勝ち\n\n変化：2手\n"
         "   2 ３四歩(33)\n",
         "反則手：同　銀(99)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_buf text = {0};
        yo_buf_printf(&text, "%s%s", start, rows[i].end);
        struct yo_shogi_record *r = parse(text.data, text.len);
        const struct yo_shogi_node *foul = &r->nodes[nth(r, 2)];
        assert_int_equal(foul->end, YO_SHOGI_END_FOUL);
        assert_int_equal(foul->time_ms, 5000);
        assert_string_equal(yo_shogi_record_text(r, foul->comment), rows[i].comment);
        assert_int_equal(foul->child, YO_SHOGI_NO_NODE);
        assert_int_equal(foul->sibling != YO_SHOGI_NO_NODE, i == 2);
        yo_shogi_record_delete(r);
        yo_buf_free(&text);
    }
}

static void old_programs_get_version_2(void **unused) {
    (void)unused;
    static const char *const text_of_it = "N+someone\nPI\n+\n+7776FU\nT1\n";
    struct yo_shogi_record *r = parse(text_of_it, strlen(text_of_it));
    struct yo_buf text = {0};
    assert_int_equal(yo_shogi_record_write(r, YO_SHOGI_CSA, &text), YO_OK);
    assert_string_equal(text.data, "V2.2\nN+someone\nPI\n+\n+7776FU\nT1\n");
    yo_buf_free(&text);
    yo_shogi_record_delete(r);
}

/* ---- Words for which piece ---- */

static void ki2_words(void **unused) {
    (void)unused;
    static const struct {
        const char *sfen, *move, *text;
    } rows[] = {
        {"9/9/9/9/9/9/9/3G1G3/9 b - 1", "6h5h", "▲５八金左"},
        {"9/9/9/9/9/9/9/3G1G3/9 b - 1", "4h5h", "▲５八金右"},
        {"9/9/9/9/9/9/9/3G5/4G4 b - 1", "6h5h", "▲５八金寄"},
        {"9/9/9/9/9/9/9/3G5/4G4 b - 1", "5i5h", "▲５八金上"},
        {"9/9/9/9/9/9/9/9/3GGG3 b - 1", "5i5h", "▲５八金直"},
        {"9/9/9/9/9/9/9/9/3GGG3 b - 1", "6i5h", "▲５八金左"},
        {"9/9/9/9/9/9/3S5/9/3S1S3 b - 1", "6g5h", "▲５八銀引"},
        {"9/9/9/9/9/9/3S5/9/3S1S3 b - 1", "6i5h", "▲５八銀左上"},
        {"9/9/9/9/4g4/3g5/9/9/9 w - 1", "6f5f", "△５六金寄"},
        {"9/9/9/3g1g3/9/9/9/9/9 w - 1", "6d5e", "△５五金右"},
        {"9/9/9/9/9/9/9/9/+R7+R b - 1", "9i5i", "▲５九龍左"},
        {"9/9/9/9/9/9/9/9/9 b G 1", "G*5e", "▲５五金"},
        {"9/9/9/9/9/4G4/9/9/9 b G 1", "G*5e", "▲５五金打"},
        {"9/9/4S4/9/9/9/9/9/9 b - 1", "5c5b", "▲５二銀不成"},
        {"9/9/4S4/9/9/9/9/9/9 b - 1", "5c5b+", "▲５二銀成"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_record *r;
        int node;
        yo_shogi_move move;
        assert_int_equal(yo_shogi_record_new(&r), YO_OK);
        assert_int_equal(yo_shogi_sfen_parse(rows[i].sfen, &r->start, NULL), YO_OK);
        assert_int_equal(yo_shogi_move_parse(rows[i].move, &move, NULL), YO_OK);
        assert_int_equal(yo_shogi_record_add(r, 0, move, 0, &node), YO_OK);
        struct yo_buf text = {0};
        assert_int_equal(yo_shogi_record_write(r, YO_SHOGI_KI2, &text), YO_OK);
        const char *line = strstr(text.data, strstr(rows[i].text, "△") ? "△" : "▲");
        assert_non_null(line);
        if (strncmp(line, rows[i].text, strlen(rows[i].text)) != 0 ||
            line[strlen(rows[i].text)] != '\n')
            fail_msg("%s: %s instead of %s", rows[i].sfen, line, rows[i].text);
        yo_buf_free(&text);
        yo_shogi_record_delete(r);
    }
}

/* ---- By chance ---- */

static void add_random_node(struct yo_shogi_record *r, uint64_t *state) {
    int parent = shogi_random(state, 6) ? (int)r->node_count - 1
                                        : (int)shogi_random(state, (uint32_t)r->node_count);
    struct yo_shogi_position pos;
    yo_shogi_move moves[YO_SHOGI_LIST];
    int node;
    if (r->nodes[parent].end) return;
    yo_shogi_record_position(r, parent, &pos);
    size_t count = yo_shogi_legal_moves(&pos, moves);
    if (count == 0 || shogi_random(state, 60) == 0) {
        assert_int_equal(yo_shogi_record_add(r, parent, 0, YO_SHOGI_END_RESIGN, &node), YO_OK);
    } else {
        yo_shogi_move move = moves[shogi_random(state, (uint32_t)count)];
        assert_int_equal(yo_shogi_record_add(r, parent, move, 0, &node), YO_OK);
    }
    if (shogi_random(state, 2)) r->nodes[node].time_ms = 1000 * shogi_random(state, 9000);
    if (shogi_random(state, 5) == 0)
        yo_shogi_record_add_line(r, &r->nodes[node].comment, "評価値 +120", strlen("評価値 +120"));
    if (shogi_random(state, 9) == 0)
        yo_shogi_record_add_line(r, &r->nodes[node].comment, "*次", strlen("*次"));
}

static void random_records_come_back(void **unused) {
    (void)unused;
    uint64_t state = 17;
    for (int i = 0; i < 200; i++) {
        struct yo_shogi_record *r;
        assert_int_equal(yo_shogi_record_new(&r), YO_OK);
        if (i % 2)
            shogi_random_setup(&state, &r->start);
        else
            shogi_random_game(&state, (int)shogi_random(&state, 200), &r->start);
        for (int k = 0; k < 120; k++)
            add_random_node(r, &state);
        yo_shogi_record_add_header(r, "先手", "甲");
        static const int keeps[] = {SAME_TIMES, SAME_ALL,
                                    SAME_VARIATIONS | SAME_BOOKMARKS | SAME_ORDER,
                                    SAME_TIMES | SAME_VARIATIONS | SAME_ORDER};
        for (int format = YO_SHOGI_CSA; format <= YO_SHOGI_JKF; format++) {
            struct yo_shogi_record *again = rewrite(r, (enum yo_shogi_format)format);
            assert_true(shogi_same(r, again, keeps[format]));
            yo_shogi_record_delete(again);
        }
        yo_shogi_record_delete(r);
    }
}

/* ---- What is wrong, and where ---- */

static void errors_have_a_place(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *what;
        int line, column;
    } rows[] = {
        {"PI\n+\n+7775FU\n", "illegal", 3, 1},
        {"PI\n+\n-3334FU\n", "other side's", 3, 1},
        {"PI\n+\n+7776XX\n", "+7776FU", 3, 6},
        {"PI\n+\n+8822KI\n", "no such piece", 3, 1},
        {"PI\n+\n%FOO\n", "no such end", 3, 2},
        {"PI\n+\n%TORYO\n+7776FU\n", "after the end", 4, 1},
        {"P1-XX\n", "no piece", 1, 4},
        {"P1+FU\n+\n", "never move", 2, 2},
        {"V2.2\nhello\n", "begins like this", 2, 1},
        {"PI84FU22KA\n+\n", "left out", 1, 3},
        {"手合割：平手\n   1 ７五歩(77)\n", "illegal", 2, 6},
        {"手合割：平手\n   1 ７六香(77)\n", "no such piece", 2, 6},
        {"手合割：平手\n   1 ７五歩(77)\n   2 投了\n", "illegal", 2, 6},
        {"手合割：平手\n   1 ７五歩(77)\n   2 ３四歩(33)\n   3 反則勝ち\n", "illegal", 2, 6},
        {"手合割：平手\n   1 ７六山(77)\n", "no piece", 2, 8},
        {"手合割：平手\n   1 同　歩(77)\n", "no move before", 2, 8},
        {"手合割：無敵\n", "no handicap", 1, 5},
        {"手合割：平手\n変化：3手\n", "vary from", 2, 5},
        {"手合割：平手\n▲７六歩▲２六歩\n", "other side's", 2, 5},
        {"手合割：平手\n▲５八金▲", "several", 2, 2},
        {"手合割：平手\n▲５五金\n", "illegal", 2, 2},
        {"|v香v桂v銀v金v玉v金v銀v桂v山|一\n", "no piece", 1, 19},
        {"{\"moves\":[{},{\"move\":{\"piece\":\"FU\",\"to\":{\"x\":5,\"y\":5}}}]}", "illegal", 1,
         1},
        {"{\"moves\":[{\"special\":\"TORYO\"},{\"special\":\"TORYO\"}]}", "ended before", 1, 1},
        {"{\"moves\":[{\"special\":\"FOO\"}]}", "no such end", 1, 1},
        {"{\"moves\":{}}", "no array", 1, 1},
        {"{\"a\":1}", "no game record", 1, 1},
        {"{\"initial\":{\"preset\":\"9\"},\"moves\":[]}", "no preset", 1, 1},
        {"{\"initial\":{\"preset\":\"OTHER\"},\"moves\":[]}", "side to move", 1, 1},
        {"{\"moves\":[", "", 1, 10},
        {"", "no game", 1, 1},
        {"hello\n", "begins like this", 1, 1},
        {"\xff\xff\xff", "neither UTF-8", 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_record *record = NULL;
        struct yo_diag diag = {0};
        enum yo_err err =
            yo_shogi_record_parse(rows[i].text, strlen(rows[i].text), "x", &record, &diag);
        if (!err) fail_msg("taken for a record: %s", rows[i].text);
        assert_null(record);
        if (!strstr(diag.what, rows[i].what) || strcmp(diag.where, "x") != 0 ||
            diag.line != rows[i].line || diag.column != rows[i].column)
            fail_msg("%s: %s: line %d, column %d: %s", rows[i].text, diag.where, diag.line,
                     diag.column, diag.what);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kif_with_variations),
        cmocka_unit_test(shift_jis),
        cmocka_unit_test(handicap_and_diagram),
        cmocka_unit_test(every_handicap),
        cmocka_unit_test(spellings_of_others),
        cmocka_unit_test(ki2),
        cmocka_unit_test(csa),
        cmocka_unit_test(jkf),
        cmocka_unit_test(jkf_of_deep_forks),
        cmocka_unit_test(nothing_is_dropped),
        cmocka_unit_test(setup_among_the_headers_is_passed_over),
        cmocka_unit_test(csa_has_the_players_first),
        cmocka_unit_test(csa_notes_have_lines),
        cmocka_unit_test(lines_of_usi),
        cmocka_unit_test(an_illegal_move_is_a_foul),
        cmocka_unit_test(old_programs_get_version_2),
        cmocka_unit_test(ki2_words),
        cmocka_unit_test(random_records_come_back),
        cmocka_unit_test(errors_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
