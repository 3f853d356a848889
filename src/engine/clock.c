#include "engine/clock.h"

static int64_t increment(const struct yo_clock_settings *settings) {
    return settings->kind == YO_CLOCK_FISCHER ? settings->period_ms : 0;
}

void yo_clock_start(struct yo_clock *clock, const struct yo_clock_settings *settings) {
    clock->settings = *settings;
    for (int side = 0; side < 2; side++) {
        clock->side[side] = (struct yo_clock_side){.left_ms = settings->main_ms, .count = 0};
        if (settings->main_ms > 0) continue;
        /* Without main time overtime begins at once; Fischer starts with one increment. */
        clock->side[side].left_ms = increment(settings);
        if (!increment(settings)) yo_clock_spend(clock, side, 0);
    }
}

void yo_clock_set_left(struct yo_clock *clock, int side, int64_t left_ms, int count) {
    clock->side[side].left_ms = left_ms < 0 ? 0 : left_ms;
    clock->side[side].count = count < 0 ? 0 : count;
}

static bool has_overtime(const struct yo_clock_settings *settings) {
    return (settings->kind == YO_CLOCK_BYOYOMI || settings->kind == YO_CLOCK_CANADIAN) &&
           settings->period_ms > 0 && settings->count > 0;
}

static bool fall(struct yo_clock_side *s) {
    *s = (struct yo_clock_side){0};
    return false;
}

/* Used-up periods are gone; the current one is refilled. A referee may report periods when the
 * settings have no period time: those are no longer than the current one. */
static bool spend_byoyomi(struct yo_clock_side *s, const struct yo_clock_settings *settings,
                          int64_t spent_ms) {
    int64_t lost = s->left_ms > spent_ms      ? 0
                   : settings->period_ms <= 0 ? s->count
                                              : 1 + (spent_ms - s->left_ms) / settings->period_ms;
    if (lost >= s->count) return fall(s);
    s->count -= (int)lost;
    s->left_ms = settings->period_ms;
    return true;
}

static bool spend_canadian(struct yo_clock_side *s, const struct yo_clock_settings *settings,
                           int64_t spent_ms) {
    if (spent_ms >= s->left_ms) return fall(s);
    s->left_ms -= spent_ms;
    if (--s->count == 0) {
        s->left_ms = settings->period_ms;
        s->count = settings->count;
    }
    return true;
}

bool yo_clock_spend(struct yo_clock *clock, int side, int64_t spent_ms) {
    const struct yo_clock_settings *settings = &clock->settings;
    struct yo_clock_side *s = &clock->side[side];
    if (settings->kind == YO_CLOCK_NONE) return true;
    if (s->count == 0) {
        if (spent_ms < s->left_ms) {
            s->left_ms -= spent_ms - increment(settings);
            return true;
        }
        if (!has_overtime(settings)) return fall(s);
        spent_ms -= s->left_ms;
        s->left_ms = settings->period_ms;
        s->count = settings->count;
        if (spent_ms == 0) return true; /* the main time ended just here */
    }
    return settings->kind == YO_CLOCK_BYOYOMI ? spend_byoyomi(s, settings, spent_ms)
                                              : spend_canadian(s, settings, spent_ms);
}

/* Expected remaining moves of this side. A game fills about four fifths of the board; near the end
 * it still takes some moves to close it. */
static int64_t moves_ahead(int points, int stones) {
    int64_t left = ((int64_t)points * 4 / 5 - stones) / 2;
    int64_t least = points / 12 + 4;
    return left > least ? left : least;
}

/* Reserve for a very long game: the lag of many more moves than expected. */
static int64_t reserve(int64_t left_ms, int points, int64_t lag_ms) {
    int64_t wanted = lag_ms * (points / 2 + 1);
    return wanted < left_ms * 3 / 4 ? wanted : left_ms * 3 / 4;
}

static int64_t at_least_one(int64_t ms) { return ms > 1 ? ms : 1; }

int64_t yo_clock_budget(const struct yo_clock *clock, int side, int points, int stones,
                        int64_t lag_ms) {
    const struct yo_clock_settings *settings = &clock->settings;
    const struct yo_clock_side *s = &clock->side[side];
    if (settings->kind == YO_CLOCK_NONE) return 0;
    if (s->count > 0 && settings->kind == YO_CLOCK_BYOYOMI)
        return at_least_one(s->left_ms - lag_ms);
    if (s->count > 0) return at_least_one(s->left_ms / s->count - lag_ms);

    int64_t usable = s->left_ms - reserve(s->left_ms, points, lag_ms);
    int64_t share = usable / moves_ahead(points, stones) - lag_ms; /* lag is lost at every move */
    if (has_overtime(settings)) {
        /* One move's share of the overtime is always available, also when the move runs into
         * overtime, so main time comes on top of it. */
        int64_t each = settings->kind == YO_CLOCK_BYOYOMI ? settings->period_ms
                                                          : settings->period_ms / settings->count;
        return at_least_one(share + each);
    }
    if (settings->kind == YO_CLOCK_FISCHER) {
        /* The increment is added after the move, so it cannot be spent if the clock has less. */
        int64_t most = s->left_ms * 3 / 4 - lag_ms, wanted = share + settings->period_ms;
        return at_least_one(wanted < most ? wanted : most);
    }
    /* Almost no time: spend a fortieth of it. */
    return at_least_one(share > 0 ? share : usable / 40);
}

int64_t yo_clock_extra(const struct yo_clock *clock, int side, int points, int64_t budget_ms,
                       int64_t lag_ms) {
    const struct yo_clock_settings *settings = &clock->settings;
    const struct yo_clock_side *s = &clock->side[side];
    if (settings->kind == YO_CLOCK_NONE) return 0;
    if (s->count > 0 && settings->kind == YO_CLOCK_BYOYOMI) return 0; /* only the period */
    /* The time left after the budget, in Canadian overtime minus a minimum for the other stones.
     * Only a part of it is spent, so that later moves have some too. */
    int64_t spare = s->left_ms - budget_ms - lag_ms;
    if (s->count > 0)
        spare -= (s->count - 1) * (2 * lag_ms + 1);
    else
        spare -= reserve(s->left_ms, points, lag_ms);
    spare /= s->count == 1 ? 1 : s->count > 1 ? 3 : 9;
    int64_t extra = spare < budget_ms ? spare : budget_ms;
    return extra > 0 ? extra : 0;
}
