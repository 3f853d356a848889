/* USI's options: each has its effect, and a bad one none. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "support/usi_talk.h"

/* ---- What is told of them ---- */

static void well_known_names_are_there(void **unused) {
    (void)unused;
    static const char *const names[] = {
        "USI_Hash",          "USI_Ponder",          "Threads",   "MultiPV",     "NetworkDelay",
        "NetworkDelay2",     "MinimumThinkingTime", "SlowMover", "ResignValue", "MaxMovesToDraw",
        "EnteringKingRule",  "USI_OwnBook",         "BookFile",  "EvalFile",    "FV_SCALE",
        "Stochastic_Ponder",
    };
    usi_say("usi");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char line[80];
        snprintf(line, sizeof line, "option name %s type ", names[i]);
        if (usi_count(line) != 1) fail_msg("%s is not there once", names[i]);
    }
    /* "option name NAME type TYPE default VALUE": one word each, or clients read nonsense. */
    for (const char *p = usi_said(); (p = strstr(p, "option name ")); p++) {
        char name[32], type[16], value[32], next[16] = "";
        int got =
            sscanf(p, "option name %31s type %15s default %31s %15[^\n]", name, type, value, next);
        assert_true(got >= 3);
        bool spin = strcmp(type, "spin") == 0, combo = strcmp(type, "combo") == 0;
        bool plain = strcmp(type, "check") == 0 || strcmp(type, "string") == 0;
        assert_true(spin || combo || plain);
        const char *expected = spin ? "min " : combo ? "var " : "option";
        if (strncmp(next, expected, strlen(expected)) != 0 && strncmp(next, "usiok", 5) != 0)
            fail_msg("%s: '%s' behind the default", name, next);
    }
}

/* docs/usi.md has a row for each, with its default. */
static void the_page_has_them_all(void **unused) {
    (void)unused;
    static char page[1 << 16];
    FILE *file = fopen("docs/usi.md", "rb");
    assert_non_null(file);
    size_t len = fread(page, 1, sizeof page - 1, file);
    fclose(file);
    assert_true(len > 0 && len < sizeof page - 1);
    usi_say("usi");
    for (const char *p = usi_said(); (p = strstr(p, "option name ")); p++) {
        char name[32], value[32], row[100];
        assert_int_equal(sscanf(p, "option name %31s type %*s default %31s", name, value), 2);
        const char *quote = *value == '<' ? "`" : ""; /* or it would be taken for HTML */
        snprintf(row, sizeof row, "\n| `%s` | %s%s%s | ", name, quote, value, quote);
        if (!strstr(page, row)) fail_msg("docs/usi.md has no row%s", row);
    }
}

/* More than the machine has: what it can hold is taken, at once. */
static void a_table_too_large(void **unused) {
    (void)unused;
    usi_say("setoption name USI_Hash value 65536");
    int64_t start = yo_time_ms();
    usi_say("isready");
    usi_say("usinewgame");
    usi_assert_said("readyok");
    assert_true(yo_time_ms() - start < 60 * 1000);
    if (yo_memory_mb() < 2 * 65536) usi_assert_said("not enough memory for USI_Hash 65536");
}

/* The search's margins are offered for tuning alone, and then they have their effect. */
static void margins_are_options_for_tuning(void **unused) {
    (void)unused;
    usi_say("usi");
    assert_int_equal(usi_count("option name futility_margin"), 0);
    usi_say("setoption name futility_margin value 10");
    usi_assert_said("info string setoption: there is no option futility_margin");
    usi_go("go depth 12");
    int usual = usi_nodes();

    assert_int_equal(usi_tear_down(NULL), 0);
    assert_int_equal(usi_set_up_tuned(NULL), 0);
    usi_say("usi");
    usi_assert_said("option name futility_margin type spin default ");
    usi_go("go depth 12");
    assert_int_equal(usi_nodes(), usual);
    usi_say("setoption name futility_margin value 10");
    usi_say("usinewgame");
    usi_go("go depth 12");
    assert_int_not_equal(usi_nodes(), usual);
    usi_go("setoption name futility_margin value 9");
    usi_assert_said("info string setoption: futility_margin: 9 is out of range");
}

static void bad_options_change_nothing(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *reason;
    } bad[] = {
        {"setoption name MultiPV value three", "MultiPV: three is not a whole number"},
        {"setoption name MultiPV value 0", "MultiPV: 0 is out of range; it takes 1 to 600"},
        {"setoption name MultiPV value 1000", "out of range"},
        {"setoption name MultiPV", "an empty value"},
        {"setoption name MultiPV 3", "expected value, not 3"},
        {"setoption name MultiPvs value 3", "no option MultiPvs; did you mean MultiPV?"},
        {"setoption name EnteringKingRule value Rule27", "it takes NoEnteringKing, CSARule24,"},
        {"setoption name USI_OwnBook value maybe", "neither true nor false"},
        {"setoption", "setoption name NAME value VALUE"},
    };
    usi_say("setoption name MultiPV value 2");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        usi_forget();
        usi_say(bad[i].line);
        usi_assert_said("info string ");
        usi_assert_said(bad[i].reason);
    }
    usi_go("go depth 2");
    usi_assert_said(" multipv 2 ");
    assert_int_equal(usi_count(" multipv 3 "), 0);
}

/* ---- Playing ---- */

/* For clients that cannot limit a search but by time. */
static void positions_for_each_move(void **unused) {
    (void)unused;
    const char *const searches[] = {"alphabeta", "uct"}, *const keys[] = {"playouts", "visits"};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++) {
            char line[80];
            snprintf(line, sizeof line, "setoption name search value %s", searches[s]);
            usi_say(line);
            snprintf(line, sizeof line, "setoption name %s value 3000", keys[k]);
            usi_say(line);
            usi_say("usinewgame");
            usi_go("go btime 3600000 wtime 3600000");
            assert_in_range(usi_nodes(), 1000, 4000);
            usi_go("go nodes 500"); /* the client's own number counts */
            assert_in_range(usi_nodes(), 100, 900);
            snprintf(line, sizeof line, "setoption name %s value 0", keys[k]);
            usi_say(line);
        }
}

static void resigning(void **unused) {
    (void)unused;
    usi_say("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/9/9/4K4 b - 1");
    usi_go("go depth 2");
    assert_true(strcmp(usi_best(), "resign") != 0);
    usi_say("setoption name ResignValue value 500");
    usi_go("go depth 2");
    assert_string_equal(usi_best(), "resign");
    usi_forget();
    usi_say("go infinite"); /* an analysis does not give up */
    usi_await("info depth 2 ");
    usi_say("stop");
    assert_true(strcmp(usi_best(), "resign") != 0);
}

/* A rook more is worth nothing when the game is drawn after this move. */
static void drawn_by_length(void **unused) {
    (void)unused;
    usi_say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b R 40");
    usi_go("go depth 2");
    assert_int_equal(usi_count("score cp 0 "), 0);
    usi_say("setoption name MaxMovesToDraw value 40");
    usi_say("usinewgame");
    usi_go("go depth 2");
    usi_assert_said("depth 2 seldepth 2 score cp 0 ");
}

/* 28 points, and the king on the other's first square. */
static void entered_kings(void **unused) {
    (void)unused;
    static const struct {
        const char *rule;
        bool wins;
    } rules[] = {{"NoEnteringKing", false}, {"CSARule24", false},  {"CSARule27", true},
                 {"TryRule", true},         {"CSARule24H", false}, {"CSARule27H", true}};
    usi_say("position sfen 4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b 2RB3P 1");
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        char line[80];
        snprintf(line, sizeof line, "setoption name EnteringKingRule value %s", rules[i].rule);
        usi_say(line);
        usi_go("go depth 1");
        if ((strcmp(usi_best(), "win") == 0) != rules[i].wins)
            fail_msg("%s: %s", rules[i].rule, usi_best());
    }
}

/* ---- Time. Only what noise cannot change is looked at: far less than otherwise, or at least so
 * much. ---- */

static int64_t spent(const char *go) {
    int64_t start = yo_time_ms();
    usi_go(go);
    assert_int_equal(usi_count("bestmove"), 1);
    return yo_time_ms() - start;
}

static void delays_shorten_moves(void **unused) {
    (void)unused;
    usi_say("isready");
    usi_say("setoption name NetworkDelay2 value 10000");
    assert_true(spent("go btime 0 wtime 0 byoyomi 10100") < 6000); /* not 9.9 seconds */
}

static void moves_take_their_time(void **unused) {
    (void)unused;
    static const char go[] = "go btime 600000 wtime 600000"; /* some seven seconds */
    usi_say("setoption name BookFile value off");
    usi_say("isready");
    usi_say("setoption name MinimumThinkingTime value 0");
    usi_say("setoption name SlowMover value 1");
    assert_true(spent(go) < 3000);
    usi_say("setoption name SlowMover value 5");
    usi_say("setoption name MinimumThinkingTime value 400");
    assert_true(spent(go) >= 400);
    usi_say("setoption name MinimumThinkingTime value 0");
    usi_say("setoption name SlowMover value 8");
    assert_true(spent(go) >= 870); /* the second is charged: 880 ms */
    usi_say("setoption name NetworkDelay value 250");
    assert_true(spent(go) >= 740);
}

/* ---- Books ---- */

#define BOOK "tests/data/usi/book.db"

static void books(void **unused) {
    (void)unused;
    usi_say("setoption name BookFile value " BOOK);
    usi_forget();
    usi_say("isready");
    assert_string_equal(usi_said(), "info string BookFile " BOOK ": 3 positions\nreadyok\n");
    usi_forget();
    usi_say("isready"); /* it is there */
    assert_string_equal(usi_said(), "readyok\n");
    usi_say("position startpos moves 7g7f");
    usi_go("go btime 60000 wtime 60000");
    assert_string_equal(usi_said(), "info string a move of the book\n"
                                    "info depth 20 seldepth 20 score cp -30 nodes 0 nps 0 hashfull "
                                    "0 time 0 pv 3c3d 2g2f\n"
                                    "bestmove 3c3d ponder 2g2f\n");
    usi_go("go depth 1 searchmoves 8c8d"); /* a question, not a game */
    assert_string_equal(usi_best(), "8c8d");
    usi_forget();
    usi_say("go infinite");
    usi_await("info depth");
    usi_say("stop");
    assert_int_equal(usi_count("of the book"), 0);
    usi_say("setoption name USI_OwnBook value false");
    usi_go("go depth 1");
    assert_int_equal(usi_count("of the book"), 0);
    usi_say("setoption name USI_OwnBook value true");
    usi_go("go depth 1");
    assert_int_equal(usi_count("of the book"), 1);
    usi_say("setoption name BookFile value no_book");
    usi_go("go depth 1");
    assert_int_equal(usi_count("of the book"), 0);
}

/* A move was pondered on that leads into the book: the answer comes from there. */
static void books_after_pondering(void **unused) {
    (void)unused;
    usi_say("setoption name BookFile value " BOOK);
    usi_say("position startpos moves 7g7f");
    usi_forget();
    usi_say("go ponder btime 600000 wtime 600000");
    usi_await("info depth");
    assert_int_equal(usi_count("of the book"), 0);
    usi_say("ponderhit");
    yo_usi_wait(usi_engine());
    assert_int_equal(usi_count("of the book"), 1);
    assert_string_equal(usi_best(), "3c3d");
}

/* Of the first position 7g7f is there four times as often as 2g2f; 9g9f is bad, 1a1b illegal. */
static void books_have_a_choice(void **unused) {
    (void)unused;
    int pawn = 0, rook = 0;
    usi_say("setoption name BookFile value " BOOK);
    usi_say("isready");
    for (int i = 0; i < 200; i++) {
        usi_go("go btime 60000 wtime 60000");
        pawn += strcmp(usi_best(), "7g7f") == 0;
        rook += strcmp(usi_best(), "2g2f") == 0;
    }
    assert_int_equal(pawn + rook, 200);
    assert_true(pawn > 110 && rook > 10); /* 160 and 40; nine standard deviations and five */
}

static void missing_books_are_said(void **unused) {
    (void)unused;
    usi_say("setoption name BookFile value /no such folder/book.db");
    usi_forget();
    usi_say("isready");
    usi_assert_said("info string BookFile: cannot open /no such folder/book.db");
    usi_assert_said("info string playing without a book\nreadyok\n");
    usi_go("go depth 1");
    assert_int_equal(usi_count("info string"), 0);
    usi_say("setoption name BookFile value README.md");
    usi_forget();
    usi_say("isready");
    usi_assert_said("info string BookFile: README.md: this is no book; expected");
    usi_assert_said("readyok\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, usi_set_up, usi_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(well_known_names_are_there),
        TEST(the_page_has_them_all),
        TEST(bad_options_change_nothing),
        TEST(a_table_too_large),
        TEST(margins_are_options_for_tuning),
        TEST(positions_for_each_move),
        TEST(resigning),
        TEST(drawn_by_length),
        TEST(entered_kings),
        TEST(delays_shorten_moves),
        TEST(moves_take_their_time),
        TEST(books),
        TEST(books_after_pondering),
        TEST(books_have_a_choice),
        TEST(missing_books_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
