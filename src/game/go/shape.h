/* Small shapes, of eye spaces and of strings about to be captured: whether a single stone decides
 * between two eyes and one. */
#pragma once

#include <stdbool.h>

#include "game/go/board.h"

#define YO_GO_SHAPE_MAX 6

struct yo_go_shape {
    int count;
    yo_go_point point[YO_GO_SHAPE_MAX];
};

/* The empty points connected to p, which is empty. False if there are more than YO_GO_SHAPE_MAX, or
 * if they border on both colours; the shape then holds some of them. */
bool yo_go_shape_of_eye_space(const struct yo_go_board *board, yo_go_point p,
                              struct yo_go_shape *shape);

/* The vital point of an eye space, where one side makes two eyes and the other prevents them: the
 * middle of three, of the pyramid of four, of the bulky and the crossed five, of the flowery six.
 * YO_GO_NONE for all other shapes, and for one or two points. */
yo_go_point yo_go_shape_vital_point(const struct yo_go_geometry *geometry,
                                    const struct yo_go_shape *shape);

/* The string that a stone on p, which is empty, would belong to. False if it is larger than
 * YO_GO_SHAPE_MAX; the shape then holds some of it. */
bool yo_go_shape_of_string(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p,
                           struct yo_go_shape *shape);

/* If stones of this shape are captured, does the space they leave make at most one eye, with the
 * other side to move? True for up to three stones, for the square of four, and for all shapes with
 * a vital point. */
bool yo_go_shape_is_nakade(const struct yo_go_geometry *geometry, const struct yo_go_shape *shape);
