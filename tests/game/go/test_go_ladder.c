/* Ladders against a plain full search on the naive board, and by hand-made positions. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/ladder.h"
#include "support/go_diagram.h"
#include "support/naive_ladder.h"
#include "support/playout_positions.h"

/* ---- random positions ---- */

struct tally {
    int read, worked, unread;
};

static void set_up(const struct yo_playout_position *position, enum yo_go_color to_move,
                   struct yo_go_board *board, struct naive_board *naive) {
    yo_go_board_init(board, position->size);
    for (int p = 0; p < position->size * position->size; p++)
        if (position->stones[p])
            yo_go_board_play(board, (enum yo_go_color)position->stones[p], (yo_go_point)p);
    position_to_naive(position, naive);
    board->ko = position->ko;
    if (to_move == position->to_move) return;
    board->ko = YO_GO_NONE;
    naive->ko_row = naive->ko_col = -1;
}

static void compare_freed(const struct yo_go_board *board, const struct naive_board *naive,
                          int prey, int p) {
    naive_ladder_nodes = 0;
    bool freed = naive_frees(naive, prey, p);
    if (naive_ladder_nodes <= NAIVE_LADDER_MAX)
        assert_int_equal(yo_go_ladder_frees(board, (yo_go_point)prey, (yo_go_point)p), freed);
}

static void compare(const struct yo_go_board *board, const struct naive_board *naive, int prey,
                    struct tally *tally) {
    bool escape = naive_liberties(naive, prey) == 1, works = false;
    struct yo_go_ladder ladder = escape ? yo_go_ladder_escape(board, (yo_go_point)prey)
                                        : yo_go_ladder_catch(board, (yo_go_point)prey);
    tally->read++;
    for (int p = 0; p < board->geometry->points; p++) {
        if (board->color[p] != YO_GO_EMPTY) continue;
        naive_ladder_nodes = 0;
        bool expected =
            escape ? naive_escapes_by(naive, prey, p) : naive_catches_by(naive, prey, p);
        bool is_lib = naive_is_liberty(naive, p, prey);
        bool found = escape   ? yo_go_ladder_escapes_by(board, (yo_go_point)prey, (yo_go_point)p)
                     : is_lib ? yo_go_ladder_catches_by(board, (yo_go_point)prey, (yo_go_point)p)
                              : false;
        if (naive_ladder_nodes > NAIVE_LADDER_MAX || ladder.nodes >= YO_GO_LADDER_NODES) {
            tally->unread++;
            return;
        }
        if (tally->read % 16 == 0) compare_freed(board, naive, prey, p); /* it takes its time */
        if (found != expected)
            fail_msg("%dx%d, prey %d, move %d: %d, should be %d", naive->size, naive->size, prey, p,
                     found, expected);
        works |= expected;
        if (ladder.works && ladder.move == p) assert_true(expected);
    }
    assert_int_equal(ladder.works, works);
    tally->worked += works;
}

static void equals_full_search(void **state) {
    (void)state;
    srand(41);
    struct tally tally[2] = {{0}};
    for (int round = 0; round < 4000; round++) {
        struct yo_playout_position position;
        struct yo_go_board board;
        struct naive_board naive;
        int size = 4 + round % 5;
        random_position(&position, size, size + rand() % (size * size));
        for (int prey = 0; prey < size * size; prey++) {
            if (position.stones[prey] == YO_GO_EMPTY) continue;
            set_up(&position, YO_GO_EMPTY, &board, &naive);
            int libs = naive_liberties(&naive, prey);
            if (libs > 2 || board.head[prey] != prey) continue;
            enum yo_go_color color = (enum yo_go_color)position.stones[prey];
            set_up(&position, libs == 1 ? color : yo_go_other(color), &board, &naive);
            compare(&board, &naive, prey, &tally[libs - 1]);
        }
    }
    for (int i = 0; i < 2; i++) {
        assert_in_range(tally[i].read, 5000, 1000000);
        assert_in_range(tally[i].worked, tally[i].read / 20, tally[i].read * 19 / 20);
        assert_in_range(tally[i].unread, 0, tally[i].read / 50);
    }
}

/* ---- positions made by hand ---- */

static int read_board(const char *diagram, struct yo_go_board *board) {
    uint8_t colors[YO_GO_POINTS_MAX];
    int size = diagram_read(diagram, colors);
    yo_go_board_init(board, size);
    for (int p = 0; p < size * size; p++)
        if (colors[p]) yo_go_board_play(board, (enum yo_go_color)colors[p], (yo_go_point)p);
    return size;
}

/* On 19x19 Black's stone at the upper left is chased all the way; a stone of either colour may
 * stand at `other`, which is on its way or is not. */
static struct yo_go_ladder chase(int other_row, int other_col, enum yo_go_color color) {
    struct yo_go_board board;
    yo_go_board_init(&board, 19);
    static const int white[][2] = {{2, 3}, {3, 2}, {4, 2}, {2, 4}};
    for (int i = 0; i < 4; i++)
        yo_go_board_play(&board, YO_GO_WHITE, (yo_go_point)(19 * white[i][0] + white[i][1]));
    yo_go_board_play(&board, YO_GO_BLACK, 19 * 3 + 3);
    if (color) yo_go_board_play(&board, color, (yo_go_point)(19 * other_row + other_col));
    return yo_go_ladder_catch(&board, 19 * 3 + 3);
}

static void long_ladders(void **state) {
    (void)state;
    struct yo_go_ladder ladder = chase(0, 0, YO_GO_EMPTY);
    assert_true(ladder.works);
    assert_in_range(ladder.nodes, 40, YO_GO_LADDER_NODES - 1);
    assert_false(chase(14, 14, YO_GO_BLACK).works);
    assert_true(chase(14, 14, YO_GO_WHITE).works);
    assert_true(chase(14, 4, YO_GO_BLACK).works);
}

/* Extending fails at the edge; taking the one chaser in atari does not, unless ko forbids it. */
static void taking_saves(void **state) {
    (void)state;
    struct yo_go_board board;
    int size = read_board(". . . . . ."
                          ". . O X . ."
                          ". O X O X ."
                          ". O X O X ."
                          ". O . . O ."
                          ". . . . . .",
                          &board);
    yo_go_point prey = (yo_go_point)(2 * size + 2), taker = (yo_go_point)(4 * size + 3);
    assert_true(yo_go_string_in_atari(&board.string[board.head[prey]]));
    struct yo_go_ladder ladder = yo_go_ladder_escape(&board, prey);
    assert_true(ladder.works);
    assert_int_equal(ladder.move, taker);
    assert_false(yo_go_ladder_escapes_by(&board, prey, 0));
    board.ko = taker;
    assert_false(yo_go_ladder_escape(&board, prey).works);
}

static void the_edge_helps_the_attacker(void **state) {
    (void)state;
    struct yo_go_board board;
    read_board(". . . . . ."
               ". . . . . ."
               ". . . . . ."
               ". . . . . ."
               ". O O O O O"
               "O X . . . .",
               &board);
    assert_false(yo_go_ladder_escape(&board, 5 * 6 + 1).works);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_full_search),
        cmocka_unit_test(long_ladders),
        cmocka_unit_test(taking_saves),
        cmocka_unit_test(the_edge_helps_the_attacker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
