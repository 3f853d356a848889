/* Each backend evaluates one position; playouts must be the reference's game for game, networks
 * within a tolerance. */
#include <math.h>

#include "base/cpu.h"
#include "cmd/doctor/doctor.h"
#include "engine/go_net.h"
#include "eval/net/evaluator.h"
#include "eval/playout/playouts.h"
#include "game/go/game_ops.h"

#define PLAYOUTS  2000
#define TOLERANCE 0.02 /* of chances; backends in 16-bit integers have the largest errors */
enum { SIZE = 9, MOVES = SIZE * SIZE + 1 };

static void add_line(struct yo_buf *out, const char *kind, const char *name, bool good,
                     const char *why) {
    yo_buf_printf(out, "  %-8s %-14s %s%s%s\n", kind, name, good ? "works" : "FAILS",
                  good ? "" : ": ", good ? "" : why);
}

/* ---- playouts ---- */

static enum yo_err play(const char *name, const struct yo_go_position *position,
                        struct yo_diag *diag) {
    struct yo_buf checked = {0};
    struct yo_eval eval = {0};
    yo_buf_printf(&checked, "check:%s", name);
    enum yo_err err = yo_buf_status(&checked);
    if (!err) err = yo_playouts_eval_open(yo_buf_text(&checked), 1, &eval, diag);
    yo_buf_free(&checked);
    if (err) return err;
    struct yo_eval_result result = {0};
    struct yo_eval_item item = {.position = position,
                                .want = YO_EVAL_PLAYOUTS,
                                .results = &result,
                                .playouts = PLAYOUTS,
                                .seed = 1};
    err = yo_eval_run(eval, &item, 1, diag);
    eval.ops->destroy(eval.ctx);
    return err;
}

static int test_playouts(const struct yo_go_position *position, struct yo_buf *out) {
    const struct yo_playout_backend *backend;
    int failed = 0;
    for (size_t i = 0; (backend = yo_playout_backend_at(i)); i++) {
        struct yo_diag diag = {0};
        if (!yo_playout_available(backend)) continue;
        bool good = play(backend->name, position, &diag) == YO_OK;
        add_line(out, "playouts", backend->name, good, diag.what);
        failed += !good;
    }
    return failed;
}

/* ---- networks ---- */

struct answer {
    float win;
    float policy[MOVES];
};

static enum yo_err ask(const struct yo_net_backend *backend, const struct yo_go_position *position,
                       struct answer *answer, struct yo_diag *diag) {
    const struct yo_net_eval_options wanted = {.backend = backend, .threads = 1};
    struct yo_eval eval;
    yo_move moves[YO_GO_POINTS_MAX + 1];
    enum yo_err err = yo_go_net_open_named("builtin", YO_GO_SIZE_MAX, &wanted, &eval, diag);
    if (err) return err;
    struct yo_eval_result result = {.policy = answer->policy};
    struct yo_eval_item item = {.position = position,
                                .want = YO_EVAL_VALUE | YO_EVAL_POLICY,
                                .results = &result,
                                .moves = moves,
                                .move_count = yo_go_ops.moves(position, moves)};
    err = yo_eval_run(eval, &item, 1, diag);
    eval.ops->destroy(eval.ctx);
    answer->win = result.value.win;
    return err;
}

static double difference(const struct answer *a, const struct answer *b) {
    float most = fabsf(a->win - b->win);
    for (int i = 0; i < MOVES; i++) {
        float by = fabsf(a->policy[i] - b->policy[i]);
        if (!(by <= most)) most = by; /* a NaN, too */
    }
    return (double)most;
}

static int test_networks(const struct yo_go_position *position, struct yo_buf *out) {
    int count, failed = 0;
    const struct yo_net_backend *const *all = yo_net_backends(&count);
    struct answer reference = {0};
    struct yo_diag diag = {0};
    enum yo_err err = ask(all[count - 1], position, &reference, &diag);
    for (int i = 0; i < count; i++) {
        struct answer answer = {0};
        if (!all[i]->available()) continue;
        if (!err) err = ask(all[i], position, &answer, &diag);
        double by = difference(&answer, &reference);
        if (!err && !(by <= TOLERANCE))
            err = yo_diag_set(&diag, YO_ERR_STATE, "differs from the reference by %.3f", by);
        add_line(out, "network", all[i]->name, !err, diag.what);
        failed += err != YO_OK;
        err = YO_OK;
    }
    return failed;
}

int yo_doctor_self_test(struct yo_buf *out) {
    struct yo_go_game *game;
    struct yo_go_position position;
    if (yo_go_game_new(SIZE, &yo_go_rules_default, &game)) {
        add_line(out, "game", "9x9", false, "out of memory");
        return 1;
    }
    yo_go_position_from_game(game, &position);
    int failed = test_playouts(&position, out) + test_networks(&position, out);
    yo_go_game_delete(game);
    return failed;
}
