#include "game/go/ladder.h"

#include "game/go/ladder_read.h"

static void start(struct yo_go_ladder_reader *r, const struct yo_go_board *board) {
    yo_go_ladder_start(r, board->geometry, board->color, board->ko, false);
}

struct yo_go_ladder yo_go_ladder_escape(const struct yo_go_board *board, yo_go_point prey) {
    struct yo_go_ladder_reader r;
    struct yo_go_ladder ladder = {.move = YO_GO_NONE};
    start(&r, board);
    yo_go_ladder_aim(&r, prey);
    ladder.works = yo_go_ladder_saved(&r, &ladder.move);
    ladder.nodes = r.nodes;
    return ladder;
}

bool yo_go_ladder_escapes_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    struct yo_go_ladder_reader r;
    start(&r, board);
    yo_go_ladder_aim(&r, prey);
    return yo_go_ladder_saved_by(&r, move);
}

struct yo_go_ladder yo_go_ladder_catch(const struct yo_go_board *board, yo_go_point prey) {
    struct yo_go_ladder_reader r;
    struct yo_go_ladder ladder = {.move = YO_GO_NONE};
    start(&r, board);
    yo_go_ladder_aim(&r, prey);
    bool by[2];
    yo_go_ladder_caught(&r, by, false);
    ladder.works = by[0] || by[1];
    if (ladder.works) ladder.move = r.chase.libs.point[by[0] ? 0 : 1];
    ladder.nodes = r.nodes;
    return ladder;
}

bool yo_go_ladder_catches_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    struct yo_go_ladder_reader r;
    start(&r, board);
    yo_go_ladder_aim(&r, prey);
    return yo_go_ladder_caught_by(&r, move);
}

bool yo_go_ladder_frees(const struct yo_go_board *board, yo_go_point prey, yo_go_point move) {
    struct yo_go_ladder_reader r;
    start(&r, board);
    struct yo_go_chase_move made;
    enum yo_go_color own = (enum yo_go_color)board->color[prey];
    if (!yo_go_chase_play(&r.chase, move, (uint8_t)own, (uint8_t)yo_go_other(own), &made))
        return false;
    yo_go_ladder_aim(&r, prey);
    return yo_go_ladder_is_free(&r);
}
