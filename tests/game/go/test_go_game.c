/* state.c, legal.c, game_ops.c: a game with its history, and positions inside a search. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"
#include "support/go_diagram.h"
#include "support/naive_game.h"

static struct yo_go_rules with_ko(enum yo_go_ko ko) {
    struct yo_go_rules rules = yo_go_rules_default;
    rules.ko = ko;
    return rules;
}

static void play_all(struct yo_go_game *game, const char *const *moves, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(diagram_play(game, moves[i]), YO_OK);
}

/* Three kos, each to be taken back by playing in the middle of its row. */
static const char triple_ko[] = ". X O . . . . . . . ."
                                "X O . O . . . . . . ."
                                ". X O . . . . . . . ."
                                ". . . . . . . . . . ."
                                ". X O . . . . . . . ."
                                "X O . O . . . . . . ."
                                ". X O . . . . . . . ."
                                ". . . . . . . . . . ."
                                ". X O . . . . . . . ."
                                "X . X O . . . . . . ."
                                ". X O . . . . . . . .";

static void triple_ko_ends_only_by_superko(void **state) {
    (void)state;
    static const char *const moves[] = {"B C10", "W B2", "B C6", "W B10", "B C2"};
    for (int ko = YO_GO_KO_SIMPLE; ko <= YO_GO_KO_SITUATIONAL; ko++) {
        struct yo_go_rules rules = with_ko((enum yo_go_ko)ko);
        struct yo_go_game *game = diagram_game(triple_ko, &rules, YO_GO_BLACK);
        play_all(game, moves, 5);
        enum yo_err expected = ko == YO_GO_KO_SIMPLE ? YO_OK : YO_ERR_ILLEGAL;
        assert_int_equal(diagram_play(game, "W B6"), expected);
        yo_go_game_delete(game);
    }
}

static const char send_two[] = ". O . O ."
                               "X X O . ."
                               "X . . . ."
                               ". . . . ."
                               ". . . . .";

static void send_two_return_one(void **state) {
    (void)state;
    static const char *const moves[] = {"W A5", "B C5"};
    for (int ko = YO_GO_KO_SIMPLE; ko <= YO_GO_KO_SITUATIONAL; ko++) {
        struct yo_go_rules rules = with_ko((enum yo_go_ko)ko);
        struct yo_go_game *game = diagram_game(send_two, &rules, YO_GO_WHITE);
        play_all(game, moves, 2);
        assert_int_equal(yo_go_game_captures(game, YO_GO_BLACK), 2);
        struct yo_diag diag = {0};
        enum yo_err err = yo_go_game_play(game, YO_GO_WHITE, 1, &diag);
        /* The stones are as at the start, but now Black is to move. */
        assert_int_equal(err, ko == YO_GO_KO_POSITIONAL ? YO_ERR_ILLEGAL : YO_OK);
        if (err) assert_non_null(strstr(diag.what, "B5 repeats an earlier position"));
        if (ko == YO_GO_KO_SITUATIONAL) {
            /* Once Black passes, sending two again repeats a situation. */
            assert_int_equal(diagram_play(game, "B pass"), YO_OK);
            assert_int_equal(diagram_play(game, "W A5"), YO_ERR_ILLEGAL);
        }
        yo_go_game_delete(game);
    }
}

static const char one_ko[] = ". X O ."
                             "X O . O"
                             ". X O ."
                             ". . . .";

static void ko_binds_the_opponent_alone(void **state) {
    (void)state;
    for (int ko = YO_GO_KO_SIMPLE; ko <= YO_GO_KO_SITUATIONAL; ko++) {
        struct yo_go_rules rules = with_ko((enum yo_go_ko)ko);
        struct yo_go_game *game = diagram_game(one_ko, &rules, YO_GO_BLACK);
        assert_int_equal(diagram_play(game, "B C3"), YO_OK);
        assert_int_equal(yo_go_game_ko(game), 5);
        struct yo_diag diag = {0};
        assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, 5, &diag), YO_ERR_ILLEGAL);
        assert_string_equal(diag.what, "illegal move: B3 retakes the ko at once");
        assert_false(yo_go_game_legal(game, YO_GO_WHITE, 5));
        assert_true(yo_go_game_legal(game, YO_GO_BLACK, 5));
        yo_go_game_set_to_move(game, YO_GO_BLACK);
        assert_int_equal(yo_go_game_ko(game), YO_GO_NONE);
        yo_go_game_set_to_move(game, YO_GO_WHITE);
        /* A pass lifts simple ko, not superko. */
        assert_int_equal(diagram_play(game, "W pass"), YO_OK);
        assert_int_equal(diagram_play(game, "B pass"), YO_OK);
        assert_int_equal(yo_go_game_legal(game, YO_GO_WHITE, 5), ko == YO_GO_KO_SIMPLE);
        yo_go_game_delete(game);
    }
}

static void suicide_is_a_choice(void **state) {
    (void)state;
    static const char corner[] = ". X O"
                                 "O O O"
                                 ". . .";
    struct yo_go_rules rules = yo_go_rules_default;
    struct yo_go_game *game = diagram_game(corner, &rules, YO_GO_BLACK);
    struct yo_diag diag = {0};
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, 0, &diag), YO_ERR_ILLEGAL);
    assert_string_equal(diag.what, "illegal move: A3 is suicide");
    rules.suicide = true;
    yo_go_game_set_rules(game, &rules);
    assert_int_equal(diagram_play(game, "B A3"), YO_OK);
    char board[10];
    diagram_write(game, board);
    assert_string_equal(board, "..OOOO...");
    assert_int_equal(yo_go_game_captures(game, YO_GO_WHITE), 2);
    assert_int_equal(diagram_play(game, "W B3"), YO_OK);
    assert_false(yo_go_game_legal(game, YO_GO_BLACK, 0)); /* one stone never */
    assert_int_equal(yo_go_game_undo(game, NULL), YO_OK);
    assert_int_equal(yo_go_game_undo(game, NULL), YO_OK);
    diagram_write(game, board);
    assert_string_equal(board, ".XOOOO...");
    assert_int_equal(yo_go_game_captures(game, YO_GO_WHITE), 0);
    yo_go_game_delete(game);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    struct yo_go_game *game = NULL;
    assert_int_equal(yo_go_game_new(1, NULL, &game), YO_ERR_RANGE);
    assert_int_equal(yo_go_game_new(20, NULL, &game), YO_ERR_RANGE);
    assert_null(game);
    assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
    assert_int_equal(yo_go_game_clear(game, 25), YO_ERR_RANGE);
    assert_int_equal(yo_go_game_size(game), 9);
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, 81, NULL), YO_ERR_ARGUMENT);
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, YO_GO_RESIGN, NULL), YO_ERR_ARGUMENT);
    assert_int_equal(yo_go_game_play(game, YO_GO_EMPTY, 3, NULL), YO_ERR_ARGUMENT);
    assert_int_equal(yo_go_game_undo(game, NULL), YO_ERR_STATE);
    assert_int_equal(yo_go_game_at(game, 81), YO_GO_OFF);
    assert_int_equal(diagram_play(game, "B E5"), YO_OK);
    struct yo_diag diag = {0};
    assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, 40, &diag), YO_ERR_ILLEGAL);
    assert_string_equal(diag.what, "illegal move: E5 is occupied");
    assert_int_equal(yo_go_game_move_count(game), 1);
    yo_go_game_delete(game);
}

static void bad_setup_changes_nothing(void **state) {
    (void)state;
    static const char *const bad[] = {"X X X X", "O X X O", "X X X . X O X X O",
                                      ". X O X O O O O ."};
    uint8_t colors[YO_GO_POINTS_MAX];
    struct yo_go_game *game;
    assert_int_equal(diagram_read(bad[0], colors), 2);
    assert_int_equal(yo_go_game_new(2, NULL, &game), YO_OK);
    assert_int_equal(diagram_play(game, "B A1"), YO_OK);
    struct yo_diag diag = {0};
    assert_int_equal(yo_go_game_setup(game, colors, YO_GO_BLACK, &diag), YO_ERR_ILLEGAL);
    assert_non_null(strstr(diag.what, "no liberty"));
    assert_int_equal(yo_go_game_move_count(game), 1);
    diagram_read(bad[1], colors);
    assert_int_equal(yo_go_game_setup(game, colors, YO_GO_BLACK, NULL), YO_ERR_ILLEGAL);
    memset(colors, 0, sizeof colors);
    assert_int_equal(yo_go_game_setup(game, colors, YO_GO_EMPTY, NULL), YO_ERR_ARGUMENT);
    colors[3] = 3;
    assert_int_equal(yo_go_game_setup(game, colors, YO_GO_BLACK, NULL), YO_ERR_ARGUMENT);
    assert_int_equal(yo_go_game_move_count(game), 1);
    yo_go_game_delete(game);
    assert_int_equal(yo_go_game_new(3, NULL, &game), YO_OK);
    diagram_read(bad[2], colors);
    assert_int_equal(yo_go_game_setup(game, colors, YO_GO_BLACK, NULL), YO_ERR_ILLEGAL);
    diagram_read(bad[3], colors);
    assert_int_equal(yo_go_game_setup(game, colors, YO_GO_BLACK, NULL), YO_OK);
    yo_go_game_delete(game);
}

static void handicap_games(void **state) {
    (void)state;
    struct yo_go_game *game;
    yo_go_point points[9], twice[2] = {4, 4}, off[2] = {4, 400};
    assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
    assert_int_equal(yo_go_game_handicap_set(game, twice, 2, NULL), YO_ERR_ARGUMENT);
    assert_int_equal(yo_go_game_handicap_set(game, off, 2, NULL), YO_ERR_ARGUMENT);
    assert_int_equal(yo_go_game_handicap_set(game, twice, 1, NULL), YO_ERR_RANGE);
    assert_int_equal(yo_go_handicap_points(9, 4, points, NULL), YO_OK);
    assert_int_equal(yo_go_game_handicap_set(game, points, 4, NULL), YO_OK);
    assert_int_equal(yo_go_game_handicap(game), 4);
    assert_int_equal(yo_go_game_to_move(game), YO_GO_WHITE);
    assert_int_equal(yo_go_game_move_count(game), 0);
    assert_int_equal(yo_go_game_undo(game, NULL), YO_ERR_STATE);
    assert_int_equal(yo_go_game_handicap_set(game, points, 4, NULL), YO_ERR_STATE);
    assert_int_equal(diagram_play(game, "W E5"), YO_OK);
    assert_int_equal(yo_go_game_undo(game, NULL), YO_OK);
    assert_int_equal(yo_go_game_handicap(game), 4);
    assert_int_equal(yo_go_game_clear(game, 9), YO_OK);
    assert_int_equal(yo_go_game_handicap(game), 0);
    yo_go_game_delete(game);
}

/* The moves of a position are those that the judge allows, unless the game is over. */
static void agree_on_moves(const struct yo_go_position *position, const struct naive_game *slow) {
    yo_move moves[YO_GO_POINTS_MAX + 1];
    size_t count = yo_go_ops.moves(position, moves), at = 0;
    int size = slow->board.size;
    if (count == 0) return;
    for (int p = 0; p < size * size; p++)
        if (naive_game_legal(slow, position->to_move, p / size, p % size))
            assert_int_equal(moves[at++], p);
    assert_int_equal(moves[at++], YO_GO_PASS);
    assert_int_equal(at, count);
}

/* Random play on small boards, where repetition is common: every point's legality for both colours
 * must be the judge's, in the game and in a position that follows it. */
static void agree_on_legality(const struct yo_go_game *game, const struct yo_go_position *position,
                              const struct naive_game *slow) {
    int size = slow->board.size;
    for (int p = 0; p < size * size; p++)
        for (int color = 1; color <= 2; color++) {
            bool expected = naive_game_legal(slow, color, p / size, p % size);
            assert_int_equal(yo_go_game_legal(game, (enum yo_go_color)color, (yo_go_point)p),
                             expected);
            if (position->to_move == color)
                assert_int_equal(yo_go_position_legal(position, (yo_go_point)p), expected);
        }
}

static void random_game(int size, enum yo_go_ko ko, bool suicide, int moves) {
    static struct naive_game slow;
    struct yo_go_rules rules = with_ko(ko);
    rules.suicide = suicide;
    struct yo_go_game *game, *root;
    struct yo_go_position position;
    naive_game_init(&slow, size, (enum naive_ko)ko, suicide);
    assert_int_equal(yo_go_game_new(size, &rules, &game), YO_OK);
    assert_int_equal(yo_go_game_copy(game, &root), YO_OK);
    yo_go_position_from_game(root, &position);
    for (int i = 0; i < moves; i++) {
        agree_on_legality(game, &position, &slow);
        agree_on_moves(&position, &slow);
        int color = slow.to_move, p = rand() % (size * size + 1);
        bool pass = p == size * size;
        yo_go_point move = pass ? YO_GO_PASS : (yo_go_point)p;
        if (yo_go_game_play(game, (enum yo_go_color)color, move, NULL) != YO_OK) continue;
        naive_game_play(&slow, color, pass ? -1 : p / size, p % size);
        if (i % 40 == 39) { /* a new root, so that both kinds of history are used */
            yo_go_game_delete(root);
            assert_int_equal(yo_go_game_copy(game, &root), YO_OK);
            yo_go_position_from_game(root, &position);
        } else {
            yo_go_position_play(&position, move);
        }
    }
    yo_go_game_delete(game);
    yo_go_game_delete(root);
}

static void superko_agrees_with_the_judge(void **state) {
    (void)state;
    srand(1977);
    for (int ko = YO_GO_KO_SIMPLE; ko <= YO_GO_KO_SITUATIONAL; ko++)
        for (int suicide = 0; suicide <= 1; suicide++)
            for (int size = 2; size <= 5; size++)
                for (int i = 0; i < 10; i++)
                    random_game(size, (enum yo_go_ko)ko, suicide, 300);
}

static void undo_goes_back_to_the_start(void **state) {
    (void)state;
    srand(5);
    static struct yo_go_board boards[401];
    struct yo_go_rules rules = yo_go_rules_default;
    rules.suicide = true;
    struct yo_go_game *game = diagram_game(send_two, &rules, YO_GO_WHITE);
    size_t count = 0;
    while (count < 400) {
        boards[count] = game->board;
        yo_go_point p = (yo_go_point)(rand() % 26);
        if (p == 25) p = YO_GO_PASS;
        if (yo_go_game_play(game, game->to_move, p, NULL) == YO_OK) count++;
    }
    while (count-- > 0) {
        enum yo_go_color mover = yo_go_game_move(game, count).color;
        assert_int_equal(yo_go_game_undo(game, NULL), YO_OK);
        assert_int_equal(yo_go_game_to_move(game), mover);
        assert_true(game->board.hash == boards[count].hash);
        assert_memory_equal(game->board.color, boards[count].color, sizeof game->board.color);
        assert_memory_equal(game->board.captures, boards[count].captures,
                            sizeof game->board.captures);
        assert_int_equal(game->board.ko, boards[count].ko);
    }
    assert_int_equal(yo_go_game_undo(game, NULL), YO_ERR_STATE);
    yo_go_game_delete(game);
}

static void copies_are_independent(void **state) {
    (void)state;
    struct yo_go_game *game, *copy;
    assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
    assert_int_equal(diagram_play(game, "B D4"), YO_OK);
    assert_int_equal(yo_go_game_copy(game, &copy), YO_OK);
    assert_int_equal(diagram_play(copy, "W E4"), YO_OK);
    assert_int_equal(yo_go_game_undo(game, NULL), YO_OK);
    assert_int_equal(yo_go_game_move_count(game), 0);
    assert_int_equal(yo_go_game_move_count(copy), 2);
    assert_int_equal(yo_go_game_move(copy, 0).move, 5 * 9 + 3);
    yo_go_game_delete(game);
    assert_int_equal(yo_go_game_undo(copy, NULL), YO_OK);
    yo_go_game_delete(copy);
}

static void full_memory_is_survived(void **state) {
    (void)state;
    struct yo_go_game *game = NULL, *copy = NULL;
    for (long n = 0; n < 3; n++) {
        yo_alloc_fail_after(n);
        assert_int_equal(yo_go_game_new(9, NULL, &game), YO_ERR_NOMEM);
    }
    yo_alloc_fail_after(-1);
    assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
    for (long n = 0; n < 3; n++) {
        yo_alloc_fail_after(n);
        assert_int_equal(yo_go_game_copy(game, &copy), YO_ERR_NOMEM);
    }
    yo_alloc_fail_after(0);
    size_t played = 0;
    while (yo_go_game_play(game, YO_GO_BLACK, YO_GO_PASS, NULL) == YO_OK)
        played++;
    yo_alloc_fail_after(-1);
    assert_true(played > 0);
    assert_int_equal(yo_go_game_move_count(game), played);
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, YO_GO_PASS, NULL), YO_OK);
    assert_int_equal(yo_go_game_passes(game), played + 1);
    yo_go_game_delete(game);
}

static void search_positions_end_and_are_scored(void **state) {
    (void)state;
    struct yo_go_rules rules = yo_go_rules_default;
    rules.komi2 = 1;
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(5, &rules, &game), YO_OK);
    struct yo_go_position position;
    yo_move moves[YO_GO_POINTS_MAX + 1], move;
    yo_go_position_from_game(game, &position);
    assert_int_equal(yo_go_ops.moves(&position, moves), 26);
    assert_int_equal(yo_go_ops.side_to_move(&position), 0);
    assert_int_equal(yo_go_ops.parse(&position, "c3", &move, NULL), YO_OK);
    uint64_t before = yo_go_ops.hash(&position);
    yo_go_ops.play(&position, move);
    assert_true(before != yo_go_ops.hash(&position));
    assert_int_equal(yo_go_ops.side_to_move(&position), 1);
    assert_int_equal(yo_go_ops.moves(&position, moves), 25);
    assert_int_equal(yo_go_ops.parse(&position, "c3", &move, NULL), YO_ERR_ILLEGAL);
    assert_int_equal(yo_go_ops.parse(&position, "resign", &move, NULL), YO_ERR_ILLEGAL);
    char text[16];
    assert_string_equal(yo_go_ops.format(&position, 12, text), "C3");
    yo_go_ops.play(&position, YO_GO_PASS);
    assert_int_equal(yo_go_ops.outcome(&position), YO_OUTCOME_NONE);
    yo_go_ops.play(&position, YO_GO_PASS);
    assert_int_equal(yo_go_ops.outcome(&position), YO_OUTCOME_FIRST);
    assert_int_equal(yo_go_ops.moves(&position, moves), 0);
    yo_go_game_delete(game);
}

static void long_cycles_of_simple_ko_are_drawn(void **state) {
    (void)state;
    static const char *const moves[] = {"C10", "B2", "C6", "B10", "C2", "B6"};
    struct yo_go_rules rules = with_ko(YO_GO_KO_SIMPLE);
    struct yo_go_game *game = diagram_game(triple_ko, &rules, YO_GO_BLACK);
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    for (int i = 0; i < 6; i++) {
        yo_move move;
        assert_int_equal(yo_go_ops.outcome(&position), YO_OUTCOME_NONE);
        assert_int_equal(yo_go_ops.parse(&position, moves[i], &move, NULL), YO_OK);
        yo_go_ops.play(&position, move);
    }
    assert_int_equal(yo_go_ops.outcome(&position), YO_OUTCOME_DRAW);
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triple_ko_ends_only_by_superko),
        cmocka_unit_test(send_two_return_one),
        cmocka_unit_test(ko_binds_the_opponent_alone),
        cmocka_unit_test(suicide_is_a_choice),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(bad_setup_changes_nothing),
        cmocka_unit_test(handicap_games),
        cmocka_unit_test(superko_agrees_with_the_judge),
        cmocka_unit_test(undo_goes_back_to_the_start),
        cmocka_unit_test(copies_are_independent),
        cmocka_unit_test(full_memory_is_survived),
        cmocka_unit_test(search_positions_end_and_are_scored),
        cmocka_unit_test(long_cycles_of_simple_ko_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
