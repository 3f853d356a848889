#include "engine/go.h"

#include <string.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "eval/playout/playouts.h"
#include "search/go/flat.h"
#include "search/go/uct.h"

const char *const yo_engine_kinds[] = {[YO_ENGINE_UCT] = "uct", [YO_ENGINE_FLAT] = "flat", NULL};

const struct yo_option yo_engine_options[] = {YO_ENGINE_OPTION_ROWS, YO_OPTIONS_END};

/* None of the rows is a string, so values can be copied as they are. */
void yo_engine_options_copy(const struct yo_options *from, struct yo_options *to) {
    for (size_t i = 0; to->rows[i].key; i++)
        for (size_t j = 0; from->rows[j].key; j++)
            if (strcmp(from->rows[j].key, to->rows[i].key) == 0) to->values[i] = from->values[j];
}

void yo_engine_stop(struct yo_engine *engine) {
    if (engine->search.ops) engine->search.ops->destroy(engine->search.ctx);
    if (engine->eval.ops) engine->eval.ops->destroy(engine->eval.ctx);
    *engine = (struct yo_engine){0};
}

/* What experiments/tano/player.sh won with. On a CPU a playout at once, in the thread that wants
 * it, is worth more than any batch. */
#define GPU_LEAVES        128
#define GPU_LEAF_PLAYOUTS 256

static void choose_leaves(const char *backend, struct yo_uct_options *uct) {
    bool on_gpu = backend && strncmp(backend, "cuda", 4) == 0;
    if (uct->leaves == 0) uct->leaves = on_gpu ? GPU_LEAVES : 1;
    if (uct->leaf_playouts == 0) uct->leaf_playouts = on_gpu ? GPU_LEAF_PLAYOUTS : 1;
}

static enum yo_err make_search(struct yo_engine *engine, const struct yo_engine_setup *setup,
                               struct yo_diag *diag) {
    if (yo_options_choice(setup->options, "search") == YO_ENGINE_FLAT) {
        struct yo_flat_options flat = {.policy = YO_PLAYOUT_LIGHT, .seed = setup->seed};
        enum yo_err err = yo_flat_new(engine->eval, &flat, &engine->search);
        return err ? yo_diag_set(diag, err, "no memory for the search") : YO_OK;
    }
    struct yo_uct_options uct = {.seed = setup->seed,
                                 .threads = setup->threads ? setup->threads : yo_cpu_count()};
    yo_uct_options_read(setup->options, &uct);
    choose_leaves(setup->backend, &uct);
    return yo_uct_go_new(engine->eval, &uct, &engine->search, diag);
}

enum yo_err yo_engine_start(struct yo_engine *engine, const struct yo_engine_setup *setup,
                            struct yo_diag *diag) {
    if (engine->search.ops) return YO_OK;
    enum yo_err err = yo_playouts_eval_open(setup->backend, setup->threads, &engine->eval, diag);
    if (err) return err;
    err = make_search(engine, setup, diag);
    if (err) yo_engine_stop(engine);
    return err;
}
