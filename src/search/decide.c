#include "search/decide.h"

#include "base/time.h"

/* Before this share of the time a search does not end early because of a decided best move. */
#define EARLY_SHARE 0.1
/* A move with this share of the best one's visits may still be the better one; with a quarter of it
 * if its value is higher. */
#define UNCLEAR_SHARE 0.6

bool yo_search_is_decided(const struct yo_search_lead *lead, double to_come) {
    return lead->first - lead->second > to_come;
}

bool yo_search_is_unclear(const struct yo_search_lead *lead) {
    if (lead->alone) return false;
    double share = lead->second / (lead->first + 1);
    return share > UNCLEAR_SHARE || (share > UNCLEAR_SHARE / 4 && lead->second_is_better);
}

bool yo_search_is_over_by_clock(const struct yo_search_progress *p,
                                const struct yo_search_lead *lead) {
    int64_t end = yo_search_clock_end(p->clock), now = yo_time_ms();
    if (!end) return false;
    if (now >= end)
        return now >= yo_search_clock_read(&p->clock->hard) || !yo_search_is_unclear(lead);
    if (p->whole || now < yo_search_clock_read(&p->clock->least)) return false;
    /* A fixed time cannot be saved for another move, and the next search goes on with the tree. */
    bool fixed = !yo_search_clock_read(&p->clock->soft);
    if (fixed && !lead->alone && !lead->first_wins) return false;
    double elapsed_ms = (double)(now - p->start_ms), more_ms = (double)(end - now);
    if (elapsed_ms <= 0 || elapsed_ms < EARLY_SHARE * (elapsed_ms + more_ms)) return false;
    if (lead->alone && lead->first >= p->only_visits) return true;
    if (p->by_value && lead->second_is_better) return false;
    return yo_search_is_decided(lead, p->made / elapsed_ms * more_ms);
}
