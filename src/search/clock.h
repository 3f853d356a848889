/* When a search has to end. Another thread may set the clock while the search runs, as when the
 * opponent plays the move that was pondered on. Moments are those of yo_time_ms; 0 is none. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct yo_search_clock {
    _Atomic int64_t from;  /* thinking is counted from here */
    _Atomic int64_t least; /* a move that seems clear is not played before */
    _Atomic int64_t soft;  /* the usual end: later only if it is not clear which move is best */
    _Atomic int64_t hard;  /* the end in any case */
    /* The referee drops fractions of a second: a search that could end waits until so long before
     * the next whole second. -1: the referee counts everything. */
    _Atomic int64_t round_ms;
};

/* Durations from a moment on, 0 for no limit; round_ms stays. Any thread, at any time. */
void yo_search_clock_set(struct yo_search_clock *clock, int64_t from, int64_t least_ms,
                         int64_t soft_ms, int64_t hard_ms);

static inline int64_t yo_search_clock_read(const _Atomic int64_t *moment) {
    return atomic_load_explicit(moment, memory_order_acquire);
}

/* The usual end, or the only one; 0: it runs until it is stopped. */
static inline int64_t yo_search_clock_end(const struct yo_search_clock *clock) {
    int64_t soft = yo_search_clock_read(&clock->soft);
    return soft ? soft : yo_search_clock_read(&clock->hard);
}

/* How long that is from the beginning, at least 1; or 0. */
static inline int64_t yo_search_clock_time_ms(const struct yo_search_clock *clock) {
    int64_t end = yo_search_clock_end(clock), from = yo_search_clock_read(&clock->from);
    return !end ? 0 : end > from ? end - from : 1;
}
