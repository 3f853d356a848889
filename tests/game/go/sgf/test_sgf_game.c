/* SGF and Go: records played into games, and games made into records. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/sgf_same.h"

static struct yo_sgf *parse(const char *text) {
    struct yo_sgf *sgf = NULL;
    struct yo_diag diag;
    if (yo_sgf_parse(text, strlen(text), "game.sgf", &sgf, &diag) != YO_OK)
        fail_msg("%s: %s", text, diag.what);
    return sgf;
}

static struct yo_go_game *play_until(const char *text, size_t stop_at) {
    struct yo_sgf *sgf = parse(text);
    struct yo_go_game *game = NULL;
    struct yo_diag diag;
    if (yo_sgf_to_game(sgf, 0, stop_at, &game, &diag) != YO_OK) fail_msg("%s: %s", text, diag.what);
    yo_sgf_delete(sgf);
    return game;
}

static struct yo_go_game *play(const char *text) { return play_until(text, 0); }

static void assert_board(const struct yo_go_game *game, const char *rows) {
    for (int p = 0; rows[p]; p++)
        if (yo_go_game_at(game, (yo_go_point)p) !=
            (enum yo_go_color)(strchr(".XO", rows[p]) - ".XO"))
            fail_msg("point %d is not %c", p, rows[p]);
}

static void moves_and_passes_are_played(void **state) {
    (void)state;
    struct yo_go_game *game = play("(;SZ[3];B[ba];W[cc](;B[];W[tt];B[ aa\n])(;B[bb]))");
    assert_int_equal(yo_go_game_size(game), 3);
    assert_board(game, "XX......O");
    assert_int_equal(yo_go_game_move_count(game), 5);
    assert_int_equal(yo_go_game_move(game, 2).move, YO_GO_PASS);
    assert_int_equal(yo_go_game_move(game, 3).move, YO_GO_PASS);
    assert_int_equal(yo_go_game_to_move(game), YO_GO_WHITE);
    yo_go_game_delete(game);
    game = play("(;C[no size])");
    assert_int_equal(yo_go_game_size(game), 19);
    yo_go_game_delete(game);
    game = play("(;SZ[5:5])");
    assert_int_equal(yo_go_game_size(game), 5);
    yo_go_game_delete(game);
    game = play("(;GM[1]FF[4];SZ[7];B[aa])"); /* root properties in the wrong node */
    assert_int_equal(yo_go_game_size(game), 7);
    yo_go_game_delete(game);
}

static void stops_before_a_move(void **state) {
    (void)state;
    const char *text = "(;SZ[3]AB[aa];W[bb];B[cc];W[ca])";
    static const size_t played[] = {3, 0, 1, 2, 3, 3};
    static const enum yo_go_color next[] = {YO_GO_WHITE, YO_GO_BLACK, YO_GO_WHITE, YO_GO_BLACK};
    for (size_t stop = 0; stop < 6; stop++) {
        struct yo_go_game *game = play_until(text, stop);
        assert_int_equal(yo_go_game_move_count(game), played[stop]);
        assert_int_equal(yo_go_game_to_move(game), next[played[stop]]);
        yo_go_game_delete(game);
    }
    struct yo_go_game *game = play_until("(;SZ[3];B[aa];B[bb];W[cc])", 2);
    assert_int_equal(yo_go_game_to_move(game), YO_GO_BLACK); /* as the record goes on */
    yo_go_game_delete(game);
}

static void setup_is_applied(void **state) {
    (void)state;
    struct yo_go_game *game = play("(;SZ[4]AB[aa:ca][dd]AW[bc:ab]AE[ba]PL[W])");
    assert_board(game, "X.X.OO..OO.....X");
    assert_int_equal(yo_go_game_to_move(game), YO_GO_WHITE);
    assert_int_equal(yo_go_game_handicap(game), 0);
    yo_go_game_delete(game);

    game = play("(;SZ[3];B[aa];W[bb];AE[bb]AW[cc]PL[B];B[ba])");
    assert_board(game, "XX......O");
    assert_int_equal(yo_go_game_move_count(game), 1);
    yo_go_game_delete(game);

    /* Setup that changes nothing leaves the game's history alone. */
    game = play("(;SZ[3];B[aa];AB[aa]AE[bb]AW[];W[bb])");
    assert_int_equal(yo_go_game_move_count(game), 2);
    yo_go_game_delete(game);
}

static void handicap_is_known(void **state) {
    (void)state;
    struct yo_go_game *game = play("(;SZ[9]HA[2]AB[cg][gc])");
    assert_int_equal(yo_go_game_handicap(game), 2);
    assert_int_equal(yo_go_game_to_move(game), YO_GO_WHITE);
    assert_int_equal(yo_go_game_rules(game)->komi2, 0);
    yo_go_game_delete(game);
    game = play("(;SZ[9]HA[3]AB[cg][gc];B[aa])"); /* not what HA says: a position */
    assert_int_equal(yo_go_game_handicap(game), 0);
    yo_go_game_delete(game);
}

static void handicap_without_stones_is_the_fixed_one(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int stones, to_move;
    } cases[] = {
        {"(;SZ[9]HA[4])", 4, YO_GO_WHITE},
        {"(;SZ[9]HA[4];W[ee])", 4, YO_GO_BLACK},
        {"(;SZ[19]HA[9];C[hello];W[aa])", 9, YO_GO_BLACK},
        {"(;SZ[9]HA[2];B[cg];B[gc];W[ee])", 0, YO_GO_BLACK}, /* Black places them by moves */
        {"(;SZ[9]HA[2];AB[cg][gc])", 2, YO_GO_WHITE},        /* in the second node */
        {"(;SZ[5]HA[2])", 0, YO_GO_BLACK},                   /* no such places */
        {"(;SZ[9]HA[1])", 0, YO_GO_BLACK},
        {"(;SZ[19]HA[12])", 0, YO_GO_BLACK},
        {"(;SZ[19]HA[-2])", 0, YO_GO_BLACK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yo_go_game *game = play(cases[i].text);
        if (yo_go_game_handicap(game) != cases[i].stones ||
            (int)yo_go_game_to_move(game) != cases[i].to_move)
            fail_msg("%s: %d stones", cases[i].text, yo_go_game_handicap(game));
        yo_go_game_delete(game);
    }
    struct yo_go_game *game = play("(;SZ[9]HA[4])");
    assert_int_equal(yo_go_game_at(game, 20), YO_GO_BLACK);
    yo_go_game_delete(game);
}

/* With a move, PL says who moves after it. */
static void the_player_of_a_move_node(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum yo_go_color to_move;
    } cases[] = {
        {"(;SZ[9];B[ee]PL[B])", YO_GO_BLACK},      {"(;SZ[9];PL[B]B[ee])", YO_GO_BLACK},
        {"(;SZ[9];B[ee]PL[W])", YO_GO_WHITE},      {"(;SZ[9];B[ee];PL[B])", YO_GO_BLACK},
        {"(;SZ[9]PL[W];W[ee])", YO_GO_BLACK},      {"(;SZ[9];B[ee]PL[B];B[dd])", YO_GO_WHITE},
        {"(;SZ[9]AB[aa]PL[W]W[ee])", YO_GO_BLACK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yo_go_game *game = play(cases[i].text);
        if (yo_go_game_to_move(game) != cases[i].to_move) fail_msg("%s", cases[i].text);
        yo_go_game_delete(game);
    }
}

static void komi_is_read_as_it_is_written(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int komi2;
    } cases[] = {{"6.5", 13},      {"6,5", 13},      {"6.50", 13},   {"-3", -6},
                 {"+0.5", 1},      {".5", 1},        {"0", 0},       {"375", 15},
                 {"650", 13},      {"375.0", 750},   {"3.75", 15},   {"2.75", 11},
                 {"7目半", 15},    {"5.5 moku", 11}, {"", 15},       {"none", 15},
                 {"6.4", 15},      {"99999", 15},    {"123456", 15}, {"200", 400},
                 {"-4000", -8000}, {"4000.5", 15},   {"5½", 11},     {"1e999", 15},
                 {"6.5e1", 15},    {"0x10", 15},     {"1e-9", 15},   {"6.5points", 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "(;SZ[9]KM[%s])", cases[i].text);
        struct yo_go_game *game = play(text);
        if (yo_go_game_rules(game)->komi2 != cases[i].komi2)
            fail_msg("KM[%s]: %d", cases[i].text, yo_go_game_rules(game)->komi2);
        yo_go_game_delete(game);
    }
}

static void rules_are_read_as_they_are_written(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {{"Japanese", "japanese"},
                 {"japanese rules", "japanese"},
                 {"日本棋院", "japanese"},
                 {"Chinese", "chinese"},
                 {"CN", "chinese"},
                 {"中国规则", "chinese"},
                 {"AGA", "aga"},
                 {"AGA rules", "aga"},
                 {"NZ", "new-zealand"},
                 {"New Zealand", "new-zealand"},
                 {"Tromp Taylor rules", "tromp-taylor"},
                 {"house rules", "chinese-kgs"},
                 {"", "chinese-kgs"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "(;SZ[9]RU[%s])", cases[i].text);
        struct yo_go_game *game = play(text);
        assert_string_equal(yo_go_rules_name(yo_go_game_rules(game)), cases[i].name);
        yo_go_game_delete(game);
    }
    struct yo_go_game *game = play("(;SZ[9]RU[Japanese])");
    assert_int_equal(yo_go_game_rules(game)->komi2, 13); /* Japanese komi where none is given */
    yo_go_game_delete(game);
}

/* Rule sets differ in what they forbid; what was played was played. */
static void moves_against_ko_and_suicide_are_played(void **state) {
    (void)state;
    const char *ko = "(;SZ[4]RU[Chinese]AB[ba][ab][bc]AW[ca][db][cc][bb]KM[0];B[cb];W[bb])";
    struct yo_go_game *game = play(ko);
    assert_board(game, ".XO.XO.O.XO.....");
    assert_int_equal(yo_go_game_captures(game, YO_GO_WHITE), 1);
    assert_int_equal(yo_go_game_rules(game)->ko, YO_GO_KO_SIMPLE);
    yo_go_game_delete(game);
    game = play("(;SZ[3]RU[Chinese]AB[ba]AW[ca][bb][ab];B[aa])"); /* two stones */
    assert_board(game, "..OOO....");
    assert_false(yo_go_game_rules(game)->suicide);
    yo_go_game_delete(game);
}

static const struct {
    const char *text;
    enum yo_err err;
    int line, column;
    const char *what;
} bad[] = {
    {"(;GM[3]SZ[9])", YO_ERR_UNSUPPORTED, 1, 3, "not a game of Go"},
    {"(;GM[x])", YO_ERR_UNSUPPORTED, 1, 3, "not a game of Go"},
    {"(;GM[1]\nSZ[9:13])", YO_ERR_UNSUPPORTED, 2, 1, "rectangular"},
    {"(;SZ[21])", YO_ERR_UNSUPPORTED, 1, 3, "size"},
    {"(;SZ[1])", YO_ERR_UNSUPPORTED, 1, 3, "size"},
    {"(;SZ[nine])", YO_ERR_PARSE, 1, 3, "no board size"},
    {"(;SZ[9 x])", YO_ERR_PARSE, 1, 3, "no board size"},
    {"(;SZ[3]AB[aa:zz])", YO_ERR_PARSE, 1, 8, "AB[aa:zz]"},
    {"(;SZ[3]AB[aa]AW[a])", YO_ERR_PARSE, 1, 14, "AW[a]"},
    {"(;SZ[3]AW[aa:cc])", YO_ERR_ILLEGAL, 1, 8, "liberty"},
    {"(;SZ[3]PL[green])", YO_ERR_PARSE, 1, 8, "PL[green]"},
};

static void bad_records_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct yo_sgf *sgf = parse(bad[i].text);
        struct yo_go_game *game = NULL;
        struct yo_diag diag = {0};
        enum yo_err err = yo_sgf_to_game(sgf, 0, 0, &game, &diag);
        if (err != bad[i].err || diag.line != bad[i].line || diag.column != bad[i].column ||
            !strstr(diag.what, bad[i].what))
            fail_msg("%s: %d %d:%d %s", bad[i].text, err, diag.line, diag.column, diag.what);
        assert_string_equal(diag.where, "game.sgf");
        assert_int_equal(yo_sgf_to_game(sgf, 0, 0, &game, NULL), bad[i].err);
        assert_null(game);
        assert_int_equal(yo_sgf_to_game(sgf, 1, 0, &game, &diag), YO_ERR_RANGE);
        yo_sgf_delete(sgf);
    }
}

static const struct {
    const char *text;
    int line, column;
    const char *what;
    size_t moves;
} cut_short[] = {
    {"(;SZ[5]\n;B[aa];W[bb]\n;C[x]B[bb];W[cc])", 3, 6, "move 3, B[bb]", 2},
    {"(;SZ[5];B[ff])", 1, 9, "move 1, B[ff]: no such point", 0},
    {"(;SZ[5];B[tt];W[AA])", 1, 15, "move 2", 1},
    {"(;SZ[5];B[aaa])", 1, 9, "move 1", 0},
    {"(;SZ[5];B[aa][bb])", 1, 9, "one point", 0},
    {"(;SZ[3]AW[ba][ab];B[aa])", 1, 19, "suicide", 0},
};

/* The game up to a move that cannot be played, with a warning that says where. */
static void games_end_before_a_bad_move(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cut_short / sizeof *cut_short; i++) {
        struct yo_sgf *sgf = parse(cut_short[i].text);
        struct yo_go_game *game = NULL;
        struct yo_diag diag = {0};
        assert_int_equal(yo_sgf_to_game(sgf, 0, 0, &game, &diag), YO_OK);
        if (diag.line != cut_short[i].line || diag.column != cut_short[i].column ||
            !strstr(diag.what, cut_short[i].what))
            fail_msg("%s: %d:%d %s", cut_short[i].text, diag.line, diag.column, diag.what);
        assert_string_equal(diag.where, "game.sgf");
        assert_int_equal(yo_go_game_move_count(game), cut_short[i].moves);
        yo_go_game_delete(game);
        assert_int_equal(yo_sgf_to_game(sgf, 0, 0, &game, NULL), YO_OK);
        yo_go_game_delete(game);
        assert_int_equal(yo_sgf_to_game(sgf, 0, 1, &game, &diag), YO_OK); /* before the bad one */
        assert_int_equal(diag.err, YO_OK);
        yo_go_game_delete(game);
        yo_sgf_delete(sgf);
    }
}

static void assert_same_game(const struct yo_go_game *a, const struct yo_go_game *b) {
    int size = yo_go_game_size(a);
    assert_int_equal(yo_go_game_size(b), size);
    for (int p = 0; p < size * size; p++)
        assert_int_equal(yo_go_game_at(a, (yo_go_point)p), yo_go_game_at(b, (yo_go_point)p));
    assert_int_equal(yo_go_game_to_move(a), yo_go_game_to_move(b));
    assert_int_equal(yo_go_game_handicap(a), yo_go_game_handicap(b));
    assert_int_equal(yo_go_game_captures(a, YO_GO_BLACK), yo_go_game_captures(b, YO_GO_BLACK));
    assert_int_equal(yo_go_game_move_count(a), yo_go_game_move_count(b));
    for (size_t i = 0; i < yo_go_game_move_count(a); i++) {
        assert_int_equal(yo_go_game_move(a, i).color, yo_go_game_move(b, i).color);
        assert_int_equal(yo_go_game_move(a, i).move, yo_go_game_move(b, i).move);
    }
    char rules_a[512], rules_b[512];
    yo_go_rules_format(yo_go_game_rules(a), rules_a, sizeof rules_a);
    yo_go_rules_format(yo_go_game_rules(b), rules_b, sizeof rules_b);
    assert_string_equal(rules_a, rules_b);
    assert_int_equal(yo_go_game_rules(a)->komi2, yo_go_game_rules(b)->komi2);
}

static void assert_survives(const struct yo_go_game *game) {
    struct yo_sgf *record, *read = NULL;
    struct yo_go_game *again = NULL;
    char *text;
    size_t len;
    assert_int_equal(yo_sgf_from_game(game, "B+3.5", &record), YO_OK);
    assert_int_equal(yo_sgf_write(record, &text, &len), YO_OK);
    assert_int_equal(yo_sgf_parse(text, len, "again", &read, NULL), YO_OK);
    assert_string_equal(yo_sgf_get(yo_sgf_root(read, 0), "RE", 0), "B+3.5");
    assert_int_equal(yo_sgf_to_game(read, 0, 0, &again, NULL), YO_OK);
    assert_same_game(game, again);
    yo_go_game_delete(again);
    yo_sgf_delete(read);
    yo_sgf_free_text(text);
    yo_sgf_delete(record);
}

static void random_moves(struct yo_go_game *game, int moves) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (int i = 0; i < moves; i++) {
        yo_go_point p = rand() % 16 ? (yo_go_point)(rand() % points) : YO_GO_PASS;
        enum yo_go_color color = rand() % 8 ? yo_go_game_to_move(game) : YO_GO_BLACK;
        if (yo_go_game_legal(game, color, p))
            assert_int_equal(yo_go_game_play(game, color, p, NULL), YO_OK);
    }
}

static void games_become_records_and_back(void **state) {
    (void)state;
    srand(19);
    struct yo_go_rules rules;
    for (size_t i = 0; yo_go_rules_list(i, &rules); i++)
        for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++) {
            struct yo_go_game *game;
            rules.komi2 = rand() % 1600 - 800;
            if (size % 3 == 0) rules.suicide = !rules.suicide; /* a set without a name */
            assert_int_equal(yo_go_game_new(size, &rules, &game), YO_OK);
            yo_go_point stones[] = {0, 3};
            if (size % 4 == 3)
                assert_int_equal(yo_go_game_handicap_set(game, stones, 2, NULL), YO_OK);
            random_moves(game, size * size);
            assert_survives(game);
            yo_go_game_delete(game);
        }
}

static void positions_become_records_and_back(void **state) {
    (void)state;
    const char *const texts[] = {"(;SZ[5]AB[aa][bb]AW[cc])",
                                 "(;SZ[5]AB[aa][bb]AW[cc]PL[W])",
                                 "(;SZ[5]AB[aa][bb]AW[cc]PL[W];B[dd])",
                                 "(;SZ[5]HA[2]AB[aa][bb]PL[B])",
                                 "(;SZ[5]PL[W])",
                                 "(;SZ[5];W[aa])"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct yo_go_game *game = play(texts[i]);
        assert_survives(game);
        yo_go_game_delete(game);
    }
}

static void a_record_reads_well(void **state) {
    (void)state;
    struct yo_go_game *game = play("(;SZ[9]HA[2]AB[cg][gc]KM[0.5]RU[Japanese];W[ee];B[];W[])");
    struct yo_sgf *sgf;
    assert_int_equal(yo_sgf_from_game(game, "W+R", &sgf), YO_OK);
    assert_int_equal(yo_sgf_set(sgf, yo_sgf_root(sgf, 0), "AP", "Yomi"), YO_OK);
    char *text;
    size_t len;
    assert_int_equal(yo_sgf_write(sgf, &text, &len), YO_OK);
    assert_string_equal(text, "(;FF[4]GM[1]CA[UTF-8]AP[Yomi]SZ[9]KM[0.5]RU[Japanese]RE[W+R]HA[2]"
                              "AB[gc][cg]\n;W[ee];B[];W[])\n");
    yo_sgf_free_text(text);
    yo_sgf_delete(sgf);
    yo_go_game_delete(game);
}

static void running_out_of_memory_is_an_error(void **state) {
    (void)state;
    struct yo_sgf *sgf = parse("(;SZ[9]HA[2]AB[cg][gc];W[ee];B[ff])"), *record = NULL;
    struct yo_go_game *game = NULL;
    int failures = 0;
    for (long n = 0; n < 100 && !record; n++) {
        yo_alloc_fail_after(n);
        enum yo_err err = yo_sgf_to_game(sgf, 0, 0, &game, NULL);
        if (!err) err = yo_sgf_from_game(game, NULL, &record);
        yo_alloc_fail_after(-1);
        assert_true(err == YO_OK || err == YO_ERR_NOMEM);
        if (err) failures++;
        yo_go_game_delete(game);
        game = NULL;
    }
    assert_non_null(record);
    assert_true(failures > 3);
    yo_sgf_delete(record);
    yo_sgf_delete(sgf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_and_passes_are_played),
        cmocka_unit_test(stops_before_a_move),
        cmocka_unit_test(setup_is_applied),
        cmocka_unit_test(handicap_is_known),
        cmocka_unit_test(handicap_without_stones_is_the_fixed_one),
        cmocka_unit_test(the_player_of_a_move_node),
        cmocka_unit_test(games_end_before_a_bad_move),
        cmocka_unit_test(komi_is_read_as_it_is_written),
        cmocka_unit_test(rules_are_read_as_they_are_written),
        cmocka_unit_test(moves_against_ko_and_suicide_are_played),
        cmocka_unit_test(bad_records_are_told),
        cmocka_unit_test(games_become_records_and_back),
        cmocka_unit_test(positions_become_records_and_back),
        cmocka_unit_test(a_record_reads_well),
        cmocka_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
