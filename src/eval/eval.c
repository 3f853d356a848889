#include "eval/eval.h"

#include <math.h>

#define SCALE          600.0
#define CENTIPAWNS_MAX 30000

enum yo_err yo_eval_run(struct yo_eval eval, struct yo_eval_item *items, size_t item_count,
                        struct yo_diag *diag) {
    struct yo_eval_batch batch = {.items = items, .item_count = item_count};
    enum yo_err err = eval.ops->submit(eval.ctx, &batch, diag);
    if (err) return err;
    err = eval.ops->wait(eval.ctx, &batch);
    if (err && diag) *diag = batch.diag;
    return err;
}

double yo_eval_winrate_of(double centipawns) { return 1 / (1 + exp(-centipawns / SCALE)); }

double yo_eval_score_of(double winrate, double scale) {
    if (winrate <= 0) return -CENTIPAWNS_MAX;
    if (winrate >= 1) return CENTIPAWNS_MAX;
    return fmin(fmax(scale * log(winrate / (1 - winrate)), -CENTIPAWNS_MAX), CENTIPAWNS_MAX);
}

int yo_eval_centipawns_of(double winrate) { return (int)lround(yo_eval_score_of(winrate, SCALE)); }
