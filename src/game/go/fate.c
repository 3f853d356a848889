#include "game/go/fate.h"

#include <string.h>

struct walk {
    const struct yo_go_board *board;
    uint8_t *distance;
    size_t tail;
    uint16_t queue[YO_GO_POINTS_MAX];
};

/* Queues all points of a node together. */
static void reach(struct walk *w, unsigned p, int steps) {
    if (w->distance[p] != YO_GO_FATE_FAR) return;
    if (w->board->color[p] == YO_GO_EMPTY) {
        w->distance[p] = (uint8_t)steps;
        w->queue[w->tail++] = (uint16_t)p;
        return;
    }
    unsigned q = p;
    do {
        w->distance[q] = (uint8_t)steps;
        w->queue[w->tail++] = (uint16_t)q;
        q = w->board->next[q];
    } while (q != p);
}

void yo_go_fate_distance(const struct yo_go_board *board, const yo_go_point *from, size_t count,
                         int limit, uint8_t *distance) {
    struct walk w = {.board = board, .distance = distance};
    int points = board->geometry->points;
    memset(distance, YO_GO_FATE_FAR, (size_t)points);
    for (size_t i = 0; i < count; i++)
        if (from[i] < points) reach(&w, from[i], 0);
    for (size_t head = 0; head < w.tail; head++) {
        unsigned p = w.queue[head];
        if (distance[p] >= limit) break; /* the queue is in order of distance */
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[p][d];
            if (q != YO_GO_OFF_POINT) reach(&w, q, distance[p] + 1);
        }
    }
}
