/* How many leaves a batch has where a search may have to end at any time: as many as take little
 * time, and more where more take no longer. Sizes double from level to level. It reads no clock:
 * what batches took is told it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define UCT_PACE_LEVELS 17 /* 1 to 65536 leaves */

/* All zero at first: a single leaf, and nothing known. Kept from search to search. */
struct uct_pace {
    unsigned level;
    int64_t took_ns[UCT_PACE_LEVELS + 1]; /* the last batch of each level; 0: not known */
};

/* What is short, in a search that has so much time; 0 for one that waits to be stopped. */
int64_t yo_uct_pace_short_ns(int64_t time_ms);

/* A search begins: that larger batches took long may have been chance, and is forgotten. */
void yo_uct_pace_begin(struct uct_pace *pace);
/* The leaves of the next batch; never more than `most`. */
size_t yo_uct_pace_count(const struct uct_pace *pace, size_t most);
/* A batch of this level took so long. */
void yo_uct_pace_note(struct uct_pace *pace, size_t most, unsigned level, int64_t took_ns,
                      int64_t short_ns);
