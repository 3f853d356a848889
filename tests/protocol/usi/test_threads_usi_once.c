/* USI: every go is answered once, whatever is sent when. */
#include "support/test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "support/usi_talk.h"

static void stop_ends_an_endless_search(void **unused) {
    (void)unused;
    usi_forget();
    usi_say("go infinite");
    usi_await("info depth");
    assert_int_equal(usi_count("bestmove"), 0);
    usi_say("stop");
    assert_int_equal(usi_count("bestmove"), 1);
    usi_say("stop");
    assert_int_equal(usi_count("bestmove"), 1);
}

/* A search that has nothing left to do still waits to be asked. */
static void infinite_waits_for_stop(void **unused) {
    (void)unused;
    usi_say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    usi_forget();
    usi_say("go infinite");
    usleep(20000);
    assert_int_equal(usi_count("bestmove"), 0);
    usi_say("stop");
    assert_int_equal(usi_count("bestmove resign"), 1);
}

/* ---- Pondering ---- */

static void hit(const char *go, const char *line) {
    usi_forget();
    usi_say(go);
    usleep(10000);
    assert_int_equal(usi_count("bestmove"), 0);
    usi_say(line);
    yo_usi_wait(usi_engine());
    assert_int_equal(usi_count("bestmove"), 1);
    usi_say("ponderhit");
    usi_say("stop");
    assert_int_equal(usi_count("bestmove"), 1);
}

static void pondering(void **unused) {
    (void)unused;
    usi_say("position startpos moves 7g7f");
    hit("go ponder btime 1000 wtime 1000 byoyomi 100", "ponderhit");
    hit("go ponder btime 1000 wtime 1000", "ponderhit btime 500 wtime 100 byoyomi 50");
    hit("go ponder depth 2", "ponderhit"); /* has long been ready */
    hit("go ponder movetime 30", "ponderhit");
    hit("go ponder btime 900 wtime 900", "stop");
    /* Clocks that cannot be read are said, and the old ones hold. */
    hit("go ponder btime 900 wtime 900", "ponderhit btime 500 wtime soon");
    usi_assert_said("info string ponderhit: wtime wants a number, not 'soon'");
}

/* The clocks of ponderhit are those that count: an hour to think about, and then 50 ms. */
static void a_hit_brings_its_clocks(void **unused) {
    (void)unused;
    hit("go ponder btime 3600000 wtime 3600000", "ponderhit btime 50 wtime 50");
}

/* The opponent's move is thought about, and then ours; the answer is one of ours either way. */
static void stochastic_ponder(void **unused) {
    (void)unused;
    usi_say("setoption name Stochastic_Ponder value true");
    /* The king steps where it can be mated in one. */
    usi_say("position sfen 5k3/9/4P4/9/9/9/9/9/4K4 w G 1 moves 4a5a");
    hit("go ponder btime 1000 wtime 1000 byoyomi 100", "ponderhit");
    assert_string_equal(usi_best(), "G*5b");
    hit("go ponder btime 1000 wtime 1000 byoyomi 100", "stop");
    assert_string_equal(usi_best(), "G*5b");
    assert_int_equal(usi_count("info depth"), 0); /* lines of the opponent's would confuse */
    usi_say("position startpos");                 /* no move to take back */
    hit("go ponder btime 100 wtime 100", "ponderhit");
}

/* ---- What comes between ---- */

static void every_go_is_answered_once(void **unused) {
    (void)unused;
    static const char *const between[] = {"stop", "position startpos", "gameover win",
                                          "usinewgame"};
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
        usi_forget();
        usi_say("go infinite");
        usi_say(between[i]);
        assert_int_equal(usi_count("bestmove"), 1);
    }
    usi_forget();
    usi_say("go infinite");
    usi_say("go depth 3");
    yo_usi_wait(usi_engine());
    assert_int_equal(usi_count("bestmove"), 2);
    usi_forget();
    usi_say("go infinite");
    assert_false(yo_usi_line(usi_engine(), "quit"));
    assert_int_equal(usi_count("bestmove"), 1);
}

/* ---- At random ---- */

/* Answers that are due. Never less than none, never more than one. */
static atomic_int due;
static atomic_bool resigned;

static void judge(void *user, const char *line) {
    (void)user;
    assert_null(strpbrk(line, "\r\n"));
    if (strstr(line, "resign")) atomic_store(&resigned, true);
    if (strncmp(line, "bestmove ", 9) == 0 || strncmp(line, "checkmate ", 10) == 0) {
        int before = atomic_fetch_sub(&due, 1);
        if (before < 1) fail_msg("an answer that nobody asked for: %s", line);
    }
}

static uint64_t random_state;

static size_t random_below(size_t bound) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (size_t)(random_state >> 33) % bound;
}

static const char *const lines[] = {
    "go infinite",
    "go ponder btime 1000 wtime 1000 byoyomi 20",
    "go ponder infinite",
    "go btime 0 wtime 0 byoyomi 5",
    "go btime 100 wtime 100 binc 10 winc 10",
    "go depth 2",
    "go nodes 300",
    "go movetime 3",
    "go depth 1 searchmoves 7g7f 2g2f",
    "go mate 5",
    "go mate infinite",
    "go wrong",
    "go depth x",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit btime 20 wtime 20",
    "ponderhit wrong",
    "position startpos",
    "position startpos moves 7g7f 3c3d",
    "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
    "position sfen 4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b 2RB3P 1",
    "position wrong",
    "usinewgame",
    "gameover lose",
    "gameover",
    "isready",
    "usi",
    "setoption name MultiPV value 2",
    "setoption name MultiPV value 1",
    "setoption name Stochastic_Ponder value true",
    "setoption name Stochastic_Ponder value false",
    "setoption name USI_Ponder value true",
    "setoption name wrong value 1",
    "",
};

static bool is_good_go(const char *line) {
    return strncmp(line, "go ", 3) == 0 && !strstr(line, "wrong") && !strstr(line, " x");
}

/* searchmoves may be illegal in the position at hand, and then the go is no good: known by the
 * judge's engine saying so. It is left to the tests of single commands. */
static void send(struct yo_usi *usi, const char *line) {
    if (strstr(line, "searchmoves")) assert_true(yo_usi_line(usi, "position startpos"));
    /* The search before is answered before this one may be. */
    if (is_good_go(line)) atomic_fetch_add(&due, 1);
    assert_true(yo_usi_line(usi, line));
    int now = atomic_load(&due);
    if (now < 0 || now > 1) fail_msg("%d answers are due after: %s", now, line);
}

/* Without memory too; and with memory again all is well. */
static void without_memory(void **unused) {
    (void)unused;
    static const char *const asked[] = {"isready", "position startpos moves 7g7f 3c3d",
                                        "go depth 1", "go mate 5", "go depth 1"};
    for (long n = 0; n < 60; n++) {
        struct yo_usi *usi;
        assert_int_equal(
            yo_usi_new(&(struct yo_usi_config){.write = judge, .tune = false}, &usi, NULL), YO_OK);
        assert_true(yo_usi_line(usi, "setoption name USI_Hash value 4"));
        assert_true(yo_usi_line(usi, "setoption name Threads value 2"));
        yo_alloc_fail_after(n);
        for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
            if (is_good_go(asked[i])) atomic_fetch_add(&due, 1);
            assert_true(yo_usi_line(usi, asked[i]));
            yo_usi_wait(usi);
            assert_int_equal(atomic_load(&due), 0);
        }
        yo_alloc_fail_after(-1);
        atomic_store(&resigned, false);
        atomic_fetch_add(&due, 1);
        assert_true(yo_usi_line(usi, "go depth 1"));
        yo_usi_delete(usi);
        assert_int_equal(atomic_load(&due), 0);
        assert_false(atomic_load(&resigned));
    }
}

static void any_sequence(void **unused) {
    (void)unused;
    for (int session = 0; session < 20; session++) {
        struct yo_usi *usi;
        random_state = (uint64_t)session;
        assert_int_equal(
            yo_usi_new(&(struct yo_usi_config){.write = judge, .tune = false}, &usi, NULL), YO_OK);
        assert_true(yo_usi_line(usi, "setoption name USI_Hash value 1"));
        for (int i = 0; i < 40; i++) {
            send(usi, lines[random_below(sizeof lines / sizeof lines[0])]);
            if (random_below(2)) usleep((useconds_t)random_below(8000));
        }
        switch (random_below(3)) {
        case 0:
            assert_true(yo_usi_line(usi, "stop"));
            break;
        case 1:
            assert_false(yo_usi_line(usi, "quit"));
            break;
        default:
            yo_usi_wait(usi);
        }
        yo_usi_delete(usi);
        assert_int_equal(atomic_load(&due), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stop_ends_an_endless_search, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(infinite_waits_for_stop, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(pondering, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(a_hit_brings_its_clocks, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(stochastic_ponder, usi_set_up, usi_tear_down),
        cmocka_unit_test_setup_teardown(every_go_is_answered_once, usi_set_up, usi_tear_down),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(any_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
