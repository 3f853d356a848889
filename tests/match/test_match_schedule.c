/* schedule.c: every pairing once a round with both colours, in any number of engines. */
#include "support/test.h"

#include <string.h>

#include "match/schedule.h"

static void check_round(const struct yo_schedule *s, size_t round) {
    int met[YO_MATCH_ENGINES_MAX][YO_MATCH_ENGINES_MAX]; /* [black][white] */
    memset(met, 0, sizeof met);
    size_t games = 2 * yo_schedule_pairings(s);
    for (size_t i = 0; i < games; i++) {
        struct yo_pairing p = yo_schedule_game(s, round * games + i);
        assert_int_equal(p.round, round);
        assert_true(0 <= p.first && p.first < p.second && p.second < s->engines);
        assert_int_equal(yo_pairing_black(&p) + yo_pairing_white(&p), p.first + p.second);
        met[yo_pairing_black(&p)][yo_pairing_white(&p)]++;
    }
    for (int a = 0; a < s->engines; a++)
        for (int b = 0; b < s->engines; b++) {
            bool meet = a != b && (!s->gauntlet || a == 0 || b == 0);
            assert_int_equal(met[a][b], meet ? 1 : 0);
        }
}

static void rounds_have_each_pairing_with_both_colours(void **state) {
    (void)state;
    for (int n = 2; n <= YO_MATCH_ENGINES_MAX; n++)
        for (int gauntlet = 0; gauntlet < 2; gauntlet++) {
            struct yo_schedule s = {.engines = n, .gauntlet = gauntlet};
            for (size_t round = 0; round < 3; round++)
                check_round(&s, round);
        }
}

/* The two games of a pair: the same engines and opening, other colours. */
static void pairs_share_their_opening(void **state) {
    (void)state;
    struct yo_schedule s = {.engines = 5};
    for (size_t game = 0; game < 200; game += 2) {
        struct yo_pairing a = yo_schedule_game(&s, game), b = yo_schedule_game(&s, game + 1);
        assert_true(a.first == b.first && a.second == b.second && a.round == b.round);
        assert_true(a.first_is_black && !b.first_is_black);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_have_each_pairing_with_both_colours),
        cmocka_unit_test(pairs_share_their_opening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
