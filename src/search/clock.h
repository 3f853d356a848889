/* When a search has to end. Another thread may set the clock while the search runs, for example on
 * a ponder hit. Times are those of yo_time_ms; 0: not set. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct yo_search_clock {
    _Atomic int64_t from;  /* start of the thinking time */
    _Atomic int64_t least; /* the earliest end, however clear the best move is */
    _Atomic int64_t soft;  /* the usual end: later only while the best move is unclear */
    _Atomic int64_t hard;  /* the end in any case */
    /* The referee drops fractions of a second: a search that could end waits until this long before
     * the next whole second. -1: the referee counts fractions too. */
    _Atomic int64_t round_ms;
};

/* Durations count from `from`; 0 for no limit. Does not change round_ms. Any thread may call it at
 * any time. */
void yo_search_clock_set(struct yo_search_clock *clock, int64_t from, int64_t least_ms,
                         int64_t soft_ms, int64_t hard_ms);

/* For a search that could end now, after its soft end: uses the rest of a second that the referee
 * charges anyway, unless the total would exceed twice the soft limit. If so, the hard end becomes
 * the end of that second. */
bool yo_search_clock_ends_later(struct yo_search_clock *clock, int64_t now);

static inline int64_t yo_search_clock_read(const _Atomic int64_t *moment) {
    return atomic_load_explicit(moment, memory_order_acquire);
}

/* The soft end if there is one, else the hard end; 0: the search runs until it is stopped. */
static inline int64_t yo_search_clock_end(const struct yo_search_clock *clock) {
    int64_t soft = yo_search_clock_read(&clock->soft);
    return soft ? soft : yo_search_clock_read(&clock->hard);
}

/* Milliseconds from the start to that end, at least 1; 0 if there is no end. */
static inline int64_t yo_search_clock_time_ms(const struct yo_search_clock *clock) {
    int64_t end = yo_search_clock_end(clock), from = yo_search_clock_read(&clock->from);
    return !end ? 0 : end > from ? end - from : 1;
}
