/* USI: what is said, when, and that every go is answered once. */
#include "test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "protocol/usi.h"

/* Everything that was said, each line with its end; under the lock while a search may be talking.
 */
static char said[1 << 20];
static size_t said_len;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct yo_usi *usi;

static void hear(void *user, const char *line) {
    (void)user;
    assert_null(strchr(line, '\n'));
    pthread_mutex_lock(&lock);
    said_len += (size_t)snprintf(said + said_len, sizeof said - said_len, "%s\n", line);
    assert_true(said_len < sizeof said);
    pthread_mutex_unlock(&lock);
}

static int set_up(void **unused) {
    (void)unused;
    said_len = 0;
    said[0] = '\0';
    if (yo_usi_new(hear, NULL, &usi) != YO_OK) return -1;
    return yo_usi_line(usi, "setoption name USI_Hash value 1") ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_usi_delete(usi);
    return 0;
}

static void say(const char *line) { assert_true(yo_usi_line(usi, line)); }

static void forget(void) {
    pthread_mutex_lock(&lock);
    said_len = 0;
    said[0] = '\0';
    pthread_mutex_unlock(&lock);
}

static int count(const char *what) {
    int n = 0;
    pthread_mutex_lock(&lock);
    for (const char *p = said; (p = strstr(p, what)); p += strlen(what))
        n++;
    pthread_mutex_unlock(&lock);
    return n;
}

static void assert_said(const char *what) {
    if (!strstr(said, what)) fail_msg("not said: %s; but:\n%s", what, said);
}

/* The move of the last bestmove. */
static const char *best(void) {
    static char word[16];
    const char *last = NULL;
    for (const char *p = said; (p = strstr(p, "bestmove ")); p++)
        last = p;
    assert_non_null(last);
    assert_int_equal(sscanf(last, "bestmove %15s", word), 1);
    return word;
}

static void go(const char *line) {
    forget();
    say(line);
    yo_usi_wait(usi);
}

/* ---- Talking ---- */

static void handshake(void **unused) {
    (void)unused;
    say("usi");
    assert_true(strncmp(said, "id name Yomi ", 13) == 0);
    assert_said("option name USI_Hash type spin default 64 min 1 max 65536\n");
    assert_said("option name EnteringKingRule type combo default CSARule27 var NoEnteringKing ");
    assert_string_equal(said + said_len - 6, "usiok\n");
    forget();
    say("isready");
    assert_string_equal(said, "readyok\n");
    forget();
    say("setoption name USI_Hash value huge");
    assert_said("info string ");
    forget();
    say("setoption name USI_Hash value 2");
    say("usinewgame");
    say("");
    assert_string_equal(said, "");
    say("frobnicate");
    assert_said("info string unknown command frobnicate");
    assert_false(yo_usi_line(usi, "quit"));
}

static void an_info_line_has_its_parts(void **unused) {
    (void)unused;
    go("go depth 3");
    assert_said("info depth 3 seldepth ");
    assert_said(" score cp ");
    assert_said(" nps ");
    assert_said(" hashfull ");
    assert_said(" time ");
    assert_said(" pv ");
    go("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    go("go depth 3");
    assert_said("score mate 1 ");
    assert_said("bestmove G*5b\n");
}

static void several_lines_are_reported(void **unused) {
    (void)unused;
    say("setoption name MultiPV value 3");
    go("go depth 3");
    assert_said(" multipv 1 score ");
    assert_said(" multipv 3 score ");
    assert_int_equal(count("bestmove"), 1);
    say("setoption name MultiPV value 1");
    say("setoption name Threads value 3");
    go("go depth 3");
    assert_int_equal(count("multipv"), 0);
    assert_int_equal(count("bestmove"), 1);
}

/* Each rule finds a mate; one that cannot be had is said to be missing. */
static void depth_rules_can_be_chosen(void **unused) {
    (void)unused;
    say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    say("setoption name DepthRule value half");
    go("go depth 3");
    assert_string_equal(best(), "G*5b");
    say("setoption name Pruning value none");
    go("go depth 2");
    assert_string_equal(best(), "G*5b");
    say("setoption name DepthRule value realization");
    go("go depth 2");
    assert_said("info string DepthRule realization wants a ProbabilityFile");
    assert_string_equal(best(), "G*5b");
    say("setoption name ProbabilityFile value /nowhere/table");
    go("go depth 2");
    assert_said("info string ProbabilityFile: cannot open /nowhere/table");
    say("setoption name ProbabilityFile value fuzz/corpus/probability/table.csv");
    go("go depth 2");
    assert_int_equal(count("info string"), 0);
    assert_string_equal(best(), "G*5b");
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
    say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        forget();
        say(lines[i]);
        if (strncmp(said, "info string ", 12) != 0) fail_msg("%s: %s", lines[i], said);
        go("go depth 2");
        assert_string_equal(best(), "G*5b");
    }
}

static void bad_gos_are_not_answered(void **unused) {
    (void)unused;
    static const char *const lines[] = {"go depth", "go btime x", "go frobnicate", "go searchmoves",
                                        "go searchmoves 7g7e"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        go(lines[i]);
        assert_true(strncmp(said, "info string ", 12) == 0);
        assert_int_equal(count("bestmove"), 0);
    }
    go("go depth 2 searchmoves 9g9f 1g1f");
    assert_true(strcmp(best(), "9g9f") == 0 || strcmp(best(), "1g1f") == 0);
}

static void no_move_and_entered_king(void **unused) {
    (void)unused;
    say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    go("go depth 2");
    assert_string_equal(said, "bestmove resign\n");
    say("position sfen 4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b 2RB3P 1");
    go("go depth 1");
    assert_string_equal(said, "bestmove win\n");
    say("setoption name EnteringKingRule value NoEnteringKing");
    go("go depth 1");
    assert_true(strcmp(best(), "win") != 0);
}

/* ---- One answer each ---- */

static void stop_ends_an_endless_search(void **unused) {
    (void)unused;
    forget();
    say("go infinite");
    usleep(20000);
    assert_int_equal(count("bestmove"), 0);
    say("stop");
    assert_int_equal(count("bestmove"), 1);
    say("stop");
    assert_int_equal(count("bestmove"), 1);
}

/* A search that has nothing left to do still waits to be asked. */
static void infinite_waits_for_stop(void **unused) {
    (void)unused;
    say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    forget();
    say("go infinite");
    usleep(20000);
    assert_int_equal(count("bestmove"), 0);
    say("stop");
    assert_int_equal(count("bestmove resign"), 1);
}

static void pondering(void **unused) {
    (void)unused;
    say("position startpos moves 7g7f");
    forget();
    say("go ponder btime 1000 wtime 1000 byoyomi 100");
    usleep(10000);
    assert_int_equal(count("bestmove"), 0);
    say("ponderhit");
    yo_usi_wait(usi);
    assert_int_equal(count("bestmove"), 1);
    say("ponderhit");
    assert_int_equal(count("bestmove"), 1);
    forget();
    say("go ponder btime 1000 wtime 1000");
    say("stop");
    assert_int_equal(count("bestmove"), 1);
    forget();
    say("go ponder btime 1000 wtime 1000");
    say("ponderhit btime 500 wtime 100 byoyomi 50");
    yo_usi_wait(usi);
    assert_int_equal(count("bestmove"), 1);
}

static void every_go_is_answered_once(void **unused) {
    (void)unused;
    static const char *const between[] = {"stop",    "go depth 3",   "position startpos",
                                          "isready", "gameover win", "usinewgame"};
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
        forget();
        say("go infinite");
        say(between[i]);
        yo_usi_wait(usi);
        assert_int_equal(count("bestmove"), 1 + (strncmp(between[i], "go", 2) == 0 &&
                                                 strncmp(between[i], "game", 4) != 0));
    }
    forget();
    say("go infinite");
    assert_false(yo_usi_line(usi, "quit"));
    assert_int_equal(count("bestmove"), 1);
}

static void mates(void **unused) {
    (void)unused;
    say("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
    go("go mate 10000");
    assert_string_equal(said, "checkmate G*5b\n");
    say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1");
    forget();
    say("go mate infinite");
    say("stop");
    assert_string_equal(said, "checkmate nomate\n");
}

/* ---- Whole games ---- */

static void a_game_against_itself(void **unused) {
    (void)unused;
    char line[4096] = "position startpos moves";
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    for (int i = 0; i < 80; i++) {
        yo_shogi_move move;
        say(line);
        go("go nodes 500");
        assert_int_equal(count("bestmove"), 1);
        if (strcmp(best(), "resign") == 0) break;
        assert_int_equal(yo_shogi_move_parse(best(), &move, NULL), YO_OK);
        assert_true(yo_shogi_move_is_sound(&pos, move));
        yo_shogi_play(&pos, move);
        strcat(strcat(line, " "), best());
    }
    assert_true(pos.ply > 20);
}

/* ---- Time ---- */

static void budgets_never_lose_on_time(void **unused) {
    (void)unused;
    static const int64_t times[] = {-1, 0, 50, 100, 1000, 60000, 3600000};
    static const int64_t more[] = {-1, 0, 1000, 10000};
    for (size_t t = 0; t < 7; t++)
        for (size_t i = 0; i < 4; i++)
            for (size_t b = 0; b < 4; b++) {
                struct yo_usi_clock clock = {times[t], more[i], more[b]};
                int64_t soft, hard,
                    all = (times[t] > 0 ? times[t] : 0) + (more[b] > 0 ? more[b] : 0);
                yo_usi_budget(&clock, 120, &soft, &hard);
                assert_true(soft >= 1 && soft <= hard);
                assert_true(hard <= all - 120 || hard == 1);
            }
    int64_t soft, hard;
    yo_usi_budget(&(struct yo_usi_clock){0, -1, 1000}, 120, &soft, &hard);
    assert_int_equal(hard, 880);
    assert_true(soft > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(handshake, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_info_line_has_its_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(several_lines_are_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(depth_rules_can_be_chosen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_positions_change_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_gos_are_not_answered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_move_and_entered_king, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stop_ends_an_endless_search, set_up, tear_down),
        cmocka_unit_test_setup_teardown(infinite_waits_for_stop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pondering, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_go_is_answered_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_game_against_itself, set_up, tear_down),
        cmocka_unit_test(budgets_never_lose_on_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
