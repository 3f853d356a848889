#include "support/hw_games.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/backend_env.h"
#include "support/backend_games.h"
#include "support/playout_positions.h"
#include "support/test.h"

static int notices;

static void hear(void *user, const char *text) {
    (void)user;
    printf("%s\n", text);
    notices++;
}

void hw_compare_games(const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                      uint32_t games) {
    backend_env.notices.notify = hear; /* the unit must not have left its games to the reference */
    backend_compare_games(yo_playout_backend_find("hw"), position, seed, first, games);
    assert_int_equal(notices, 0);
}

void hw_compare_sizes(unsigned seed, int fills, const struct hw_round *rounds, size_t count) {
    srand(seed);
    for (size_t i = 0; i < count; i++)
        for (int fill = 0; fill < fills; fill++) {
            struct yo_playout_position position;
            int size = rounds[i].size;
            random_position(&position, size, fill * size * size / 2);
            hw_compare_games(&position, (uint64_t)rand() << 35, (uint64_t)rand() << 20,
                             rounds[i].games);
        }
}

void hw_skip_if_absent(void) {
    const struct yo_playout_backend *backend = yo_playout_backend_find("hw");
    assert_non_null(backend);
    if (yo_playout_available(backend)) return;
    printf("the hardware unit was not built in\n");
    skip();
}
