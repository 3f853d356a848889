/* Thousands of games of the simulated hardware unit on each board, move for move. */
#include "test.h"

#include <stdlib.h>

#include "hw_games.h"

static void plays_the_same(void **state) {
    (void)state;
    hw_skip_if_absent();
    static const struct {
        int size;
        uint32_t games;
    } rounds[] = {{9, 2000}, {13, 1000}, {19, 500}};
    srand(51);
    for (int i = 0; i < 3; i++)
        for (int fill = 0; fill < 6; fill++) {
            struct yo_playout_position position;
            int size = rounds[i].size;
            hw_random_position(&position, size, fill * size * size / 3);
            hw_compare_games(&position, (uint64_t)rand() << 33, (uint64_t)rand() << 10,
                             rounds[i].games);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plays_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
