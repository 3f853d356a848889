/* "Did you mean ...?": finds the name nearest to one that was not found. Offer every known name,
 * then read `best`. The struct owns nothing; names must outlive it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct yo_nearest {
    const char *text;
    const char *best; /* NULL while no offered name is near enough */
    size_t distance;
};

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; case, '-' and '_'
 * do not count. Compares only the first 63 characters of each. */
size_t yo_edit_distance(const char *a, const char *b);

/* Equal except for case, '-' and '_', as keys are matched: "Board_Size" finds "board-size". */
bool yo_name_equal(const char *a, const char *b);

void yo_nearest_offer(struct yo_nearest *nearest, const char *name);
