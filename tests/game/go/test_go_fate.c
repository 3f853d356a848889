/* The common-fate graph: distances as relaxation until nothing changes finds them. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/fate.h"
#include "game/go/state.h"

/* Stones of a string are at the distance of the nearest of them; neighbours differ by a step. */
static void plain_distance(const struct yo_go_board *board, const yo_go_point *from, size_t count,
                           int limit, uint8_t *out) {
    int points = board->geometry->points;
    int distance[YO_GO_POINTS_MAX];
    for (int p = 0; p < points; p++)
        distance[p] = YO_GO_FATE_FAR;
    for (size_t i = 0; i < count; i++)
        if (from[i] < points) distance[from[i]] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int p = 0; p < points; p++)
            for (int q = 0; q < points; q++) {
                bool same = board->color[p] != YO_GO_EMPTY && board->color[q] != YO_GO_EMPTY &&
                            board->head[p] == board->head[q];
                bool touch = false;
                for (int d = 0; d < 4; d++)
                    touch |= board->geometry->nbr[p][d] == q;
                int way = same ? 0 : touch ? 1 : YO_GO_FATE_FAR;
                if (distance[p] + way < distance[q]) {
                    distance[q] = distance[p] + way;
                    changed = true;
                }
            }
    }
    for (int p = 0; p < points; p++)
        out[p] = (uint8_t)(distance[p] > limit ? YO_GO_FATE_FAR : distance[p]);
}

static void as_plain(void **state) {
    (void)state;
    srand(4);
    for (int size = 3; size <= 13; size += 2)
        for (int round = 0; round < 10; round++) {
            struct yo_go_board board;
            uint8_t fast[YO_GO_POINTS_MAX], plain[YO_GO_POINTS_MAX];
            int points = size * size;
            yo_go_board_init(&board, size);
            for (int i = 0; i < points * round / 8; i++) {
                yo_go_point p = (yo_go_point)(rand() % points);
                enum yo_go_color color = i % 2 ? YO_GO_WHITE : YO_GO_BLACK;
                if (yo_go_board_is_legal(&board, color, p)) yo_go_board_play(&board, color, p);
            }
            yo_go_point from[2] = {(yo_go_point)(rand() % points),
                                   round % 3 ? (yo_go_point)(rand() % points) : YO_GO_PASS};
            int limit = rand() % 8;
            yo_go_fate_distance(&board, from, 2, limit, fast);
            plain_distance(&board, from, 2, limit, plain);
            assert_memory_equal(fast, plain, (size_t)points);
        }
}

static void nothing_near_a_pass(void **state) {
    (void)state;
    struct yo_go_board board;
    uint8_t distance[YO_GO_POINTS_MAX];
    yo_go_point from[2] = {YO_GO_PASS, YO_GO_NONE};
    yo_go_board_init(&board, 9);
    yo_go_fate_distance(&board, from, 2, 200, distance);
    for (int p = 0; p < 81; p++)
        assert_int_equal(distance[p], YO_GO_FATE_FAR);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_plain),
        cmocka_unit_test(nothing_near_a_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
