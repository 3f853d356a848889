/* PUCT and MC softmax search over USI, on a small random network: options, limits, reports, stop,
 * pondering, and what is said if the network is missing or wrong. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "game/shogi/game.h"
#include "game/shogi/text.h"
#include "support/onnx_net.h"
#include "support/usi_talk.h"

static char net_path[64], other_path[64];

static void write_net(char path[64], int planes1, int planes2, unsigned seed) {
    struct onnx_net net = {.planes1 = planes1,
                           .planes2 = planes2,
                           .channels = 8,
                           .blocks = 1,
                           .value_channels = 2,
                           .hidden = 4,
                           .norms = true,
                           .seed = seed};
    struct yo_buf bytes = {0};
    onnx_net_make(&net);
    onnx_net_write(&net, &bytes);
    strcpy(path, "/tmp/yomi-usi-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, yo_buf_text(&bytes), bytes.len), bytes.len);
    close(fd);
    yo_buf_free(&bytes);
    onnx_net_free(&net);
}

static int make_nets(void **unused) {
    (void)unused;
    write_net(net_path, 62, 57, 3);
    write_net(other_path, 104, 0, 4);
    return 0;
}

static int remove_nets(void **unused) {
    (void)unused;
    unlink(net_path);
    unlink(other_path);
    return 0;
}

static void set(const char *name, const char *value) {
    char line[160];
    snprintf(line, sizeof line, "setoption name %s value %s", name, value);
    usi_say(line);
}

static void with_net(const char *search) {
    set("DNN_Model", net_path);
    set("search", search);
    usi_say("isready");
    usi_assert_said("readyok");
}

#define MIDDLE      "position startpos moves 7g7f 3c3d 2g2f 4c4d"
#define MIDDLE_SFEN "lnsgkgsnl/1r5b1/pppp1p1pp/4p1p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 5"

static void answers_with_a_legal_move(void **unused) {
    (void)unused;
    static const char *const searches[] = {"auto", "puct", "mcss"};
    for (size_t i = 0; i < 3; i++) {
        with_net(searches[i]);
        usi_say(MIDDLE);
        usi_go("go nodes 60");
        assert_int_equal(usi_nodes(), 60);
        usi_assert_said("score cp ");
        usi_assert_said(" nps ");
        usi_assert_said(" pv ");
        struct yo_shogi_game *game;
        yo_shogi_move move;
        assert_int_equal(yo_shogi_move_parse(usi_best(), &move, NULL), YO_OK);
        assert_int_equal(yo_shogi_game_new(MIDDLE_SFEN, &game, NULL), YO_OK);
        assert_int_equal(yo_shogi_game_play(game, move, NULL), YO_OK);
        yo_shogi_game_delete(game);
        usi_say("position startpos");
        usi_go("go movetime 30");
        usi_assert_said("bestmove ");
        usi_go("go btime 50 wtime 50 byoyomi 30");
        usi_assert_said("bestmove ");
    }
}

/* The same search twice, word for word but for the times. */
static void the_same_twice(void **unused) {
    (void)unused;
    static const char *const searches[] = {"puct", "mcss"};
    for (size_t i = 0; i < 2; i++) {
        char first[16];
        int nodes[2];
        for (int round = 0; round < 2; round++) {
            with_net(searches[i]);
            usi_say("usinewgame");
            set("seed", "9"); /* a changed option makes a new search */
            usi_say(MIDDLE);
            usi_go("go nodes 100");
            nodes[round] = usi_nodes();
            if (round) assert_string_equal(first, usi_best());
            snprintf(first, sizeof first, "%s", usi_best());
        }
        assert_int_equal(nodes[0], nodes[1]);
    }
}

static void lines_and_moves(void **unused) {
    (void)unused;
    with_net("puct");
    set("MultiPV", "3");
    usi_say("position startpos");
    usi_go("go nodes 200");
    usi_assert_said(" multipv 1 ");
    usi_assert_said(" multipv 3 ");
    assert_int_equal(usi_count(" multipv 4 "), 0);
    usi_go("go nodes 50 searchmoves 9g9f 1g1f");
    assert_true(strcmp(usi_best(), "9g9f") == 0 || strcmp(usi_best(), "1g1f") == 0);
    assert_int_equal(usi_count(" multipv 3 "), 0);
}

static void mates_are_told(void **unused) {
    (void)unused;
    with_net("mcss");
    usi_say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    usi_go("go nodes 10");
    usi_assert_said("score mate 1 ");
    assert_string_equal(usi_best(), "G*5b");
    usi_go("go mate 1000");
    usi_assert_said("checkmate G*5b");
    /* The other side is mated next. */
    usi_say("position sfen 8k/9/7GP/9/9/9/9/9/8K w G 1");
    usi_go("go nodes 100");
    usi_assert_said("score mate -");
    /* It may declare. */
    usi_say("position sfen 4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b 2RB3P 1");
    usi_go("go nodes 10");
    usi_assert_said("bestmove win");
}

static void stops_and_ponders(void **unused) {
    (void)unused;
    with_net("puct");
    set("USI_Ponder", "true");
    usi_say("position startpos");
    usi_say("go infinite");
    usi_await("info depth");
    usi_say("stop");
    usi_assert_said("bestmove ");
    usi_forget();
    usi_say("position startpos moves 7g7f 3c3d");
    usi_say("go ponder btime 1000 wtime 1000 byoyomi 20");
    usi_await("info depth");
    assert_int_equal(usi_count("bestmove "), 0);
    usi_say("ponderhit btime 100 wtime 100 byoyomi 20");
    usi_await("bestmove ");
    /* Pondering about the move before: any answer will do, a move all the same. */
    set("Stochastic_Ponder", "true");
    usi_forget();
    usi_say("go ponder btime 1000 wtime 1000 byoyomi 20");
    usi_say("stop");
    usi_assert_said("bestmove ");
    assert_int_equal(usi_count("bestmove resign"), 0);
}

static void threads_share_a_tree(void **unused) {
    (void)unused;
    with_net("puct");
    set("Threads", "3");
    usi_say("position startpos");
    usi_go("go nodes 500");
    assert_int_equal(usi_nodes(), 500);
    with_net("mcss");
    usi_go("go nodes 20");
    assert_int_equal(usi_nodes(), 20);
}

static void networks_come_and_go(void **unused) {
    (void)unused;
    with_net("puct");
    usi_say(MIDDLE);
    usi_go("go nodes 100");
    set("DNN_Model", other_path);
    usi_go("go nodes 100");
    usi_assert_said("bestmove ");
    set("net-cache", "0");
    usi_go("go nodes 100");
    usi_assert_said("bestmove ");
    set("search", "alphabeta");
    usi_go("go depth 3");
    usi_assert_said("the search alphabeta does not use the option net");
    usi_assert_said("bestmove ");
    set("DNN_Model", "<empty>");
    usi_go("go depth 3");
    assert_int_equal(usi_count("does not use"), 0);
    set("search", "auto");
    usi_go("go depth 3");
    usi_assert_said("info depth 3 ");
}

/* The program's own, with no option and by its name. */
static void one_network_is_built_in(void **unused) {
    (void)unused;
    usi_say("position startpos");
    set("search", "puct");
    usi_go("go nodes 6");
    assert_int_equal(usi_nodes(), 6);
    assert_int_equal(usi_count("info string"), 0);
    set("DNN_Model", "none");
    usi_go("go nodes 6");
    usi_assert_said("this search needs a network");
    usi_assert_said("bestmove ");
    set("search", "auto");
    set("DNN_Model", "builtin");
    usi_go("go nodes 6");
    assert_int_equal(usi_nodes(), 6);
    assert_int_equal(usi_count("info string"), 0);
}

static void what_is_wrong_is_said(void **unused) {
    (void)unused;
    set("DNN_Model", "/no/such/net.onnx");
    usi_say("isready");
    usi_assert_said("cannot open /no/such/net.onnx");
    usi_assert_said("searching with alphabeta in its place");
    usi_assert_said("readyok");
    usi_say("position startpos");
    usi_go("go nodes 10"); /* it was said; alpha-beta answers */
    assert_int_equal(usi_count("info string"), 0);
    usi_assert_said("bestmove ");
    assert_int_equal(usi_count("bestmove resign"), 0);
    set("search", "puct");
    usi_forget();
    usi_say("isready");
    usi_assert_said("cannot open /no/such/net.onnx");
    set("DNN_Model", net_path);
    set("net-backend", "abacus");
    usi_forget();
    usi_say("isready");
    usi_assert_said("abacus");
    set("net-backend", "<empty>");
    usi_forget();
    usi_say("isready");
    assert_int_equal(usi_count("info string"), 0);
    usi_go("go depth 4");
    usi_assert_said("the search puct cannot be limited by depth");
    usi_assert_said("bestmove ");
    set("search", "flat");
    usi_assert_said("flat");
}

/* A tree has no depth, but who asks for one wants a search and not the book. */
static void no_book_after_a_depth(void **unused) {
    (void)unused;
    with_net("puct");
    usi_say("position startpos");
    usi_go("go depth 2");
    usi_assert_said("cannot be limited by depth");
    assert_int_equal(usi_count("of the book"), 0);
    usi_go("go btime 1000 wtime 1000");
    assert_int_equal(usi_count("of the book"), 1);
}

/* More memory than there is: a smaller tree, and no resignation. */
static void a_tree_too_large(void **unused) {
    (void)unused;
    set("USI_Hash", "65536");
    with_net("puct");
    usi_say("position startpos");
    usi_go("go nodes 5");
    assert_int_equal(usi_count("bestmove resign"), 0);
    usi_assert_said("bestmove ");
}

/* Clients play on where the rules have ended the game. */
static void moves_after_the_end(void **unused) {
    (void)unused;
    static const char *const searches[] = {"alphabeta", "uct", "puct", "mcss"};
    set("MaxMovesToDraw", "3");
    for (size_t i = 0; i < 4; i++) {
        if (i < 2) set("DNN_Model", "<empty>");
        if (i == 2) set("DNN_Model", net_path);
        set("search", searches[i]);
        usi_say("isready");
        usi_say("position startpos moves 7g7f 3c3d 2g2f");
        usi_go("go nodes 60");
        assert_int_equal(usi_count("bestmove resign"), 0);
        usi_assert_said("bestmove ");
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, usi_set_up, usi_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(answers_with_a_legal_move), TEST(the_same_twice),
        TEST(lines_and_moves),           TEST(mates_are_told),
        TEST(stops_and_ponders),         TEST(threads_share_a_tree),
        TEST(networks_come_and_go),      TEST(what_is_wrong_is_said),
        TEST(one_network_is_built_in),   TEST(no_book_after_a_depth),
        TEST(a_tree_too_large),          TEST(moves_after_the_end),
    };
    return cmocka_run_group_tests(tests, make_nets, remove_nets);
}
