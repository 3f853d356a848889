#include "diagram.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static void check(enum yo_err err, const struct yo_diag *diag) {
    if (!err) return;
    fprintf(stderr, "diagram: %s\n", diag->what);
    abort();
}

struct yo_go_game *diagram_game(const char *drawing, enum yo_go_color to_move,
                                const struct yo_go_rules *rules) {
    uint8_t colors[YO_GO_POINTS_MAX];
    int count = 0, size = 0;
    for (; *drawing; drawing++)
        if (!isspace((unsigned char)*drawing))
            colors[count++] = *drawing == 'X'   ? YO_GO_BLACK
                              : *drawing == 'O' ? YO_GO_WHITE
                                                : YO_GO_EMPTY;
    while (size * size < count)
        size++;
    struct yo_go_game *game = NULL;
    struct yo_diag diag = {0};
    check(yo_go_game_new(size, rules, &game), &diag);
    check(yo_go_game_setup(game, colors, to_move, &diag), &diag);
    return game;
}

yo_go_point diagram_point(const struct yo_go_game *game, const char *text) {
    yo_go_point point = YO_GO_NONE;
    struct yo_diag diag = {0};
    check(yo_go_point_parse(text, yo_go_game_size(game), &point, &diag), &diag);
    return point;
}
