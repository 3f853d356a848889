/* Ladders as networks see them, against the definition played out on copies of the board. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "support/go_diagram.h"
#include "support/net_ladder.h"

/* ---- random positions ---- */

static void clear(uint64_t *set, const uint64_t *what) {
    for (int w = 0; w < YO_GO_WORDS_MAX; w++)
        set[w] &= ~what[w];
}

struct tally {
    int strings, caught, moves, unread, longest;
};

static void compare(const struct yo_go_board *board, struct tally *tally) {
    const struct yo_go_geometry *g = board->geometry;
    struct net_ladders judged;
    uint64_t caught[YO_GO_WORDS_MAX], moves[YO_GO_WORDS_MAX], only[YO_GO_WORDS_MAX];
    enum yo_go_color prey = rand() % 2 ? YO_GO_BLACK : YO_GO_WHITE;
    net_ladders_judge(board, prey, &judged);
    net_ladders_mark(g, board->color, board->ko, NULL, prey, caught, moves);
    net_ladders_mark(g, board->color, board->ko, NULL, prey, only, NULL);
    assert_memory_equal(caught, only, sizeof caught);
    clear(caught, judged.unread);
    bool unread = false;
    for (int p = 0; p < g->points; p++) {
        bool is = yo_go_bit(caught, (unsigned)p);
        unread |= yo_go_bit(judged.unread, (unsigned)p);
        tally->moves += yo_go_bit(moves, (unsigned)p);
        tally->caught += is && board->head[p] == p;
        if (is != yo_go_bit(judged.caught, (unsigned)p))
            fail_msg("%dx%d, string at %d: caught %d", g->size, g->size, p, is);
    }
    if (!unread) assert_memory_equal(moves, judged.moves, sizeof moves);
    tally->unread += unread;
    tally->strings += judged.strings;
    if (judged.longest > tally->longest) tally->longest = judged.longest;
}

static void equals_definition(void **state) {
    (void)state;
    srand(17);
    struct tally tally = {0};
    for (int round = 0; round < 3000; round++) {
        struct yo_go_board board;
        int size = 2 + round % 8, points = size * size;
        net_ladders_random(&board, size, size + rand() % points, 0);
        compare(&board, &tally);
    }
    assert_in_range(tally.caught, 3000, 1000000);
    assert_in_range(tally.moves, 500, 1000000);
    assert_in_range(tally.unread, 0, 20);
}

/* Ladders that run across the board, and hit a stone or the edge. */
static void long_ladders(void **state) {
    (void)state;
    srand(18);
    struct tally tally = {0};
    for (int round = 0; round < 120; round++) {
        struct yo_go_board board;
        int size = 13 + round % 7;
        net_ladders_random(&board, size, rand() % 40, 1 + rand() % 6);
        compare(&board, &tally);
    }
    assert_in_range(tally.caught, 100, 1000000);
    assert_in_range(tally.strings - tally.caught, 100, 1000000);
    assert_in_range(tally.longest, 60, 1000000);
    assert_in_range(tally.unread, 0, 2);
}

/* ---- kos, by hand ---- */

static bool is_marked(const char *diagram, const char *point) {
    struct yo_go_game *game = diagram_game(diagram, NULL, YO_GO_BLACK);
    uint8_t color[YO_GO_POINTS_MAX + 1] = {0};
    uint64_t caught[YO_GO_WORDS_MAX];
    int size = yo_go_game_size(game);
    diagram_read(diagram, color);
    color[YO_GO_OFF_POINT] = YO_GO_OFF;
    net_ladders_mark(yo_go_geometry(size), color, YO_GO_NONE, NULL, YO_GO_EMPTY, caught, NULL);
    bool is = yo_go_bit(caught, diagram_point(game, point));
    yo_go_game_delete(game);
    return is;
}

/* Black in the corner lives by taking the ko, and nobody asks whether it may be retaken. */
static void a_ko_is_the_preys(void **state) {
    (void)state;
    assert_false(is_marked(". O X . ."
                           "O X X . ."
                           ". O O O ."
                           ". . . . ."
                           ". . . . .",
                           "B4"));
    assert_true(is_marked("X . O . ."
                          "O O . . ."
                          ". . . . ."
                          ". . . . ."
                          ". . . . .",
                          "A5"));
}

/* Black's string at the top has the mouths of two kos for liberties. That catches it, unless a
 * string beside it is in atari: the corner, which Black cuts off and White does not. */
static void two_kos(void **state) {
    (void)state;
    assert_true(is_marked("O X . X X . X O ."
                          "O O X X X X O O ."
                          ". O O X X O O . ."
                          ". . O O O . . . ."
                          ". . . . . . . . ."
                          ". . . . . . . . ."
                          ". . . . . . . . ."
                          ". . . . . . . . ."
                          ". . . . . . . . .",
                          "D9"));
    assert_false(is_marked("O X . X X . X O ."
                           "O O X X X X O O ."
                           ". X O X X O O . ."
                           ". . O O O . . . ."
                           ". . . . . . . . ."
                           ". . . . . . . . ."
                           ". . . . . . . . ."
                           ". . . . . . . . ."
                           ". . . . . . . . .",
                           "D9"));
}

/* Black's lone stone has the mouths of two kos for liberties once Black has retaken one. Closing
 * that one joins the string in the middle: Black is not caught. */
static void a_ko_to_be_closed(void **state) {
    (void)state;
    assert_false(is_marked(". X . . . ."
                           ". . O . O O"
                           ". O X O X O"
                           ". . X X . X"
                           ". X X . X ."
                           ". O X O O X",
                           "F3"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_definition), cmocka_unit_test(long_ladders),
        cmocka_unit_test(a_ko_is_the_preys), cmocka_unit_test(two_kos),
        cmocka_unit_test(a_ko_to_be_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
