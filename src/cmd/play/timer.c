#include "cmd/play/timer.h"

#include <stdio.h>

/* Between the end of a search and the move on the screen. */
#define LAG_MS 100

void yo_timer_start(struct yo_timer *timer, const struct yo_options *options) {
    struct yo_clock_settings settings = {
        .main_ms = (int64_t)(1000 * yo_options_real(options, "main-time")),
        .period_ms = (int64_t)(1000 * yo_options_real(options, "byoyomi")),
        .count = (int)yo_options_int(options, "periods")};
    settings.kind = settings.period_ms ? YO_CLOCK_BYOYOMI
                    : settings.main_ms ? YO_CLOCK_ABSOLUTE
                                       : YO_CLOCK_NONE;
    *timer = (struct yo_timer){0};
    if (settings.kind != YO_CLOCK_NONE) yo_clock_start(&timer->clock, &settings);
}

bool yo_timer_is_on(const struct yo_timer *timer) {
    return timer->clock.settings.kind != YO_CLOCK_NONE;
}

void yo_timer_drop(struct yo_timer *timer) { *timer = (struct yo_timer){0}; }

void yo_timer_turn(struct yo_timer *timer, int64_t now_ms) {
    if (yo_timer_is_on(timer) && timer->since_ms == 0) timer->since_ms = now_ms;
}

bool yo_timer_moved(struct yo_timer *timer, int side, int64_t now_ms) {
    if (timer->since_ms == 0) return true;
    int64_t spent_ms = now_ms - timer->since_ms;
    timer->since_ms = 0;
    return yo_clock_spend(&timer->clock, side, spent_ms);
}

/* All that a side can spend on one move. */
static int64_t left_ms(const struct yo_timer *timer, int side) {
    const struct yo_clock_settings *settings = &timer->clock.settings;
    const struct yo_clock_side *s = &timer->clock.side[side];
    int periods = settings->kind == YO_CLOCK_BYOYOMI ? settings->count : 0;
    if (s->count > 0) periods = s->count - 1;
    return s->left_ms + periods * settings->period_ms;
}

int64_t yo_timer_end(const struct yo_timer *timer, int side) {
    return timer->since_ms ? timer->since_ms + left_ms(timer, side) : 0;
}

int64_t yo_timer_budget(const struct yo_timer *timer, int side, int points, int stones,
                        int64_t most_ms) {
    int64_t ms = yo_clock_budget(&timer->clock, side, points, stones, LAG_MS);
    return ms == 0 || (most_ms && most_ms < ms) ? most_ms : ms;
}

/* Rounded up, so that 0:00 is the end. */
static void put_time(int64_t ms, char out[24]) {
    long long s = (ms + 999) / 1000;
    if (s >= 3600)
        snprintf(out, 24, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, 24, "%lld:%02lld", s / 60, s % 60);
}

const char *yo_timer_text(const struct yo_timer *timer, int side, bool to_move, int64_t now_ms,
                          char out[YO_TIMER_TEXT]) {
    const struct yo_clock_settings *settings = &timer->clock.settings;
    const struct yo_clock_side *s = &timer->clock.side[side];
    char text[24];
    out[0] = '\0';
    if (!yo_timer_is_on(timer)) return out;
    int64_t spent_ms = to_move && timer->since_ms ? now_ms - timer->since_ms : 0;
    int64_t left = left_ms(timer, side) - spent_ms, period = settings->period_ms;
    if (left < 0) left = 0;
    if (settings->kind != YO_CLOCK_BYOYOMI || (s->count == 0 && spent_ms < s->left_ms)) {
        put_time(s->count == 0 && spent_ms < s->left_ms ? s->left_ms - spent_ms : left, text);
        snprintf(out, YO_TIMER_TEXT, "%s", text);
        return out;
    }
    int64_t periods = left > 0 ? (left - 1) / period + 1 : 0;
    put_time(periods ? left - (periods - 1) * period : 0, text);
    snprintf(out, YO_TIMER_TEXT, "%s (%lld)", text, (long long)periods);
    return out;
}

const char *yo_timer_settings(const struct yo_timer *timer, char out[YO_TIMER_TEXT]) {
    const struct yo_clock_settings *settings = &timer->clock.settings;
    char all[24], each[24], overtime[40];
    put_time(settings->main_ms, all);
    put_time(settings->period_ms, each);
    if (settings->count > 1)
        snprintf(overtime, sizeof overtime, "%d times %s", settings->count, each);
    else
        snprintf(overtime, sizeof overtime, "%s a move", each);
    if (settings->kind != YO_CLOCK_BYOYOMI)
        snprintf(out, YO_TIMER_TEXT, "%s", all);
    else if (settings->main_ms)
        snprintf(out, YO_TIMER_TEXT, "%s and then %s", all, overtime);
    else
        snprintf(out, YO_TIMER_TEXT, "%s", overtime);
    return out;
}
