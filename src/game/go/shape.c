#include "game/go/shape.h"

static bool contains(const struct yo_go_shape *shape, unsigned p) {
    for (int i = 0; i < shape->count; i++)
        if (shape->point[i] == p) return true;
    return false;
}

bool yo_go_shape_of_eye_space(const struct yo_go_board *board, yo_go_point p,
                              struct yo_go_shape *shape) {
    unsigned around = 0;
    *shape = (struct yo_go_shape){.count = 1, .point = {p}};
    for (int i = 0; i < shape->count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[shape->point[i]][d];
            if (board->color[q] == YO_GO_EMPTY) {
                if (contains(shape, q)) continue;
                if (shape->count == YO_GO_SHAPE_MAX) return false;
                shape->point[shape->count++] = (yo_go_point)q;
            } else if (board->color[q] != YO_GO_OFF) {
                around |= 1u << board->color[q];
                if (around == (1u << YO_GO_BLACK | 1u << YO_GO_WHITE)) return false;
            }
        }
    return true;
}

/* How many points touch how many others tells these shapes apart: there is a 2x2 square in the
 * shape just when it has as many contacts as points. */
yo_go_point yo_go_shape_vital_point(const struct yo_go_geometry *geometry,
                                    const struct yo_go_shape *shape) {
    int contacts = 0, most = 0;
    yo_go_point middle = YO_GO_NONE;
    for (int i = 0; i < shape->count; i++) {
        int touched = 0;
        for (int d = 0; d < 4; d++)
            touched += contains(shape, geometry->nbr[shape->point[i]][d]);
        contacts += touched;
        if (touched > most) middle = shape->point[i];
        if (touched > most) most = touched;
    }
    bool square = contacts / 2 == shape->count;
    switch (shape->count) {
    case 3:
        return middle;
    case 4:
        return most == 3 ? middle : YO_GO_NONE;
    case 5:
        return most == 4 || square ? middle : YO_GO_NONE;
    case 6:
        return most == 4 && square ? middle : YO_GO_NONE;
    default:
        return YO_GO_NONE;
    }
}
