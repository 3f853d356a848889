/* Game records over GTP: loaded, followed, and written back with all that was in them. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/gtp_talk.h"

/* A file given to printsgf comes back by loadsgf. */
static void record_round_trip(void **state) {
    (void)state;
    char path[] = "/tmp/yomi-test-XXXXXX", line[64];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct yo_gtp *gtp = gtp_engine(100);
    gtp_ask(gtp, "gogui-play_sequence b E5 w C3 b pass w G7");
    char history[256];
    gtp_keep(history, sizeof history, gtp_ask(gtp, "move_history"));
    snprintf(line, sizeof line, "printsgf %s", path);
    assert_string_equal(gtp_ask(gtp, line), "= \n\n");
    gtp_ask(gtp, "boardsize 13");
    snprintf(line, sizeof line, "loadsgf %s", path);
    assert_string_equal(gtp_ask(gtp, line), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "move_history"), history);
    snprintf(line, sizeof line, "loadsgf %s 3", path);
    assert_string_equal(gtp_ask(gtp, line), "= \n\n");
    assert_string_equal(gtp_ask(gtp, "last_move"), "= white C3\n\n");
    yo_gtp_delete(gtp);
    remove(path);
}

/* Loads a record of this text; more is the rest of the command's line. */
static void load(struct yo_gtp *gtp, const char *text, const char *more) {
    char path[] = "/tmp/yomi-test-XXXXXX", line[64];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    snprintf(line, sizeof line, "loadsgf %s %s", path, more);
    assert_string_equal(gtp_ask(gtp, line), "= \n\n");
    remove(path);
}

/* The answer to printsgf, less its line breaks. */
static void assert_record(struct yo_gtp *gtp, const char *expected) {
    char text[1024];
    size_t len = 0;
    for (const char *p = gtp_ask(gtp, "printsgf"); *p; p++)
        if (*p != '\n') text[len++] = *p;
    text[len] = '\0';
    assert_string_equal(text, expected);
}

#define HEAD "= (;FF[4]CA[UTF-8]SZ[9]PB[Ann]KM[6.50]RU[japan]XY[z]"

static const char loaded[] = "(;FF[4]CA[UTF-8]SZ[9]PB[Ann]KM[6.50]RU[japan]XY[z]"
                             ";B[ee]C[good](;W[cc];C[no move];B[gg])(;W[gc]C[or]))";

/* What was loaded is written back, wherever in it the game stands. */
static void record_is_kept(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    const char as_loaded[] = HEAD ";B[ee]C[good](;W[cc];C[no move];B[gg])(;W[gc]C[or]))";
    load(gtp, loaded, "");
    assert_record(gtp, as_loaded);
    gtp_ask(gtp, "gg-undo 2");
    assert_record(gtp, as_loaded);
    gtp_ask(gtp, "play w G7"); /* there already, beside the main line */
    assert_record(gtp, as_loaded);
    gtp_ask(gtp, "play b C3");
    assert_record(gtp, HEAD ";B[ee]C[good](;W[cc];C[no move];B[gg])(;W[gc]C[or];B[cg]))");
    load(gtp, loaded, "3");
    assert_record(gtp, as_loaded);
    gtp_ask(gtp, "play b G3"); /* behind a node without a move */
    assert_record(gtp, as_loaded);
    gtp_ask(gtp, "undo");
    gtp_ask(gtp, "gogui-play_sequence b pass w A1");
    const char forked[] = HEAD ";B[ee]C[good](;W[cc](;C[no move];B[gg])(;B[];W[ai]))(;W[gc]C[or]))";
    assert_record(gtp, forked);
    assert_record(gtp, forked);
    gtp_ask(gtp, "gg-undo 2");
    assert_record(gtp, as_loaded);
    yo_gtp_delete(gtp);
}

/* Where a record has no rules or no komi, the current ones stay. */
static void rules_and_komi_stay(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    gtp_ask(gtp, "kgs-rules japanese");
    gtp_ask(gtp, "komi 3.5");
    load(gtp, "(;CA[UTF-8]SZ[9];B[ee])", "");
    assert_string_equal(gtp_ask(gtp, "get_komi"), "= 3.5\n\n");
    assert_non_null(strstr(gtp_ask(gtp, "kata-get-rules"), "TERRITORY"));
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[3.5]RU[Japanese];B[ee])");
    load(gtp, "(;SZ[9]HA[2]AB[cg][gc];W[ee])", "E5");
    assert_string_equal(gtp_ask(gtp, "get_komi"), "= 3.5\n\n");
    load(gtp, "(;SZ[9]KM[0.5];B[ee])", "");
    assert_string_equal(gtp_ask(gtp, "get_komi"), "= 0.5\n\n");
    assert_non_null(strstr(gtp_ask(gtp, "kata-get-rules"), "TERRITORY"));
    load(gtp, "(;SZ[9]RU[Chinese];B[ee])", "1");
    assert_string_equal(gtp_ask(gtp, "get_komi"), "= 0.5\n\n");
    assert_non_null(strstr(gtp_ask(gtp, "kata-get-rules"), "AREA"));
    load(gtp, "(;SZ[9]KM[1e999];B[ee])", ""); /* no number */
    assert_string_equal(gtp_ask(gtp, "get_komi"), "= 0.5\n\n");
    yo_gtp_delete(gtp);
}

static char noticed[1024];
static void hear(void *user, const char *text) {
    (void)user;
    snprintf(noticed, sizeof noticed, "%s", text);
}

/* As yomi analyze and yomi play say. */
static void other_games_are_told(void **state) {
    (void)state;
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    yo_gtp_config_init(&config);
    config.notice = hear;
    assert_int_equal(yo_gtp_new(&config, &gtp, NULL), YO_OK);
    load(gtp, "(;SZ[9];B[ee])(;SZ[13];B[cc])", "");
    assert_non_null(strstr(noticed, " has 2 games; the first is loaded"));
    assert_string_equal(gtp_ask(gtp, "query_boardsize"), "= 9\n\n");
    yo_gtp_delete(gtp);
}

/* A file that was cut off, or a move that cannot be played: as far as it goes, and where is said.
 */
static void broken_records_load_in_part(void **state) {
    (void)state;
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    yo_gtp_config_init(&config);
    config.notice = hear;
    assert_int_equal(yo_gtp_new(&config, &gtp, NULL), YO_OK);
    load(gtp, "(;SZ[9]KM[7];B[ee];W[ce];B[c", "");
    assert_string_equal(gtp_ask(gtp, "move_history"), "= white C5\nblack E5\n\n");
    assert_non_null(strstr(noticed, "line 1, column 27: the value of B that begins here"));
    load(gtp, "(;SZ[9]KM[7];B[ee];W[ee];B[cc])", "");
    assert_string_equal(gtp_ask(gtp, "move_history"), "= black E5\n\n");
    assert_non_null(strstr(noticed, "line 1, column 20: move 2, W[ee]"));
    assert_string_equal(gtp_ask(gtp, "play w D5"), "= \n\n");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[7];B[ee](;W[ee];B[cc])(;W[de]))");
    yo_gtp_delete(gtp);
}

/* KM and RU are touched only when they change; all else goes when another game begins. */
static void record_follows_the_game(void **state) {
    (void)state;
    static const char *const breaks[] = {"clear_board", "boardsize 9", "gogui-setup b A1"};
    struct yo_gtp *gtp = gtp_engine(100);
    load(gtp, "(;CA[UTF-8]SZ[9]KM[6.50]RU[japan];B[ee])", "");
    gtp_ask(gtp, "komi 6.5");
    gtp_ask(gtp, "kgs-rules japanese");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[6.50]RU[japan];B[ee])");
    gtp_ask(gtp, "komi 3");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[3]RU[japan];B[ee])");
    gtp_ask(gtp, "kgs-rules aga");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[3]RU[AGA];B[ee])");
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        load(gtp, loaded, "");
        gtp_ask(gtp, breaks[i]);
        assert_null(strstr(gtp_ask(gtp, "printsgf"), "Ann"));
    }
    load(gtp, "(;SZ[9]PB[Ann])", "");
    gtp_ask(gtp, "fixed_handicap 2");
    assert_null(strstr(gtp_ask(gtp, "printsgf"), "Ann"));
    yo_gtp_delete(gtp);
}

/* History begins again at setup; what says that which is there anyway is not setup. */
static void record_with_setup(void **state) {
    (void)state;
    struct yo_gtp *gtp = gtp_engine(100);
    load(gtp, "(;CA[UTF-8]SZ[9];B[ee];AW[aa];B[gg];AB[gg];W[cc](;AB[ab];B[dd])(;B[ff]))", "3");
    gtp_ask(gtp, "gogui-play_sequence w C7 b D6");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9];B[ee];AW[aa];B[gg];AB[gg];W[cc]"
                       "(;AB[ab];B[dd])(;B[ff])(;B[dd]))");
    load(gtp, "(;CA[UTF-8]SZ[9];B[ee];W[aa]B[bb];W[cc])", "3"); /* two moves in a node */
    gtp_ask(gtp, "play b A1");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9];B[ee](;W[aa]B[bb];W[cc])(;W[aa];B[ai]))");
    load(gtp, "(;CA[UTF-8]SZ[9]AB[ee]W[aa]PB[Ann])", "1"); /* nowhere to begin a variation */
    gtp_ask(gtp, "play w A1");
    assert_non_null(strstr(gtp_ask(gtp, "printsgf"), "AB[ee]PL[W]\n;W[ai])"));
    yo_gtp_delete(gtp);
}

/* Moves are counted from the start of the record, whether named by number or by point. */
static void record_stops_before_moves(void **state) {
    (void)state;
    static const struct {
        const char *until, *last;
    } stops[] = {
        {"0", "= white C3\n\n"}, {"4", "= white A1\n\n"},  {"G7", "= white A1\n\n"},
        {"5", "= black G7\n\n"}, {"C3", "= black G7\n\n"}, {"pass", "= black E5\n\n"},
        {"2", "= black E5\n\n"}, {"9", "= white C3\n\n"},
    };
    struct yo_gtp *gtp = gtp_engine(100);
    const char *text = "(;SZ[9];B[ee];W[];AB[bb];W[ai];B[gc];W[cg])";
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        load(gtp, text, stops[i].until);
        assert_string_equal(gtp_ask(gtp, "last_move"), stops[i].last);
    }
    load(gtp, text, "A1"); /* right behind the setup: no history */
    assert_string_equal(gtp_ask(gtp, "get_position"), "= b B8 b E5\n\n");
    assert_string_equal(gtp_ask(gtp, "move_history"), "= \n\n");
    yo_gtp_delete(gtp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record_round_trip),           cmocka_unit_test(record_is_kept),
        cmocka_unit_test(rules_and_komi_stay),         cmocka_unit_test(other_games_are_told),
        cmocka_unit_test(broken_records_load_in_part), cmocka_unit_test(record_follows_the_game),
        cmocka_unit_test(record_with_setup),           cmocka_unit_test(record_stops_before_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
