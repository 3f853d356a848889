#include "search/clock.h"

void yo_search_clock_set(struct yo_search_clock *clock, int64_t from, int64_t least_ms,
                         int64_t soft_ms, int64_t hard_ms) {
    atomic_store(&clock->from, from);
    atomic_store(&clock->least, from + least_ms);
    atomic_store(&clock->hard, hard_ms ? from + hard_ms : 0);
    /* Last: a thread that reads the new soft end also reads the other new values. */
    atomic_store(&clock->soft, soft_ms ? from + soft_ms : 0);
}
