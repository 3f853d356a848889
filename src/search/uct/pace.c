#include "search/uct/pace.h"

#include <stdbool.h>

/* When a search should stop, batches that are on their way are lost, or keep it waiting. What is
 * short is this part of the time for a move, and within these bounds, as people too may stop it. */
#define PART         8
#define SHORT_MS     10
#define SHORT_MS_MAX 40
/* Twice the leaves are a gain if half of them take more than this share of the time. On a CPU it is
 * half of it; on a GPU nearly all, as a batch takes as long as its longest game. */
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

/* Are the batches of the next level hardly longer than those of this one? No, if it is not known.
 */
static bool gains(const struct uct_pace *pace, unsigned level) {
    double whole = (double)pace->took_ns[level + 1], half = (double)pace->took_ns[level];
    return whole > 0 && half > GAIN * whole;
}

/* Long ones may be larger still: if that was a gain; if it was not tried, but the last step was
 * one; and once at the bottom, where there is no smaller one to compare with. */
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
