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

bool yo_go_shape_of_string(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p,
                           struct yo_go_shape *shape) {
    *shape = (struct yo_go_shape){.count = 1, .point = {p}};
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d], stone = q;
        if (board->color[q] != color || contains(shape, q)) continue;
        if (shape->count + board->string[board->head[q]].stones > YO_GO_SHAPE_MAX) return false;
        do {
            shape->point[shape->count++] = (yo_go_point)stone;
            stone = board->next[stone];
        } while (stone != q);
    }
    return true;
}

/* The numbers of adjacent pairs distinguish the small shapes. */
struct contacts {
    int all, most; /* adjacent pairs of points; the most neighbours of one point */
    yo_go_point middle;
};

static struct contacts count_contacts(const struct yo_go_geometry *geometry,
                                      const struct yo_go_shape *shape) {
    struct contacts contacts = {.middle = YO_GO_NONE};
    for (int i = 0; i < shape->count; i++) {
        int touched = 0;
        for (int d = 0; d < 4; d++)
            touched += contains(shape, geometry->nbr[shape->point[i]][d]);
        contacts.all += touched;
        if (touched <= contacts.most) continue;
        contacts.most = touched;
        contacts.middle = shape->point[i];
    }
    contacts.all /= 2;
    return contacts;
}

yo_go_point yo_go_shape_vital_point(const struct yo_go_geometry *geometry,
                                    const struct yo_go_shape *shape) {
    if (shape->count < 3) return YO_GO_NONE;
    struct contacts contacts = count_contacts(geometry, shape);
    bool square = contacts.all == shape->count; /* four of the points form a square */
    switch (shape->count) {
    case 3:
        return contacts.middle;
    case 4:
        return contacts.most == 3 ? contacts.middle : YO_GO_NONE;
    case 5:
        return contacts.most == 4 || square ? contacts.middle : YO_GO_NONE;
    case 6:
        return contacts.most == 4 && square ? contacts.middle : YO_GO_NONE;
    default:
        return YO_GO_NONE;
    }
}

bool yo_go_shape_is_nakade(const struct yo_go_geometry *geometry, const struct yo_go_shape *shape) {
    if (shape->count <= 3) return true;
    if (shape->count == 4 && count_contacts(geometry, shape).all == 4) return true;
    return yo_go_shape_vital_point(geometry, shape) != YO_GO_NONE;
}
