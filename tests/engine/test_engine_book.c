/* Books in a session: when moves come from one, which, and that games differ. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "engine/options.h"
#include "engine/session.h"

/* E5 and D5 are about equal, C3 is refuted; after E5 all that White has is C5. */
static const char book_text[] = "(;SZ[9]KM[7.5](;B[ee]SBKV[50];W[ce]SBKV[50])(;B[de]SBKV[49])"
                                "(;B[cg]SBKV[40]))";
static char path[] = "/tmp/yomi-book-XXXXXX";

static int write_book(void **unused) {
    (void)unused;
    int fd = mkstemp(path);
    bool ok = fd >= 0 && write(fd, book_text, sizeof book_text - 1) == sizeof book_text - 1;
    return fd < 0 || close(fd) || !ok;
}

static int remove_book(void **unused) {
    (void)unused;
    return unlink(path);
}

static struct yo_session *new_go(const char *book) {
    struct yo_session *s;
    struct yo_session_config config = {.game = YO_SESSION_GO, .strict = true};
    assert_int_equal(yo_session_new(&config, &s, NULL), YO_OK);
    assert_int_equal(yo_session_set(s, YO_ON_CLI, "net", "none", NULL), YO_OK);
    if (book) assert_int_equal(yo_session_set(s, YO_ON_CLI, "book", book, NULL), YO_OK);
    assert_int_equal(yo_go_game_clear(yo_session_go(s), 9), YO_OK);
    return s;
}

static yo_go_point point_of(const char *text) {
    yo_go_point point;
    assert_int_equal(yo_go_point_parse(text, 9, &point, NULL), YO_OK);
    return point;
}

/* The move that the session plays next; *from_book as it says. */
static yo_go_point next(struct yo_session *s, bool *from_book) {
    struct yo_search_limits none = {0};
    struct yo_search_result result;
    yo_go_point move;
    enum yo_go_color color = yo_go_game_to_move(yo_session_go(s));
    enum yo_err err = yo_session_find_move(s, color, &none, NULL, NULL, NULL, &result, NULL);
    assert_int_equal(err, YO_OK);
    *from_book = yo_session_is_in_book(s);
    err = yo_session_play_best(s, color, true, &result, &move, NULL);
    assert_int_equal(err, YO_OK);
    return move;
}

static void good_moves_are_drawn(void **unused) {
    (void)unused;
    struct yo_session *s = new_go(path);
    int center = 0;
    for (int i = 0; i < 60; i++) {
        bool from_book;
        yo_go_point move = next(s, &from_book);
        assert_true(from_book && (move == point_of("E5") || move == point_of("D5")));
        center += move == point_of("E5");
        yo_go_game_clear(yo_session_go(s), 9);
    }
    assert_true(center > 5 && center < 55);
    yo_session_delete(s);
}

/* The move is played, the answer too, and then the search goes on by itself. */
static void a_line_ends(void **unused) {
    (void)unused;
    struct yo_session *s = new_go(path);
    bool from_book;
    assert_int_equal(yo_session_set(s, YO_ON_CLI, "playouts", "20", NULL), YO_OK);
    assert_int_equal(yo_go_game_play(yo_session_go(s), YO_GO_BLACK, point_of("E5"), NULL), YO_OK);
    next(s, &from_book);
    assert_true(from_book);
    assert_int_equal(yo_go_game_move_count(yo_session_go(s)), 2);
    next(s, &from_book);
    assert_false(from_book);
    assert_int_equal(yo_go_game_move_count(yo_session_go(s)), 3);
    yo_session_delete(s);
}

/* The same seed plays the same moves; without one, sessions differ. */
static void seeds(void **unused) {
    (void)unused;
    uint64_t drawn[2] = {0};
    for (int k = 0; k < 2; k++) {
        struct yo_session *s = new_go(path);
        assert_int_equal(yo_session_set(s, YO_ON_CLI, "seed", "5", NULL), YO_OK);
        for (int i = 0; i < 40; i++) {
            bool from_book;
            drawn[k] = 2 * drawn[k] + (next(s, &from_book) == point_of("E5"));
            yo_go_game_clear(yo_session_go(s), 9);
        }
        yo_session_delete(s);
    }
    assert_true(drawn[0] == drawn[1]);
}

static bool plays_book(const char *book, const char *key, const char *value) {
    struct yo_session *s = new_go(book);
    bool found;
    struct yo_search_result result;
    assert_int_equal(yo_session_set(s, YO_ON_CLI, key, value, NULL), YO_OK);
    assert_int_equal(yo_session_book(s, YO_GO_BLACK, &result, &found, NULL), YO_OK);
    yo_session_delete(s);
    return found;
}

static void when_it_is_used(void **unused) {
    (void)unused;
    assert_true(plays_book(NULL, "time", "1"));
    assert_true(plays_book(NULL, "level", "3"));
    assert_false(plays_book(NULL, "playouts", "10"));
    assert_true(plays_book("builtin", "playouts", "10"));
    assert_false(plays_book("off", "time", "1"));
    assert_false(plays_book("no_book", "time", "1"));
}

static void a_missing_file_is_an_error(void **unused) {
    (void)unused;
    struct yo_session *s = new_go("/no such folder/a.sgf");
    struct yo_diag diag = {0};
    assert_int_not_equal(yo_session_prepare(s, &diag), YO_OK);
    char text[256];
    yo_diag_format(&diag, text, sizeof text);
    assert_non_null(strstr(text, "/no such folder/a.sgf"));
    yo_session_delete(s);
}

/* ---- The built-in books ---- */

/* Plays on while the book has a move; returns how many. */
static int go_length(struct yo_go_book *book, int size, uint64_t *random) {
    struct yo_go_game *game;
    struct yo_go_book_move move;
    int length = 0;
    assert_int_equal(yo_go_game_new(size, NULL, &game), YO_OK);
    while (yo_book_draw_go(book, game, yo_go_game_to_move(game), random, &move)) {
        assert_true(move.winrate_to_move > 0.2 && move.winrate_to_move < 0.8);
        assert_int_equal(yo_go_game_play(game, yo_go_game_to_move(game), move.move, NULL), YO_OK);
        length++;
    }
    yo_go_game_delete(game);
    return length;
}

static void builtin_go(void **unused) {
    (void)unused;
    static const int sizes[] = {9, 19};
    struct yo_go_book *book;
    uint64_t random = 1;
    assert_int_equal(yo_book_open_go("builtin", &book, NULL), YO_OK);
    for (int i = 0; i < 2; i++) {
        int longest = 0;
        for (int games = 0; games < 100; games++) {
            int length = go_length(book, sizes[i], &random);
            if (length > longest) longest = length;
            assert_true(length > 0);
        }
        assert_true(longest >= 3);
    }
    yo_go_book_delete(book);
}

/* What people open with on 9x9, in any corner, though the book itself opens otherwise. */
static void builtin_go_answers(void **unused) {
    (void)unused;
    static const char *const openings[] = {"E5", "C3", "G7", "C5", "E3", "D4", "C4", "E4"};
    struct yo_go_book *book;
    struct yo_go_game *game;
    struct yo_go_book_move move;
    uint64_t random = 1;
    assert_int_equal(yo_book_open_go("builtin", &book, NULL), YO_OK);
    for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++) {
        yo_go_point point;
        assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
        assert_int_equal(yo_go_point_parse(openings[i], 9, &point, NULL), YO_OK);
        assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, point, NULL), YO_OK);
        assert_true(yo_book_draw_go(book, game, YO_GO_WHITE, &random, &move));
        yo_go_game_delete(game);
    }
    yo_go_book_delete(book);
}

static void builtin_shogi(void **unused) {
    (void)unused;
    struct yo_shogi_book *book;
    uint64_t random = 1;
    int longest = 0;
    assert_int_equal(yo_book_open_shogi("auto", &book, NULL), YO_OK);
    for (int games = 0; games < 100; games++) {
        struct yo_shogi_game *game;
        struct yo_shogi_book_move move;
        int length = 0;
        assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
        while (yo_book_draw_shogi(book, shogi_game_now(game), &random, &move)) {
            assert_true(move.value > -400 && move.value < 400);
            assert_int_equal(yo_shogi_game_play(game, move.move, NULL), YO_OK);
            length++;
        }
        if (length > longest) longest = length;
        assert_true(length > 0);
        yo_shogi_game_delete(game);
    }
    assert_true(longest >= 3);
    yo_shogi_book_delete(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_moves_are_drawn),
        cmocka_unit_test(a_line_ends),
        cmocka_unit_test(seeds),
        cmocka_unit_test(when_it_is_used),
        cmocka_unit_test(a_missing_file_is_an_error),
        cmocka_unit_test(builtin_go),
        cmocka_unit_test(builtin_go_answers),
        cmocka_unit_test(builtin_shogi),
    };
    return cmocka_run_group_tests(tests, write_book, remove_book);
}
