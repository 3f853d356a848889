/* What can be asked of an analysis over GTP: the arguments, and the moves that are looked at. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "protocol/gtp/internal.h"
#include "support/gtp_talk.h"

static struct yo_gtp *engine(void) {
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
    gtp_set(gtp, "playouts", "300");
    gtp_set(gtp, "threads", "1");
    gtp_set(gtp, "resign", "0");
    return gtp;
}

/* The answer to one line, in storage that the next call uses again. */
static const char *ask(struct yo_gtp *gtp, const char *line) {
    static char text[1 << 18];
    struct yo_buf reply = {0};
    yo_gtp_feed(gtp, line, strlen(line), &reply);
    assert_int_equal(yo_buf_status(&reply), YO_OK);
    assert_true(reply.len < sizeof text);
    snprintf(text, sizeof text, "%s", yo_buf_text(&reply));
    yo_buf_free(&reply);
    return text;
}

/* How many moves the answer has; all of them stand in `among`, as " A1 B2 ", unless that is NULL.
 */
static int moves_of(const char *answer, const char *among) {
    int count = 0;
    for (const char *p = answer; (p = strstr(p, "info move ")); count++) {
        char move[8] = " ";
        p += strlen("info move ");
        snprintf(move + 1, sizeof move - 1, "%.*s ", (int)strcspn(p, " "), p);
        if (among && !strstr(among, move)) fail_msg("it looks at%s", move);
    }
    return count;
}

static void refuses(struct yo_gtp *gtp, const char *arguments, const char *why) {
    char line[120];
    snprintf(line, sizeof line, "kata-analyze %s", arguments);
    const char *answer = ask(gtp, line);
    if (answer[0] != '?' || !strstr(answer, why)) fail_msg("%s: %s", line, answer);
}

static void bad_arguments_are_told(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    refuses(gtp, "b ownership maybe", "'maybe' is neither true nor false");
    refuses(gtp, "b ownership", "'ownership' wants a value");
    refuses(gtp, "b -1", "-1 is out of range");
    refuses(gtp, "0.5", "'0.5' is not a whole number");
    refuses(gtp, "b minmoves x", "not a whole number");
    refuses(gtp, "b colour 1", "keys are interval, minmoves");
    refuses(gtp, "b avoid b a1", "wants a colour, points with commas, and a depth");
    refuses(gtp, "b avoid x a1 1", "not a colour");
    refuses(gtp, "b avoid b a1,k9 1", "no points of this board");
    refuses(gtp, "b avoid b a1, 1", "no points of this board");
    refuses(gtp, "b avoid b resign 1", "no points of this board");
    refuses(gtp, "b avoid b a1 0", "out of range");
    refuses(gtp, "b allow b a1 1 avoid b b1 1", "allow and avoid exclude each other");
    refuses(gtp, "b avoid b a1 1 allow b b1 1", "allow and avoid exclude each other");
    yo_gtp_delete(gtp);
}

static void looks_at_some_moves_only(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    assert_int_equal(moves_of(ask(gtp, "kata-analyze b 0 allow b c3,G7 5"), " C3 G7 "), 2);
    assert_int_equal(moves_of(ask(gtp, "kata-analyze w 0 allow w pass,C3 1"), " C3 pass "), 2);
    assert_int_equal(moves_of(ask(gtp, "kata-analyze w 0 allow w C3 1 allow w d4 1"), " C3 D4 "),
                     2);
    assert_int_equal(moves_of(ask(gtp, "lz-analyze w allow w c3 1 interval 0"), " C3 "), 1);
    /* What is said of the other colour does not hold for this one. */
    assert_true(moves_of(ask(gtp, "kata-analyze b 0 allow w c3 1"), NULL) > 10);
    const char *best = ask(gtp, "kata-analyze b 10 maxmoves 1");
    char first[64], line[80];
    assert_int_equal(sscanf(strstr(best, "info move "), "info move %7s", first), 1);
    snprintf(line, sizeof line, "kata-analyze b 0 avoid b %s,a1 1 avoid b pass 1", first);
    const char *others = ask(gtp, line);
    strcat(strcpy(line, "info move "), first);
    strcat(line, " ");
    assert_true(moves_of(others, NULL) > 10);
    assert_null(strstr(others, line));
    assert_null(strstr(others, "info move A1 "));
    yo_gtp_delete(gtp);
}

/* Under these names clients look for KataGo's form: a point in a winrate says that it is one. */
static void names_for_sabaki(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    static const char *const lines[] = {"analyze b 0 maxmoves 1", "genmove_analyze b 0 maxmoves 1"};
    for (size_t i = 0; i < 2; i++) {
        const char *answer = ask(gtp, lines[i]);
        const char *rate = strstr(answer, " winrate ");
        assert_non_null(rate);
        assert_int_equal(rate[strlen(" winrate ") + 1], '.');
        assert_non_null(strstr(answer, " scoreLead "));
    }
    yo_gtp_delete(gtp);
}

/* What was searched with moves left out is no ground for the next move. */
static void is_forgotten_for_the_game(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    unsigned long visits = 0;
    assert_int_equal(moves_of(ask(gtp, "kata-analyze b 0 allow b a1 1"), " A1 "), 1);
    const char *root = strstr(ask(gtp, "kata-analyze b 0 rootInfo true"), "rootInfo visits ");
    assert_non_null(root);
    assert_int_equal(sscanf(root, "rootInfo visits %lu", &visits), 1);
    assert_in_range(visits, 200, 300); /* and not those of before as well */
    yo_gtp_delete(gtp);
}

static double field(const char *answer, const char *name) {
    double value = 0;
    const char *p = strstr(answer, name);
    if (!p || sscanf(p + strlen(name), "%lf", &value) != 1) fail_msg("no %s in %s", name, answer);
    return value;
}

/* Black owns the board: after a pass it still does, and chance and points agree. */
static void a_forced_pass_is_valued(struct yo_gtp *gtp) {
    for (int y = 1; y <= 9; y++) {
        char line[64];
        snprintf(line, sizeof line, "play b e%d", y);
        ask(gtp, line);
    }
    ask(gtp, "play w a1");
    const char *answer = ask(gtp, "kata-analyze b 0 allow b pass 1");
    assert_int_equal(moves_of(answer, " pass "), 1);
    assert_true(field(answer, " winrate ") > 0.9);
    assert_true(field(answer, " scoreLead ") > 10);
}

static void forced_passes(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    a_forced_pass_is_valued(gtp);
    ask(gtp, "clear_board");
    /* No move that is left is legal. */
    ask(gtp, "play b e5");
    assert_int_equal(moves_of(ask(gtp, "kata-analyze w 0 allow w e5 1"), " pass "), 1);
    yo_gtp_delete(gtp);
}

static size_t numbers_after(const char *answer, const char *name) {
    size_t count = 0;
    const char *p = strstr(answer, name);
    if (!p) fail_msg("no %s", name);
    double value;
    int used;
    for (p += strlen(name); sscanf(p, " %lf%n", &value, &used) == 1; p += used)
        count++;
    return count;
}

/* KataGo's newer keys, with playouts and with a network. */
static void all_keys(const char *net) {
    struct yo_gtp *gtp = engine();
    gtp_set(gtp, "net", net);
    const char *answer =
        ask(gtp, "kata-analyze b 0 maxmoves 1 ownership true ownershipStdev true movesOwnership "
                 "true movesOwnershipStdev true rootInfo true pvVisits true pvEdgeVisits true "
                 "noResultValue true");
    assert_int_equal(numbers_after(answer, " ownership"), 81);
    assert_int_equal(numbers_after(answer, " ownershipStdev"), 81);
    assert_int_equal(numbers_after(answer, " movesOwnership"), 81);
    assert_int_equal(numbers_after(answer, " movesOwnershipStdev"), 81);
    assert_true(field(answer, " edgeVisits ") == field(answer, " visits "));
    assert_true(field(answer, " weight ") > 0);
    assert_true(field(answer, " noResultValue ") == 0); /* superko */
    assert_int_equal(numbers_after(answer, " pvVisits"), numbers_after(answer, " pvEdgeVisits"));
    bool raw = strcmp(net, "none") != 0;
    assert_int_equal(strstr(answer, " rawStWrError ") != NULL, raw);
    if (raw)
        assert_true(field(answer, " rawWinrate ") > 0.2 && field(answer, " rawWinrate ") < 0.8);
    yo_gtp_delete(gtp);
}

static void keys_of_katago(void **state) {
    (void)state;
    all_keys("none");
    all_keys("builtin");
}

static void answers(struct yo_gtp *gtp, const char *line, const char *want) {
    const char *got = ask(gtp, line);
    if (strcmp(got, want) != 0) fail_msg("%s: wanted \"%s\", got \"%s\"", line, want, got);
}

/* genmove's move, and no stone. */
static void searches_without_playing(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    char move[8];
    assert_int_equal(sscanf(ask(gtp, "kata-search w"), "= %7s", move), 1);
    assert_int_equal(moves_of(ask(gtp, "kata-search_analyze w 0 allow w c3 1"), " C3 "), 1);
    assert_non_null(strstr(ask(gtp, "kata-search_analyze w 0 allow w c3 1"), "\nplay C3\n\n"));
    answers(gtp, "list_stones w", "= \n\n");
    answers(gtp, "move_history", "= \n\n");
    assert_int_equal(ask(gtp, "kata-search w 1")[0], '?');
    answers(gtp, "play b e5", "= \n\n");
    assert_int_equal(ask(gtp, "kata-search b")[0], '='); /* it is still White's turn */
    assert_int_equal(moves_of(ask(gtp, "kata-search_analyze 0 allow w c3 1"), " C3 "), 1);
    yo_gtp_delete(gtp);
}

/* A clock of six seconds: each move that is played takes more than nothing off it. */
static void a_move_not_played_costs_no_time(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine();
    ask(gtp, "time_settings 6 0 0");
    const struct yo_clock_side *black = &yo_session_clock(gtp->session)->side[0];
    for (int i = 0; i < 20; i++)
        assert_int_equal(ask(gtp, i % 2 ? "kata-search b" : "kata-search_analyze b")[0], '=');
    assert_int_equal(black->left_ms, 6000);
    assert_int_equal(ask(gtp, "genmove b")[0], '=');
    assert_true(black->left_ms < 6000);
    yo_gtp_delete(gtp);
}

/* Where a search goes on with a tree, its visits are those of both. */
static void counts_the_visits_it_had(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    assert_non_null(strstr(gtp_ask(gtp, "yomi-best_moves"), ", 100 visits"));
    assert_non_null(strstr(gtp_ask(gtp, "yomi-best_moves"), ", 200 visits"));
    yo_gtp_delete(gtp);
}

static void settings_by_katagos_names(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(10);
    answers(gtp, "kata-get-param maxVisits", "= 1125899906842624\n\n");
    answers(gtp, "kata-set-param maxVisits 50", "= \n\n");
    answers(gtp, "kata-get-param maxVisits", "= 50\n\n");
    answers(gtp, "yomi-param visits", "= [string] visits 50\n\n");
    answers(gtp, "kata-set-param maxTime 1e20", "= \n\n");
    answers(gtp, "kata-get-param maxTime", "= 1e+20\n\n");
    answers(gtp, "kata-set-params {\"cpuctExploration\": 1.5, \"ponderingEnabled\": true}",
            "= \n\n");
    answers(gtp, "kata-get-param cpuctExploration", "= 1.5\n\n");
    answers(gtp, "kata-get-param ponderingEnabled", "= true\n\n");
    assert_non_null(strstr(ask(gtp, "kata-get-params"), "\"cpuctExploration\":1.5"));
    assert_non_null(strstr(ask(gtp, "kata-list-params"), "rootPolicyTemperature"));
    assert_non_null(strstr(ask(gtp, "kata-get-param wings"), "? unknown"));
    assert_non_null(strstr(ask(gtp, "kata-set-param humanSLProfile rank_1d"),
                           "? networks of human play are not supported"));
    assert_non_null(
        strstr(ask(gtp, "kata-set-params {\"cpuctExploration\": 2, \"wings\": 2}"), "?"));
    answers(gtp, "kata-get-param cpuctExploration", "= 1.5\n\n");
    assert_int_equal(ask(gtp, "kata-set-params {\"maxVisits\": 9, \"lagBuffer\": \"x\"}")[0], '?');
    answers(gtp, "kata-get-param maxVisits", "= 50\n\n");
    char back[2048];
    snprintf(back, sizeof back, "kata-set-params %s", ask(gtp, "kata-get-params") + strlen("= "));
    back[strcspn(back, "\n")] = '\0';
    answers(gtp, back, "= \n\n");
    assert_int_equal(ask(gtp, "kata-set-params [1]")[0], '?');
    assert_int_equal(ask(gtp, "kata-set-params {")[0], '?');
    assert_int_equal(ask(gtp, "kata-set-param maxVisits many")[0], '?');
    yo_gtp_delete(gtp);
}

/* A wall across the board: each side's half is its territory, and the middle is nobody's. */
static void lists_of_territory(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(10);
    ask(gtp, "boardsize 5");
    for (int y = 1; y <= 5; y++) {
        char line[64];
        snprintf(line, sizeof line, "play b b%d", y);
        ask(gtp, line);
        snprintf(line, sizeof line, "play w d%d", y);
        ask(gtp, line);
    }
    answers(gtp, "final_status_list black_territory", "= A5 A4 A3 A2 A1\n\n");
    answers(gtp, "final_status_list white_territory", "= E5 E4 E3 E2 E1\n\n");
    answers(gtp, "final_status_list dame", "= C5 C4 C3 C2 C1\n\n");
    assert_non_null(strstr(ask(gtp, "final_status_list green"), "black_territory"));
    yo_gtp_delete(gtp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_told),
        cmocka_unit_test(looks_at_some_moves_only),
        cmocka_unit_test(names_for_sabaki),
        cmocka_unit_test(searches_without_playing),
        cmocka_unit_test(is_forgotten_for_the_game),
        cmocka_unit_test(forced_passes),
        cmocka_unit_test(keys_of_katago),
        cmocka_unit_test(a_move_not_played_costs_no_time),
        cmocka_unit_test(counts_the_visits_it_had),
        cmocka_unit_test(settings_by_katagos_names),
        cmocka_unit_test(lists_of_territory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
