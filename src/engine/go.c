#include "engine/go.h"

#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "eval/net/evaluator.h"
#include "eval/playout/playouts.h"
#include "game/go/game_ops.h"
#include "search/go/flat.h"
#include "search/go/guided.h"
#include "search/go/uct.h"

const char *const yo_engine_kinds[] = {
    [YO_ENGINE_AUTO] = "auto", [YO_ENGINE_UCT] = "uct",   [YO_ENGINE_FLAT] = "flat",
    [YO_ENGINE_PUCT] = "puct", [YO_ENGINE_MCSS] = "mcss", NULL};

const struct yo_option yo_engine_options[] = {YO_ENGINE_OPTION_ROWS, YO_OPTIONS_END};

/* None of the rows is a string, so values can be copied as they are. */
void yo_engine_options_copy(const struct yo_options *from, struct yo_options *to) {
    for (size_t i = 0; to->rows[i].key; i++)
        for (size_t j = 0; from->rows[j].key; j++)
            if (strcmp(from->rows[j].key, to->rows[i].key) == 0) to->values[i] = from->values[j];
}

void yo_engine_stop(struct yo_engine *engine) {
    if (engine->search.ops) engine->search.ops->destroy(engine->search.ctx);
    if (engine->net.ops) engine->net.ops->destroy(engine->net.ctx);
    if (engine->eval.ops) engine->eval.ops->destroy(engine->eval.ctx);
    *engine = (struct yo_engine){0};
}

/* A playout at once, in the thread that wants it, is worth more than any batch where the evaluator
 * gains nothing by batches. */
static void choose_leaves(const struct yo_eval_about *about, struct yo_uct_options *uct) {
    if (uct->leaves == 0) uct->leaves = (unsigned)about->batch;
    if (uct->leaf_playouts == 0)
        uct->leaf_playouts = about->playouts ? (unsigned)about->playouts : 1;
}

static bool in_batches(const struct yo_uct_options *uct) {
    return uct->leaves > 1 || uct->leaf_playouts > 1;
}

/* What plays in the tree, and where life and death are judged. Leaves that do not wait for their
 * batch get a playout of the thread's own as well. */
static void say_what_plays(struct yo_engine *engine, const struct yo_uct_options *uct,
                           const struct yo_eval_about *leaves) {
    struct yo_eval_about judge;
    bool alone = !in_batches(uct), both = !alone && !uct->leaf_wait;
    engine->eval.ops->describe(engine->eval.ctx, YO_PLAYOUT_LIGHT, &judge);
    snprintf(engine->plays, sizeof engine->plays, "playouts by %s%s%s, life and death by %s",
             alone || both ? "scalar" : "", both ? " and " : "", alone ? "" : leaves->name,
             judge.name);
}

static enum yo_err make_flat(struct yo_engine *engine, uint64_t seed, struct yo_diag *diag) {
    struct yo_flat_options flat = {.policy = YO_PLAYOUT_LIGHT, .seed = seed};
    struct yo_eval_about about;
    engine->eval.ops->describe(engine->eval.ctx, (int)flat.policy, &about);
    snprintf(engine->plays, sizeof engine->plays, "playouts by %s", about.name);
    enum yo_err err = yo_flat_new(engine->eval, &flat, &engine->search);
    return err ? yo_diag_set(diag, err, "no memory for the search") : YO_OK;
}

/* ---- networks ---- */

const char *const yo_engine_symmetries[] = {"random", "all", "0", "1", "2", "3",
                                            "4",      "5",   "6", "7", NULL};

static int symmetry_of(size_t choice) {
    return choice == 0   ? YO_NET_SYMMETRY_RANDOM
           : choice == 1 ? YO_NET_SYMMETRY_ALL
                         : (int)choice - 2;
}

struct yo_engine_net yo_engine_net_options(const struct yo_options *options) {
    return (struct yo_engine_net){.path = yo_options_text(options, "net"),
                                  .backend = yo_options_text(options, "net-backend"),
                                  .symmetry =
                                      symmetry_of(yo_options_choice(options, "net-symmetry")),
                                  .cache_mb = (size_t)yo_options_int(options, "net-cache")};
}

static enum yo_err open_net(struct yo_engine *engine, const struct yo_engine_setup *setup,
                            struct yo_diag *diag) {
    struct yo_net_eval_options options = {.symmetry = setup->net.symmetry,
                                          .cache_bytes = setup->net.cache_mb << 20};
    if (setup->net.backend) {
        options.backend = yo_net_backend_find(setup->net.backend, diag);
        if (!options.backend) return YO_ERR_ARGUMENT;
    }
    return yo_net_eval_open(setup->net.path, &options, &engine->net, diag);
}

static enum yo_err make_guided(struct yo_engine *engine, const struct yo_engine_setup *setup,
                               enum yo_guided_mode mode, struct yo_diag *diag) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks();
    struct yo_guided_options options;
    struct yo_eval_about about;
    if (!engine->net.ops) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "this search needs a network");
        yo_diag_hint(diag, "give one with --net FILE");
        return YO_ERR_ARGUMENT;
    }
    yo_guided_options_default(&options);
    yo_guided_options_read(setup->options, &options);
    options.mode = mode;
    options.seed = setup->seed;
    options.threads = setup->threads ? setup->threads : yo_cpu_count();
    engine->net.ops->describe(engine->net.ctx, 0, &about);
    snprintf(engine->plays, sizeof engine->plays, "network %s", about.name);
    return yo_guided_search_new(&yo_go_ops, engine->net, &hooks, &options, &engine->search, diag);
}

static enum yo_err make_search(struct yo_engine *engine, const struct yo_engine_setup *setup,
                               struct yo_diag *diag) {
    size_t kind = yo_options_choice(setup->options, "search");
    if (kind == YO_ENGINE_AUTO) kind = engine->net.ops ? YO_ENGINE_PUCT : YO_ENGINE_UCT;
    if (kind == YO_ENGINE_FLAT) return make_flat(engine, setup->seed, diag);
    if (kind == YO_ENGINE_PUCT) return make_guided(engine, setup, YO_GUIDED_PUCT, diag);
    if (kind == YO_ENGINE_MCSS) return make_guided(engine, setup, YO_GUIDED_MCSS, diag);
    struct yo_eval_about about;
    struct yo_uct_options uct = {.seed = setup->seed,
                                 .threads = setup->threads ? setup->threads : yo_cpu_count()};
    yo_uct_options_read(setup->options, &uct);
    engine->eval.ops->describe(engine->eval.ctx, (int)yo_uct_policy(&uct, YO_GO_SIZE_MAX, false),
                               &about);
    choose_leaves(&about, &uct);
    say_what_plays(engine, &uct, &about);
    return yo_uct_go_new(engine->eval, &uct, &engine->search, diag);
}

enum yo_err yo_engine_start(struct yo_engine *engine, const struct yo_engine_setup *setup,
                            struct yo_diag *diag) {
    if (engine->search.ops) return YO_OK;
    enum yo_err err = yo_playouts_eval_open(setup->backend, setup->threads, &engine->eval, diag);
    if (err) return err;
    if (setup->net.path) err = open_net(engine, setup, diag);
    if (!err) err = make_search(engine, setup, diag);
    if (err) yo_engine_stop(engine);
    return err;
}
