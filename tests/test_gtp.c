/* The GTP engine in-process: answers that depend on more than one line, lines of any shape, and
 * the documentation of its commands. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "protocol/gtp.h"
#include "protocol/gtp_line.h"
#include "protocol/gtp_split.h"

static struct yo_gtp *engine(uint64_t playouts) {
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    config.playouts = playouts;
    config.threads = 1;
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
    return gtp;
}

/* The answer to one line, in storage that the next call uses again. */
static const char *ask(struct yo_gtp *gtp, const char *line) {
    static char text[1 << 16];
    struct yo_buf reply = {0};
    yo_gtp_feed(gtp, line, strlen(line), &reply);
    assert_int_equal(yo_buf_status(&reply), YO_OK);
    snprintf(text, sizeof text, "%s", yo_buf_text(&reply));
    yo_buf_free(&reply);
    return text;
}

static void keep(char *out, size_t size, const char *answer) {
    assert_true(strlen(answer) < size);
    strcpy(out, answer);
}

static void parses_lines(void **state) {
    (void)state;
    struct yo_gtp_line line = {0};
    const char text[] = "  12\tplay  b\tD4 # a comment";
    assert_int_equal(yo_gtp_line_parse(&line, text, strlen(text)), YO_OK);
    assert_string_equal(line.id, "12");
    assert_string_equal(line.command, "play");
    assert_int_equal(line.arg_count, 2);
    assert_string_equal(line.args[0], "b");
    assert_string_equal(line.args[1], "D4");
    assert_string_equal(line.rest, "b D4");
    assert_int_equal(yo_gtp_line_parse(&line, "a\0b\rc d", 7), YO_OK);
    assert_string_equal(line.id, "");
    assert_string_equal(line.command, "abc");
    assert_string_equal(line.rest, "d");
    assert_int_equal(yo_gtp_line_parse(&line, " # x", 4), YO_OK);
    assert_null(line.command);
    assert_int_equal(yo_gtp_line_parse(&line, NULL, 0), YO_OK);
    assert_null(line.command);
    yo_gtp_line_free(&line);
    assert_true(yo_gtp_line_is_interrupt("# interrupt\r", 12));
    assert_false(yo_gtp_line_is_interrupt("# interrupted", 13));
}

static void hears_no_memory(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(100);
    struct yo_buf reply = {0};
    yo_buf_str(&reply, "room for an answer is there already, so that only the engine's fails");
    yo_buf_clear(&reply);
    yo_alloc_fail_after(0);
    yo_gtp_feed(gtp, "name", 4, &reply);
    yo_alloc_fail_after(-1);
    assert_string_equal(yo_buf_text(&reply), "? out of memory\n\n");
    yo_buf_free(&reply);
    assert_string_equal(ask(gtp, "name"), "= Yomi\n\n");
    yo_gtp_delete(gtp);
}

struct lines {
    int count, too_long;
    size_t last;
};

static void count_line(void *user, const char *line, size_t len) {
    struct lines *lines = user;
    (void)line;
    lines->count++;
    lines->too_long += len > YO_GTP_LINE_MAX;
    lines->last = len;
}

/* A line of just a megabyte is taken; a longer one is refused, and the next is heard. */
static void limits_lines(void **state) {
    (void)state;
    struct lines lines = {0};
    struct yo_gtp_split split = {.emit = count_line, .user = &lines};
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (size_t i = 0; i < YO_GTP_LINE_MAX / sizeof block; i++)
        yo_gtp_split_add(&split, block, sizeof block);
    yo_gtp_split_add(&split, "\nname\n", 6);
    assert_int_equal(lines.count, 2);
    assert_int_equal(lines.too_long, 0);
    for (size_t i = 0; i < 5 * YO_GTP_LINE_MAX / sizeof block; i++)
        yo_gtp_split_add(&split, block, sizeof block);
    yo_gtp_split_add(&split, "\nversion", 8);
    yo_gtp_split_end(&split);
    assert_int_equal(lines.count, 4);
    assert_int_equal(lines.too_long, 1);
    assert_int_equal(lines.last, 7);
}

static void refuses_long_lines(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(100);
    struct yo_buf line = {0}, reply = {0};
    while (line.len < YO_GTP_LINE_MAX)
        yo_buf_str(&line, "b D4 ");
    yo_gtp_feed(gtp, line.data, YO_GTP_LINE_MAX + 1, &reply);
    assert_string_equal(yo_buf_text(&reply), "? line too long: at most 1048576 bytes\n\n");
    yo_buf_clear(&reply);
    yo_gtp_feed(gtp, line.data, YO_GTP_LINE_MAX, &reply);
    assert_string_equal(yo_buf_text(&reply),
                        "? unknown command 'b'; list_commands shows them all\n\n");
    yo_buf_free(&line);
    yo_buf_free(&reply);
    yo_gtp_delete(gtp);
}

/* Same seed and playouts: the same game, until both pass and agree on the score. */
static void plays_a_whole_game(void **state) {
    (void)state;
    struct yo_gtp *gtp[2] = {engine(300), engine(300)};
    int moves = 0, passes = 0;
    for (; passes < 2 && moves < 300; moves++) {
        char genmove[16], move[16], play[32];
        snprintf(genmove, sizeof genmove, "genmove %c", "bw"[moves % 2]);
        assert_int_equal(sscanf(ask(gtp[moves % 2], genmove), "= %15s", move), 1);
        snprintf(play, sizeof play, "play %c %s", "bw"[moves % 2], move);
        assert_string_equal(ask(gtp[1 - moves % 2], play), "= \n\n");
        passes = strcmp(move, "pass") == 0 ? passes + 1 : 0;
    }
    assert_int_equal(passes, 2);
    char score[32];
    keep(score, sizeof score, ask(gtp[0], "final_score"));
    assert_string_equal(ask(gtp[1], "final_score"), score);
    char history[1 << 14];
    keep(history, sizeof history, ask(gtp[0], "move_history"));
    assert_string_equal(ask(gtp[1], "move_history"), history);
    yo_gtp_delete(gtp[0]);
    yo_gtp_delete(gtp[1]);
}

static void resigns_only_when_told(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(2000);
    ask(gtp, "komi 100");
    assert_null(strstr(ask(gtp, "genmove b"), "resign"));
    ask(gtp, "undo");
    ask(gtp, "yomi-param resign 0.05");
    /* Not at the first low chance, nor at the second; and not if a move was taken back between. */
    assert_null(strstr(ask(gtp, "genmove b"), "resign"));
    ask(gtp, "play w A1");
    assert_null(strstr(ask(gtp, "genmove b"), "resign"));
    ask(gtp, "undo");
    assert_null(strstr(ask(gtp, "genmove b"), "resign"));
    ask(gtp, "play w A2");
    assert_null(strstr(ask(gtp, "genmove b"), "resign"));
    ask(gtp, "play w J9");
    assert_string_equal(ask(gtp, "genmove b"), "= resign\n\n");
    ask(gtp, "clear_board");
    assert_null(strstr(ask(gtp, "genmove b"), "resign"));
    assert_null(strstr(ask(gtp, "reg_genmove b"), "resign"));
    yo_gtp_delete(gtp);
}

/* White's two stones in the corner are dead and all else is settled. Black passes; where people
 * then disagree he takes them off, and passes again when there is nothing left to take. */
static void passes_then_cleans_up(void **state) {
    (void)state;
    static const char settled[] = "OO.XXO...\n.XXXXO...\nX.XOOOO..\n.XXXXXO.O\nX.XOOOOO.\n"
                                  ".XXXXXO.O\nXX.X.XOO.\n.X.XXXO.O\nX.XX.XOO.\n";
    struct yo_gtp *gtp = engine(500);
    char setup[1024] = "gogui-setup", score[32];
    for (int p = 0; p < 81; p++) {
        char stone = settled[p / 9 * 10 + p % 9], text[16];
        if (stone == '.') continue;
        snprintf(text, sizeof text, " %c %c%d", stone == 'X' ? 'b' : 'w', "ABCDEFGHJ"[p % 9],
                 9 - p / 9);
        strcat(setup, text);
    }
    assert_string_equal(ask(gtp, setup), "= \n\n");
    assert_string_equal(ask(gtp, "genmove b"), "= pass\n\n");
    ask(gtp, "play w pass");
    keep(score, sizeof score, ask(gtp, "final_score"));
    int moves = 0;
    while (strcmp(ask(gtp, "kgs-genmove_cleanup b"), "= pass\n\n") != 0) {
        assert_true(++moves < 20);
        ask(gtp, "play w pass");
    }
    assert_true(moves > 0);
    assert_string_equal(ask(gtp, "color A9"), "= empty\n\n");
    assert_string_equal(ask(gtp, "color B9"), "= empty\n\n");
    assert_string_equal(ask(gtp, "final_score"), score);
    yo_gtp_delete(gtp);
}

/* reg_genmove changes neither the board nor whose turn it is; its answer repeats. */
static void reg_genmove_leaves_no_trace(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(500);
    char first[64], board[2048];
    keep(board, sizeof board, ask(gtp, "showboard"));
    keep(first, sizeof first, ask(gtp, "reg_genmove w"));
    assert_string_equal(ask(gtp, "reg_genmove w"), first);
    assert_string_equal(ask(gtp, "showboard"), board);
    yo_gtp_delete(gtp);
}

/* A tree has more to show than single moves, and its options can be changed on the way. */
static void analyzes_lines(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(1000);
    char text[1 << 16];
    keep(text, sizeof text, ask(gtp, "kata-genmove_analyze b rootInfo true pvVisits true"));
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
    assert_string_equal(ask(gtp, "yomi-param search flat"), "= \n\n");
    assert_string_equal(ask(gtp, "yomi-param search"), "= [list/uct/flat] search flat\n\n");
    keep(text, sizeof text, ask(gtp, "lz-genmove_analyze w"));
    assert_int_equal(sscanf(strstr(text, " pv "), " pv %7s %7s", first, second), 2);
    assert_string_equal(second, "info"); /* one move, and then the next row */
    assert_int_equal(ask(gtp, "yomi-param memory 0")[0], '?');
    yo_gtp_delete(gtp);
}

/* After each move its own map of the board, four points on this one. */
static void analyzes_ownership_of_moves(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(200);
    char text[1 << 16];
    ask(gtp, "boardsize 2");
    keep(text, sizeof text, ask(gtp, "kata-genmove_analyze b movesOwnership true ownership true"));
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
    keep(text, sizeof text, ask(gtp, "kata-genmove_analyze w"));
    assert_null(strstr(text, "wnership"));
    yo_gtp_delete(gtp);
}

/* A file given to printsgf comes back by loadsgf. */
static void record_round_trip(void **state) {
    (void)state;
    char path[] = "/tmp/yomi-test-XXXXXX", line[64];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    struct yo_gtp *gtp = engine(100);
    ask(gtp, "gogui-play_sequence b E5 w C3 b pass w G7");
    char history[256];
    keep(history, sizeof history, ask(gtp, "move_history"));
    snprintf(line, sizeof line, "printsgf %s", path);
    assert_string_equal(ask(gtp, line), "= \n\n");
    ask(gtp, "boardsize 13");
    snprintf(line, sizeof line, "loadsgf %s", path);
    assert_string_equal(ask(gtp, line), "= \n\n");
    assert_string_equal(ask(gtp, "move_history"), history);
    snprintf(line, sizeof line, "loadsgf %s 3", path);
    assert_string_equal(ask(gtp, line), "= \n\n");
    assert_string_equal(ask(gtp, "last_move"), "= white C3\n\n");
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
    assert_string_equal(ask(gtp, line), "= \n\n");
    remove(path);
}

/* The answer to printsgf, less its line breaks. */
static void assert_record(struct yo_gtp *gtp, const char *expected) {
    char text[1024];
    size_t len = 0;
    for (const char *p = ask(gtp, "printsgf"); *p; p++)
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
    struct yo_gtp *gtp = engine(100);
    const char as_loaded[] = HEAD ";B[ee]C[good](;W[cc];C[no move];B[gg])(;W[gc]C[or]))";
    load(gtp, loaded, "");
    assert_record(gtp, as_loaded);
    ask(gtp, "gg-undo 2");
    assert_record(gtp, as_loaded);
    ask(gtp, "play w G7"); /* there already, beside the main line */
    assert_record(gtp, as_loaded);
    ask(gtp, "play b C3");
    assert_record(gtp, HEAD ";B[ee]C[good](;W[cc];C[no move];B[gg])(;W[gc]C[or];B[cg]))");
    load(gtp, loaded, "3");
    assert_record(gtp, as_loaded);
    ask(gtp, "play b G3"); /* behind a node without a move */
    assert_record(gtp, as_loaded);
    ask(gtp, "undo");
    ask(gtp, "gogui-play_sequence b pass w A1");
    const char forked[] = HEAD ";B[ee]C[good](;W[cc](;C[no move];B[gg])(;B[];W[ai]))(;W[gc]C[or]))";
    assert_record(gtp, forked);
    assert_record(gtp, forked);
    ask(gtp, "gg-undo 2");
    assert_record(gtp, as_loaded);
    yo_gtp_delete(gtp);
}

/* KM and RU are touched only when they change; all else goes when another game begins. */
static void record_follows_the_game(void **state) {
    (void)state;
    static const char *const breaks[] = {"clear_board", "boardsize 9", "gogui-setup b A1"};
    struct yo_gtp *gtp = engine(100);
    load(gtp, "(;CA[UTF-8]SZ[9]KM[6.50]RU[japan];B[ee])", "");
    ask(gtp, "komi 6.5");
    ask(gtp, "kgs-rules japanese");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[6.50]RU[japan];B[ee])");
    ask(gtp, "komi 3");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[3]RU[japan];B[ee])");
    ask(gtp, "kgs-rules aga");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9]KM[3]RU[AGA];B[ee])");
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        load(gtp, loaded, "");
        ask(gtp, breaks[i]);
        assert_null(strstr(ask(gtp, "printsgf"), "Ann"));
    }
    load(gtp, "(;SZ[9]PB[Ann])", "");
    ask(gtp, "fixed_handicap 2");
    assert_null(strstr(ask(gtp, "printsgf"), "Ann"));
    yo_gtp_delete(gtp);
}

/* History begins again at setup; what says that which is there anyway is not setup. */
static void record_with_setup(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(100);
    load(gtp, "(;CA[UTF-8]SZ[9];B[ee];AW[aa];B[gg];AB[gg];W[cc](;AB[ab];B[dd])(;B[ff]))", "3");
    ask(gtp, "gogui-play_sequence w C7 b D6");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9];B[ee];AW[aa];B[gg];AB[gg];W[cc]"
                       "(;AB[ab];B[dd])(;B[ff])(;B[dd]))");
    load(gtp, "(;CA[UTF-8]SZ[9];B[ee];W[aa]B[bb];W[cc])", "3"); /* two moves in a node */
    ask(gtp, "play b A1");
    assert_record(gtp, "= (;CA[UTF-8]SZ[9];B[ee](;W[aa]B[bb];W[cc])(;W[aa];B[ai]))");
    load(gtp, "(;CA[UTF-8]SZ[9]AB[ee]W[aa]PB[Ann])", "1"); /* nowhere to begin a variation */
    ask(gtp, "play w A1");
    assert_non_null(strstr(ask(gtp, "printsgf"), "AB[ee]PL[W]\n;W[ai])"));
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
    struct yo_gtp *gtp = engine(100);
    const char *text = "(;SZ[9];B[ee];W[];AB[bb];W[ai];B[gc];W[cg])";
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        load(gtp, text, stops[i].until);
        assert_string_equal(ask(gtp, "last_move"), stops[i].last);
    }
    load(gtp, text, "A1"); /* right behind the setup: no history */
    assert_string_equal(ask(gtp, "get_position"), "= b B8 b E5\n\n");
    assert_string_equal(ask(gtp, "move_history"), "= \n\n");
    yo_gtp_delete(gtp);
}

/* On every size the board shows stars just where the first fixed handicap stones go. */
static void stars_are_handicap_places(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(100);
    for (int size = 2; size <= 19; size++) {
        char line[32], board[2048];
        int expected = size < 7 ? 0 : size < 9 || size % 2 == 0 ? 4 : size < 15 ? 5 : 9;
        snprintf(line, sizeof line, "boardsize %d", size);
        ask(gtp, line);
        keep(board, sizeof board, ask(gtp, "showboard"));
        int stars = 0;
        for (const char *p = board; *p; p++)
            stars += *p == '+';
        assert_int_equal(stars, expected);
        snprintf(line, sizeof line, "fixed_handicap %d", expected);
        if (expected == 0) continue;
        ask(gtp, line);
        keep(board, sizeof board, ask(gtp, "showboard"));
        assert_null(strchr(board, '+')); /* each has a stone on it */
    }
    yo_gtp_delete(gtp);
}

/* get_position can be fed to gogui-setup. */
static void position_round_trip(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(100);
    char position[256], line[300];
    ask(gtp, "gogui-play_sequence b E5 w C3 b A1");
    keep(position, sizeof position, ask(gtp, "get_position"));
    assert_string_equal(position, "= b E5 w C3 b A1\n\n");
    ask(gtp, "clear_board");
    snprintf(line, sizeof line, "gogui-setup %.*s", (int)strlen(position) - 4, position + 2);
    assert_string_equal(ask(gtp, line), "= \n\n");
    assert_string_equal(ask(gtp, "get_position"), position);
    assert_string_equal(ask(gtp, "gogui-setup e C3"), "= \n\n");
    assert_string_equal(ask(gtp, "get_position"), "= b E5 b A1\n\n");
    yo_gtp_delete(gtp);
}

/* A sequence that fails leaves no trace, and taking it back costs no more than playing it: a line
 * may hold a hundred thousand moves. */
static void long_sequences_are_taken_back(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(10);
    struct yo_buf line = {0}, reply = {0};
    yo_buf_str(&line, "gogui-play_sequence b E5");
    for (int i = 0; i < 60000; i++)
        yo_buf_str(&line, " w pass b pass");
    assert_string_equal(ask(gtp, "gogui-setup_player w"), "= \n\n");
    size_t good = line.len;
    yo_buf_str(&line, " w E5");
    yo_gtp_feed(gtp, line.data, line.len, &reply);
    assert_int_equal(yo_buf_text(&reply)[0], '?');
    assert_string_equal(ask(gtp, "list_stones b"), "= \n\n");
    assert_non_null(strstr(ask(gtp, "showboard"), "White to move, 0 played"));
    yo_buf_clear(&reply);
    yo_gtp_feed(gtp, line.data, good, &reply);
    assert_string_equal(yo_buf_text(&reply), "= \n\n");
    assert_string_equal(ask(gtp, "gg-undo 120000"), "= \n\n");
    assert_string_equal(ask(gtp, "move_history"), "= black E5\n\n");
    assert_int_equal(ask(gtp, "gg-undo 2")[0], '?');
    yo_buf_free(&line);
    yo_buf_free(&reply);
    yo_gtp_delete(gtp);
}

/* With a clock that is nearly out, a move comes at once. */
static void heeds_the_clock(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(0);
    ask(gtp, "time_settings 600 0 0");
    ask(gtp, "time_left b 1 0");
    int64_t start = yo_time_ms();
    assert_int_equal(strncmp(ask(gtp, "genmove b"), "= ", 2), 0);
    assert_true(yo_time_ms() - start < 2000); /* what a move takes without a clock */
    yo_gtp_delete(gtp);
}

/* Periods that the settings gave no time to. */
static void survives_an_odd_referee(void **state) {
    (void)state;
    static const char *const kinds[] = {"byoyomi 10 0 3", "canadian 10 0 3", "absolute 10", "none"};
    struct yo_gtp *gtp = engine(10);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "kgs-time_settings %s", kinds[i]);
        assert_string_equal(ask(gtp, line), "= \n\n");
        assert_string_equal(ask(gtp, "time_left b 0 3"), "= \n\n");
        assert_int_equal(strncmp(ask(gtp, "genmove b"), "= ", 2), 0);
    }
    yo_gtp_delete(gtp);
}

/* Where players do not agree on dead stones, what stands at the end counts: a lone stone in Black's
 * area makes all of it neutral. KGS's Chinese rules have superko and that agreement. */
static void rules_say_what_is_dead(void **state) {
    (void)state;
    struct yo_gtp *gtp = engine(100);
    ask(gtp, "boardsize 5");
    ask(gtp, "komi 0.5");
    ask(gtp, "gogui-setup b A3 b B3 b C3 b D3 b E3 w C1");
    assert_string_equal(ask(gtp, "kata-set-rules cgos"), "= \n\n");
    assert_string_equal(ask(gtp, "get_komi"), "= 0.5\n\n");
    assert_string_equal(ask(gtp, "final_score"), "= B+24.5\n\n"); /* the game goes on */
    ask(gtp, "play b pass");
    ask(gtp, "play w pass");
    assert_string_equal(ask(gtp, "final_score"), "= B+13.5\n\n");
    assert_string_equal(ask(gtp, "final_status_list dead"), "= \n\n");
    assert_string_equal(ask(gtp, "kgs-rules chinese"), "= \n\n");
    assert_string_equal(ask(gtp, "final_score"), "= B+24.5\n\n");
    assert_string_equal(ask(gtp, "final_status_list dead"), "= C1\n\n");
    assert_non_null(strstr(ask(gtp, "kata-get-rules"), "\"ko\":\"POSITIONAL\""));
    assert_string_equal(ask(gtp, "kgs-rules new_zealand"), "= \n\n");
    assert_non_null(strstr(ask(gtp, "kata-get-rules"), "\"suicide\":true"));
    yo_gtp_delete(gtp);
}

/* Every command, fed junk of every length up to four words, answers once and lives. */
static void survives_junk_arguments(void **state) {
    (void)state;
    static const char *const junk[] = {"",
                                       " b",
                                       " -1",
                                       " 99999999999999999999",
                                       " \xff\xfe \x80",
                                       " b A1",
                                       " D4 D4 D4",
                                       " {\"ko\":",
                                       " b b b b",
                                       " a 1 a 1"};
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    config.playouts = 50;
    config.judge_games = 20;
    config.no_files = true;
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
    struct yo_gtp_command_info info;
    for (size_t i = 0; yo_gtp_command_info(i, &info); i++)
        for (size_t j = 0; j < sizeof junk / sizeof junk[0]; j++) {
            char line[128];
            snprintf(line, sizeof line, "%s%s", info.name, junk[j]);
            const char *reply = ask(gtp, line);
            size_t len = strlen(reply);
            assert_true(reply[0] == '=' || reply[0] == '?');
            assert_ptr_equal(strstr(reply, "\n\n"), reply + len - 2);
        }
    yo_gtp_delete(gtp);
}

/* ---- docs/gtp.md ---- */

static void make_table(struct yo_buf *out) {
    struct yo_gtp_command_info info;
    const char *topic = "";
    for (size_t i = 0; yo_gtp_command_info(i, &info); i++) {
        if (strcmp(topic, info.topic) != 0)
            yo_buf_printf(out, "\n### %s\n\n| command | arguments | |\n|---|---|---|\n",
                          info.topic);
        topic = info.topic;
        yo_buf_printf(out, "| `%s` | ", info.name);
        if (*info.usage) yo_buf_char(out, '`');
        for (const char *p = info.usage; *p; p++)
            yo_buf_printf(out, *p == '|' ? "\\%c" : "%c", *p);
        yo_buf_printf(out, "%s | %s |\n", *info.usage ? "`" : "", info.help);
    }
}

/* The table of commands in the document is the one in the program. YOMI_BLESS writes it anew. */
static void documentation_is_true(void **state) {
    (void)state;
    static const char begin[] = "<!-- commands: begin -->\n", end[] = "\n<!-- commands: end -->";
    struct yo_buf table = {0};
    make_table(&table);
    static char text[1 << 17];
    FILE *file = fopen("docs/gtp.md", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *from = strstr(text, begin), *to = strstr(text, end);
    assert_non_null(from);
    assert_non_null(to);
    from += strlen(begin);
    if (getenv("YOMI_BLESS")) {
        file = fopen("docs/gtp.md", "wb");
        assert_non_null(file);
        fprintf(file, "%.*s%s%s", (int)(from - text), text, yo_buf_text(&table), to);
        fclose(file);
    } else {
        *to = '\0';
        assert_string_equal(from, yo_buf_text(&table));
    }
    yo_buf_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_lines),
        cmocka_unit_test(hears_no_memory),
        cmocka_unit_test(limits_lines),
        cmocka_unit_test(refuses_long_lines),
        cmocka_unit_test(plays_a_whole_game),
        cmocka_unit_test(resigns_only_when_told),
        cmocka_unit_test(passes_then_cleans_up),
        cmocka_unit_test(reg_genmove_leaves_no_trace),
        cmocka_unit_test(analyzes_lines),
        cmocka_unit_test(analyzes_ownership_of_moves),
        cmocka_unit_test(record_round_trip),
        cmocka_unit_test(record_is_kept),
        cmocka_unit_test(record_follows_the_game),
        cmocka_unit_test(record_with_setup),
        cmocka_unit_test(record_stops_before_moves),
        cmocka_unit_test(stars_are_handicap_places),
        cmocka_unit_test(position_round_trip),
        cmocka_unit_test(long_sequences_are_taken_back),
        cmocka_unit_test(heeds_the_clock),
        cmocka_unit_test(survives_an_odd_referee),
        cmocka_unit_test(rules_say_what_is_dead),
        cmocka_unit_test(survives_junk_arguments),
        cmocka_unit_test(documentation_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
