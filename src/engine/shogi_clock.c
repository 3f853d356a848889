#include "engine/shogi_clock.h"

/* About thirty years: keeps the arithmetic from overflow. */
static const int64_t time_max = INT64_C(1000000000000);

/* Reserve without byoyomi or increment, in case the machine stalls. */
enum { RESERVE_MS = 500 };

static int64_t clip(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Expected remaining moves of the side. Games have about 120 moves; those that reach that may still
 * be long. */
static int64_t moves_ahead(const struct yo_shogi_pace *pace) {
    int64_t ahead = clip((160 - pace->ply) / 2, 25, 80);
    /* A client may go on with a game that the limit has ended. */
    if (pace->ply >= pace->max_moves) return ahead;
    int64_t left = (pace->max_moves - pace->ply) / 2 + 1;
    return clip(ahead, 1, left > 1 ? left : 1);
}

/* An unused period is lost, so a move gets all of it plus its share of the main time. */
static struct yo_shogi_budget with_byoyomi(int64_t time, int64_t byoyomi, int64_t share,
                                           int64_t most) {
    if (time == 0) return (struct yo_shogi_budget){most, most, most};
    return (struct yo_shogi_budget){0, byoyomi + share, byoyomi + clip(5 * share, 0, time)};
}

/* Spends only what is certain: the increment alone, or the time that may already include it. Keeps
 * a quarter of that, so that delays do not add up. */
static struct yo_shogi_budget with_increment(int64_t sure, int64_t increment, int64_t share,
                                             int64_t delay) {
    int64_t most = sure * 3 / 4 - delay;
    return (struct yo_shogi_budget){0, clip(increment + share, 0, most),
                                    clip(increment + 5 * share, 0, most)};
}

/* The caller has taken off the delays of a very long game; a move uses at most a third of the rest.
 * If little is left, moves are short. */
static struct yo_shogi_budget sudden_death(int64_t time, int64_t spare, int64_t share,
                                           int64_t delay) {
    if (spare <= time / 8) {
        share = clip(share, 0, spare / 30); /* also with a high `percent` */
        return (struct yo_shogi_budget){0, share, 2 * share};
    }
    int64_t soft = share - delay > share / 4 ? share - delay : share / 4;
    return (struct yo_shogi_budget){0, clip(soft, 0, spare / 3), clip(5 * share, 0, spare / 3)};
}

static struct yo_shogi_budget shares(const struct yo_shogi_clock *clock,
                                     const struct yo_shogi_pace *pace, int64_t most) {
    int64_t time = clip(clock->time_ms, 0, time_max);
    int64_t increment = clip(clock->increment_ms, 0, time_max);
    int64_t byoyomi = clip(clock->byoyomi_ms, 0, time_max);
    int64_t percent = pace->ponders ? pace->percent * 5 / 4 : pace->percent;
    int64_t spare = time;
    if (increment > 0) spare = time > increment ? time - increment : 0;
    if (!byoyomi && !increment) {
        spare -= clip(150 * pace->delay_ms, 0, time - time / 8);
        spare = clip(spare, 0, time > RESERVE_MS ? time - RESERVE_MS : 0);
    }
    int64_t share = spare / moves_ahead(pace) * percent / 100;
    if (share > spare) share = spare;
    if (byoyomi > 0) return with_byoyomi(time, byoyomi, share, most);
    if (increment > 0)
        return with_increment(time > increment ? time : increment, increment, share,
                              pace->delay_ms);
    return sudden_death(time, spare, share, pace->delay_ms);
}

struct yo_shogi_budget yo_shogi_clock_budget(const struct yo_shogi_clock *clock,
                                             const struct yo_shogi_pace *pace) {
    int64_t time = clip(clock->time_ms, 0, time_max);
    int64_t increment = clip(clock->increment_ms, 0, time_max);
    int64_t all = (time > increment ? time : increment) + clip(clock->byoyomi_ms, 0, time_max);
    /* If the delay leaves less than a twentieth of the time, use a twentieth, at the risk of a long
     * delay. */
    int64_t most = all - pace->delay_ms > all / 20 ? all - pace->delay_ms : all / 20;
    if (most < 1) most = 1;
    struct yo_shogi_budget b = shares(clock, pace, most);
    b.hard_ms = clip(b.hard_ms, 1, most);
    b.soft_ms = clip(b.soft_ms, 1, b.hard_ms);
    /* Ignores a minimum that the clock could not afford for sixty moves. */
    int64_t byoyomi = clip(clock->byoyomi_ms, 0, time_max);
    int64_t bearable = time / 60 + increment + byoyomi;
    if (!increment && !byoyomi) bearable = clip(bearable, 0, clip(time - RESERVE_MS, 0, time) / 20);
    int64_t minimum = clip(pace->minimum_ms, 1, bearable > b.soft_ms ? bearable : b.soft_ms);
    b.least_ms = clip(b.least_ms > minimum ? b.least_ms : minimum, 1, b.hard_ms);
    if (b.soft_ms < b.least_ms) b.soft_ms = b.least_ms;
    return b;
}
