/* Games of the light policy by a backend: collected move for move, summed up, and compared with the
 * scalar reference's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "eval/playout/backend.h"

#define BACKEND_GAMES_MAX 4096

struct backend_record {
    bool seen;
    int score;
    uint32_t count;
    yo_go_point *moves;
};

struct backend_totals {
    struct yo_eval_playouts result; /* with these: */
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[YO_GO_POINTS_MAX];
};

void backend_totals_init(struct backend_totals *totals);
void backend_totals_compare(const struct backend_totals *a, const struct backend_totals *b);

/* Plays pieces of one board size. */
void backend_run(const struct yo_playout_backend *backend, struct yo_playout_piece *list,
                 int count);
/* Plays one; into: BACKEND_GAMES_MAX records, empty, or NULL for none. */
void backend_play(const struct yo_playout_backend *backend,
                  const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                  uint32_t games, struct backend_record *into, struct backend_totals *totals);
/* Empties BACKEND_GAMES_MAX records. */
void backend_forget(struct backend_record *list);

/* Fails at the first move that is not the reference's. */
void backend_compare_games(const struct yo_playout_backend *backend,
                           const struct yo_playout_position *position, uint64_t seed,
                           uint64_t first, uint32_t games);
