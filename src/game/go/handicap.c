/* Fixed handicap as specified by GTP version 2: third line up to 12x12, fourth from 13x13; at most
 * four stones on 7x7 and on even sizes, which have no centre point; none below 7x7. */
#include "game/go/handicap.h"

#include "base/diag.h"
#include "game/go/state.h"

enum { NEAR, MIDDLE, FAR };

/* Counted from the lower left corner, in the order in which stones are added. The ninth is the
 * centre, which five, seven and nine stones use. */
static const struct {
    unsigned char row, col;
} places[9] = {{NEAR, NEAR},  {FAR, FAR},     {FAR, NEAR},   {NEAR, FAR},     {MIDDLE, NEAR},
               {MIDDLE, FAR}, {NEAR, MIDDLE}, {FAR, MIDDLE}, {MIDDLE, MIDDLE}};

static int most_stones(int size) {
    if (size < 7 || size > YO_GO_SIZE_MAX) return 0;
    return size % 2 == 0 || size == 7 ? 4 : 9;
}

enum yo_err yo_go_handicap_points(int size, int stones, yo_go_point *points, struct yo_diag *diag) {
    int most = most_stones(size);
    if (stones < 2 || stones > most) {
        yo_diag_set(diag, YO_ERR_RANGE, "no fixed handicap of %d stones on %dx%d", stones, size,
                    size);
        if (most)
            yo_diag_hint(diag, "2 to %d stones have fixed places there", most);
        else
            yo_diag_hint(diag, "only boards of 7x7 to 19x19 have places for them");
        return YO_ERR_RANGE;
    }
    int edge = size < 13 ? 2 : 3;
    int line[3] = {[NEAR] = edge, [MIDDLE] = size / 2, [FAR] = size - 1 - edge};
    bool center = stones == 5 || stones == 7 || stones == 9;
    for (int i = 0; i < stones; i++) {
        int k = center && i == stones - 1 ? 8 : i;
        int row_from_top = size - 1 - line[places[k].row];
        points[i] = (yo_go_point)(row_from_top * size + line[places[k].col]);
    }
    return YO_OK;
}

bool yo_go_is_star(int size, yo_go_point point) {
    yo_go_point stars[9];
    int count = size < 9 || size % 2 == 0 ? 4 : size < 15 ? 5 : 9;
    if (yo_go_handicap_points(size, count, stars, NULL)) return false;
    for (int i = 0; i < count; i++)
        if (stars[i] == point) return true;
    return false;
}

static bool board_is_empty(const struct yo_go_board *board) {
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p] != YO_GO_EMPTY) return false;
    return true;
}

enum yo_err yo_go_game_handicap_set(struct yo_go_game *game, const yo_go_point *points, int stones,
                                    struct yo_diag *diag) {
    uint8_t colors[YO_GO_POINTS_MAX] = {0};
    int total = game->board.geometry->points;
    if (!board_is_empty(&game->board) || game->count > 0) {
        yo_diag_set(diag, YO_ERR_STATE, "handicap stones need an empty board");
        yo_diag_hint(diag, "clear the board first");
        return YO_ERR_STATE;
    }
    if (stones < 2 || stones >= total)
        return yo_diag_set(diag, YO_ERR_RANGE, "a handicap has 2 to %d stones, not %d", total - 1,
                           stones);
    for (int i = 0; i < stones; i++) {
        char text[8];
        if (points[i] >= total)
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "handicap stone %d is not on the board",
                               i + 1);
        if (colors[points[i]])
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "handicap stone %s is given twice",
                               yo_go_point_format(points[i], yo_go_game_size(game), text));
        colors[points[i]] = YO_GO_BLACK;
    }
    enum yo_err err = yo_go_game_setup(game, colors, YO_GO_WHITE, diag);
    if (!err) game->handicap = stones;
    return err;
}
