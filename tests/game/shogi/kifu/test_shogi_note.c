/* Notes of an engine in comments: written, known again, taken out. */
#include "support/test.h"

#include <string.h>

#include "game/shogi/kifu/note.h"
#include "game/shogi/text.h"

static const char others[] = "互角\n#評価値=12\n#エンジン=Suisho\nsomebody's words";

static struct yo_buf write(enum yo_shogi_note_form form, const struct yo_shogi_note *note) {
    struct yo_shogi_position pos;
    struct yo_buf out = {0};
    yo_shogi_position_start(&pos);
    yo_shogi_note_write(&out, form, note, &pos, YO_SHOGI_NO_SQUARE);
    return out;
}

static void the_forms(void **unused) {
    (void)unused;
    yo_shogi_move line[2];
    yo_shogi_move_parse("7g7f", &line[0], NULL);
    yo_shogi_move_parse("3c3d", &line[1], NULL);
    struct yo_shogi_note note = {
        .score_black = -612, .depth = 9, .nodes = 1234, .line = line, .length = 2, .lost = 0.12};
    struct yo_buf out = write(YO_SHOGI_NOTE_HOME, &note);
    static const char home[] = "【疑問手】\n後手優勢\n#評価値=-612\n#読み筋=▲７六歩△３四歩\n"
                               "#深さ=9\n#ノード数=1234\n#エンジン=Yomi ";
    assert_memory_equal(out.data, home, strlen(home));
    yo_buf_free(&out);
    out = write(YO_SHOGI_NOTE_FLOODGATE, &note);
    assert_string_equal(out.data, "Yomi: depth 9, 1234 nodes\n* -612 +7776FU -3334FU");
    yo_buf_free(&out);
}

static void words_for_scores(void **unused) {
    (void)unused;
    static const struct {
        int score;
        const char *text;
    } rows[] = {{0, "互角\n#評価値=0\n"},
                {199, "互角\n"},
                {200, "先手有望\n"},
                {-200, "後手有望\n"},
                {400, "先手有利\n"},
                {-1500, "後手勝勢\n#評価値=-1500\n"},
                {31985, "#詰み=先手勝ち:15手\n"},
                {-32000, "#詰み=後手勝ち\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_note note = {.score_black = rows[i].score};
        struct yo_buf out = write(YO_SHOGI_NOTE_HOME, &note);
        assert_memory_equal(out.data, rows[i].text, strlen(rows[i].text));
        yo_buf_free(&out);
    }
}

/* Between others' words: found, and nothing but it is taken out. */
static void comes_back(void **unused) {
    (void)unused;
    static const int scores[] = {0, 57, -3000, 31985, -31999, 32000};
    for (int form = YO_SHOGI_NOTE_HOME; form <= YO_SHOGI_NOTE_FLOODGATE; form++)
        for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++) {
            struct yo_shogi_note note = {.score_black = scores[i], .lost = i % 2 ? 0.3 : 0};
            struct yo_buf ours = write((enum yo_shogi_note_form)form, &note);
            struct yo_buf all = {0}, rest = {0};
            int score = 4711;
            yo_buf_printf(&all, "%s\n%s\nmore", others, ours.data);
            assert_true(yo_shogi_note_read(all.data, (enum yo_shogi_note_form)form, &score));
            assert_int_equal(score, scores[i]);
            yo_shogi_note_strip(all.data, (enum yo_shogi_note_form)form, &rest);
            yo_buf_clear(&all);
            yo_buf_printf(&all, "%s\nmore", others);
            assert_string_equal(rest.data, all.data);
            yo_buf_free(&ours);
            yo_buf_free(&all);
            yo_buf_free(&rest);
        }
}

static void others_are_left_alone(void **unused) {
    (void)unused;
    static const char *const comments[] = {"",
                                           others,
                                           "* 30 -3334FU",
                                           "Yomi: hello",
                                           "Yomi: depth 3\nnothing",
                                           "#エンジン=Yomi 1", /* no score */
                                           "#評価値=x\n#エンジン=Yomi 1",
                                           "#詰み=引き分け\n#エンジン=Yomi 1"};
    int score;
    for (size_t i = 0; i < sizeof comments / sizeof comments[0]; i++)
        for (int form = YO_SHOGI_NOTE_HOME; form <= YO_SHOGI_NOTE_FLOODGATE; form++)
            assert_false(yo_shogi_note_read(comments[i], (enum yo_shogi_note_form)form, &score));
    struct yo_buf rest = {0};
    yo_shogi_note_strip(others, YO_SHOGI_NOTE_HOME, &rest);
    assert_string_equal(rest.data, others);
    yo_buf_free(&rest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_forms),
        cmocka_unit_test(words_for_scores),
        cmocka_unit_test(comes_back),
        cmocka_unit_test(others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
