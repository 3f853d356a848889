/* Small shapes, of eye spaces and of the stones that are left in them to be taken: whether one
 * stone decides if there are two eyes or one. */
#pragma once

#include <stdbool.h>

#include "game/go/board.h"

#define YO_GO_SHAPE_MAX 6

struct yo_go_shape {
    int count;
    yo_go_point point[YO_GO_SHAPE_MAX];
};

/* The empty points connected to p, which is empty. False if they are more than YO_GO_SHAPE_MAX, or
 * border on both colours; the shape then holds some of them. */
bool yo_go_shape_of_eye_space(const struct yo_go_board *board, yo_go_point p,
                              struct yo_go_shape *shape);

/* The only point without which the space falls apart, so that one side makes two eyes there and the
 * other prevents them: the middle of three, of the pyramid of four, of the bulky and the crossed
 * five, of the flowery six. YO_GO_NONE for all other shapes, and for one or two points. */
yo_go_point yo_go_shape_vital_point(const struct yo_go_geometry *geometry,
                                    const struct yo_go_shape *shape);

/* The string that a stone on p, which is empty, would belong to. False if it is larger than
 * YO_GO_SHAPE_MAX; the shape then holds some of it. */
bool yo_go_shape_of_string(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p,
                           struct yo_go_shape *shape);

/* If stones of this shape are taken, does the place they leave make no more than one eye, with the
 * other side to move? True of up to three stones, of the square of four, and of all shapes with a
 * vital point. */
bool yo_go_shape_is_nakade(const struct yo_go_geometry *geometry, const struct yo_go_shape *shape);
