#include "eval/playout/hw/rest.h"

struct rest {
    struct yo_playout_piece piece;
    const struct yo_playout_source *source;
};

static bool next(void *ctx, struct yo_playout_piece *piece) {
    struct rest *rest = ctx;
    if (!rest->piece.games) return rest->source->next(rest->source->ctx, piece);
    *piece = rest->piece;
    rest->piece.games = 0;
    return true;
}

void yo_hw_play_rest(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size, const struct yo_playout_piece *piece,
                     const struct yo_playout_source *source, void *scratch) {
    struct rest rest = {*piece, source};
    struct yo_playout_source all = {next, &rest};
    yo_playout_run(backend, env, policy, size, &all, scratch);
}
