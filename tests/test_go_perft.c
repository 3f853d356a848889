/* Exact counts: legal positions, and sequences of moves on both boards. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/perft.h"
#include "naive_game.h"

/* ---- Legal positions ---- */

/* Every colouring, through the public door. */
static uint64_t count_by_setup(int size) {
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(size, NULL, &game), YO_OK);
    uint64_t count = 0, total = 1;
    for (int p = 0; p < size * size; p++)
        total *= 3;
    for (uint64_t code = 0; code < total; code++) {
        uint8_t colors[YO_GO_POINTS_MAX];
        uint64_t rest = code;
        for (int p = 0; p < size * size; p++, rest /= 3)
            colors[p] = (uint8_t)(rest % 3);
        count += yo_go_game_setup(game, colors, YO_GO_BLACK, NULL) == YO_OK;
    }
    yo_go_game_delete(game);
    return count;
}

/* The same by growing: a stone that captures or dies makes no position, whatever comes after. */
static uint64_t count_by_growing(const struct yo_go_board *board, int p) {
    if (p == board->geometry->points) return 1;
    uint64_t count = count_by_growing(board, p + 1);
    for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
        struct yo_go_board next = *board;
        if (yo_go_board_play(&next, (enum yo_go_color)color, (yo_go_point)p) == 0)
            count += count_by_growing(&next, p + 1);
    }
    return count;
}

static uint64_t grown(int size) {
    struct yo_go_board board;
    yo_go_board_init(&board, size);
    return count_by_growing(&board, 0);
}

static void legal_positions_2x2_and_3x3(void **state) {
    (void)state;
    assert_int_equal(count_by_setup(2), 57);
    assert_int_equal(count_by_setup(3), 12675);
    assert_int_equal(grown(2), 57);
    assert_int_equal(grown(3), 12675);
}

static void legal_positions_4x4(void **state) {
    (void)state;
    const char *wanted = getenv("YOMI_LONG_TESTS");
    if (!wanted || strcmp(wanted, "1") != 0) skip();
    assert_int_equal(grown(4), 24318165);
}

/* ---- Sequences: docs/perft.md shows these and more ---- */

static uint64_t fast_perft(int size, enum yo_go_ko ko, bool suicide, bool passes, int depth) {
    struct yo_go_rules rules = yo_go_rules_default;
    rules.ko = ko;
    rules.suicide = suicide;
    struct yo_go_game *game;
    struct yo_go_position position;
    assert_int_equal(yo_go_game_new(size, &rules, &game), YO_OK);
    yo_go_position_from_game(game, &position);
    uint64_t count = yo_go_perft(&position, depth, passes);
    yo_go_game_delete(game);
    return count;
}

static uint64_t slow_perft(int size, enum yo_go_ko ko, bool suicide, bool passes, int depth) {
    static struct naive_game game;
    naive_game_init(&game, size, (enum naive_ko)ko, suicide);
    return naive_perft(&game, depth, passes);
}

static void both_boards_agree(void **state) {
    (void)state;
    static const int depths[][2] = {{2, 8}, {3, 5}, {4, 4}, {5, 3}, {9, 2}, {19, 1}};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        for (int depth = 0; depth <= depths[i][1]; depth++)
            for (int ko = YO_GO_KO_SIMPLE; ko <= YO_GO_KO_SITUATIONAL; ko++)
                for (int flags = 0; flags < 4; flags++) {
                    int size = depths[i][0];
                    bool suicide = flags & 1, passes = flags & 2;
                    uint64_t fast = fast_perft(size, (enum yo_go_ko)ko, suicide, passes, depth);
                    uint64_t slow = slow_perft(size, (enum yo_go_ko)ko, suicide, passes, depth);
                    assert_int_equal(fast, slow);
                }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_positions_2x2_and_3x3),
        cmocka_unit_test(legal_positions_4x4),
        cmocka_unit_test(both_boards_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
