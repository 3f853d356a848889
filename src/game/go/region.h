/* Connected points of one colour, a string of stones or an empty area, by flood fill: slow and
 * simple, for code that is not hot. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "yomi/go.h"

struct yo_go_region {
    yo_go_point points[YO_GO_POINTS_MAX];
    int count;
    bool touches[4]; /* the colours of the points around it */
};

/* The region that contains start, on a board given by colors. Marks its points in seen, which may
 * hold marks of other regions. */
void yo_go_region_find(int size, const uint8_t *colors, yo_go_point start, uint8_t *seen,
                       struct yo_go_region *region);

/* The colours of a game's board without the stones marked in dead; dead may be NULL. */
void yo_go_region_colors(const struct yo_go_game *game, const uint8_t *dead, uint8_t *colors);

/* The owner of each point: of a living stone its colour, of an empty region the one colour that it
 * touches, else YO_GO_EMPTY. dead may be NULL. */
void yo_go_region_owners(const struct yo_go_game *game, const uint8_t *dead, uint8_t *owner);
