/* The batch size in a search that may have to end at any time: as many leaves as take a short time,
 * and more where a larger batch takes hardly longer. Sizes double from level to level. It reads no
 * clock: the caller passes the durations. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define UCT_PACE_LEVELS 17 /* 1 to 65536 leaves */

/* Starts as all zero: a single leaf, no durations known. Kept from search to search. */
struct uct_pace {
    unsigned level;
    int64_t took_ns[UCT_PACE_LEVELS + 1]; /* the last batch of each level; 0: not known */
};

/* The duration that counts as short in a search of time_ms; time_ms is 0 for a search without a
 * time limit. */
int64_t yo_uct_pace_short_ns(int64_t time_ms);

/* At the start of a search: forgets the duration of the next larger level, which may have been long
 * by chance. */
void yo_uct_pace_begin(struct uct_pace *pace);
/* The leaves of the next batch; never more than `most`. */
size_t yo_uct_pace_count(const struct uct_pace *pace, size_t most);
/* Records the duration of a batch of this level, and adapts the level. */
void yo_uct_pace_note(struct uct_pace *pace, size_t most, unsigned level, int64_t took_ns,
                      int64_t short_ns);
