#include "search/uct/pace.h"

#include <stdbool.h>

/* When a search should stop, batches in flight are lost or delay its end. So a short batch takes at
 * most 1/PART of the time for a move, within these bounds, because a user may stop the search
 * too. */
#define PART         8
#define SHORT_MS     10
#define SHORT_MS_MAX 40
/* Doubling a batch is a gain if the half batch takes more than this share of the time of the whole.
 * On a CPU it takes half of it; on a GPU nearly all, as a batch takes as long as its longest
 * game. */
#define GAIN 0.75

int64_t yo_uct_pace_short_ns(int64_t time_ms) {
    int64_t ms = time_ms / PART;
    if (ms < SHORT_MS) ms = SHORT_MS;
    return (ms < SHORT_MS_MAX ? ms : SHORT_MS_MAX) * INT64_C(1000000);
}

void yo_uct_pace_begin(struct uct_pace *pace) { pace->took_ns[pace->level + 1] = 0; }

size_t yo_uct_pace_count(const struct uct_pace *pace, size_t most) {
    size_t count = (size_t)1 << pace->level;
    return count < most ? count : most;
}

/* Do batches of the next level take hardly longer than those of this one? False if not known. */
static bool gains(const struct uct_pace *pace, unsigned level) {
    double whole = (double)pace->took_ns[level + 1], half = (double)pace->took_ns[level];
    return whole > 0 && half > GAIN * whole;
}

/* A batch that is not short may still grow: if the next level was a gain; if the next level was not
 * tried but this level was a gain; and at level 0, which has no smaller level to compare with. */
static bool may_grow(const struct uct_pace *pace, unsigned level) {
    if (pace->took_ns[level + 1]) return gains(pace, level);
    return level == 0 || gains(pace, level - 1);
}

void yo_uct_pace_note(struct uct_pace *pace, size_t most, unsigned level, int64_t took_ns,
                      int64_t short_ns) {
    pace->took_ns[level] = took_ns;
    if (level != pace->level) return;
    bool is_most = yo_uct_pace_count(pace, most) == most;
    if (!is_most && (took_ns < short_ns || may_grow(pace, level)))
        pace->level++;
    else if (level > 0 && took_ns > 2 * short_ns && !gains(pace, level - 1))
        pace->level--;
}
