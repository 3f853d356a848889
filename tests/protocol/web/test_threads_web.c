/* The page's protocol: every request is answered, a new search stops the one before it, and wrong
 * requests get errors that say what is wrong. */
#include "support/test.h"

#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#include "engine/alphabeta.h"
#include "support/web_talk.h"
#include "yomi/go.h"
#include "yomi/shogi.h"

#define GO9  "{\"game\":\"go\",\"size\":9,\"komi\":7,\"moves\":[%s]}"
#define FREE "{\"game\":\"go\",\"size\":9}"
/* Positions that are in no book: the engine thinks. */
#define NEW_GO    "{\"game\":\"go\",\"size\":7}"
#define NEW_SHOGI "{\"game\":\"shogi\",\"moves\":[\"2h1h\",\"8b9b\"]}"

static int open_playouts(void **state) {
    (void)state;
    web_open(NULL);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    web_close();
    return 0;
}

static json_t *position(const char *text) {
    return web_ask(3, "{\"type\":\"position\",\"id\":3,\"position\":%s}", text);
}

static void expect(const json_t *message, const char *key, const char *text) {
    assert_string_equal(web_text(message, key), text);
}

/* ---- Answers without a search ---- */

static void hello(void **state) {
    (void)state;
    json_t *m = web_ask(1, "{\"type\":\"hello\",\"id\":1}");
    expect(m, "type", "hello");
    assert_true(web_number(m, "protocol") == 1);
    assert_true(web_number(json_object_get(m, "levels"), "max") == 10);
    assert_true(web_number(m, "threads") == 1); /* as its options say, not as the machine has */
    assert_true(json_array_size(json_object_get(m, "rules")) > 5);
    assert_true(json_array_size(json_object_get(m, "handicaps")) > 5);
    json_decref(m);
}

static void positions_of_go(void **state) {
    (void)state;
    json_t *m = position("{\"game\":\"go\",\"size\":5,\"moves\":[\"A1\",\"B1\",\"E5\",\"A2\"]}");
    expect(m, "turn", "b");
    expect(m, "last", "A2");
    expect(m, "board", "....b..........w.....w...");
    assert_true(web_number(json_object_get(m, "captures"), "w") == 1);
    assert_true(json_is_null(json_object_get(m, "over")));
    json_decref(m);
}

static void handicap_and_setup(void **state) {
    (void)state;
    json_t *m = position("{\"game\":\"go\",\"size\":9,\"handicap\":4}");
    expect(m, "turn", "w");
    json_decref(m);
    m = position("{\"game\":\"go\",\"size\":3,\"setup\":{\"black\":[\"A1\"],\"white\":[\"C3\"]},"
                 "\"turn\":\"w\",\"moves\":[\"b B2\",\"b C1\"]}");
    expect(m, "board", "..w.b.b.b");
    expect(m, "turn", "w");
    json_decref(m);
    m = position("{\"game\":\"go\",\"size\":9,\"moves\":[\"pass\",\"pass\"]}");
    expect(json_object_get(m, "over"), "reason", "passes");
    json_decref(m);
}

static void positions_of_shogi(void **state) {
    (void)state;
    json_t *m = position("{\"game\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\"]}");
    expect(m, "turn", "b");
    assert_int_equal(json_array_size(json_object_get(m, "words")), 2);
    assert_string_equal(json_string_value(json_array_get(json_object_get(m, "words"), 1)),
                        "△３四歩");
    json_decref(m);
    m = position("{\"game\":\"shogi\",\"sfen\":\"二枚落ち\"}");
    expect(m, "turn", "w");
    json_decref(m);
    m = position(
        "{\"game\":\"shogi\",\"sfen\":\"4k4/9/4P4/9/9/9/9/9/4K4 b G 1\",\"moves\":[\"G*5b\"]}");
    expect(json_object_get(m, "over"), "reason", "mate");
    expect(json_object_get(m, "over"), "winner", "b");
    assert_true(json_is_true(json_object_get(m, "check")));
    json_decref(m);
}

/* ---- Errors ---- */

static void wrong(const char *code, const char *what, const char *text) {
    web_forget();
    json_t *m = web_ask(3, text, "");
    expect(m, "type", "error");
    expect(m, "code", code);
    if (!strstr(web_text(m, "message"), what))
        fail_msg("'%s' does not say '%s'", web_text(m, "message"), what);
    json_decref(m);
}

static void wrong_requests(void **state) {
    (void)state;
    wrong("unknown", "analise", "{\"type\":\"analise\",\"id\":3}");
    wrong("unknown", "'levl'", "{\"type\":\"move\",\"id\":3,\"levl\":3,\"position\":" FREE "}");
    wrong("range", "level", "{\"type\":\"move\",\"id\":3,\"level\":11,\"position\":" FREE "}");
    wrong("parse", "level", "{\"type\":\"move\",\"id\":3,\"level\":\"5\",\"position\":" FREE "}");
    wrong("parse", "position", "{\"type\":\"move\",\"id\":3}");
    wrong("parse", "go or shogi", "{\"type\":\"move\",\"id\":3,\"position\":{\"game\":\"chess\"}}");
    wrong("range", "size",
          "{\"type\":\"position\",\"id\":3,\"position\":{\"game\":\"go\",\"size\":20}}");
    wrong("range", "komi",
          "{\"type\":\"position\",\"id\":3,\"position\":{\"game\":\"go\",\"komi\":6.25}}");
    wrong("unknown", "'sice'",
          "{\"type\":\"position\",\"id\":3,\"position\":{\"game\":\"go\",\"sice\":9}}");
    wrong("unsupported", "Go", "{\"type\":\"judge\",\"id\":3,\"position\":{\"game\":\"shogi\"}}");
    wrong("unsupported", "visits",
          "{\"type\":\"analyze\",\"id\":3,\"limit\":{\"visits\":5},\"position\":{\"game\":"
          "\"shogi\"}}");
    wrong("illegal", "no stone",
          "{\"type\":\"judge\",\"id\":3,\"dead\":[\"A1\"],\"position\":" FREE "}");
    wrong("parse", "",
          "{\"type\":\"position\",\"id\":3,\"position\":{\"game\":\"shogi\",\"sfen\":\"x\"}}");
}

static void illegal_moves(void **state) {
    (void)state;
    static const char *const games[] = {
        "{\"game\":\"go\",\"size\":9,\"moves\":[\"E5\",\"D5\",\"E5\",\"A1\"]}",
        "{\"game\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\",\"5i5g\"]}",
    };
    for (int i = 0; i < 2; i++) {
        json_t *m = position(games[i]);
        expect(m, "code", "illegal");
        assert_true(web_number(m, "index") == 2);
        json_decref(m);
    }
}

/* Without an id there is none in the answer. */
static void nonsense(void **state) {
    (void)state;
    static const char *const texts[] = {"",         "]",
                                        "[]",       "7",
                                        "{}",       "{\"id\":\"x\",\"type\":\"hello\"}",
                                        "\xff\xfe", "{\"type\":\"hello\",\"id\":1.5}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        web_forget();
        yo_web_feed(web_engine(), texts[i], strlen(texts[i]));
        assert_null(web_last(0));
        assert_null(web_last(1));
    }
    json_t *m = web_ask(9, "{\"id\":9}");
    expect(m, "code", "parse");
    json_decref(m);
}

/* ---- Searches ---- */

static void a_game_of_go(void **state) {
    (void)state;
    char moves[4096] = "";
    for (int i = 0; i < 6; i++) {
        json_t *m = web_ask(
            i, "{\"type\":\"move\",\"id\":%d,\"level\":1,\"time_ms\":3600000,\"position\":" GO9 "}",
            i, moves);
        expect(m, "type", "move");
        const char *move = web_text(m, "move");
        yo_go_point point;
        assert_int_equal(yo_go_point_parse(move, 9, &point, NULL), YO_OK);
        size_t len = strlen(moves);
        snprintf(moves + len, sizeof moves - len, "%s\"%s\"", i ? "," : "", move);
        assert_true(web_number(m, "winrate") >= 0 && web_number(m, "winrate") <= 1);
        json_decref(m);
    }
    json_t *m = position("{\"game\":\"go\",\"size\":9}");
    json_decref(m);
}

/* The same position asked again: a beginner's level does not always play the same, and knows
 * nothing of an analysis that came before. */
static void weak_levels_vary(void **state) {
    (void)state;
    static const char *const games[] = {NEW_GO, NEW_SHOGI};
    static const char *const limits[] = {"\"visits\":3000", "\"depth\":5"};
    for (int i = 0; i < 2; i++) {
        char first[16] = "";
        json_decref(web_ask(8, "{\"type\":\"analyze\",\"id\":8,\"limit\":{%s},\"position\":%s}",
                            limits[i], games[i]));
        bool varies = false;
        for (int k = 0; k < 40 && !varies; k++) {
            json_t *m = web_ask(
                9, "{\"type\":\"move\",\"id\":9,\"level\":1,\"time_ms\":3600000,\"position\":%s}",
                games[i]);
            varies = *first && strcmp(first, web_text(m, "move")) != 0;
            snprintf(first, sizeof first, "%s", web_text(m, "move"));
            json_decref(m);
        }
        assert_true(varies);
    }
}

static void a_game_of_shogi(void **state) {
    (void)state;
    struct yo_shogi_game *game;
    char moves[4096] = "";
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    for (int i = 0; i < 6; i++) {
        json_t *m = web_ask(i,
                            "{\"type\":\"move\",\"id\":%d,\"level\":%d,\"position\":"
                            "{\"game\":\"shogi\",\"moves\":[%s]}}",
                            i, 1 + i % 3, moves);
        expect(m, "type", "move");
        yo_shogi_move move;
        assert_int_equal(yo_shogi_move_parse(web_text(m, "move"), &move, NULL), YO_OK);
        assert_int_equal(yo_shogi_game_play(game, move, NULL), YO_OK);
        size_t len = strlen(moves);
        snprintf(moves + len, sizeof moves - len, "%s\"%s\"", i ? "," : "", web_text(m, "move"));
        json_decref(m);
    }
    yo_shogi_game_delete(game);
}

static void analysis_has_all_it_was_asked_for(void **state) {
    (void)state;
    json_t *m = web_ask(5, "{\"type\":\"analyze\",\"id\":5,\"max_moves\":3,\"ownership\":true,"
                           "\"policy\":true,\"limit\":{\"visits\":200},\"avoid\":[\"E5\"],"
                           "\"position\":" FREE "}");
    expect(m, "type", "report");
    assert_true(json_is_true(json_object_get(m, "final")));
    assert_true(json_is_false(json_object_get(m, "stopped")));
    assert_int_equal(json_array_size(json_object_get(m, "moves")), 3);
    assert_int_equal(json_array_size(json_object_get(m, "ownership")), 81);
    assert_int_equal(json_array_size(json_object_get(m, "policy")), 82);
    assert_true(web_number(m, "visits") >= 100);
    const json_t *best = json_array_get(json_object_get(m, "moves"), 0);
    assert_string_not_equal(web_text(best, "move"), "E5");
    assert_string_equal(json_string_value(json_array_get(json_object_get(best, "pv"), 0)),
                        web_text(best, "move"));
    json_decref(m);
    m = web_ask(6, "{\"type\":\"analyze\",\"id\":6,\"max_moves\":2,\"limit\":{\"depth\":3},"
                   "\"position\":{\"game\":\"shogi\"}}");
    assert_int_equal(json_array_size(json_object_get(m, "moves")), 2);
    web_number(m, "cp");
    assert_true(web_number(m, "depth") >= 3);
    json_decref(m);
}

/* White's view of a won position is Black's loss. */
static void values_are_blacks(void **state) {
    (void)state;
    static const char *const turns[] = {"b", "w"};
    for (int i = 0; i < 2; i++) {
        json_t *m =
            web_ask(7,
                    "{\"type\":\"analyze\",\"id\":7,\"limit\":{\"visits\":300},\"position\":"
                    "{\"game\":\"go\",\"size\":5,\"komi\":-60,\"turn\":\"%s\"}}",
                    turns[i]);
        assert_true(web_number(m, "winrate") > 0.5);
        assert_true(web_number(m, "score") > 0);
        json_decref(m);
        m = web_ask(8,
                    "{\"type\":\"analyze\",\"id\":8,\"limit\":{\"depth\":3},\"position\":{\"game\":"
                    "\"shogi\",\"sfen\":\"4k4/9/4P4/9/9/9/9/9/4K4 b 2R2G 1\",\"moves\":[%s]}}",
                    i ? "\"R*2a\"" : "");
        assert_true(web_number(m, "winrate") > 0.5);
        json_decref(m);
    }
}

static void start_endless(int id, const char *game) {
    web_say("{\"type\":\"analyze\",\"id\":%d,\"every_ms\":20,\"position\":%s}", id, game);
    web_await(id, "report", 1);
}

static void stop_ends_a_search(void **state) {
    (void)state;
    static const char *const games[] = {NEW_GO, NEW_SHOGI};
    for (int i = 0; i < 2; i++) {
        web_forget();
        start_endless(20, games[i]);
        web_say("{\"type\":\"stop\",\"id\":21,\"of\":19}"); /* answered while the search goes on */
        web_await(21, "stop", 1);
        json_t *m = web_last(21);
        assert_true(json_is_false(json_object_get(m, "stopped")));
        json_decref(m);
        m = web_ask(22, "{\"type\":\"stop\",\"id\":22,\"of\":20}");
        assert_true(json_is_true(json_object_get(m, "stopped")));
        json_decref(m);
        m = web_last(20);
        assert_true(json_is_true(json_object_get(m, "final")));
        assert_true(json_is_true(json_object_get(m, "stopped")));
        json_decref(m);
    }
}

/* The first moves come from the book, at any level, and are told to. */
static void book_moves(void **state) {
    (void)state;
    static const char *const games[] = {FREE, "{\"game\":\"shogi\"}", NEW_GO, NEW_SHOGI};
    for (int i = 0; i < 4; i++) {
        json_t *m = web_ask(
            10, "{\"type\":\"move\",\"id\":10,\"level\":1,\"time_ms\":5000,\"position\":%s}",
            games[i]);
        assert_true(json_is_true(json_object_get(m, "book")) == (i < 2));
        json_decref(m);
    }
}

/* A move that is stopped is still a move. */
static void a_stopped_move(void **state) {
    (void)state;
    static const char *const games[] = {NEW_GO, NEW_SHOGI};
    for (int i = 0; i < 2; i++) {
        web_forget();
        web_say("{\"type\":\"move\",\"id\":30,\"time_ms\":3600000,\"position\":%s}", games[i]);
        json_decref(web_ask(31, "{\"type\":\"stop\",\"id\":31}"));
        assert_int_equal(web_count(30, "move"), 1);
        json_t *m = web_last(30);
        assert_true(json_is_true(json_object_get(m, "stopped")));
        json_decref(m);
    }
}

static sem_t loads, loaded;

/* Loads until the test lets it. */
static enum yo_err load_slowly(const struct yo_search_setup *setup, struct yo_search *search,
                               struct yo_diag *diag) {
    sem_post(&loads);
    while (sem_wait(&loaded))
        ;
    return yo_alphabeta_make(setup, search, diag);
}

/* An analysis that has not begun is answered once, before the engine is there, and so is the stop;
 * the next one has the engine. */
static void stop_while_loading(void **state) {
    (void)state;
    static const struct yo_search_kind kinds[] = {{"alphabeta", YO_SESSION_SHOGI, load_slowly},
                                                  {NULL, YO_SESSION_GO, NULL}};
    web_close();
    web_open_kinds(kinds);
    sem_init(&loads, 0, 0);
    sem_init(&loaded, 0, 0);
    web_say("{\"type\":\"analyze\",\"id\":32,\"position\":%s}", NEW_SHOGI);
    while (sem_wait(&loads))
        ;
    web_say("{\"type\":\"analyze\",\"id\":33,\"position\":%s}", NEW_SHOGI);
    web_await(32, "report", 1);
    web_say("{\"type\":\"stop\",\"id\":34}");
    web_await(33, "report", 1);
    web_await(34, "stop", 1);
    web_say("{\"type\":\"analyze\",\"id\":35,\"limit\":{\"depth\":3},\"position\":%s}", NEW_SHOGI);
    sem_post(&loaded);
    web_await(35, "report", 1);
    for (int id = 32; id <= 33; id++) {
        json_t *m = web_last(id);
        assert_int_equal(web_count(id, "report"), 1);
        assert_true(json_is_true(json_object_get(m, "stopped")));
        assert_int_equal(json_array_size(json_object_get(m, "moves")), 0);
        json_decref(m);
    }
    yo_web_finish(web_engine());
    json_t *m = web_last(35);
    assert_false(json_is_true(json_object_get(m, "stopped")));
    assert_true(json_array_size(json_object_get(m, "moves")) > 0);
    json_decref(m);
    web_close();
    web_open(NULL);
}

/* Each of many searches is ended by the next and answered once, in order. */
static void a_new_search_stops_the_old(void **state) {
    (void)state;
    web_forget();
    for (int i = 0; i < 8; i++)
        web_say("{\"type\":\"%s\",\"id\":%d,\"position\":%s}", i % 3 ? "analyze" : "move", 40 + i,
                i % 2 ? NEW_GO : NEW_SHOGI);
    json_decref(web_ask(48, "{\"type\":\"stop\",\"id\":48}"));
    for (int i = 0; i < 8; i++) {
        json_t *m = web_last(40 + i);
        assert_non_null(m);
        expect(m, "type", i % 3 ? "report" : "move");
        json_decref(m);
    }
}

/* What waits behind is limited; requests beyond that are told so, and the first are answered. */
static void too_many(void **state) {
    (void)state;
    web_forget();
    start_endless(50, FREE);
    for (int i = 0; i < 60; i++)
        web_say("{\"type\":\"judge\",\"id\":51,\"position\":{\"game\":\"go\",\"size\":19}}");
    yo_web_finish(web_engine());
    assert_int_equal(web_count(51, "judge") + web_count(51, "error"), 60);
}

/* ---- The end of a game of Go ---- */

static void judging(void **state) {
    (void)state;
    static const char game[] = "{\"game\":\"go\",\"size\":5,\"komi\":0.5,\"setup\":{"
                               "\"black\":[\"A3\",\"B3\",\"C3\",\"D3\",\"E3\",\"A2\"],"
                               "\"white\":[\"E2\"]},\"moves\":[\"pass\",\"pass\"]}";
    json_t *m =
        web_ask(60, "{\"type\":\"judge\",\"id\":60,\"position\":%s,\"dead\":[\"E2\"]}", game);
    expect(m, "text", "B+24.5");
    assert_true(web_number(m, "score") == 24.5);
    assert_true(json_integer_value(json_array_get(json_object_get(m, "owner"), 24)) == 1);
    json_decref(m);
    m = web_ask(61, "{\"type\":\"judge\",\"id\":61,\"position\":%s,\"dead\":[]}", game);
    assert_true(web_number(m, "score") < 24);
    assert_true(json_integer_value(json_array_get(json_object_get(m, "owner"), 24)) == 0);
    json_decref(m);
    m = web_ask(62, "{\"type\":\"judge\",\"id\":62,\"position\":%s}", game);
    assert_int_equal(json_array_size(json_object_get(m, "ownership")), 25);
    json_decref(m);
}

/* The same number gives the same playout; it can be replayed move by move. */
static void playouts(void **state) {
    (void)state;
    json_t *a = web_ask(70, "{\"type\":\"playout\",\"id\":70,\"number\":5,\"position\":" FREE "}");
    json_t *b = web_ask(71, "{\"type\":\"playout\",\"id\":71,\"number\":5,\"position\":" FREE "}");
    json_t *c = web_ask(72, "{\"type\":\"playout\",\"id\":72,\"number\":6,\"position\":" FREE "}");
    assert_true(json_equal(json_object_get(a, "moves"), json_object_get(b, "moves")));
    assert_false(json_equal(json_object_get(a, "moves"), json_object_get(c, "moves")));
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
    json_t *value;
    size_t i;
    json_array_foreach(json_object_get(a, "moves"), i, value) {
        yo_go_point point;
        assert_int_equal(yo_go_point_parse(json_string_value(value), 9, &point, NULL), YO_OK);
        if (point != YO_GO_PASS) assert_int_equal(yo_go_game_at(game, point), YO_GO_EMPTY);
        yo_go_game_play(game, yo_go_game_to_move(game), point, NULL);
    }
    yo_go_game_delete(game);
    json_decref(a);
    json_decref(b);
    json_decref(c);
}

/* ---- Clocks ---- */

static void clocks(void **state) {
    (void)state;
    static const char *const games[] = {NEW_GO, NEW_SHOGI};
    for (int i = 0; i < 2; i++) {
        json_t *m = web_ask(80,
                            "{\"type\":\"move\",\"id\":80,\"clock\":{\"kind\":\"byoyomi\","
                            "\"main_ms\":1000,\"period_ms\":100,\"count\":1,"
                            "\"b\":{\"left_ms\":100,\"count\":1}},\"position\":%s}",
                            games[i]);
        expect(m, "type", "move");
        json_decref(m);
    }
    wrong("unknown", "hourglass",
          "{\"type\":\"move\",\"id\":3,\"clock\":{\"kind\":\"hourglass\"},"
          "\"position\":" FREE "}");
}

/* Ending while a search runs: no message comes after it. */
static void closing_stops_the_search(void **state) {
    (void)state;
    start_endless(90, FREE);
    web_say("{\"type\":\"move\",\"id\":91,\"time_ms\":3600000,\"position\":" NEW_SHOGI "}");
    web_close();
    web_open(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello),
        cmocka_unit_test(positions_of_go),
        cmocka_unit_test(handicap_and_setup),
        cmocka_unit_test(positions_of_shogi),
        cmocka_unit_test(wrong_requests),
        cmocka_unit_test(illegal_moves),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(a_game_of_go),
        cmocka_unit_test(weak_levels_vary),
        cmocka_unit_test(a_game_of_shogi),
        cmocka_unit_test(analysis_has_all_it_was_asked_for),
        cmocka_unit_test(values_are_blacks),
        cmocka_unit_test(stop_ends_a_search),
        cmocka_unit_test(book_moves),
        cmocka_unit_test(a_stopped_move),
        cmocka_unit_test(stop_while_loading),
        cmocka_unit_test(a_new_search_stops_the_old),
        cmocka_unit_test(too_many),
        cmocka_unit_test(judging),
        cmocka_unit_test(playouts),
        cmocka_unit_test(clocks),
        cmocka_unit_test(closing_stops_the_search),
    };
    return cmocka_run_group_tests(tests, open_playouts, close_all);
}
