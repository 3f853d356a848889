/* Finished positions with the fate of their stones: tests/data/go/ends.txt, which says how they
 * were checked. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "search/go/judge.h"
#include "yomi/go.h"

struct go_end {
    char name[100];
    int size;
    char points[YO_GO_POINTS_MAX + 1]; /* X O alive, x o dead, B W in seki */
    int area, territory;               /* Black's lead without komi */
    enum yo_go_color to_move;          /* EMPTY: it makes no difference */
};

/* Rule sets differ. */
#define GO_END_NO_SCORE INT_MAX

#define GO_ENDS   "tests/data/go/ends.txt"
#define GO_FIGHTS "tests/data/go/fights.txt" /* open ones, decided by the side to move */
#define GO_WRONG  "tests/data/go/wrong.txt"  /* known to be judged wrong */

/* Calls `is_right` with each position in three forms: as it is, by area; turned over with the
 * colours exchanged, by territory; and mirrored, by territory, with the other side to move. Returns
 * the number of positions; *wrong counts those for which it returned false in some form. */
int go_ends_each(const char *path,
                 bool (*is_right)(const struct go_end *end, const struct yo_go_game *game),
                 int *wrong);

/* Are the judgement and its score those of the position? Prints what differs. */
bool go_end_matches(const struct go_end *end, const struct yo_go_game *game,
                    const struct yo_judgement *judgement);
