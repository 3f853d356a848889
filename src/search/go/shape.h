/* Shapes: the stones around a point, from the view of the side to play there, in nested
 * neighbourhoods. The keys are invariant under the eight symmetries and the exchange of colours. */
#pragma once

#include "game/go/board.h"

/* Neighbourhoods, by the distance dx + dy + max(dx, dy): that of 3x3, and seven larger ones. */
#define YO_GO_SHAPES     8
#define YO_GO_SHAPE_FAR  5 /* no neighbourhood reaches further along a line */
#define YO_GO_SHAPE_SIDE (YO_GO_SIZE_MAX + 2 * YO_GO_SHAPE_FAR)

/* A board with a rim, so that no neighbourhood leaves it; each point empty, own, the opponent's or
 * off the board. */
struct yo_go_shape_view {
    int size;
    uint8_t liberties[YO_GO_POINTS_MAX]; /* of the string there, three at most; the caller fills */
    uint8_t point[YO_GO_SHAPE_SIDE * YO_GO_SHAPE_SIDE];
};

void yo_go_shape_view(struct yo_go_shape_view *view, const struct yo_go_board *board,
                      enum yo_go_color me);

/* The keys of all neighbourhoods of an empty point, small to large; the key of the smallest
 * includes the liberties of the four strings beside the point. Keys of different neighbourhoods
 * differ. */
void yo_go_shape_keys(const struct yo_go_shape_view *view, yo_go_point p,
                      uint32_t keys[YO_GO_SHAPES]);

/* The key of the 3x3 shape and the place of the last move, which must be at most two lines away. */
uint32_t yo_go_shape_answer_key(const struct yo_go_shape_view *view, yo_go_point p,
                                yo_go_point last);
