/* clock.c, by playing whole games against a simulated clock. */
#include "support/test.h"

#include "engine/clock.h"

#define LAG 50

static struct yo_clock started(enum yo_clock_kind kind, int64_t main_ms, int64_t period_ms,
                               int count) {
    struct yo_clock clock;
    struct yo_clock_settings settings = {kind, main_ms, period_ms, count};
    yo_clock_start(&clock, &settings);
    return clock;
}

/* Plays `moves` moves for Black, each taking its budget and the whole lag allowance; returns how
 * many were made before the flag fell. */
static int play(struct yo_clock *clock, int points, int moves, int64_t *thought) {
    *thought = 0;
    for (int i = 0; i < moves; i++) {
        int64_t budget = yo_clock_budget(clock, 0, points, 2 * i, LAG);
        assert_true(budget >= 1);
        *thought += budget;
        if (!yo_clock_spend(clock, 0, budget + LAG - 1)) return i;
    }
    return moves;
}

static void no_limit(void **state) {
    (void)state;
    struct yo_clock clock = started(YO_CLOCK_NONE, 0, 0, 0);
    assert_int_equal(yo_clock_budget(&clock, 0, 81, 0, LAG), 0);
    assert_true(yo_clock_spend(&clock, 0, 1000000));
}

/* Twice as long as a game is expected to last, and the flag still stands; but an ordinary game
 * uses most of its time. */
static void absolute(void **state) {
    (void)state;
    const int sizes[] = {9, 13, 19};
    for (int i = 0; i < 3; i++) {
        int points = sizes[i] * sizes[i];
        int64_t thought, main_ms = points * 2000;
        struct yo_clock clock = started(YO_CLOCK_ABSOLUTE, main_ms, 0, 0);
        assert_int_equal(play(&clock, points, points * 4 / 10, &thought), points * 4 / 10);
        assert_true(thought > main_ms * 6 / 10);
        clock = started(YO_CLOCK_ABSOLUTE, main_ms, 0, 0);
        assert_int_equal(play(&clock, points, points * 8 / 10, &thought), points * 8 / 10);
        assert_true(thought < main_ms);
    }
}

static void absolute_ends(void **state) {
    (void)state;
    struct yo_clock clock = started(YO_CLOCK_ABSOLUTE, 1000, 0, 0);
    assert_true(yo_clock_spend(&clock, 1, 999));
    assert_false(yo_clock_spend(&clock, 1, 1));
    assert_int_equal(yo_clock_budget(&clock, 1, 81, 0, LAG), 1);
    assert_int_equal(clock.side[0].left_ms, 1000);
}

/* Byo-yomi never ends for a player who answers within a period, nor is a period ever lost. */
static void byoyomi(void **state) {
    (void)state;
    int64_t thought;
    struct yo_clock clock = started(YO_CLOCK_BYOYOMI, 60000, 5000, 3);
    assert_int_equal(play(&clock, 361, 300, &thought), 300);
    assert_int_equal(clock.side[0].count, 3);
    assert_true(thought > 300 * (5000 - 2 * LAG));
    clock = started(YO_CLOCK_BYOYOMI, 0, 5000, 3);
    assert_int_equal(clock.side[0].count, 3);
    assert_int_equal(yo_clock_budget(&clock, 0, 361, 0, LAG), 5000 - LAG);
    assert_true(yo_clock_spend(&clock, 0, 5001)); /* one period lost */
    assert_int_equal(clock.side[0].count, 2);
    assert_false(yo_clock_spend(&clock, 0, 10000));
}

static void canadian(void **state) {
    (void)state;
    int64_t thought;
    struct yo_clock clock = started(YO_CLOCK_CANADIAN, 30000, 20000, 10);
    assert_int_equal(play(&clock, 361, 300, &thought), 300);
    assert_true(thought > 290 * (2000 - 3 * LAG));
    clock = started(YO_CLOCK_CANADIAN, 0, 20000, 10);
    for (int i = 0; i < 10; i++)
        assert_true(yo_clock_spend(&clock, 0, 1900));
    assert_int_equal(clock.side[0].count, 10); /* a new period */
    assert_int_equal(clock.side[0].left_ms, 20000);
    assert_false(yo_clock_spend(&clock, 0, 20000));
}

static void fischer(void **state) {
    (void)state;
    int64_t thought;
    struct yo_clock clock = started(YO_CLOCK_FISCHER, 60000, 2000, 0);
    assert_int_equal(play(&clock, 361, 1000, &thought), 1000);
    assert_true(thought > 60000 * 6 / 10 + 1000 * (2000 - 3 * LAG));
    clock = started(YO_CLOCK_FISCHER, 1000, 500, 0);
    assert_true(yo_clock_spend(&clock, 0, 300));
    assert_int_equal(clock.side[0].left_ms, 1200);
    assert_false(yo_clock_spend(&clock, 0, 1200)); /* what it would have brought comes too late */
}

/* ---- a hundred games of each kind ---- */

static uint64_t random_state;

static int64_t random_below(int64_t bound) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int64_t)((random_state >> 33) % (uint64_t)bound);
}

/* Settings as people choose them, from a blitz to a slow game; some of them mean. */
static struct yo_clock_settings random_settings(enum yo_clock_kind kind, int points) {
    int64_t main_ms = (1 + random_below(40)) * points * 20 + random_below(3000);
    struct yo_clock_settings s = {kind, main_ms, 0, 0};
    if (kind == YO_CLOCK_BYOYOMI || kind == YO_CLOCK_CANADIAN) {
        s.count = 1 + (int)random_below(kind == YO_CLOCK_BYOYOMI ? 5 : 25);
        s.period_ms = 1000 + random_below(30000);
        if (kind == YO_CLOCK_CANADIAN) s.period_ms += 300 * s.count;
        if (random_below(3) == 0) s.main_ms = 0;
    }
    if (kind == YO_CLOCK_FISCHER) s.period_ms = 100 + random_below(10000);
    return s;
}

/* A game of two players who both go by the clock's word: every move takes its budget and, when it
 * is hard, what may come on top; and up to the whole lag. */
static void play_game(enum yo_clock_kind kind, int game) {
    static const int sizes[] = {9, 13, 19};
    int size = sizes[random_below(3)], points = size * size;
    int moves = points / 2 + (int)random_below(points); /* of both sides; some games drag on */
    int hard = (int)random_below(101);                  /* percent of the moves */
    struct yo_clock_settings settings = random_settings(kind, points);
    struct yo_clock clock;
    yo_clock_start(&clock, &settings);
    for (int i = 0; i < moves; i++) {
        int stones = i < points * 9 / 10 ? i : points * 9 / 10;
        int64_t budget = yo_clock_budget(&clock, i & 1, points, stones, LAG);
        int64_t extra = yo_clock_extra(&clock, i & 1, points, budget, LAG);
        assert_true(budget >= 1 && extra >= 0);
        int64_t spent = budget + (random_below(100) < hard ? extra : 0) + random_below(LAG);
        if (!yo_clock_spend(&clock, i & 1, spent))
            fail_msg("kind %d, game %d: lost on time at move %d of %d (%lld+%lld/%d)", (int)kind,
                     game, i, moves, (long long)settings.main_ms, (long long)settings.period_ms,
                     settings.count);
    }
}

static void never_loses_on_time(void **state) {
    (void)state;
    const enum yo_clock_kind kinds[] = {YO_CLOCK_ABSOLUTE, YO_CLOCK_BYOYOMI, YO_CLOCK_CANADIAN,
                                        YO_CLOCK_FISCHER};
    for (int k = 0; k < 4; k++)
        for (int game = 0; game < 100; game++) {
            random_state = (uint64_t)(1000 * k + game);
            play_game(kinds[k], game);
        }
}

static void referee_knows_better(void **state) {
    (void)state;
    struct yo_clock clock = started(YO_CLOCK_CANADIAN, 600000, 30000, 25);
    yo_clock_set_left(&clock, 1, 3000, 3);
    assert_int_equal(yo_clock_budget(&clock, 1, 361, 0, LAG), 1000 - LAG);
    yo_clock_set_left(&clock, 1, -5, -1);
    assert_true(yo_clock_budget(&clock, 1, 361, 0, LAG) >= 1);
}

/* A referee may name periods or stones that the settings do not know; nothing may break on it. */
static void referee_knows_other_settings(void **state) {
    (void)state;
    for (int kind = YO_CLOCK_NONE; kind <= YO_CLOCK_FISCHER; kind++) {
        struct yo_clock clock = started((enum yo_clock_kind)kind, 1000, 0, 0);
        yo_clock_set_left(&clock, 0, 100, 3);
        assert_true(yo_clock_budget(&clock, 0, 81, 0, LAG) >= (kind != YO_CLOCK_NONE));
        assert_true(yo_clock_spend(&clock, 0, 50));
        yo_clock_set_left(&clock, 0, 100, 3);
        assert_int_equal(yo_clock_spend(&clock, 0, 200), kind == YO_CLOCK_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_limit),
        cmocka_unit_test(absolute),
        cmocka_unit_test(absolute_ends),
        cmocka_unit_test(byoyomi),
        cmocka_unit_test(canadian),
        cmocka_unit_test(fischer),
        cmocka_unit_test(never_loses_on_time),
        cmocka_unit_test(referee_knows_better),
        cmocka_unit_test(referee_knows_other_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
