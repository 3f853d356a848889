/* Eye spaces and their vital points, over shapes grown at random. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/shape.h"
#include "support/go_diagram.h"

enum { SIZE = 7, POINTS = SIZE * SIZE };

static bool beside(int p, int q) {
    return abs(p / SIZE - q / SIZE) + abs(p % SIZE - q % SIZE) == 1;
}

/* ---- the judge: the vital point is the only one without which the space falls apart ---- */

static bool holds_together(const bool *space) {
    int todo[POINTS], n = 0, count = 0;
    bool left[POINTS];
    memcpy(left, space, sizeof left);
    for (int p = 0; p < POINTS; p++) {
        count += space[p];
        if (!space[p] || n > 0) continue;
        todo[n++] = p;
        left[p] = false;
    }
    for (int i = 0; i < n; i++)
        for (int q = 0; q < POINTS; q++)
            if (left[q] && beside(todo[i], q)) {
                left[q] = false;
                todo[n++] = q;
            }
    return n == count;
}

static yo_go_point naive_vital(bool *space) {
    int count = 0;
    yo_go_point vital = YO_GO_NONE;
    for (int p = 0; p < POINTS; p++) {
        if (!space[p]) continue;
        space[p] = false;
        if (!holds_together(space)) {
            count++;
            vital = (yo_go_point)p;
        }
        space[p] = true;
    }
    return count == 1 ? vital : YO_GO_NONE;
}

static void grow(bool *space, int count) {
    memset(space, 0, POINTS * sizeof space[0]);
    space[rand() % POINTS] = true;
    for (int n = 1; n < count;) {
        int p = rand() % POINTS;
        bool touches = false;
        for (int q = 0; q < POINTS; q++)
            touches |= space[q] && beside(p, q);
        if (space[p] || !touches) continue;
        space[p] = true;
        n++;
    }
}

/* Black stones everywhere but on the space. */
static yo_go_point surround(const bool *space, struct yo_go_board *board) {
    yo_go_point inside = YO_GO_NONE;
    yo_go_board_init(board, SIZE);
    for (int p = 0; p < POINTS; p++)
        if (space[p])
            inside = (yo_go_point)p;
        else
            yo_go_board_play(board, YO_GO_BLACK, (yo_go_point)p);
    return inside;
}

static void vital_points_divide(void **state) {
    (void)state;
    srand(51);
    int vital[YO_GO_SHAPE_MAX + 1] = {0};
    for (int round = 0; round < 6000; round++) {
        bool space[POINTS];
        struct yo_go_board board;
        struct yo_go_shape shape;
        int count = 1 + round % YO_GO_SHAPE_MAX;
        grow(space, count);
        yo_go_point inside = surround(space, &board);
        assert_true(yo_go_shape_of_eye_space(&board, inside, &shape));
        assert_int_equal(shape.count, count);
        for (int i = 0; i < count; i++)
            assert_true(space[shape.point[i]]);
        yo_go_point found = yo_go_shape_vital_point(board.geometry, &shape);
        if (found != naive_vital(space)) fail_msg("round %d, %d points: %u", round, count, found);
        vital[count] += found != YO_GO_NONE;
    }
    assert_int_equal(vital[1] + vital[2], 0);
    assert_int_equal(vital[3], 1000);
    for (int count = 4; count <= YO_GO_SHAPE_MAX; count++)
        assert_in_range(vital[count], 5, 600);
}

static bool is_eye_space(const char *diagram, yo_go_point p) {
    struct yo_go_board board;
    struct yo_go_shape shape;
    uint8_t colors[YO_GO_POINTS_MAX];
    int size = diagram_read(diagram, colors);
    yo_go_board_init(&board, size);
    for (int q = 0; q < size * size; q++)
        if (colors[q]) yo_go_board_play(&board, (enum yo_go_color)colors[q], (yo_go_point)q);
    return yo_go_shape_of_eye_space(&board, p, &shape);
}

/* Stones of each shape, with the last of them still to be played. */
static void strings_are_nakade(void **state) {
    (void)state;
    srand(52);
    int nakade[YO_GO_SHAPE_MAX + 1] = {0};
    for (int round = 0; round < 6000; round++) {
        bool space[POINTS];
        struct yo_go_board board;
        struct yo_go_shape shape;
        int count = 1 + round % YO_GO_SHAPE_MAX, last = -1;
        grow(space, count);
        yo_go_board_init(&board, SIZE);
        for (int p = 0; p < POINTS; p++) {
            if (!space[p]) continue;
            if (last >= 0) yo_go_board_play(&board, YO_GO_WHITE, (yo_go_point)last);
            last = p;
        }
        assert_true(yo_go_shape_of_string(&board, YO_GO_WHITE, (yo_go_point)last, &shape));
        assert_int_equal(shape.count, count);
        int fewest = 4; /* a square is where every point touches two others */
        for (int p = 0; p < POINTS; p++) {
            int touched = 0;
            for (int q = 0; q < POINTS; q++)
                touched += space[p] && space[q] && beside(p, q);
            if (space[p] && touched < fewest) fewest = touched;
        }
        bool expected =
            count <= 3 || (count == 4 && fewest == 2) || naive_vital(space) != YO_GO_NONE;
        assert_int_equal(yo_go_shape_is_nakade(board.geometry, &shape), expected);
        nakade[count] += expected;
    }
    for (int count = 4; count <= YO_GO_SHAPE_MAX; count++)
        assert_in_range(nakade[count], 5, 800);
}

static void large_strings_have_no_shape(void **state) {
    (void)state;
    struct yo_go_board board;
    struct yo_go_shape shape;
    yo_go_board_init(&board, SIZE);
    for (yo_go_point p = 0; p < 6; p++)
        yo_go_board_play(&board, YO_GO_BLACK, p);
    assert_false(yo_go_shape_of_string(&board, YO_GO_BLACK, 6, &shape));
    assert_true(yo_go_shape_of_string(&board, YO_GO_WHITE, 6, &shape));
}

static void others_are_no_eye_spaces(void **state) {
    (void)state;
    assert_true(is_eye_space(". . . O ."
                             "O O O O ."
                             ". . . . ."
                             ". . . . ."
                             ". . . . .",
                             0));
    assert_false(is_eye_space(". . . X ." /* both colours round it */
                              "O O O O ."
                              ". . . . ."
                              ". . . . ."
                              ". . . . .",
                              0));
    assert_false(is_eye_space(". . . O ." /* seven points */
                              ". . . O ."
                              ". O O O ."
                              "O . . . ."
                              ". . . . .",
                              0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vital_points_divide),
        cmocka_unit_test(strings_are_nakade),
        cmocka_unit_test(large_strings_have_no_shape),
        cmocka_unit_test(others_are_no_eye_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
