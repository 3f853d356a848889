/* game/go/legal.c: the lower bound of cycles, against the shortest cycles on 3x3, found by looking
 * at all positions. */
#include "support/test.h"

#include <stdlib.h>

#include "game/go/legal.h"

enum { SIZE = 3, POINTS = SIZE * SIZE, CODES = 19683, STATES = 2 * CODES, MOVES = POINTS + 1 };

/* A state is the code of the stones, and CODES more if White is to move. -1: no such move, or no
 * such position. */
static int32_t next[STATES][MOVES];

static int code_of(const struct yo_go_board *board) {
    int code = 0;
    for (int p = POINTS; p-- > 0;)
        code = 3 * code + (board->color[p] == YO_GO_BLACK   ? 1
                           : board->color[p] == YO_GO_WHITE ? 2
                                                            : 0);
    return code;
}

/* False: a string would have no liberty. */
static bool set_up(int code, struct yo_go_board *board) {
    yo_go_board_init(board, SIZE);
    for (int p = 0; p < POINTS; p++, code /= 3)
        if (code % 3 &&
            yo_go_board_play(board, code % 3 == 1 ? YO_GO_BLACK : YO_GO_WHITE, (yo_go_point)p) != 0)
            return false;
    return true;
}

static void find_all_moves(void) {
    for (int state = 0; state < STATES; state++) {
        struct yo_go_board board;
        int code = state % CODES;
        enum yo_go_color color = state < CODES ? YO_GO_BLACK : YO_GO_WHITE;
        bool good = set_up(code, &board) && code_of(&board) == code;
        for (int m = 0; m < MOVES; m++) {
            next[state][m] = -1;
            if (!good || (m < POINTS && board.color[m] != YO_GO_EMPTY)) continue;
            struct yo_go_board after = board;
            if (m < POINTS) yo_go_board_play(&after, color, (yo_go_point)m);
            next[state][m] = code_of(&after) + (state < CODES ? CODES : 0);
        }
    }
}

/* Moves, ko or not, until the stones are those of `code`; -1: never. */
static int distance(int from, int code) {
    static int32_t queue[STATES];
    static int16_t far[STATES];
    int head = 0, tail = 0;
    for (int i = 0; i < STATES; i++)
        far[i] = -1;
    far[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int state = queue[head++];
        if (state % CODES == code) return far[state];
        for (int m = 0; m < MOVES; m++) {
            int to = next[state][m];
            if (to < 0 || far[to] >= 0) continue;
            far[to] = (int16_t)(far[state] + 1);
            queue[tail++] = to;
        }
    }
    return -1;
}

static void cycles_are_not_shorter(void **unused) {
    (void)unused;
    int checked = 0, exact = 0, long_ones = 0;
    find_all_moves();
    srand(3);
    while (checked < 400) {
        int state = rand() % STATES, m = rand() % POINTS, to = next[state][m];
        struct yo_go_board board;
        if (to < 0 || !set_up(state % CODES, &board)) continue;
        yo_go_board_play(&board, state < CODES ? YO_GO_BLACK : YO_GO_WHITE, (yo_go_point)m);
        int bound = yo_go_cycle_bound(&board, (yo_go_point)m, POINTS);
        if (board.color[m] == YO_GO_EMPTY) {
            assert_int_equal(bound, 0);
            continue;
        }
        int cycle = 1 + distance(to, state % CODES);
        if (cycle > 0 && cycle < bound)
            fail_msg("state %d move %d: a cycle of %d, bound %d", state, m, cycle, bound);
        checked++;
        exact += cycle == bound;
        long_ones += bound > 6;
    }
    assert_true(exact > 0);
    assert_true(long_ones > 50);
}

/* A ko is the shortest cycle; a stone in the open is far from any. */
static void known_cycles(void **unused) {
    (void)unused;
    struct yo_go_board board;
    yo_go_board_init(&board, 9);
    yo_go_board_play(&board, YO_GO_BLACK, 40);
    assert_int_equal(yo_go_cycle_bound(&board, 40, 81), 81);
    assert_true(yo_go_cycle_bound(&board, 40, 11) > 11);
    yo_go_board_init(&board, 5);
    static const uint8_t black[] = {1, 5, 11}, white[] = {2, 8, 12, 6};
    for (size_t i = 0; i < sizeof black; i++)
        yo_go_board_play(&board, YO_GO_BLACK, black[i]);
    for (size_t i = 0; i < sizeof white; i++)
        yo_go_board_play(&board, YO_GO_WHITE, white[i]);
    assert_int_equal(yo_go_board_play(&board, YO_GO_BLACK, 7), 1); /* takes the stone on 6 */
    assert_int_equal(board.ko, 6);
    assert_int_equal(yo_go_cycle_bound(&board, 7, 25), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_not_shorter),
        cmocka_unit_test(known_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
