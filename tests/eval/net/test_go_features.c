/* The inputs of Go networks, on positions made by hand. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/net/go_area.h"
#include "eval/net/go_features.h"
#include "game/go/state.h"
#include "support/go_diagram.h"
#include "support/naive_life.h"
#include "support/net_ladder.h"

static struct yo_go_position pos;
static struct yo_go_net_input in;

static void look(const struct yo_go_game *game, uint32_t mask) {
    yo_go_position_from_game(game, &pos);
    yo_go_features_v7(&pos, mask, &in);
}

/* The plane is exactly these points: "D4 E5". */
static void has(const struct yo_go_game *game, int plane, const char *points) {
    uint64_t expected[YO_GO_WORDS_MAX] = {0};
    char text[200], *rest = text;
    strcpy(text, points);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        yo_go_point p = diagram_point(game, word);
        expected[p >> 6] |= (uint64_t)1 << (p & 63);
    }
    if (memcmp(in.plane[plane], expected, sizeof expected) != 0)
        fail_msg("plane %d: %llx %llx", plane, (unsigned long long)in.plane[plane][0],
                 (unsigned long long)in.plane[plane][1]);
}

static void number(int i, float expected) {
    if (fabsf(in.global[i] - expected) > 1e-6F)
        fail_msg("number %d: %f, should be %f", i, (double)in.global[i], (double)expected);
}

static struct yo_go_rules rules_of(const char *name, int komi2) {
    struct yo_go_rules rules = yo_go_rules_default;
    assert_int_equal(yo_go_rules_parse(name, &rules, NULL), YO_OK);
    rules.komi2 = komi2;
    return rules;
}

static void stones_and_liberties(void **state) {
    (void)state;
    struct yo_go_game *game = diagram_game(". . . . ."
                                           ". X O . ."
                                           ". X . . ."
                                           ". . . . O"
                                           ". . . . X",
                                           NULL, YO_GO_WHITE);
    look(game, YO_GO_NET_ALL_PLANES);
    assert_int_equal(in.size, 5);
    for (unsigned p = 0; p < 64; p++)
        assert_int_equal(yo_go_bit(in.plane[0], p), p < 25);
    has(game, YO_GO_PLANE_OWN, "C4 E2");
    has(game, YO_GO_PLANE_OPPONENT, "B4 B3 E1");
    has(game, 3, "E1");
    has(game, 4, "E2");
    has(game, 5, "C4");
    has(game, YO_GO_PLANE_MOVES, "");
    has(game, YO_GO_PLANE_LADDER, "E1"); /* in atari in the corner, and now */
    has(game, YO_GO_PLANE_LADDER_1, "E1");
    has(game, YO_GO_PLANE_LADDER_2, "E1");
    yo_go_game_delete(game);
}

static void moves_and_passes(void **state) {
    (void)state;
    struct yo_go_game *game;
    struct yo_go_rules rules = rules_of("japanese", 13);
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    static const char *const moves[] = {"B C3", "W G7", "B C7", "W pass", "B G3", "W C5"};
    for (int i = 0; i < 6; i++)
        assert_int_equal(diagram_play(game, moves[i]), YO_OK);
    look(game, YO_GO_NET_ALL_PLANES);
    static const char *const expected[] = {"C5", "G3", "", "C7", "G7"};
    for (int i = 0; i < 5; i++) {
        has(game, YO_GO_PLANE_MOVES + i, expected[i]);
        number(i, i == 2);
    }
    number(YO_GO_GLOBAL_PASS_ENDS, 0);
    number(YO_GO_GLOBAL_KOMI, -(6.5F + 1) / 20); /* Black has played a stone more */
    number(YO_GO_GLOBAL_SUPERKO, 0);
    number(YO_GO_GLOBAL_TERRITORY, 1);
    number(YO_GO_GLOBAL_TAX, 1);
    number(YO_GO_GLOBAL_TAX_ALL, 0);
    number(YO_GO_GLOBAL_PARITY, 0);
    has(game, YO_GO_PLANE_OWN_AREA, "");
    assert_int_equal(diagram_play(game, "B pass"), YO_OK);
    look(game, YO_GO_NET_ALL_PLANES);
    number(YO_GO_GLOBAL_PASSES, 1);
    number(YO_GO_GLOBAL_PASS_ENDS, 1);
    number(YO_GO_GLOBAL_KOMI, 7.5F / 20);
    yo_go_position_play(&pos, YO_GO_PASS); /* the end of the game hides what ended it */
    yo_go_features_v7(&pos, YO_GO_NET_ALL_PLANES, &in);
    number(YO_GO_GLOBAL_PASSES, 0);
    number(YO_GO_GLOBAL_PASS_ENDS, 0);
    has(game, YO_GO_PLANE_MOVES + 2, "");
    yo_go_game_delete(game);
}

/* Under territory rules a handicap is worth the same whether its stones were placed or played. */
static void territory_with_stones_at_the_start(void **state) {
    (void)state;
    struct yo_go_game *placed, *played;
    struct yo_go_rules rules = rules_of("japanese", 1);
    yo_go_point points[4];
    assert_int_equal(yo_go_handicap_points(9, 4, points, NULL), YO_OK);
    assert_int_equal(yo_go_game_new(9, &rules, &placed), YO_OK);
    assert_int_equal(yo_go_game_new(9, &rules, &played), YO_OK);
    assert_int_equal(yo_go_game_handicap_set(placed, points, 4, NULL), YO_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(yo_go_game_play(played, YO_GO_BLACK, points[i], NULL), YO_OK);
    const struct yo_go_game *games[] = {placed, played};
    for (int i = 0; i < 2; i++) {
        look(games[i], 0);
        number(YO_GO_GLOBAL_KOMI, 4.5F / 20);
    }
    assert_int_equal(diagram_play(placed, "W E5"), YO_OK);
    look(placed, 0);
    number(YO_GO_GLOBAL_KOMI, -3.5F / 20);
    rules.scoring = YO_GO_AREA;
    yo_go_game_set_rules(placed, &rules);
    look(placed, 0);
    number(YO_GO_GLOBAL_KOMI, -0.5F / 20);
    yo_go_game_delete(placed);
    yo_go_game_delete(played);
}

static float parity(int size, int komi2, enum yo_go_color to_move) {
    struct yo_go_game *game;
    struct yo_go_rules rules = rules_of("chinese", komi2);
    assert_int_equal(yo_go_game_new(size, &rules, &game), YO_OK);
    yo_go_game_set_to_move(game, to_move);
    look(game, 0);
    yo_go_game_delete(game);
    return in.global[YO_GO_GLOBAL_PARITY];
}

static void rules_and_komi(void **state) {
    (void)state;
    struct yo_go_game *game;
    struct yo_go_rules rules = rules_of("tromp-taylor", 15);
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    look(game, 0);
    number(YO_GO_GLOBAL_KOMI, -7.5F / 20);
    number(YO_GO_GLOBAL_SUPERKO, 1);
    number(YO_GO_GLOBAL_KO_KIND, 0.5F);
    number(YO_GO_GLOBAL_SUICIDE, 1);
    rules.ko = YO_GO_KO_SITUATIONAL;
    rules.komi2 = 1000;
    rules.tax = YO_GO_TAX_ALL;
    yo_go_game_set_rules(game, &rules);
    look(game, 0);
    number(YO_GO_GLOBAL_KO_KIND, -0.5F);
    number(YO_GO_GLOBAL_TAX, 1);
    number(YO_GO_GLOBAL_TAX_ALL, 1);
    number(YO_GO_GLOBAL_KOMI, -(81 + 20) / 20.0F);
    yo_go_game_delete(game);
    /* On a board with an odd number of points only odd komi lets a game be drawn. */
    assert_true(parity(9, 14, YO_GO_WHITE) == 0 && parity(9, 15, YO_GO_WHITE) == 0.5F);
    assert_true(parity(9, 16, YO_GO_WHITE) == 0 && parity(9, 13, YO_GO_WHITE) == -0.5F);
    assert_true(parity(9, 15, YO_GO_BLACK) == -0.5F && parity(8, 13, YO_GO_WHITE) == 0.5F);
}

static void ko_and_superko(void **state) {
    (void)state;
    static const char start[] = ". X O . ."
                                "X O . O ."
                                ". X O . ."
                                ". . . . ."
                                ". . . . .";
    struct yo_go_game *game = diagram_game(start, NULL, YO_GO_BLACK);
    assert_int_equal(diagram_play(game, "B C4"), YO_OK); /* takes B4 */
    look(game, YO_GO_NET_ALL_PLANES);
    has(game, YO_GO_PLANE_KO, "B4");
    assert_int_equal(diagram_play(game, "W pass"), YO_OK);
    look(game, YO_GO_NET_ALL_PLANES);
    has(game, YO_GO_PLANE_KO, "");
    assert_int_equal(diagram_play(game, "B pass"), YO_OK);
    look(game, YO_GO_NET_ALL_PLANES);
    has(game, YO_GO_PLANE_KO, "B4"); /* the start again */
    struct yo_go_rules rules = rules_of("japanese", 13);
    yo_go_game_set_rules(game, &rules);
    look(game, YO_GO_NET_ALL_PLANES);
    has(game, YO_GO_PLANE_KO, "");
    yo_go_game_delete(game);
}

static void ladder_planes(void **state) {
    (void)state;
    struct yo_go_game *game = diagram_game(". . . . . . ."
                                           ". . O . . . ."
                                           ". O X . . . ."
                                           ". O . . . . ."
                                           ". . . . . . ."
                                           ". . . . . . ."
                                           ". . . . . . .",
                                           NULL, YO_GO_BLACK);
    assert_int_equal(diagram_play(game, "B A2"), YO_OK);
    assert_int_equal(diagram_play(game, "W G6"), YO_OK);
    assert_int_equal(diagram_play(game, "B D7"), YO_OK);
    look(game, YO_GO_NET_ALL_PLANES);
    has(game, YO_GO_PLANE_LADDER, "C5"); /* White chases it into the corner, */
    has(game, YO_GO_PLANE_LADDER_1, "C5");
    has(game, YO_GO_PLANE_LADDER_2, "C5");
    has(game, YO_GO_PLANE_LADDER_MOVES, "D5");
    assert_int_equal(diagram_play(game, "W A6"), YO_OK);
    assert_int_equal(diagram_play(game, "B E3"), YO_OK); /* where Black now waits */
    look(game, YO_GO_NET_ALL_PLANES);
    has(game, YO_GO_PLANE_LADDER, "");
    has(game, YO_GO_PLANE_LADDER_1, "C5");
    has(game, YO_GO_PLANE_LADDER_2, "C5");
    has(game, YO_GO_PLANE_LADDER_MOVES, "");
    yo_go_game_delete(game);
}

/* Every mask gives the planes it names as all do, and nothing else. */
static void masks(void **state) {
    (void)state;
    struct yo_go_rules rules = rules_of("tromp-taylor", 15);
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    srand(3);
    for (int move = 0; move < 120; move++) {
        yo_go_game_play(game, yo_go_game_to_move(game), (yo_go_point)(rand() % 81), NULL);
        look(game, YO_GO_NET_ALL_PLANES);
        struct yo_go_net_input all = in;
        for (int i = 0; i < 8; i++) {
            uint32_t mask = i == 0 ? 1u << 16 : i == 1 ? 1u << 15 : (uint32_t)rand();
            look(game, mask);
            for (int plane = 0; plane < YO_GO_NET_PLANES; plane++)
                if (!(mask >> plane & 1)) memset(all.plane[plane], 0, sizeof all.plane[0]);
            assert_memory_equal(&in, &all, sizeof in);
            look(game, YO_GO_NET_ALL_PLANES);
            all = in;
        }
    }
    yo_go_game_delete(game);
}

/* Planes handed on from move to move are those that are read anew, also where some are missing. */
static void kept_ladders(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 12; seed++) {
        struct yo_go_game *game;
        uint64_t was[2][YO_GO_WORDS_MAX];
        assert_int_equal(yo_go_game_new(seed % 2 ? 9 : 13, NULL, &game), YO_OK);
        srand(seed);
        for (int move = 0, known = 0; move < 90; move++) {
            yo_go_point p = (yo_go_point)(rand() % (seed % 2 ? 81 : 169));
            look(game, YO_GO_NET_ALL_PLANES);
            struct yo_go_ladders_kept kept = {
                .was = {known > 0 ? was[0] : NULL, known > 1 ? was[1] : NULL}};
            struct yo_go_net_input other;
            yo_go_features_v7_kept(&pos, YO_GO_NET_ALL_PLANES, &kept, &other);
            assert_memory_equal(in.plane, other.plane, sizeof in.plane);
            assert_memory_equal(in.global, other.global, sizeof in.global);
            memcpy(was[1], was[0], sizeof was[0]);
            memcpy(was[0], kept.now, sizeof was[0]);
            known = move % 20 == 19 ? 0 : known + 1;
            if (yo_go_game_play(game, yo_go_game_to_move(game), p, NULL) != YO_OK)
                yo_go_game_play(game, yo_go_game_to_move(game), YO_GO_PASS, NULL);
        }
        yo_go_game_delete(game);
    }
}

/* Readings remembered over the positions of a game and of searches from them are those that are
 * read anew, and most need not be read. */
static void remembered_ladders(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 9; seed++) {
        int size = seed % 3 == 0 ? 19 : seed % 3 == 1 ? 9 : 7, points = size * size;
        struct yo_go_ladder_memory *memory = yo_go_ladder_memory_new(size);
        struct yo_go_game *game;
        assert_non_null(memory);
        assert_int_equal(yo_go_game_new(size, NULL, &game), YO_OK);
        srand(seed);
        for (int move = 0; move < 2 * points / 3; move++) {
            yo_go_position_from_game(game, &pos);
            for (int ahead = rand() % 12; ahead > 0; ahead--) {
                struct yo_go_ladders_kept kept = {.memory = memory};
                struct yo_go_net_input anew;
                uint64_t caught[YO_GO_WORDS_MAX], moves[YO_GO_WORDS_MAX];
                yo_go_features_v7_kept(&pos, YO_GO_NET_ALL_PLANES, &kept, &in);
                yo_go_features_v7(&pos, YO_GO_NET_ALL_PLANES, &anew);
                assert_memory_equal(in.plane, anew.plane, sizeof in.plane);
                net_ladders_mark(pos.board.geometry, pos.board.color, pos.board.ko, NULL,
                                 yo_go_other((enum yo_go_color)pos.to_move), caught, moves);
                assert_memory_equal(in.plane[YO_GO_PLANE_LADDER], caught, sizeof caught);
                assert_memory_equal(in.plane[YO_GO_PLANE_LADDER_MOVES], moves, sizeof moves);
                yo_go_point p = (yo_go_point)(rand() % points);
                if (pos.board.color[p] != YO_GO_EMPTY || !yo_go_position_legal(&pos, p)) continue;
                yo_go_position_play(&pos, p);
            }
            yo_go_point p = (yo_go_point)(rand() % points);
            yo_go_game_play(game, yo_go_game_to_move(game), p, NULL);
        }
        yo_go_game_delete(game);
        yo_go_ladder_memory_delete(memory);
    }
}

/* A reading holds wherever the stones that it looked at are the same, and nowhere else. */
static void remembered_where_it_holds(void **state) {
    (void)state;
    struct yo_go_ladder_memory *memory = yo_go_ladder_memory_new(9);
    uint64_t black[YO_GO_WORDS_MAX] = {1u << 20}, white[YO_GO_WORDS_MAX] = {1u << 21};
    uint64_t looked[YO_GO_WORDS_MAX] = {1u << 20};
    struct yo_go_ladder_reading reading = {
        .caught = true, .lib_count = 2, .libs = {11, 80}, .catches = {false, true}};
    struct yo_go_ladder_reading found;
    assert_null(yo_go_ladder_recall(memory, black, white, 20, false, &found));
    yo_go_ladder_remember(memory, black, white, 20, looked, &reading);
    for (int p = 0; p < 81; p++) {
        uint64_t other[YO_GO_WORDS_MAX];
        bool near = p == 20 || p == 11 || p == 29 || p == 19 || p == 21;
        memcpy(other, white, sizeof other);
        other[p / 64] ^= UINT64_C(1) << p % 64;
        assert_int_equal(yo_go_ladder_recall(memory, black, other, 20, false, &found) != NULL,
                         !near);
        assert_null(yo_go_ladder_recall(memory, other, white, 20, false, &found));
        assert_null(yo_go_ladder_recall(memory, black, white, p == 20 ? 19 : (yo_go_point)p, false,
                                        &found));
    }
    assert_non_null(yo_go_ladder_recall(memory, black, white, 20, false, &found));
    assert_true(found.caught && found.lib_count == 2 && !found.catches[0] && found.catches[1]);
    assert_int_equal(found.libs[0], 11);
    assert_int_equal(found.libs[1], 80);
    /* Who asks for both moves gets the reading that has them. */
    assert_null(yo_go_ladder_recall(memory, black, white, 20, true, &found));
    reading.catches[0] = reading.both = true;
    yo_go_ladder_remember(memory, black, white, 20, looked, &reading);
    assert_non_null(yo_go_ladder_recall(memory, black, white, 20, true, &found));
    assert_true(found.both && found.catches[0] && found.catches[1]);
    yo_go_ladder_memory_delete(memory);
}

/* The moves of a position are those that are legal one by one. */
static void check_moves(int points) {
    yo_move moves[YO_GO_POINTS_MAX + 1];
    size_t count = yo_go_ops.moves(&pos, moves), at = 0;
    if (count == 0) return; /* the game is over */
    for (int p = 0; p < points; p++)
        if (yo_go_position_legal(&pos, (yo_go_point)p)) assert_int_equal(moves[at++], p);
    assert_int_equal(moves[at++], YO_GO_PASS);
    assert_int_equal(at, count);
}

/* Superko's table of what was there must not hide a point that the rules forbid. */
static void superko_is_the_rules(void **state) {
    (void)state;
    struct yo_go_rules rules = rules_of("tromp-taylor", 15);
    int banned = 0;
    srand(9);
    for (int round = 0; round < 60; round++) {
        struct yo_go_game *game;
        assert_int_equal(yo_go_game_new(2 + round % 3, &rules, &game), YO_OK);
        int points = yo_go_game_size(game) * yo_go_game_size(game);
        for (int move = 0; move < 150; move++) {
            yo_go_point p = (yo_go_point)(rand() % (points + 1));
            if (p == points) p = YO_GO_PASS;
            yo_go_game_play(game, yo_go_game_to_move(game), p, NULL);
            look(game, 1u << YO_GO_PLANE_KO);
            check_moves(points);
            for (p = 0; p < points; p++) {
                bool by_ko = pos.board.color[p] == YO_GO_EMPTY && !yo_go_position_legal(&pos, p);
                struct yo_go_rules simple = rules;
                simple.ko = YO_GO_KO_SIMPLE;
                if (p != yo_go_game_ko(game)) {
                    struct yo_go_position other = pos;
                    other.rules = simple;
                    by_ko = by_ko && yo_go_position_legal(&other, p);
                }
                assert_int_equal(yo_go_bit(in.plane[YO_GO_PLANE_KO], p), by_ko);
                banned += by_ko;
            }
        }
        yo_go_game_delete(game);
    }
    assert_in_range(banned, 500, 100000);
}

static void owns(const char *diagram, bool taxed, const char *expected) {
    struct yo_go_game *game = diagram_game(diagram, NULL, YO_GO_BLACK);
    uint8_t area[YO_GO_POINTS_MAX], wanted[YO_GO_POINTS_MAX];
    int size = diagram_read(expected, wanted);
    yo_go_area(&game->board, false, taxed, area);
    for (int p = 0; p < size * size; p++)
        if (area[p] != wanted[p]) fail_msg("point %d: %d, should be %d", p, area[p], wanted[p]);
    yo_go_game_delete(game);
}

static void areas(void **state) {
    (void)state;
    /* Black's corner is alive for good, White's stone in it a prisoner; the rest touches both. */
    owns(". X O . X ."
         "X X X X X X"
         ". . . . . ."
         "O O O O O O"
         ". . . . . ."
         ". . . . . .",
         false,
         "X X X X X X"
         "X X X X X X"
         ". . . . . ."
         "O O O O O O"
         "O O O O O O"
         "O O O O O O");
    /* Both groups touch neutral points: with a tax only their stones count. */
    owns(". X . O . ."
         "X X . O O O"
         ". . . . . ."
         ". . . . . ."
         ". . . . . ."
         ". . . . . .",
         true,
         ". X . O . ."
         "X X . O O O"
         ". . . . . ."
         ". . . . . ."
         ". . . . . ."
         ". . . . . .");
    /* An eye inside stones that are dead for good belongs to those around it. */
    owns(". O X . X . "
         "O X X X X X"
         "X X . . . ."
         ". . . . . ."
         ". . . . . ."
         ". . . . . .",
         false,
         "X X X X X X"
         "X X X X X X"
         "X X X X X X"
         "X X X X X X"
         "X X X X X X"
         "X X X X X X");
}

static void areas_as_point_by_point(void **state) {
    (void)state;
    struct yo_go_board board;
    uint8_t area[YO_GO_POINTS_MAX], wanted[YO_GO_POINTS_MAX];
    unsigned seed = 6;
    for (int i = 0; i < 6000; i++) {
        int size = YO_GO_SIZE_MIN + i % (YO_GO_SIZE_MAX - YO_GO_SIZE_MIN + 1);
        naive_life_board(&board, size, &seed);
        yo_go_area(&board, i & 1, i & 2, area);
        naive_area(&board, i & 1, i & 2, wanted);
        assert_memory_equal(area, wanted, (size_t)board.geometry->points);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stones_and_liberties),
        cmocka_unit_test(moves_and_passes),
        cmocka_unit_test(territory_with_stones_at_the_start),
        cmocka_unit_test(rules_and_komi),
        cmocka_unit_test(ko_and_superko),
        cmocka_unit_test(ladder_planes),
        cmocka_unit_test(masks),
        cmocka_unit_test(superko_is_the_rules),
        cmocka_unit_test(areas),
        cmocka_unit_test(areas_as_point_by_point),
        cmocka_unit_test(kept_ladders),
        cmocka_unit_test(remembered_ladders),
        cmocka_unit_test(remembered_where_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
