/* shogi_clock.c, by playing whole games against a simulated referee. */
#include "support/test.h"

#include "engine/shogi_clock.h"

static const struct yo_shogi_pace usual = {.delay_ms = 120, .minimum_ms = 1000, .percent = 100};

static struct yo_shogi_budget budget(int64_t time, int64_t increment, int64_t byoyomi) {
    return yo_shogi_clock_budget(&(struct yo_shogi_clock){time, increment, byoyomi}, &usual);
}

/* Whatever is asked: in order, at least a millisecond, and never more than there is less the
 * delay. */
static void budgets_are_sound(void **unused) {
    (void)unused;
    static const int64_t times[] = {-1, 0, 1, 50, 130, 1000, 60000, 3600000, INT64_MAX};
    static const int64_t more[] = {-1, 0, 1, 100, 1000, 10000, INT64_MAX};
    static const int64_t minima[] = {0, 1000, 100000};
    static const int percents[] = {1, 100, 1000};
    for (size_t t = 0; t < 9; t++)
        for (size_t i = 0; i < 7; i++)
            for (size_t b = 0; b < 7; b++)
                for (size_t k = 0; k < 9; k++) {
                    struct yo_shogi_clock clock = {times[t], more[i], more[b]};
                    struct yo_shogi_pace pace = {.delay_ms = 120,
                                                 .minimum_ms = minima[k / 3],
                                                 .percent = percents[k % 3],
                                                 .ponders = k & 1,
                                                 .ply = (int)(t * i * 10),
                                                 .max_moves = (int)b * 50};
                    struct yo_shogi_budget g = yo_shogi_clock_budget(&clock, &pace);
                    assert_true(1 <= g.least_ms && g.least_ms <= g.soft_ms &&
                                g.soft_ms <= g.hard_ms);
                    int64_t time = times[t] > more[i] ? times[t] : more[i];
                    double all =
                        (double)(time > 0 ? time : 0) + (double)(more[b] > 0 ? more[b] : 0);
                    double most = all - 120 > all / 20 ? all - 120 : all / 20;
                    assert_true((double)g.hard_ms <= most || g.hard_ms == 1);
                }
}

/* A byo-yomi that is not used is lost. */
static void byoyomi_is_used_up(void **unused) {
    (void)unused;
    struct yo_shogi_budget b = budget(0, -1, 1000);
    assert_int_equal(b.least_ms, 880);
    assert_int_equal(b.hard_ms, 880);
    b = budget(600000, -1, 10000);
    assert_true(b.soft_ms > 10000 && b.soft_ms < 30000);
}

static void settings_matter(void **unused) {
    (void)unused;
    const struct yo_shogi_clock clock = {600000, -1, -1};
    struct yo_shogi_pace pace = usual;
    struct yo_shogi_budget plain = yo_shogi_clock_budget(&clock, &pace);
    pace.percent = 50;
    assert_true(yo_shogi_clock_budget(&clock, &pace).soft_ms < plain.soft_ms * 6 / 10);
    pace = usual;
    pace.ponders = true;
    assert_true(yo_shogi_clock_budget(&clock, &pace).soft_ms > plain.soft_ms);
    pace = usual;
    pace.minimum_ms = 10000;
    assert_int_equal(yo_shogi_clock_budget(&clock, &pace).least_ms, 10000);
    pace.minimum_ms = 100000; /* more than it can afford again and again */
    assert_int_equal(yo_shogi_clock_budget(&clock, &pace).least_ms, 10000);
    pace = usual;
    pace.delay_ms = 2000;
    assert_true(yo_shogi_clock_budget(&clock, &pace).hard_ms < plain.hard_ms);
    pace = usual;
    pace.ply = 300; /* the last twenty moves of both sides: no need to save */
    pace.max_moves = 320;
    assert_true(yo_shogi_clock_budget(&clock, &pace).soft_ms > 2 * plain.soft_ms);
    pace.ply = 320; /* the client goes on: nobody knows how long */
    struct yo_shogi_budget after = yo_shogi_clock_budget(&clock, &pace);
    pace.max_moves = 0;
    assert_int_equal(after.soft_ms, yo_shogi_clock_budget(&clock, &pace).soft_ms);
}

/* An ordinary game uses most of its time. */
static void time_is_used(void **unused) {
    (void)unused;
    int64_t left = 600000;
    struct yo_shogi_pace pace = usual;
    for (pace.ply = 0; pace.ply < 120; pace.ply += 2)
        left -= yo_shogi_clock_budget(&(struct yo_shogi_clock){left, -1, -1}, &pace).soft_ms;
    assert_true(left > 0 && left < 240000);
}

/* ---- A hundred games of each kind ---- */

static uint64_t random_state;

static int64_t random_below(int64_t bound) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int64_t)((random_state >> 33) % (uint64_t)bound);
}

enum kind { BYOYOMI, BYOYOMI_ONE_SECOND, TIME_AND_BYOYOMI, FISCHER, FISCHER_ALONE, SUDDEN_DEATH };

struct referee {
    int64_t left_ms, increment_ms, byoyomi_ms;
    bool whole_seconds;   /* drops the rest, as servers do */
    bool shows_increment; /* as in chess: the clock that is told has it already */
};

static struct referee random_referee(enum kind kind, int64_t delay_ms, int moves) {
    struct referee r = {.whole_seconds = random_below(2), .shows_increment = random_below(2)};
    switch (kind) {
    case BYOYOMI:
        r.byoyomi_ms = 1000 * (1 + random_below(60));
        break;
    case BYOYOMI_ONE_SECOND:
        r.byoyomi_ms = 1000;
        break;
    case TIME_AND_BYOYOMI:
        r.left_ms = 1000 * random_below(3600);
        r.byoyomi_ms = 1000 * (1 + random_below(60));
        break;
    case FISCHER:
        r.left_ms = 1000 * (10 + random_below(600));
        r.increment_ms = 1000 + 2 * delay_ms + random_below(15000);
        break;
    case FISCHER_ALONE: /* USI's rule allows it: the first increment is there from the start */
        r.increment_ms = 2000 + 3 * delay_ms + random_below(15000);
        r.shows_increment = false;
        break;
    case SUDDEN_DEATH: /* what the delays alone may take, and ten seconds at least */
        r.left_ms = delay_ms * moves + 10000 + 1000 * random_below(1800);
        break;
    }
    return r;
}

/* False if the flag fell. */
static bool spend(struct referee *r, int64_t spent_ms) {
    if (r->whole_seconds) spent_ms -= spent_ms % 1000;
    int64_t over = spent_ms - r->left_ms - r->increment_ms;
    r->left_ms = over > 0 ? 0 : -over;
    return r->byoyomi_ms ? over < r->byoyomi_ms : over < 0;
}

/* Some moves are clear at once, some take all they may; the search looks at the clock every few
 * milliseconds, and the answer is on the way for up to the delay that was allowed for. */
static int64_t random_spent(const struct yo_shogi_budget *b, int64_t delay_ms) {
    static const int64_t latest_look_ms = 3;
    int64_t range = b->hard_ms - b->least_ms + 1, thought = b->hard_ms;
    if (random_below(3)) thought = b->least_ms + random_below(range < 1000000 ? range : 1000000);
    return thought + random_below(latest_look_ms) + random_below(delay_ms - latest_look_ms);
}

static void play_game(enum kind kind, int game) {
    static const int64_t delays[] = {60, 120, 400};
    int64_t delay = delays[random_below(3)];
    int moves = 20 + (int)random_below(150); /* of one side; some games drag on */
    struct yo_shogi_pace pace = {.delay_ms = delay,
                                 .minimum_ms = 1000 * random_below(4),
                                 .percent = 50 + (int)random_below(200),
                                 .ponders = random_below(2)};
    struct referee r = random_referee(kind, delay, moves), start = r;
    for (int i = 0; i < moves; i++) {
        struct yo_shogi_clock clock = {r.left_ms, -1, r.byoyomi_ms ? r.byoyomi_ms : -1};
        if (r.increment_ms) clock.increment_ms = r.increment_ms;
        if (r.shows_increment && i > 0) clock.time_ms += r.increment_ms;
        pace.ply = 2 * i;
        struct yo_shogi_budget b = yo_shogi_clock_budget(&clock, &pace);
        if (!spend(&r, random_spent(&b, delay)))
            fail_msg("kind %d, game %d: lost on time at move %d of %d (%lld+%lld/%lld)", (int)kind,
                     game, i, moves, (long long)start.left_ms, (long long)start.increment_ms,
                     (long long)start.byoyomi_ms);
    }
}

static void never_loses_on_time(void **unused) {
    (void)unused;
    for (int kind = BYOYOMI; kind <= SUDDEN_DEATH; kind++)
        for (int game = 0; game < 100; game++) {
            random_state = (uint64_t)(1000 * kind + game);
            play_game((enum kind)kind, game);
        }
}

/* Sudden death, however long the game: what is left survives a stall of a tenth of a second. */
static void a_reserve_is_kept(void **unused) {
    (void)unused;
    static const int64_t delays[] = {0, 20, 120}, times[] = {1000, 10000, 60000, 600000};
    static const int64_t minima[] = {0, 1000};
    for (int i = 0; i < 24; i++) {
        int64_t left = times[i % 4];
        struct yo_shogi_pace pace = {
            .delay_ms = delays[i / 8], .minimum_ms = minima[i / 4 % 2], .percent = 100};
        for (pace.ply = 0; pace.ply < 600; pace.ply += 2)
            left -= yo_shogi_clock_budget(&(struct yo_shogi_clock){left, -1, -1}, &pace).hard_ms;
        if (left < 150)
            fail_msg("%lld ms, delay %lld, least %lld: %lld left", (long long)times[i % 4],
                     (long long)pace.delay_ms, (long long)pace.minimum_ms, (long long)left);
    }
}

/* The judge can say no: a player who looks at the time alone, not at the delays, loses. */
static void the_referee_is_strict(void **unused) {
    (void)unused;
    struct referee r = {.byoyomi_ms = 1000};
    assert_true(spend(&r, 999));
    assert_false(spend(&r, 1000));
    r = (struct referee){.left_ms = 500, .byoyomi_ms = 1000};
    assert_true(spend(&r, 1400));
    assert_int_equal(r.left_ms, 0);
    r = (struct referee){.increment_ms = 1000};
    assert_true(spend(&r, 400));
    assert_int_equal(r.left_ms, 600);
    assert_false(spend(&r, 1600));
    r = (struct referee){.left_ms = 5000, .whole_seconds = true};
    assert_true(spend(&r, 1999));
    assert_int_equal(r.left_ms, 4000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_are_sound),     cmocka_unit_test(byoyomi_is_used_up),
        cmocka_unit_test(settings_matter),       cmocka_unit_test(time_is_used),
        cmocka_unit_test(never_loses_on_time),   cmocka_unit_test(a_reserve_is_kept),
        cmocka_unit_test(the_referee_is_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
