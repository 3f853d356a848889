#include "cluster/order_shogi.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/game.h"
#include "game/shogi/game_ops.h"
#include "search/alphabeta/alphabeta.h"

/* Small, since it is cleared for each position: the order must not depend on earlier ones. */
enum { TABLE_MB = 1 };

struct yo_shogi_order {
    const struct yo_probability_table *table;
    struct yo_ab *search; /* NULL with a table */
};

enum yo_err yo_shogi_order_new(const struct yo_shogi_eval *eval,
                               const struct yo_probability_table *table,
                               struct yo_shogi_order **out, struct yo_diag *diag) {
    struct yo_shogi_order *order = yo_alloc(1, sizeof *order);
    if (!order) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the order of moves");
    order->table = table;
    enum yo_err err = YO_OK;
    if (!table) {
        struct yo_ab_options options = yo_ab_options_default;
        options.eval = eval;
        options.mate_search = false;
        err = yo_ab_new(TABLE_MB, &order->search);
        if (!err) err = yo_ab_set_options(order->search, &options);
    }
    if (err) {
        yo_shogi_order_delete(order);
        return yo_diag_set(diag, err, "no memory for the order of moves");
    }
    *out = order;
    return YO_OK;
}

void yo_shogi_order_delete(struct yo_shogi_order *order) {
    if (!order) return;
    yo_ab_delete(order->search);
    yo_free(order);
}

static double probability_of(const struct yo_probability_table *table, uint32_t categories) {
    double most = 0;
    for (int i = 0; i < YO_PROBABILITIES; i++) {
        double p = yo_probability_of(table, (enum yo_probability_category)i);
        if (categories >> i & 1 && p > most) most = p;
    }
    return most;
}

/* Without memory the order is the generator's, which is no worse than none. */
static void search_all(struct yo_shogi_order *order, const struct yo_shogi_position *pos,
                       const yo_move *moves, size_t count, double *likely) {
    struct yo_shogi_game *game;
    struct yo_search_result result = {0};
    struct yo_search_limits limits = {.depth = 1, .lines = count};
    if (yo_shogi_game_begin(pos, &game)) return;
    yo_ab_clear(order->search);
    yo_search_run(yo_ab_as_search(order->search), game, &limits, NULL, NULL, NULL, &result, NULL);
    for (size_t r = 0; r < result.move_count; r++)
        for (size_t i = 0; i < count; i++)
            if (moves[i] == result.moves[r].move) likely[i] = (double)(result.move_count - r);
    yo_shogi_game_delete(game);
}

void yo_shogi_order_moves(void *ctx, const void *position, const yo_move *moves, size_t count,
                          double *likely) {
    struct yo_shogi_order *order = ctx;
    const struct yo_shogi_state *state = position;
    if (!order->table) {
        search_all(order, &state->position, moves, count, likely);
        return;
    }
    for (size_t i = 0; i < count; i++)
        likely[i] = probability_of(
            order->table,
            yo_probability_categories(&state->position, (yo_shogi_move)moves[i], YO_SHOGI_NO_MOVE));
}
