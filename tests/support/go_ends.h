/* Finished positions with the fate of their stones: tests/data/go/ends.txt. */
#pragma once

#include <stdbool.h>

#include "search/go/judge.h"
#include "yomi/go.h"

struct go_end {
    char name[100];
    int size;
    char points[YO_GO_POINTS_MAX + 1]; /* X O alive, x o dead, B W in seki */
};

/* Calls `is_right` with each position in three forms: as it is, by area; turned over with the
 * colours exchanged, by territory; and mirrored, by territory. Returns the number of forms; *wrong
 * counts those for which it returned false. */
int go_ends_each(bool (*is_right)(const struct go_end *end, const struct yo_go_game *game),
                 int *wrong);

/* Is the judgement the one of the position? Prints it if not. */
bool go_end_matches(const struct go_end *end, const struct yo_go_game *game,
                    const struct yo_judgement *judgement);
