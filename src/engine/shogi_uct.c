#include "engine/shogi_uct.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/shogi/values.h"
#include "game/shogi/game_ops.h"
#include "search/uct/search.h"

/* The tree and its evaluator. */
struct tree {
    struct yo_search_ops ops; /* the inner search's, with the functions below */
    struct yo_search inner;
    struct yo_eval values;
};

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search inner = ((struct tree *)ctx)->inner;
    return inner.ops->run(inner.ctx, game, limits, stop, report, user, result, diag);
}

static void clear(void *ctx) {
    struct yo_search inner = ((struct tree *)ctx)->inner;
    inner.ops->clear(inner.ctx);
}

static uint64_t entry_kind(void *ctx) {
    struct yo_search inner = ((struct tree *)ctx)->inner;
    return inner.ops->entry_kind(inner.ctx);
}

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    struct yo_search inner = ((struct tree *)ctx)->inner;
    return inner.ops->take_entries(inner.ctx, entries, most);
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    struct yo_search inner = ((struct tree *)ctx)->inner;
    inner.ops->give_entries(inner.ctx, entries, count);
}

static void destroy(void *ctx) {
    struct tree *t = ctx;
    yo_search_destroy(&t->inner);
    if (t->values.ops) t->values.ops->destroy(t->values.ctx);
    yo_free(t);
}

/* As large as memory allows. */
static enum yo_err make_tree(const struct yo_search_setup *setup, struct yo_uct_options *uct,
                             struct tree *t, struct yo_diag *diag) {
    enum yo_err err = YO_ERR_NOMEM;
    for (size_t room = yo_search_setup_memory(setup); err == YO_ERR_NOMEM && room > 0;
         room = setup->strict ? 0 : room / 2) {
        uct->memory_mb = room;
        err = yo_uct_search_new(&yo_shogi_ops, t->values, uct, &t->inner, diag);
        if (!err) yo_search_setup_tell_memory(setup, room);
    }
    return err;
}

enum yo_err yo_shogi_make_uct(const struct yo_search_setup *setup, struct yo_search *search,
                              struct yo_diag *diag) {
    struct yo_uct_options uct = {.seed = setup->seed, .threads = setup->threads};
    struct tree *t = yo_alloc(1, sizeof *t);
    yo_search_destroy(search);
    if (!t) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    yo_uct_options_read(setup->options, &uct);
    enum yo_err err = yo_shogi_values_new(setup->eval, &t->values, diag);
    if (!err) err = make_tree(setup, &uct, t, diag);
    if (err) {
        destroy(t);
        return err;
    }
    t->ops = *t->inner.ops;
    t->ops.run = run;
    t->ops.clear = clear;
    t->ops.destroy = destroy;
    t->ops.entry_kind = entry_kind;
    t->ops.take_entries = take_entries;
    t->ops.give_entries = give_entries;
    *search = (struct yo_search){&t->ops, t};
    return YO_OK;
}
