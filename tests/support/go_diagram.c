#include "support/go_diagram.h"

#include "support/test.h"

int diagram_read(const char *diagram, uint8_t *colors) {
    int count = 0;
    for (const char *p = diagram; *p; p++)
        if (*p == 'X' || *p == 'O' || *p == '.') {
            assert_true(count < YO_GO_POINTS_MAX);
            colors[count++] = *p == 'X' ? YO_GO_BLACK : *p == 'O' ? YO_GO_WHITE : YO_GO_EMPTY;
        }
    int size = 1;
    while (size * size < count)
        size++;
    assert_int_equal(size * size, count);
    return size;
}

struct yo_go_game *diagram_game(const char *diagram, const struct yo_go_rules *rules,
                                enum yo_go_color to_move) {
    uint8_t colors[YO_GO_POINTS_MAX];
    struct yo_go_game *game;
    int size = diagram_read(diagram, colors);
    assert_int_equal(yo_go_game_new(size, rules, &game), YO_OK);
    assert_int_equal(yo_go_game_setup(game, colors, to_move, NULL), YO_OK);
    return game;
}

void diagram_write(const struct yo_go_game *game, char *out) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (int p = 0; p < points; p++)
        out[p] = ".XO"[yo_go_game_at(game, (yo_go_point)p)];
    out[points] = '\0';
}

yo_go_point diagram_point(const struct yo_go_game *game, const char *text) {
    yo_go_point point = YO_GO_NONE;
    assert_int_equal(yo_go_point_parse(text, yo_go_game_size(game), &point, NULL), YO_OK);
    return point;
}

enum yo_err diagram_play(struct yo_go_game *game, const char *move) {
    enum yo_go_color color = move[0] == 'B' ? YO_GO_BLACK : YO_GO_WHITE;
    return yo_go_game_play(game, color, diagram_point(game, move + 2), NULL);
}
