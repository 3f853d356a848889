/* board.c against the naive board: the same stones, captures, ko, legality, eyes, patterns. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/board.h"
#include "support/naive_go.h"

static void compare(const struct yo_go_board *fast, const struct naive_board *slow) {
    int size = slow->size;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++) {
            yo_go_point p = (yo_go_point)(r * size + c);
            assert_int_equal(fast->color[p], slow->color[r][c]);
            assert_int_equal(yo_go_bit(fast->empty, p), slow->color[r][c] == 0);
            if (slow->color[r][c] != 0) {
                int stones, liberties;
                naive_string(slow, r, c, &stones, &liberties);
                const struct yo_go_string *s = &fast->string[fast->head[p]];
                assert_int_equal(s->stones, stones);
                assert_int_equal(yo_go_board_liberties(fast, p, 400), liberties);
                assert_int_equal(yo_go_string_in_atari(s), liberties == 1);
                continue;
            }
            for (int color = 1; color <= 2; color++) {
                assert_int_equal(yo_go_bit(fast->eye[color], p), naive_is_eye(slow, color, r, c));
                assert_int_equal(yo_go_board_is_legal(fast, (enum yo_go_color)color, p),
                                 naive_legal(slow, color, r, c));
            }
        }
    int ko = slow->ko_row < 0 ? YO_GO_NONE : slow->ko_row * size + slow->ko_col;
    assert_int_equal(fast->ko, ko);
}

/* The hash must depend on the stones alone. */
static uint64_t hash_from_scratch(const struct yo_go_board *board) {
    uint64_t hash = 0;
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p]) hash ^= yo_go_zobrist[board->color[p]][p];
    return hash;
}

static void random_moves(int size, int moves) {
    struct yo_go_board fast;
    struct naive_board slow;
    int since_start = 1 << 30, played = 0;
    for (int i = 0; played < moves; i++) {
        if (since_start++ > 4 * size * size) {
            yo_go_board_init(&fast, size);
            naive_init(&slow, size);
            since_start = 0;
        }
        int color = rand() % 8 ? 1 + i % 2 : 1 + rand() % 2;
        int p = rand() % (size * size), row = p / size, col = p % size;
        if (slow.color[row][col] || p == fast.ko) continue;
        if (!naive_legal(&slow, color, row, col) && rand() % 4) continue; /* suicide now and then */
        int taken = yo_go_board_play(&fast, (enum yo_go_color)color, (yo_go_point)p);
        int expected = naive_play(&slow, color, row, col);
        played++;
        assert_int_equal(taken > 0 ? taken : 0, expected);
        assert_true(fast.hash == hash_from_scratch(&fast));
        if (played % 16 == 0) compare(&fast, &slow);
        for (int q = 0; q < size * size; q++)
            if (fast.color[q] != slow.color[q / size][q % size]) compare(&fast, &slow);
    }
}

/* A million moves played in all, over every size. */
static void agrees_with_naive_board(void **state) {
    (void)state;
    srand(20061);
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        random_moves(size, 1000000 / 18 + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_naive_board)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
