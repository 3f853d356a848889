#include "game/go/perft.h"

size_t yo_go_perft_moves(const struct yo_go_position *position, bool passes, yo_go_point *moves) {
    if (position->passes >= 2) return 0;
    size_t count = 0;
    for (int p = 0; p < position->board.geometry->points; p++)
        if (yo_go_position_legal(position, (yo_go_point)p)) moves[count++] = (yo_go_point)p;
    if (passes) moves[count++] = YO_GO_PASS;
    return count;
}

uint64_t yo_go_perft(const struct yo_go_position *position, int depth, bool passes) {
    if (depth == 0) return 1;
    yo_go_point moves[YO_GO_POINTS_MAX + 1];
    size_t count = yo_go_perft_moves(position, passes, moves);
    if (depth == 1) return count;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        struct yo_go_position next = *position;
        yo_go_position_play(&next, moves[i]);
        total += yo_go_perft(&next, depth - 1, passes);
    }
    return total;
}
