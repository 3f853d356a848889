/* The blocking interface of yomi/playout.h, on top of an evaluator. */
#include "base/alloc.h"
#include "base/diag.h"
#include "eval/combine/check.h"
#include "eval/playout/playouts.h"
#include "eval/playout/position.h"
#include "eval/playout/scalar.h"

struct yo_playouts {
    struct yo_eval eval;
    struct yo_eval_about about;
};

static enum yo_err open_check(const struct yo_playout_backend *backend,
                              const struct yo_playout_env *env, int threads, struct yo_eval *eval,
                              struct yo_diag *diag) {
    struct yo_eval pair[2];
    enum yo_err err = yo_playouts_eval_new(backend, true, env, threads, &pair[0], diag);
    if (err) return err;
    err = yo_playouts_eval_new(&yo_playout_scalar, false, env, threads, &pair[1], diag);
    if (!err) {
        err = yo_eval_check_new(pair[0], pair[1], eval, diag);
        if (err) pair[1].ops->destroy(pair[1].ctx);
    }
    if (err) pair[0].ops->destroy(pair[0].ctx);
    return err;
}

enum yo_err yo_playouts_eval_open_with(const char *name, const struct yo_playout_env *env,
                                       int threads, struct yo_eval *eval, struct yo_diag *diag) {
    struct yo_playout_choice choice;
    enum yo_err err = yo_playout_choose(name, &choice, diag);
    if (err) return err;
    return choice.check ? open_check(choice.backend, env, threads, eval, diag)
                        : yo_playouts_eval_new(choice.backend, true, env, threads, eval, diag);
}

enum yo_err yo_playouts_eval_open(const char *name, int threads, struct yo_eval *eval,
                                  struct yo_diag *diag) {
    return yo_playouts_eval_open_with(name, NULL, threads, eval, diag);
}

enum yo_err yo_playouts_new(const char *backend, int threads, struct yo_playouts **out,
                            struct yo_diag *diag) {
    struct yo_playouts *playouts = yo_alloc(1, sizeof *playouts);
    if (!playouts) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    enum yo_err err = yo_playouts_eval_open(backend, threads, &playouts->eval, diag);
    if (err) {
        yo_free(playouts);
        return err;
    }
    playouts->eval.ops->describe(playouts->eval.ctx, YO_PLAYOUT_LIGHT, &playouts->about);
    *out = playouts;
    return YO_OK;
}

void yo_playouts_delete(struct yo_playouts *playouts) {
    if (!playouts) return;
    playouts->eval.ops->destroy(playouts->eval.ctx);
    yo_free(playouts);
}

const char *yo_playouts_backend(const struct yo_playouts *playouts) { return playouts->about.name; }

enum yo_err yo_playouts_run(struct yo_playouts *playouts, enum yo_playout_policy policy,
                            const struct yo_playout_position *position, uint64_t seed,
                            uint64_t first_game, uint64_t games, struct yo_playout_result *result,
                            struct yo_diag *diag) {
    struct yo_go_position start;
    enum yo_err err = yo_playout_position_check(position, diag);
    if (err) return err;
    yo_playout_position_to_go(position, &start); /* without komi: the margin is the score */
    struct yo_eval_result sums = {
        .playouts = {.histogram = result->histogram, .owner = result->ownership}};
    struct yo_eval_item item = {
        .position = &start,
        .want = YO_EVAL_PLAYOUTS,
        .results = &sums,
        .playout_policy = (int)policy,
        .playouts = games,
        .seed = seed,
        .first_game = first_game,
    };
    err = yo_eval_run(playouts->eval, &item, 1, diag);
    result->games += sums.playouts.games;
    result->moves += sums.playouts.moves;
    result->score_sum += sums.playouts.score2_first / 2;
    return err;
}
