#include "engine/go.h"

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "eval/playout/playouts.h"
#include "search/go/flat.h"
#include "search/go/uct.h"

const char *const yo_engine_kinds[] = {"auto", "uct", "flat", "puct", "mcss", NULL};
const char *const yo_engine_all_kinds[] = {"auto", "uct",       "flat", "puct",
                                           "mcss", "alphabeta", NULL};
const struct yo_option yo_engine_options[] = {YO_ENGINE_OPTION_ROWS, YO_OPTIONS_END};

void yo_engine_stop(struct yo_engine *engine) {
    if (engine->search.ops) engine->search.ops->destroy(engine->search.ctx);
    if (engine->mix.ops) engine->mix.ops->destroy(engine->mix.ctx);
    if (engine->net.ops) engine->net.ops->destroy(engine->net.ctx);
    if (engine->eval.ops) engine->eval.ops->destroy(engine->eval.ctx);
    *engine = (struct yo_engine){0};
}

/* If the evaluator gains nothing by batches, the search thread runs its playouts itself. */
static void choose_leaves(const struct yo_eval_about *about, struct yo_uct_options *uct) {
    if (uct->leaves == 0) uct->leaves = (unsigned)about->batch;
    if (uct->leaf_playouts == 0)
        uct->leaf_playouts = about->playouts ? (unsigned)about->playouts : 1;
}

static bool in_batches(const struct yo_uct_options *uct) {
    return uct->leaves > 1 || uct->leaf_playouts > 1;
}

/* Describes the backends of playouts and of judging life and death. With leaf_wait off, the search
 * thread adds a scalar playout to each leaf in a batch. */
static void say_what_plays(const struct yo_search_setup *setup, const struct yo_uct_options *uct,
                           const struct yo_eval_about *leaves) {
    struct yo_eval_about judge;
    bool alone = !in_batches(uct), both = !alone && !uct->leaf_wait;
    setup->playouts.ops->describe(setup->playouts.ctx, YO_PLAYOUT_LIGHT, &judge);
    snprintf(setup->plays, setup->plays_size, "playouts by %s%s%s, life and death by %s",
             alone || both ? "scalar" : "", both ? " and " : "", alone ? "" : leaves->name,
             judge.name);
}

enum yo_err yo_go_make_flat(const struct yo_search_setup *setup, struct yo_search *search,
                            struct yo_diag *diag) {
    struct yo_flat_options flat = {.policy = YO_PLAYOUT_LIGHT, .seed = setup->seed};
    struct yo_eval_about about;
    yo_search_destroy(search);
    setup->playouts.ops->describe(setup->playouts.ctx, (int)flat.policy, &about);
    snprintf(setup->plays, setup->plays_size, "playouts by %s", about.name);
    enum yo_err err = yo_flat_new(setup->playouts, &flat, search);
    return err ? yo_diag_set(diag, err, "no memory for the search") : YO_OK;
}

enum yo_err yo_go_make_uct(const struct yo_search_setup *setup, struct yo_search *search,
                           struct yo_diag *diag) {
    struct yo_eval_about about;
    struct yo_uct_go_options uct = {.tree = {.seed = setup->seed, .threads = setup->threads}};
    yo_search_destroy(search);
    yo_uct_go_options_read(setup->options, &uct);
    uct.patterns = setup->patterns;
    uct.tree.notices = setup->notices;
    setup->playouts.ops->describe(setup->playouts.ctx,
                                  (int)yo_uct_policy(&uct, YO_GO_SIZE_MAX, false), &about);
    choose_leaves(&about, &uct.tree);
    say_what_plays(setup, &uct.tree, &about);
    return yo_uct_go_new(setup->playouts, &uct, search, diag);
}

static enum yo_err make_search(struct yo_engine *engine, const struct yo_engine_setup *setup,
                               struct yo_diag *diag) {
    struct yo_search_setup inner = {.game = YO_SESSION_GO,
                                    .options = setup->options,
                                    .playouts = engine->eval,
                                    .net = engine->mix.ops ? engine->mix : engine->net,
                                    .threads = setup->threads ? setup->threads : yo_cpu_count(),
                                    .seed = setup->seed,
                                    .notices = setup->notices,
                                    .patterns = setup->patterns,
                                    .plays = engine->plays,
                                    .plays_size = sizeof engine->plays,
                                    .strict = setup->strict,
                                    .at_once = setup->at_once,
                                    .notice = setup->notice,
                                    .user = setup->user};
    const char *name = yo_options_text(setup->options, "search");
    if (strcmp(name, "auto") == 0 && engine->net.ops) name = "puct";
    const struct yo_search_kind *kind =
        yo_search_kind_find(setup->kinds, YO_SESSION_GO, name, diag);
    if (kind) inner.search = kind->name;
    return kind ? kind->make(&inner, &engine->search, diag) : YO_ERR_UNKNOWN;
}

enum yo_err yo_engine_start(struct yo_engine *engine, const struct yo_engine_setup *setup,
                            struct yo_diag *diag) {
    if (engine->search.ops) return YO_OK;
    struct yo_playout_env env = {.patterns = setup->patterns, .notices = setup->notices};
    enum yo_err err =
        yo_playouts_eval_open_with(setup->backend, &env, setup->threads, &engine->eval, diag);
    if (err) return err;
    const struct yo_go_net_setup net = {.size = setup->size,
                                        .threads = setup->threads,
                                        .notices = setup->notices,
                                        .nets = setup->nets};
    if (yo_go_net_is_wanted(setup->options, setup->patterns))
        err = yo_go_net_open(setup->options, &net, &engine->net, diag);
    engine->size = setup->size;
    if (!err && engine->net.ops)
        err = yo_go_net_mix(setup->options, setup->seed, engine->net, engine->eval, &engine->mix,
                            diag);
    if (!err) err = make_search(engine, setup, diag);
    if (err) yo_engine_stop(engine);
    return err;
}
