/* Small eye spaces, by their shape: whether one stone decides if they become two eyes or one. */
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
