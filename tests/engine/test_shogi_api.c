/* Shogi through the public header alone. */
#include "support/test.h"

#include <string.h>

#include <yomi/yomi.h>

static struct yo_shogi_game *new_game(const char *sfen) {
    struct yo_shogi_game *game = NULL;
    struct yo_diag diag;
    if (yo_shogi_game_new(sfen, &game, &diag) != YO_OK) fail_msg("%s", diag.what);
    return game;
}

static void play(struct yo_shogi_game *game, const char *text) {
    yo_shogi_move move;
    struct yo_diag diag;
    if (yo_shogi_game_read_move(game, text, &move, &diag) || yo_shogi_game_play(game, move, &diag))
        fail_msg("%s: %s", text, diag.what);
}

static void a_game(void **unused) {
    (void)unused;
    struct yo_shogi_game *game = new_game(NULL), *copy;
    yo_shogi_move moves[YO_SHOGI_LIST];
    char sfen[YO_SHOGI_SFEN_MAX], text[YO_SHOGI_MOVE_TEXT], words[YO_SHOGI_WORDS_TEXT];
    enum yo_shogi_side side;
    assert_int_equal(yo_shogi_game_legal_moves(game, moves), 30);
    play(game, "7g7f");
    play(game, "３四歩");
    assert_int_equal(yo_shogi_game_at(game, 7, 6, &side), YO_SHOGI_PAWN);
    assert_int_equal(side, YO_SHOGI_BLACK);
    assert_int_equal(yo_shogi_game_at(game, 8, 2, &side), YO_SHOGI_ROOK);
    assert_int_equal(side, YO_SHOGI_WHITE);
    assert_int_equal(yo_shogi_game_at(game, 0, 10, NULL), YO_SHOGI_NO_KIND);
    play(game, "22角成");
    play(game, "同銀");
    assert_int_equal(yo_shogi_game_in_hand(game, YO_SHOGI_BLACK, YO_SHOGI_BISHOP), 1);
    assert_int_equal(yo_shogi_game_in_hand(game, YO_SHOGI_BLACK, YO_SHOGI_KING), 0);
    assert_int_equal(yo_shogi_game_move_count(game), 4);
    assert_string_equal(yo_shogi_move_format(yo_shogi_game_move(game, 2), text), "8h2b+");
    assert_string_equal(yo_shogi_game_sfen(game, sfen),
                        "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5");
    yo_shogi_move drop;
    assert_int_equal(yo_shogi_move_parse("B*4e", &drop, NULL), YO_OK);
    assert_true(yo_shogi_game_legal(game, drop));
    assert_string_equal(yo_shogi_game_move_words(game, drop, words), "▲４五角");
    assert_int_equal(yo_shogi_game_copy(game, &copy), YO_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(yo_shogi_game_undo(game, NULL), YO_OK);
    assert_int_equal(yo_shogi_game_undo(game, NULL), YO_ERR_STATE);
    assert_int_equal(yo_shogi_game_to_move(game), YO_SHOGI_BLACK);
    assert_int_equal(yo_shogi_game_legal_moves(game, moves), 30);
    assert_int_equal(yo_shogi_game_move_count(copy), 4);
    assert_string_equal(yo_shogi_game_sfen(copy, sfen),
                        "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5");
    yo_shogi_game_delete(copy);
    yo_shogi_game_delete(game);
}

static void wrong_input(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"",     "7g7e", "hello", "７五歩",
                                        "同歩", "5五",  "99玉",  "７六歩７六歩"};
    struct yo_shogi_game *game = new_game(NULL), *none = NULL;
    char before[YO_SHOGI_SFEN_MAX], after[YO_SHOGI_SFEN_MAX];
    yo_shogi_game_sfen(game, before);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct yo_diag diag = {0};
        yo_shogi_move move = 4711;
        assert_int_not_equal(yo_shogi_game_read_move(game, wrong[i], &move, &diag), YO_OK);
        assert_int_equal(move, 4711);
        assert_true(diag.what[0] != '\0');
    }
    assert_int_equal(yo_shogi_game_play(game, YO_SHOGI_NO_MOVE, NULL), YO_ERR_ILLEGAL);
    assert_string_equal(yo_shogi_game_sfen(game, after), before);
    struct yo_diag diag = {0};
    assert_int_not_equal(yo_shogi_game_new("8k/9/9 b - 1", &none, &diag), YO_OK);
    assert_null(none);
    assert_true(diag.what[0] != '\0');
    yo_shogi_game_delete(game);
}

static void ends(void **unused) {
    (void)unused;
    struct yo_shogi_game *game = new_game("8k/9/8P/9/9/9/9/9/8K b G 1");
    assert_int_equal(yo_shogi_game_outcome(game), YO_SHOGI_OPEN);
    play(game, "１二金");
    assert_true(yo_shogi_game_in_check(game));
    assert_int_equal(yo_shogi_game_outcome(game), YO_SHOGI_BLACK_WINS);
    yo_shogi_game_delete(game);
    game = new_game(NULL);
    static const char *const dance[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    for (int i = 0; i < 12; i++) {
        assert_int_equal(yo_shogi_game_outcome(game), YO_SHOGI_OPEN);
        play(game, dance[i % 4]);
    }
    assert_int_equal(yo_shogi_game_outcome(game), YO_SHOGI_DRAWN);
    assert_int_equal(yo_shogi_game_undo(game, NULL), YO_OK);
    assert_int_equal(yo_shogi_game_outcome(game), YO_SHOGI_OPEN);
    assert_false(yo_shogi_game_can_declare(game));
    yo_shogi_game_delete(game);
}

static void an_engine(void **unused) {
    (void)unused;
    struct yo_shogi_engine *engine = NULL;
    struct yo_shogi_found found, again;
    struct yo_diag diag = {0};
    char text[YO_SHOGI_MOVE_TEXT];
    assert_int_equal(yo_shogi_engine_new(1, 1, "/no/such/file", &engine, &diag), YO_ERR_IO);
    assert_true(diag.what[0] != '\0');
    assert_null(engine);
    assert_int_equal(yo_shogi_engine_new(1, 1, NULL, &engine, &diag), YO_OK);
    struct yo_shogi_game *game = new_game("8k/9/8P/9/9/9/9/9/8K b G 1");
    struct yo_shogi_limits limits = {.nodes = 3000};
    assert_int_equal(yo_shogi_engine_think(engine, game, &limits, &found, &diag), YO_OK);
    assert_true(found.mates && found.mate_in == 1 && found.length == 1);
    assert_string_equal(yo_shogi_move_format(found.line[0], text), "G*1b");
    play(game, text);
    assert_int_equal(yo_shogi_engine_think(engine, game, &limits, &found, &diag), YO_OK);
    assert_true(found.mates && found.mate_in == 0 && found.length == 0);
    yo_shogi_game_delete(game);
    game = new_game(NULL); /* a rook for nothing */
    static const char *const gift[] = {"7g7f", "8c8d", "8h7g", "8d8e", "7g9e", "8b8d"};
    for (size_t i = 0; i < sizeof gift / sizeof gift[0]; i++)
        play(game, gift[i]);
    assert_int_equal(yo_shogi_engine_think(engine, game, &limits, &found, &diag), YO_OK);
    assert_string_equal(yo_shogi_move_format(found.line[0], text), "9e8d");
    assert_true(found.score > 300 && !found.mates && found.nodes > 100);
    yo_shogi_engine_delete(engine);
    assert_int_equal(yo_shogi_engine_new(1, 1, NULL, &engine, &diag), YO_OK);
    assert_int_equal(yo_shogi_engine_think(engine, game, &limits, &again, &diag), YO_OK);
    assert_int_equal(again.score, found.score);
    /* Stopped before it began, it still has a move. */
    yo_shogi_engine_stop(engine);
    limits = (struct yo_shogi_limits){0};
    assert_int_equal(yo_shogi_engine_think(engine, game, &limits, &again, &diag), YO_OK);
    assert_true(again.length > 0 && yo_shogi_game_legal(game, again.line[0]));
    yo_shogi_engine_delete(engine);
    yo_shogi_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game),
        cmocka_unit_test(wrong_input),
        cmocka_unit_test(ends),
        cmocka_unit_test(an_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
