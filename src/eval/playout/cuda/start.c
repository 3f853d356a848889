#include "eval/playout/cuda/start.h"

#include <string.h>

#include "game/go/geometry.h"

#define NOWHERE YO_GO_OFF_POINT

struct board {
    const struct yo_go_geometry *geometry;
    uint8_t color[YO_GO_POINTS_MAX + 1];    /* and off the board */
    uint16_t next[YO_GO_POINTS_MAX];        /* stones of a string form a ring */
    uint16_t liberty[YO_GO_POINTS_MAX + 1]; /* a stone's last one if it is in atari, or NOWHERE */
    bool seen[YO_GO_POINTS_MAX];            /* stones whose string was visited */
};

/* Makes the ring of the string of p, and stores its last liberty if it has just one. */
static void look_at_string(struct board *board, unsigned p) {
    uint16_t stones[YO_GO_POINTS_MAX];
    unsigned count = 1, liberty = NOWHERE;
    bool two = false;
    stones[0] = (uint16_t)p;
    board->seen[p] = true;
    for (unsigned i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[stones[i]][d];
            if (board->color[q] == YO_GO_EMPTY) {
                two = two || (liberty != NOWHERE && liberty != q);
                liberty = q;
            } else if (board->color[q] == board->color[p] && !board->seen[q]) {
                board->seen[q] = true;
                stones[count++] = (uint16_t)q;
            }
        }
    for (unsigned i = 0; i < count; i++) {
        board->next[stones[i]] = stones[i + 1 < count ? i + 1 : 0];
        if (!two) board->liberty[stones[i]] = (uint16_t)liberty;
    }
}

/* Where the string of p can be saved: on its last liberty, or on that of a string beside it. */
static void mark_savers(const struct board *board, unsigned p, uint8_t *marked) {
    unsigned color = board->color[p], q = p;
    marked[board->liberty[p]] |= YO_CUDA_SAVE;
    do {
        for (int d = 0; d < 4; d++) {
            unsigned beside = board->geometry->nbr[q][d];
            if (board->color[beside] != color && board->liberty[beside] != NOWHERE)
                marked[board->liberty[beside]] |= YO_CUDA_SAVE;
        }
        q = board->next[q];
    } while (q != p);
}

void yo_cuda_mark_start(const struct yo_playout_position *position, uint8_t *marked) {
    struct board board = {.geometry = yo_go_geometry(position->size)};
    unsigned points = (unsigned)board.geometry->points;
    memcpy(board.color, position->stones, points);
    memcpy(marked, position->stones, points);
    board.color[NOWHERE] = YO_GO_OFF;
    for (unsigned p = 0; p <= NOWHERE; p++)
        board.liberty[p] = NOWHERE;
    for (unsigned p = 0; p < points; p++) {
        if (board.color[p] != YO_GO_EMPTY && !board.seen[p]) look_at_string(&board, p);
        if (board.liberty[p] != NOWHERE) marked[p] |= YO_CUDA_ATARI;
    }
    if (position->last >= points) return;
    for (int d = 0; d < 4; d++) {
        unsigned p = board.geometry->nbr[position->last][d];
        if (board.color[p] == position->to_move && board.liberty[p] != NOWHERE)
            mark_savers(&board, p, marked);
    }
}
