#include "eval/eval.h"

enum yo_err yo_eval_run(struct yo_eval eval, struct yo_eval_item *items, size_t item_count,
                        struct yo_diag *diag) {
    struct yo_eval_batch batch = {.items = items, .item_count = item_count};
    enum yo_err err = eval.ops->submit(eval.ctx, &batch, diag);
    if (err) return err;
    err = eval.ops->wait(eval.ctx, &batch);
    if (err && diag) *diag = batch.diag;
    return err;
}
