/* Games over GTP: moves thought of, analysed, resigned and passed, clocks, and what is dead. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "support/gtp_talk.h"
#include "support/search_go.h"

/* Same seed and playouts: the same game, until both pass and agree on the score. */
static void plays_a_whole_game(void **state) {
    (void)state;
    struct yo_gtp *gtp[2] = {gtp_engine(300), gtp_engine(300)};
    int moves = 0, passes = 0;
    for (; passes < 2 && moves < 300; moves++) {
        char genmove[16], move[16], play[32];
        snprintf(genmove, sizeof genmove, "genmove %c", "bw"[moves % 2]);
        assert_int_equal(sscanf(gtp_ask(gtp[moves % 2], genmove), "= %15s", move), 1);
        snprintf(play, sizeof play, "play %c %s", "bw"[moves % 2], move);
        assert_string_equal(gtp_ask(gtp[1 - moves % 2], play), "= \n\n");
        passes = strcmp(move, "pass") == 0 ? passes + 1 : 0;
    }
    assert_int_equal(passes, 2);
    char score[32];
    gtp_keep(score, sizeof score, gtp_ask(gtp[0], "final_score"));
    assert_string_equal(gtp_ask(gtp[1], "final_score"), score);
    char history[1 << 14];
    gtp_keep(history, sizeof history, gtp_ask(gtp[0], "move_history"));
    assert_string_equal(gtp_ask(gtp[1], "move_history"), history);
    yo_gtp_delete(gtp[0]);
    yo_gtp_delete(gtp[1]);
}

/* Columns of stones: an engine does not give up on an emptier board. */
static void fill_a_third(struct yo_gtp *gtp) {
    for (int i = 0; i < 27; i++) {
        char play[32];
        snprintf(play, sizeof play, "play %c %c%d", "bww"[i / 9], "AEJ"[i / 9], i % 9 + 1);
        assert_string_equal(gtp_ask(gtp, play), "= \n\n");
    }
}

static void resigns_only_when_told(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(2000);
    gtp_ask(gtp, "komi 100");
    fill_a_third(gtp);
    assert_null(strstr(gtp_ask(gtp, "genmove b"), "resign"));
    gtp_ask(gtp, "undo");
    gtp_ask(gtp, "yomi-param resign 0.05");
    /* Not at the first low chance, nor at the second; and not if a move was taken back between. */
    assert_null(strstr(gtp_ask(gtp, "genmove b"), "resign"));
    gtp_ask(gtp, "play w B1");
    assert_null(strstr(gtp_ask(gtp, "genmove b"), "resign"));
    gtp_ask(gtp, "undo");
    assert_null(strstr(gtp_ask(gtp, "genmove b"), "resign"));
    gtp_ask(gtp, "play w B2");
    assert_null(strstr(gtp_ask(gtp, "genmove b"), "resign"));
    gtp_ask(gtp, "play w H9");
    assert_string_equal(gtp_ask(gtp, "genmove b"), "= resign\n\n");
    assert_null(strstr(gtp_ask(gtp, "kgs-genmove_cleanup b"), "resign"));
    gtp_ask(gtp, "clear_board");
    assert_null(strstr(gtp_ask(gtp, "genmove b"), "resign"));
    assert_null(strstr(gtp_ask(gtp, "reg_genmove b"), "resign"));
    yo_gtp_delete(gtp);
}

/* White's two stones in the corner are dead and all else is settled. Black passes; where people
 * then disagree he takes them off, and passes again when there is nothing left to take. */
static void passes_then_cleans_up(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(500);
    char setup[1024] = "gogui-setup", score[32];
    for (int p = 0; p < 81; p++) {
        char stone = go_settled[p], text[16];
        if (stone == '.') continue;
        snprintf(text, sizeof text, " %c %c%d", stone == 'X' ? 'b' : 'w', "ABCDEFGHJ"[p % 9],
                 9 - p / 9);
        strcat(setup, text);
    }
    assert_string_equal(gtp_ask(gtp, setup), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "genmove b"), "= pass\n\n");
    gtp_ask(gtp, "play w pass");
    gtp_keep(score, sizeof score, gtp_ask(gtp, "final_score"));
    int moves = 0;
    while (strcmp(gtp_ask(gtp, "kgs-genmove_cleanup b"), "= pass\n\n") != 0) {
        assert_true(++moves < 20);
        gtp_ask(gtp, "play w pass");
    }
    assert_true(moves > 0);
    assert_string_equal(gtp_ask(gtp, "color A9"), "= empty\n\n");
    assert_string_equal(gtp_ask(gtp, "color B9"), "= empty\n\n");
    assert_string_equal(gtp_ask(gtp, "final_score"), score);
    yo_gtp_delete(gtp);
}

/* reg_genmove changes neither the board nor whose turn it is; its answer repeats. */
static void reg_genmove_leaves_no_trace(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(500);
    char first[64], board[2048];
    gtp_keep(board, sizeof board, gtp_ask(gtp, "showboard"));
    gtp_keep(first, sizeof first, gtp_ask(gtp, "reg_genmove w"));
    assert_string_equal(gtp_ask(gtp, "reg_genmove w"), first);
    assert_string_equal(gtp_ask(gtp, "showboard"), board);
    yo_gtp_delete(gtp);
}

/* With a clock that is nearly out, a move comes at once. */
static void heeds_the_clock(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(0);
    gtp_ask(gtp, "time_settings 36000 0 0");
    gtp_ask(gtp, "time_left b 1 0");
    int64_t start = yo_time_ms();
    assert_int_equal(strncmp(gtp_ask(gtp, "genmove b"), "= ", 2), 0);
    assert_true(yo_time_ms() - start < 60 * 1000); /* by the settings alone it would be longer */
    yo_gtp_delete(gtp);
}

/* Periods that the settings gave no time to. */
static void survives_an_odd_referee(void **state) {
    (void)state;
    static const char *const kinds[] = {"byoyomi 10 0 3", "canadian 10 0 3", "absolute 10", "none"};
    struct yo_gtp *gtp = gtp_engine(10);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "kgs-time_settings %s", kinds[i]);
        assert_string_equal(gtp_ask(gtp, line), "= \n\n");
        assert_string_equal(gtp_ask(gtp, "time_left b 0 3"), "= \n\n");
        assert_int_equal(strncmp(gtp_ask(gtp, "genmove b"), "= ", 2), 0);
    }
    assert_non_null(strstr(gtp_ask(gtp, "time_settings -1 0 0"), "? '-1' is out of range"));
    assert_non_null(strstr(gtp_ask(gtp, "kata-time_settings fischer 9 -1"), "? '-1' is out of"));
    assert_string_equal(gtp_ask(gtp, "time_left b -1 0"), "= \n\n");
    yo_gtp_delete(gtp);
}

/* Where players do not agree on dead stones, what stands at the end counts: a lone stone in Black's
 * area makes all of it neutral. KGS's Chinese rules have superko and that agreement. */
static void rules_say_what_is_dead(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    gtp_ask(gtp, "boardsize 5");
    gtp_ask(gtp, "komi 0.5");
    gtp_ask(gtp, "gogui-setup b A3 b B3 b C3 b D3 b E3 w C1");
    assert_string_equal(gtp_ask(gtp, "kata-set-rules cgos"), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "get_komi"), "= 0.5\n\n");
    assert_string_equal(gtp_ask(gtp, "final_score"), "= B+24.5\n\n"); /* the game goes on */
    gtp_ask(gtp, "play b pass");
    gtp_ask(gtp, "play w pass");
    assert_string_equal(gtp_ask(gtp, "final_score"), "= B+13.5\n\n");
    assert_string_equal(gtp_ask(gtp, "final_status_list dead"), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "kgs-rules chinese"), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "final_score"), "= B+24.5\n\n");
    assert_string_equal(gtp_ask(gtp, "final_status_list dead"), "= C1\n\n");
    assert_non_null(strstr(gtp_ask(gtp, "kata-get-rules"), "\"ko\":\"POSITIONAL\""));
    assert_string_equal(gtp_ask(gtp, "kgs-rules new_zealand"), "= \n\n");
    assert_non_null(strstr(gtp_ask(gtp, "kata-get-rules"), "\"suicide\":true"));
    yo_gtp_delete(gtp);
}

/* A tree has more to show than single moves, and its options can be changed on the way. */
static void analyzes_lines(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(1000);
    char text[1 << 16];
    gtp_keep(text, sizeof text, gtp_ask(gtp, "kata-genmove_analyze b rootInfo true pvVisits true"));
    char *last = strstr(text, "\nplay "); /* a slow machine reports before the end as well */
    assert_non_null(last);
    while (last > text && last[-1] != '\n')
        last--;
    const char *pv = strstr(last, " pv "), *visits = strstr(last, " pvVisits ");
    assert_non_null(pv);
    assert_non_null(visits);
    char first[8], second[8];
    unsigned long count[2];
    assert_int_equal(sscanf(pv, " pv %7s %7s", first, second), 2);
    assert_int_equal(sscanf(visits, " pvVisits %lu %lu", &count[0], &count[1]), 2);
    assert_true(count[0] > count[1] && count[1] > 0);
    assert_non_null(strstr(last, " rootInfo visits 1000 utility "));
    char wanted[16];
    snprintf(wanted, sizeof wanted, "\nplay %s\n", first);
    assert_non_null(strstr(last, wanted));
    assert_string_equal(gtp_ask(gtp, "yomi-param search flat"), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "yomi-param search"),
                        "= [list/auto/uct/flat/puct/mcss] search flat\n\n");
    gtp_keep(text, sizeof text, gtp_ask(gtp, "lz-genmove_analyze w"));
    assert_int_equal(sscanf(strstr(text, " pv "), " pv %7s %7s", first, second), 2);
    assert_string_equal(second, "info"); /* one move, and then the next row */
    assert_int_equal(gtp_ask(gtp, "yomi-param memory 0")[0], '?');
    yo_gtp_delete(gtp);
}

/* After each move its own map of the board, four points on this one. */
static void analyzes_ownership_of_moves(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(200);
    char text[1 << 16];
    gtp_ask(gtp, "boardsize 2");
    gtp_keep(text, sizeof text,
             gtp_ask(gtp, "kata-genmove_analyze b movesOwnership true ownership true"));
    size_t moves = 0;
    for (const char *p = strstr(text, "info move"); p; p = strstr(p + 1, "info move"), moves++) {
        const char *map = strstr(p, " movesOwnership ");
        double a, b, c, d;
        char next[16];
        assert_non_null(map);
        assert_int_equal(sscanf(map, " movesOwnership %lf %lf %lf %lf %15s", &a, &b, &c, &d, next),
                         5);
        assert_true(a >= -1 && a <= 1 && d >= -1 && d <= 1);
        assert_true(strcmp(next, "info") == 0 || strcmp(next, "ownership") == 0);
    }
    assert_int_equal(moves, 4);
    assert_non_null(strstr(text, " scoreStdev "));
    gtp_keep(text, sizeof text, gtp_ask(gtp, "kata-genmove_analyze w"));
    assert_null(strstr(text, "wnership"));
    yo_gtp_delete(gtp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_a_whole_game),
        cmocka_unit_test(resigns_only_when_told),
        cmocka_unit_test(passes_then_cleans_up),
        cmocka_unit_test(reg_genmove_leaves_no_trace),
        cmocka_unit_test(heeds_the_clock),
        cmocka_unit_test(survives_an_odd_referee),
        cmocka_unit_test(rules_say_what_is_dead),
        cmocka_unit_test(analyzes_lines),
        cmocka_unit_test(analyzes_ownership_of_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
