/* Features of a move of Go, computed without search: captures, atari and ladders, liberties, lines,
 * distances, shapes. A model (model.h) has a weight for each. */
#pragma once

#include "game/go/game_ops.h"
#include "search/go/shape.h"

/* A feature is a number: below YO_GO_FEATURES it is one of the list in feature.c, else it is the
 * key of a shape. */
#define YO_GO_FEATURES    1024
#define YO_GO_FEATURE_MAX 28 /* of one move */

struct yo_go_features {
    uint32_t id[YO_GO_FEATURE_MAX];
    size_t count;
};

/* Data that is computed once for a position and used for each of its moves. */
struct yo_go_look {
    const struct yo_go_position *position;
    const struct yo_go_board *board;
    enum yo_go_color me, other;
    struct yo_go_shape_view shapes;
    uint8_t status[YO_GO_POINTS_MAX];    /* by head of string: result of reading its ladder */
    uint8_t fate_near[YO_GO_POINTS_MAX]; /* distance to the last move, strings counting as one */
};

void yo_go_look(struct yo_go_look *look, const struct yo_go_position *position);
/* The point must be empty and legal for the side to move. */
void yo_go_features(const struct yo_go_look *look, yo_go_point p, struct yo_go_features *out);
