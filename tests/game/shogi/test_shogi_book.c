/* book.c: what is found in a book, and what is none. */
#include "support/test.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "game/shogi/book.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

#define HEADER "#YANEURAOU-DB2016 1.00\n"
#define BOARD  "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"

static struct yo_shogi_book *read_book(const char *text) {
    struct yo_shogi_book *book;
    struct yo_diag diag = {0};
    if (yo_shogi_book_read(text, strlen(text), &book, &diag)) fail_msg("%s", diag.what);
    return book;
}

static size_t find(const struct yo_shogi_book *book, const char *sfen,
                   struct yo_shogi_book_move *moves) {
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse(sfen, &pos, NULL), YO_OK);
    return yo_shogi_book_find(book, &pos, moves, 8);
}

static void assert_move(yo_shogi_move move, const char *text) {
    char out[YO_SHOGI_MOVE_TEXT];
    assert_string_equal(yo_shogi_move_format(move, out), text);
}

static void moves_are_found(void **unused) {
    (void)unused;
    struct yo_shogi_book_move moves[8];
    struct yo_shogi_book *book = read_book(HEADER "# NOE:1\r\n"
                                                  "sfen " BOARD " b - 1\r\n"
                                                  "7g7f 3c3d 42 30 120\r\n"
                                                  "// a comment\r\n"
                                                  "2g2f none -7\r\n"
                                                  "1a1b none 900 30 1\r\n" /* not legal */
                                                  "resign none 0 0 0\r\n"
                                                  "5i5h\r\n"
                                                  "\r\n"
                                                  "sfen " BOARD " w - 2\r\n"
                                                  "3c3d 7g7f 5 20 3\r\n"
                                                  "sfen " BOARD " b - 7\r\n" /* again */
                                                  "9g9f none 0 0 0");
    assert_int_equal(yo_shogi_book_positions(book), 3);
    assert_int_equal(find(book, BOARD " b - 35", moves), 3);
    assert_move(moves[0].move, "7g7f");
    assert_move(moves[0].reply, "3c3d");
    assert_int_equal(moves[0].value, 42);
    assert_int_equal(moves[0].depth, 30);
    assert_int_equal(moves[0].count, 120);
    assert_move(moves[1].move, "2g2f");
    assert_int_equal(moves[1].reply, YO_SHOGI_NO_MOVE);
    assert_int_equal(moves[1].value, -7);
    assert_int_equal(moves[1].count, 0);
    assert_move(moves[2].move, "5i5h");
    assert_int_equal(find(book, BOARD " w - 2", moves), 1);
    assert_move(moves[0].move, "3c3d");
    assert_int_equal(find(book, "4k4/9/9/9/9/9/9/9/4K4 b - 1", moves), 0);
    yo_shogi_book_delete(book);
}

/* Every position of a long walk is found again, each with its own move. */
static void books_may_be_large(void **unused) {
    (void)unused;
    enum { STEPS = 3000 };
    static struct yo_shogi_position walk[STEPS];
    static yo_shogi_move played[STEPS];
    struct yo_buf text = {0};
    uint64_t state = 1;
    yo_buf_str(&text, HEADER);
    yo_shogi_position_start(&walk[0]);
    for (int i = 0; i < STEPS; i++) {
        yo_shogi_move moves[YO_SHOGI_LIST];
        char sfen[YO_SHOGI_SFEN_MAX], move[YO_SHOGI_MOVE_TEXT];
        size_t count = yo_shogi_legal_moves(&walk[i], moves);
        if (count == 0) { /* mated: another game */
            yo_shogi_position_start(&walk[i]);
            count = yo_shogi_legal_moves(&walk[i], moves);
        }
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        played[i] = moves[(state >> 33) % count];
        yo_buf_printf(&text, "sfen %s\n%s none %d 1 1\n", yo_shogi_sfen_format(&walk[i], sfen),
                      yo_shogi_move_format(played[i], move), i);
        if (i + 1 < STEPS) {
            walk[i + 1] = walk[i];
            yo_shogi_play(&walk[i + 1], played[i]);
        }
    }
    struct yo_shogi_book *book = read_book(yo_buf_text(&text));
    assert_int_equal(yo_shogi_book_positions(book), STEPS);
    for (int i = 0; i < STEPS; i++) {
        struct yo_shogi_book_move found;
        assert_int_equal(yo_shogi_book_find(book, &walk[i], &found, 1), 1);
        /* The same position may have been there before. */
        assert_true(found.value <= i && shogi_hash(&walk[found.value]) == shogi_hash(&walk[i]));
        assert_int_equal(found.move, played[found.value]);
    }
    yo_shogi_book_delete(book);
    yo_buf_free(&text);
}

static void room_is_respected(void **unused) {
    (void)unused;
    struct yo_shogi_book *book =
        read_book(HEADER "sfen " BOARD " b - 1\n7g7f\n2g2f\n9g9f\n1g1f\n5g5f\n");
    struct yo_shogi_book_move moves[8];
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    assert_int_equal(yo_shogi_book_find(book, &pos, moves, 3), 3);
    assert_int_equal(yo_shogi_book_find(book, &pos, moves, 8), 5);
    yo_shogi_book_delete(book);
}

static void assert_refused(const char *text, size_t len, int line, const char *what) {
    struct yo_shogi_book *book;
    struct yo_diag diag = {0};
    assert_int_not_equal(yo_shogi_book_read(text, len, &book, &diag), YO_OK);
    if (!strstr(diag.what, what)) fail_msg("not said: %s; but: %s", what, diag.what);
    assert_int_equal(diag.line, line);
}

static void what_is_no_book(void **unused) {
    (void)unused;
    static const char zero[] = HEADER "\0sfen";
#define REFUSED(text, line, what) assert_refused(text, strlen(text), line, what)
    REFUSED("", 0, "this is no book");
    REFUSED("sfen " BOARD " b - 1\n7g7f\n", 0, "this is no book");
    REFUSED(HEADER "7g7f none 0 0 0\n", 2, "before the first position");
    REFUSED(HEADER "\nsfen " BOARD " x - 1\n", 3, "side to move");
    REFUSED(HEADER "sfen " BOARD " b - 1\nhello\n", 3, "hello is no move");
    assert_refused(zero, sizeof zero - 1, 0, "no text file");
    struct yo_shogi_book *book;
    struct yo_diag diag = {0};
    assert_int_equal(yo_shogi_book_load("/no such folder/book.db", &book, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, "cannot open /no such folder/book.db"));
    assert_int_equal(yo_shogi_book_load("tests", &book, &diag), YO_ERR_IO);
}

static void every_allocation_may_fail(void **unused) {
    (void)unused;
    static const char text[] = HEADER "sfen " BOARD " b - 1\n7g7f none 0 0 0\n";
    struct yo_shogi_book *book = NULL;
    for (long n = 0; !book; n++) {
        struct yo_diag diag = {0};
        yo_alloc_fail_after(n);
        enum yo_err err = yo_shogi_book_read(text, sizeof text - 1, &book, &diag);
        yo_alloc_fail_after(-1);
        assert_true(err == YO_OK || err == YO_ERR_NOMEM);
    }
    yo_shogi_book_delete(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_found),           cmocka_unit_test(books_may_be_large),
        cmocka_unit_test(room_is_respected),         cmocka_unit_test(what_is_no_book),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
