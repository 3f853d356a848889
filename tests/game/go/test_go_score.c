/* score.c: area and territory, dead stones, prisoners, komi, bonus and tax. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/score.h"
#include "game/go/state.h"
#include "support/go_diagram.h"
#include "support/naive_go.h"

static struct yo_go_rules named(const char *name, int komi2) {
    struct yo_go_rules rules = yo_go_rules_default;
    assert_int_equal(yo_go_rules_parse(name, &rules, NULL), YO_OK);
    rules.komi2 = komi2;
    return rules;
}

/* The score of a diagram, as text; lower case letters are dead stones. */
static void check(const char *diagram, const char *rules_name, int komi2, const char *expected) {
    char drawn[2 * YO_GO_POINTS_MAX + 1], text[16];
    uint8_t dead[YO_GO_POINTS_MAX] = {0};
    int p = 0;
    size_t len = strlen(diagram);
    assert_true(len < sizeof drawn);
    for (size_t i = 0; i <= len; i++) {
        bool is_dead = diagram[i] == 'x' || diagram[i] == 'o';
        drawn[i] = is_dead ? (char)(diagram[i] - 'a' + 'A') : diagram[i];
        if (drawn[i] == 'X' || drawn[i] == 'O' || drawn[i] == '.') dead[p++] = is_dead;
    }
    struct yo_go_rules rules = named(rules_name, komi2);
    struct yo_go_game *game = diagram_game(drawn, &rules, YO_GO_BLACK);
    struct yo_go_score score;
    yo_go_game_score(game, dead, &score);
    assert_string_equal(yo_go_score_format(&score, text), expected);
    assert_int_equal(score.lead2, score.black2 - score.white2);
    yo_go_game_delete(game);
}

static const char split[] = ". X O . ."
                            ". X O . ."
                            ". X O . ."
                            ". X O . ."
                            ". X O . .";

static const char invaded[] = ". X O . ."
                              "o X O x ."
                              ". X O . ."
                              ". X O . x"
                              ". X O . .";

static void area(void **state) {
    (void)state;
    check(". . . .", "tromp-taylor", 15, "W+7.5");
    check(". . . .", "tromp-taylor", 0, "0");
    check("X . . .", "tromp-taylor", 1, "B+3.5");
    check("X . . O", "tromp-taylor", 0, "0");
    check(split, "chinese", 0, "W+5");
    check(split, "chinese", -20, "B+5");
    check(invaded, "chinese", 0, "W+5");
}

static void territory_counts_the_dead_twice(void **state) {
    (void)state;
    check(split, "japanese", 0, "W+5");
    /* Black 5 and one prisoner, White 10 and two. */
    check(invaded, "japanese", 13, "W+12.5");
}

static void neutral_points_belong_to_nobody(void **state) {
    (void)state;
    check(". X . O ."
          ". X . O ."
          ". X . O ."
          ". X . O ."
          "X X . O .",
          "tromp-taylor", 0, "0");
    check(". X . O ."
          ". X . O ."
          ". X . O ."
          ". X . O ."
          "X X . O .",
          "japanese", 0, "W+1");
}

static void prisoners_count_in_territory_alone(void **state) {
    (void)state;
    struct yo_go_rules rules = named("japanese", 0);
    struct yo_go_game *game = diagram_game(". X O . ."
                                           "O X O . ."
                                           ". X O . ."
                                           ". X O . ."
                                           ". X O . .",
                                           &rules, YO_GO_BLACK);
    struct yo_go_score score;
    assert_int_equal(diagram_play(game, "B A5"), YO_OK);
    assert_int_equal(diagram_play(game, "W pass"), YO_OK);
    assert_int_equal(diagram_play(game, "B A3"), YO_OK);
    yo_go_game_score(game, NULL, &score);
    assert_int_equal(score.black2, 2 * (3 + 1));
    assert_int_equal(score.white2, 2 * 10);
    rules = named("chinese", 0);
    yo_go_game_set_rules(game, &rules);
    yo_go_game_score(game, NULL, &score);
    assert_int_equal(score.black2, 2 * 10);
    assert_int_equal(score.white2, 2 * 15);
    yo_go_game_delete(game);
}

static void handicap_bonus_goes_to_white(void **state) {
    (void)state;
    static const struct {
        const char *rules;
        int bonus;
    } cases[] = {{"tromp-taylor", 0}, {"chinese", 3}, {"aga", 2}, {"japanese", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_go_rules rules = named(cases[i].rules, 1);
        struct yo_go_game *game;
        yo_go_point points[3];
        struct yo_go_score score;
        assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
        yo_go_game_score(game, NULL, &score);
        assert_int_equal(score.white2, 1);
        assert_int_equal(yo_go_handicap_points(9, 3, points, NULL), YO_OK);
        assert_int_equal(yo_go_game_handicap_set(game, points, 3, NULL), YO_OK);
        yo_go_game_score(game, NULL, &score);
        assert_int_equal(score.white2, 1 + 2 * cases[i].bonus);
        yo_go_game_delete(game);
    }
}

/* The black corner has one eye and a neutral point beside it: seki. Other groups have more. */
static const char seki[] = ". X . O . O X ."
                           "X X O O O O X ."
                           "O O . . . O X X"
                           ". O . . . O O O"
                           "O O O O O O . ."
                           "X X X X X X O O"
                           ". X . . . X X X"
                           ". X . . . . . .";

static void tax(void **state) {
    (void)state;
    struct yo_go_rules rules = named("japanese", 0);
    struct yo_go_game *game = diagram_game(seki, &rules, YO_GO_BLACK);
    struct yo_go_score none, taxed, all;
    yo_go_game_score(game, NULL, &taxed);
    rules.tax = YO_GO_TAX_NONE;
    yo_go_game_set_rules(game, &rules);
    yo_go_game_score(game, NULL, &none);
    assert_int_equal(none.black2 - taxed.black2, 2); /* A8 */
    assert_int_equal(none.white2, taxed.white2);     /* White has more than one eye there */
    rules.tax = YO_GO_TAX_ALL;
    yo_go_game_set_rules(game, &rules);
    yo_go_game_score(game, NULL, &all);
    /* Black has three groups, one of them with a single point; White's stones are all one. */
    assert_int_equal(none.black2 - all.black2, 2 * 5);
    assert_int_equal(none.white2 - all.white2, 2 * 2);
    yo_go_game_delete(game);
}

/* An area count by another way: which colours can be reached from an empty point? */
static unsigned reach(const struct naive_board *b, int row, int col, bool seen[19][19]) {
    if (row < 0 || col < 0 || row >= b->size || col >= b->size || seen[row][col]) return 0;
    if (b->color[row][col]) return 1u << b->color[row][col];
    seen[row][col] = true;
    return reach(b, row - 1, col, seen) | reach(b, row + 1, col, seen) |
           reach(b, row, col - 1, seen) | reach(b, row, col + 1, seen);
}

static int naive_area(const struct naive_board *b) {
    int lead = 0;
    for (int r = 0; r < b->size; r++)
        for (int c = 0; c < b->size; c++) {
            bool seen[19][19] = {{false}};
            unsigned who = reach(b, r, c, seen);
            lead += who == 2 ? 1 : who == 4 ? -1 : 0;
        }
    return lead;
}

static void random_positions_agree_with_naive_count(void **state) {
    (void)state;
    srand(42);
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++) {
        struct yo_go_rules rules = named("tromp-taylor", 0);
        struct yo_go_game *game;
        struct naive_board slow;
        naive_init(&slow, size);
        assert_int_equal(yo_go_game_new(size, &rules, &game), YO_OK);
        for (int i = 0; i < 3 * size * size; i++) {
            yo_go_point p = (yo_go_point)(rand() % (size * size));
            enum yo_go_color color = i % 2 ? YO_GO_WHITE : YO_GO_BLACK;
            if (yo_go_game_play(game, color, p, NULL) != YO_OK) continue;
            naive_play(&slow, (int)color, p / size, p % size);
            if (i % 7) continue;
            struct yo_go_score score;
            yo_go_game_score(game, NULL, &score);
            assert_int_equal(score.lead2, 2 * naive_area(&slow));
        }
        yo_go_game_delete(game);
    }
}

static int area_komi2(const struct yo_go_game *game, bool closed) {
    return yo_go_score_area_komi2(&game->board, &game->rules, game->handicap, game->to_move,
                                  closed);
}

/* Captures and all, the area with that komi comes to what the territory comes to. */
static void territory_is_area_with_another_komi(void **state) {
    (void)state;
    struct yo_go_rules rules = named("japanese", 13);
    struct yo_go_game *game;
    rules.tax = YO_GO_TAX_NONE;
    srand(43);
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    assert_int_equal(area_komi2(game, true), 13);
    assert_int_equal(area_komi2(game, false), 14);
    for (int i = 0; i < 300; i++) {
        struct yo_go_score territory, area;
        enum yo_go_color color = yo_go_game_to_move(game);
        yo_go_game_play(game, color, (yo_go_point)(rand() % 81), NULL);
        yo_go_game_score(game, NULL, &territory);
        struct yo_go_rules other = named("tromp-taylor", area_komi2(game, true));
        yo_go_score_board(&game->board, &other, 0, NULL, &area);
        assert_int_equal(area.lead2, territory.lead2);
        /* Moves take turns, so nobody can be said to be ahead in stones before the end. */
        assert_int_equal(area_komi2(game, false), 14);
    }
    assert_true(game->board.captures[YO_GO_BLACK] > 0 && game->board.captures[YO_GO_WHITE] > 0);
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(area),
        cmocka_unit_test(territory_counts_the_dead_twice),
        cmocka_unit_test(neutral_points_belong_to_nobody),
        cmocka_unit_test(prisoners_count_in_territory_alone),
        cmocka_unit_test(handicap_bonus_goes_to_white),
        cmocka_unit_test(tax),
        cmocka_unit_test(random_positions_agree_with_naive_count),
        cmocka_unit_test(territory_is_area_with_another_komi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
