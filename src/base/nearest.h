/* "Did you mean ...?": the nearest of a list of names to one that was not found. Offer every name
 * there is, then ask. Nothing is owned; names must outlive the struct. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct yo_nearest {
    const char *text;
    const char *best; /* NULL while nothing offered was near enough to be worth naming */
    size_t distance;
};

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; case, '-' and '_'
 * do not count. Only the first 63 characters of each are looked at. */
size_t yo_edit_distance(const char *a, const char *b);

/* Equal but for case, '-', '_': how keys are matched, so that "Board_Size" finds "board-size". */
bool yo_name_equal(const char *a, const char *b);

void yo_nearest_offer(struct yo_nearest *nearest, const char *name);
