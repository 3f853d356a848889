#include "search/clock.h"

void yo_search_clock_set(struct yo_search_clock *clock, int64_t from, int64_t least_ms,
                         int64_t soft_ms, int64_t hard_ms) {
    atomic_store(&clock->from, from);
    atomic_store(&clock->least, from + least_ms);
    atomic_store(&clock->hard, hard_ms ? from + hard_ms : 0);
    /* Last: a thread that reads the new soft end also reads the other new values. */
    atomic_store(&clock->soft, soft_ms ? from + soft_ms : 0);
}

bool yo_search_clock_ends_later(struct yo_search_clock *clock, int64_t now) {
    int64_t from = yo_search_clock_read(&clock->from), soft = yo_search_clock_read(&clock->soft),
            ahead = yo_search_clock_read(&clock->round_ms),
            hard = yo_search_clock_read(&clock->hard);
    int64_t end = from + ((now - from) / 1000 + 1) * 1000 - ahead;
    if (ahead < 0 || end <= now || end - from > 2 * (soft - from) || (hard && end > hard))
        return false;
    atomic_store(&clock->hard, end);
    return true;
}
