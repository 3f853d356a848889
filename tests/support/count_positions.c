#include "support/count_positions.h"

#include "game/go/board.h"

/* A stone that captures or dies makes no position, whatever comes after. */
static uint64_t count_by_growing(const struct yo_go_board *board, int p) {
    if (p == board->geometry->points) return 1;
    uint64_t count = count_by_growing(board, p + 1);
    for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
        struct yo_go_board next = *board;
        if (yo_go_board_play(&next, (enum yo_go_color)color, (yo_go_point)p) == 0)
            count += count_by_growing(&next, p + 1);
    }
    return count;
}

uint64_t count_positions(int size) {
    struct yo_go_board board;
    yo_go_board_init(&board, size);
    return count_by_growing(&board, 0);
}
