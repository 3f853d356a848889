/* What it costs to start games from many positions: the same number of games, shared out over more
 * and more positions of 30 random moves, each with its own score histogram and ownership.
 *   playout_positions SIZE [BACKEND] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "eval/playout/playouts.h"
#include "game/go/board.h"

#define GAMES 200000

static void fail(const struct yo_diag *diag) {
    char line[640];
    yo_diag_format(diag, line, sizeof line);
    fprintf(stderr, "playout_positions: %s\n", line);
    exit(1);
}

static void random_position(struct yo_playout_position *position, int size) {
    struct yo_go_board board;
    enum yo_go_color color = YO_GO_BLACK;
    yo_go_board_init(&board, size);
    for (int i = 0; i < 30; i++) {
        yo_go_point p = (yo_go_point)(rand() % (size * size));
        if (!yo_go_board_is_legal(&board, color, p)) continue;
        yo_go_board_play(&board, color, p);
        color = yo_go_other(color);
    }
    memset(position, 0, sizeof *position);
    memcpy(position->stones, board.color, (size_t)(size * size));
    position->size = (uint8_t)size;
    position->to_move = (uint8_t)color;
    position->ko = board.ko;
    position->last = YO_GO_NONE;
}

static void measure(struct yo_eval *eval, int size, int count) {
    size_t n = (size_t)count, points = (size_t)(size * size);
    struct yo_playout_position *positions = yo_alloc(n, sizeof *positions);
    struct yo_eval_item *items = yo_alloc(n, sizeof *items);
    struct yo_eval_result *results = yo_alloc(n, sizeof *results);
    uint32_t *arrays = yo_alloc(n * (3 * points + 1), sizeof *arrays);
    struct yo_diag diag = {0};
    if (!positions || !items || !results || !arrays) exit(1);
    memset(arrays, 0, n * (3 * points + 1) * sizeof *arrays); /* touch it before the clock starts */
    for (size_t i = 0; i < n; i++) {
        random_position(&positions[i], size);
        results[i].playouts.histogram = arrays + i * (3 * points + 1);
        results[i].playouts.ownership = (int32_t *)results[i].playouts.histogram + 2 * points + 1;
        items[i] = (struct yo_eval_item){.position = &positions[i],
                                         .want = YO_EVAL_PLAYOUTS,
                                         .results = &results[i],
                                         .playouts = GAMES / n,
                                         .seed = i};
    }
    struct yo_eval_batch batch = {.items = items, .item_count = n};
    int64_t start = yo_time_ns();
    if (eval->ops->submit(eval->ctx, &batch, &diag)) fail(&diag);
    eval->ops->wait(eval->ctx, &batch);
    double seconds = 1e-9 * (double)(yo_time_ns() - start);
    uint64_t moves = 0, games = 0;
    for (size_t i = 0; i < n; i++) {
        moves += results[i].playouts.moves;
        games += results[i].playouts.games;
    }
    printf("%6d positions x %6d games: %9.0f playouts/s, %6.2f ns/move\n", count, GAMES / count,
           (double)games / seconds, 1e9 * seconds / (double)moves);
    yo_free(positions);
    yo_free(items);
    yo_free(results);
    yo_free(arrays);
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 9;
    if (size < YO_GO_SIZE_MIN || size > YO_GO_SIZE_MAX) {
        fprintf(stderr, "usage: playout_positions SIZE [BACKEND]\n");
        return 2;
    }
    struct yo_eval eval;
    struct yo_diag diag = {0};
    if (yo_playouts_eval_open(argc > 2 ? argv[2] : "auto", 1, &eval, &diag)) fail(&diag);
    static const int counts[] = {1, 200, 3125, 25000, 200000};
    for (int i = 0; i < 5; i++)
        measure(&eval, size, counts[i]);
    eval.ops->destroy(eval.ctx);
    return 0;
}
