#include "game/go/geometry.h"

#include <pthread.h>

static struct yo_go_geometry tables[YO_GO_SIZE_MAX + 1];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const int row_step[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
static const int col_step[8] = {0, 1, 0, -1, 1, 1, -1, -1};

static void make(struct yo_go_geometry *g, int size) {
    g->size = size;
    g->points = size * size;
    g->words = (g->points + 63) / 64;
    for (int p = 0; p < g->points; p++) {
        uint64_t bit = UINT64_C(1) << p % 64;
        g->board[p / 64] |= bit;
        if (p % size > 0) g->not_first[p / 64] |= bit;
        if (p % size < size - 1) g->not_last[p / 64] |= bit;
    }
    for (int p = 0; p <= YO_GO_OFF_POINT; p++)
        for (int d = 0; d < 8; d++) {
            int row = p / size + row_step[d], col = p % size + col_step[d];
            int on = p < g->points && row >= 0 && row < size && col >= 0 && col < size;
            g->nbr[p][d] = (uint16_t)(on ? row * size + col : YO_GO_OFF_POINT);
            if (!on) g->off_pattern[p] = (uint16_t)(g->off_pattern[p] | YO_GO_OFF << 2 * d);
        }
}

static void make_all(void) {
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        make(&tables[size], size);
}

const struct yo_go_geometry *yo_go_geometry(int size) {
    pthread_once(&once, make_all);
    return &tables[size];
}
