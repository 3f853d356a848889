/* USI: what is said to what. That every go is answered once is test_threads_usi_once.c's. */
#include "support/test.h"

#include <string.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "support/usi_talk.h"

/* ---- Talking ---- */

static void handshake(void **unused) {
    (void)unused;
    usi_say("usi");
    assert_true(strncmp(usi_said(), "id name Yomi ", 13) == 0);
    usi_assert_said("option name USI_Hash type spin default 64 min 1 max 65536\n");
    usi_assert_said(
        "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing ");
    assert_string_equal(usi_said() + strlen(usi_said()) - 6, "usiok\n");
    usi_forget();
    usi_say("isready");
    assert_string_equal(usi_said(), "readyok\n");
    usi_forget();
    usi_say("setoption name USI_Hash value huge");
    usi_assert_said(
        "info string setoption: USI_Hash: huge is not a whole number; it takes 1 to 65536");
    usi_forget();
    usi_say("setoption name USI_Hash value 2");
    usi_say("usinewgame");
    usi_say("");
    assert_string_equal(usi_said(), "");
    usi_say("frobnicate");
    usi_assert_said("info string unknown command frobnicate");
    assert_false(yo_usi_line(usi_engine(), "quit"));
}

static void an_info_line_has_its_parts(void **unused) {
    (void)unused;
    usi_go("go depth 3");
    usi_assert_said("info depth 3 seldepth ");
    usi_assert_said(" score cp ");
    usi_assert_said(" nps ");
    usi_assert_said(" hashfull ");
    usi_assert_said(" time ");
    usi_assert_said(" pv ");
    usi_go("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    usi_go("go depth 3");
    usi_assert_said("score mate 1 ");
    usi_assert_said("bestmove G*5b\n");
}

static void several_lines_are_reported(void **unused) {
    (void)unused;
    usi_say("setoption name MultiPV value 3");
    usi_go("go depth 3");
    usi_assert_said(" multipv 1 score ");
    usi_assert_said(" multipv 3 score ");
    assert_int_equal(usi_count("bestmove"), 1);
    usi_say("setoption name MultiPV value 1");
    usi_say("setoption name Threads value 3");
    usi_go("go depth 3");
    assert_int_equal(usi_count("multipv"), 0);
    assert_int_equal(usi_count("bestmove"), 1);
}

/* Each rule finds a mate; one that cannot be had is said to be missing. */
static void depth_rules_can_be_chosen(void **unused) {
    (void)unused;
    usi_say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    usi_say("setoption name DepthRule value half");
    usi_go("go depth 3");
    assert_string_equal(usi_best(), "G*5b");
    usi_say("setoption name Pruning value none");
    usi_go("go depth 2");
    assert_string_equal(usi_best(), "G*5b");
    usi_say("setoption name DepthRule value realization");
    usi_go("go depth 2");
    usi_assert_said("info string DepthRule realization wants a ProbabilityFile");
    assert_string_equal(usi_best(), "G*5b");
    usi_say("setoption name ProbabilityFile value /nowhere/table");
    usi_go("go depth 2");
    usi_assert_said("info string ProbabilityFile: cannot open /nowhere/table");
    usi_say("setoption name ProbabilityFile value fuzz/corpus/probability/table.csv");
    usi_go("go depth 2");
    assert_int_equal(usi_count("info string"), 0);
    assert_string_equal(usi_best(), "G*5b");
}

/* ---- Positions ---- */

static void bad_positions_change_nothing(void **unused) {
    (void)unused;
    static const char *const lines[] = {
        "position",
        "position startpos moves 7g7e",
        "position startpos moves 7g7f 7g7f",
        "position startpos 7g7f",
        "position sfen 9/9/9 b - 1",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h nonsense",
        "position sfen",
        "position nonsense",
    };
    usi_say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        usi_forget();
        usi_say(lines[i]);
        if (strncmp(usi_said(), "info string ", 12) != 0) fail_msg("%s: %s", lines[i], usi_said());
        usi_go("go depth 2");
        assert_string_equal(usi_best(), "G*5b");
    }
}

/* Lines that are no good leave a search alone. */
static void bad_lines_end_nothing(void **unused) {
    (void)unused;
    usi_say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    usi_forget();
    usi_say("go infinite");
    usi_say("position startpos moves 1a1b");
    usi_say("go deep");
    usi_say("setoption name Depth value 3");
    usi_say("isready");
    usi_say("frobnicate");
    usi_await("readyok");
    assert_int_equal(usi_count("bestmove"), 0);
    assert_int_equal(usi_count("info string "), 4);
    usi_say("stop");
    assert_string_equal(usi_best(), "G*5b");
}

static void bad_gos_are_not_answered(void **unused) {
    (void)unused;
    static const char *const lines[] = {"go depth",       "go btime x",          "go frobnicate",
                                        "go searchmoves", "go searchmoves 7g7e", "go mate soon",
                                        "go nodes 5x"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        usi_go(lines[i]);
        assert_true(strncmp(usi_said(), "info string ", 12) == 0);
        assert_int_equal(usi_count("bestmove"), 0);
    }
    usi_go("go depth 2 searchmoves 9g9f 1g1f");
    assert_true(strcmp(usi_best(), "9g9f") == 0 || strcmp(usi_best(), "1g1f") == 0);
}

static void no_move_and_entered_king(void **unused) {
    (void)unused;
    usi_say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    usi_go("go depth 2");
    assert_string_equal(usi_said(), "bestmove resign\n");
    usi_say("position sfen 4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b 2RB3P 1");
    usi_go("go depth 1");
    assert_string_equal(usi_said(), "bestmove win\n");
    usi_say("setoption name EnteringKingRule value NoEnteringKing");
    usi_go("go depth 1");
    assert_true(strcmp(usi_best(), "win") != 0);
}

static void mates(void **unused) {
    (void)unused;
    usi_say("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
    usi_go("go mate 10000");
    assert_string_equal(usi_said(), "checkmate G*5b\n");
    usi_say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1");
    usi_forget();
    usi_say("go mate infinite");
    usi_await("checkmate");
    usi_say("stop");
    assert_string_equal(usi_said(), "checkmate nomate\n");
    usi_go("go mate 0");
    assert_string_equal(usi_said(), "checkmate nomate\n");
}

/* ---- Whole games ---- */

static void a_game_against_itself(void **unused) {
    (void)unused;
    char line[4096] = "position startpos moves";
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    for (int i = 0; i < 80; i++) {
        yo_shogi_move move;
        usi_say(line);
        usi_go("go nodes 500");
        assert_int_equal(usi_count("bestmove"), 1);
        if (strcmp(usi_best(), "resign") == 0) break;
        assert_int_equal(yo_shogi_move_parse(usi_best(), &move, NULL), YO_OK);
        assert_true(yo_shogi_move_is_sound(&pos, move));
        yo_shogi_play(&pos, move);
        strcat(strcat(line, " "), usi_best());
    }
    assert_true(pos.ply > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(handshake, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(an_info_line_has_its_parts, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(several_lines_are_reported, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(depth_rules_can_be_chosen, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(bad_positions_change_nothing, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(bad_lines_end_nothing, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(bad_gos_are_not_answered, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(no_move_and_entered_king, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(mates, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(a_game_against_itself, usi_set_up, usi_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
