/* sgf/book.c: what is found in a book, however the board is turned. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "game/go/sgf/book.h"

#define BOOK                                                                                       \
    "(;GM[1]SZ[9]KM[7]"                                                                            \
    "(;B[ee]SBKV[52.5](;W[ce]SBKV[52.0];B[gc]SBKV[53])(;W[gf]))"                                   \
    "(;B[dd]SBKV[40];W[ee];B[ee];W[aa])"                                                           \
    "(;B[];W[fc]))"                                                                                \
    "(;GM[1]SZ[19];B[pd])"

static struct yo_go_book *read_book(const char *text) {
    struct yo_go_book *book;
    struct yo_diag diag = {0};
    if (yo_go_book_read(text, strlen(text), "test", &book, &diag)) fail_msg("%s", diag.what);
    return book;
}

static struct yo_go_game *game_of(int size, const char *moves) {
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(size, NULL, &game), YO_OK);
    for (char text[8]; *moves; moves += strlen(text) + (moves[strlen(text)] == ' ')) {
        yo_go_point point;
        snprintf(text, sizeof text, "%.*s", (int)strcspn(moves, " "), moves);
        assert_int_equal(yo_go_point_parse(text, size, &point, NULL), YO_OK);
        assert_int_equal(yo_go_game_play(game, yo_go_game_to_move(game), point, NULL), YO_OK);
    }
    return game;
}

/* The moves found, as text: "E5 52 D6 40". */
static void assert_found(const struct yo_go_book *book, int size, const char *moves,
                         const char *expected) {
    struct yo_go_book_move found[8];
    char text[128] = "", point[8];
    struct yo_go_game *game = game_of(size, moves);
    size_t count = yo_go_book_find(book, game, yo_go_game_to_move(game), found, 8);
    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %.1f", i ? " " : "",
                 yo_go_point_format(found[i].move, size, point), 100 * found[i].winrate_to_move);
    yo_go_game_delete(game);
    assert_string_equal(text, expected);
}

static void moves_are_found(void **unused) {
    (void)unused;
    struct yo_go_book *book = read_book(BOOK);
    assert_int_equal(yo_go_book_moves(book), 8);
    assert_found(book, 9, "", "E5 52.5 D6 40.0");
    assert_found(book, 9, "E5", "C5 48.0 G4 -100.0");
    assert_found(book, 9, "E5 C5", "G7 53.0");
    assert_found(book, 19, "", "Q16 -100.0");
    assert_found(book, 13, "", "");
    /* After the illegal move its line ends; a pass is no book move, but what follows it is. */
    assert_found(book, 9, "D6", "E5 -100.0");
    assert_found(book, 9, "D6 E5", "");
    assert_found(book, 9, "pass", "F7 -100.0");
    yo_go_book_delete(book);
}

/* The answer to C5 in all of the positions that are the same when turned. */
static void the_board_may_be_turned(void **unused) {
    (void)unused;
    struct yo_go_book *book = read_book("(;SZ[9]KM[7.5];B[ef];W[gc];B[cc])");
    static const struct {
        const char *moves, *answer;
    } turned[] = {{"E4 G7", "C7 -100.0"}, {"E4 C7", "G7 -100.0"}, {"E6 G3", "C3 -100.0"},
                  {"E6 C3", "G3 -100.0"}, {"D5 G7", "G3 -100.0"}, {"D5 G3", "G7 -100.0"},
                  {"F5 C7", "C3 -100.0"}, {"F5 C3", "C7 -100.0"}};
    for (size_t i = 0; i < sizeof turned / sizeof turned[0]; i++)
        assert_found(book, 9, turned[i].moves, turned[i].answer);
    yo_go_book_delete(book);
}

/* The key tells positions, sides and sizes apart, but not ways of turning the board. */
static void keys(void **unused) {
    (void)unused;
    struct yo_go_game *a = game_of(9, "E4 G7"), *b = game_of(9, "F5 C3"), *c = game_of(9, "E4 G8");
    uint64_t key = yo_go_book_key(a, YO_GO_BLACK);
    assert_true(key == yo_go_book_key(b, YO_GO_BLACK));
    assert_true(key != yo_go_book_key(c, YO_GO_BLACK));
    assert_true(key != yo_go_book_key(a, YO_GO_WHITE));
    yo_go_game_delete(a);
    yo_go_game_delete(b);
    yo_go_game_delete(c);
    a = game_of(9, "");
    b = game_of(19, "");
    assert_true(yo_go_book_key(a, YO_GO_BLACK) != yo_go_book_key(b, YO_GO_BLACK));
    yo_go_game_delete(a);
    yo_go_game_delete(b);
}

static void komi_must_be_near(void **unused) {
    (void)unused;
    struct yo_go_book *book = read_book("(;SZ[9]KM[6];B[ee])");
    assert_found(book, 9, "", "E5 -100.0"); /* komi 7.5 */
    yo_go_book_delete(book);
    book = read_book("(;SZ[9]KM[5.5];B[ee])");
    assert_found(book, 9, "", "");
    yo_go_book_delete(book);
}

static void no_book(void **unused) {
    (void)unused;
    struct yo_go_book *book;
    struct yo_diag diag = {0};
    assert_int_not_equal(yo_go_book_read("hello", 5, "test", &book, &diag), YO_OK);
    assert_int_not_equal(yo_go_book_load("/no such folder/a.sgf", &book, &diag), YO_OK);
    book = read_book("(;GM[1]SZ[9])");
    assert_found(book, 9, "", "");
    yo_go_book_delete(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_found),
        cmocka_unit_test(the_board_may_be_turned),
        cmocka_unit_test(keys),
        cmocka_unit_test(komi_must_be_near),
        cmocka_unit_test(no_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
