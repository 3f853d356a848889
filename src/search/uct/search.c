#include "search/uct/search.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "search/share.h"
#include "search/uct/uct.h"

/* The tree is kept if the game has continued by at most this many moves. */
#define KEPT_MOVES 16

struct uct_search {
    const struct yo_game_ops *game;
    struct yo_uct *uct;
    bool reuse;
    struct yo_game_mark mark; /* of the game that the tree belongs to */
    void *position;
    yo_move *only;
    size_t only_count;
    uint64_t kind; /* of what it exchanges */
};

/* Advances the tree to the current position of the game, or clears it. */
static void follow(struct uct_search *s, const void *game) {
    yo_move moves[KEPT_MOVES];
    size_t count = 0;
    const struct yo_game_ops *ops = s->game;
    if (s->reuse && ops->since && ops->since(game, &s->mark, moves, KEPT_MOVES, &count))
        for (size_t i = 0; i < count; i++)
            yo_uct_advance(s->uct, moves[i]);
    else
        yo_uct_clear(s->uct);
    if (ops->mark) s->mark = ops->mark(game);
    yo_uct_set_key(s->uct, s->mark.key);
    ops->from_game(game, s->position);
}

static void gather(struct uct_search *s, const struct yo_search_limits *limits) {
    size_t count = s->game->moves(s->position, s->only), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (yo_search_allows(limits, s->only[i])) s->only[kept++] = s->only[i];
    s->only_count = kept;
}

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct uct_search *s = ctx;
    struct yo_search_limits inner = *limits;
    follow(s, game);
    gather(s, limits);
    /* A simulation adds a node. */
    if (limits->nodes && (!limits->playouts || limits->nodes < limits->playouts))
        inner.playouts = limits->nodes;
    enum yo_err err = yo_uct_run(s->uct, s->position, s->only, s->only_count, &inner, stop, report,
                                 user, result, diag);
    if (!err) result->nodes = result->playouts;
    return err;
}

static void clear(void *ctx) {
    struct uct_search *s = ctx;
    s->mark = (struct yo_game_mark){0};
    yo_uct_clear(s->uct);
}

static void destroy(void *ctx) {
    struct uct_search *s = ctx;
    yo_uct_delete(s->uct);
    yo_free_aligned(s->position);
    yo_free(s->only);
    yo_free(s);
}

/* ---- exchange with other processes ---- */

static uint64_t entry_kind(void *ctx) { return ((struct uct_search *)ctx)->kind; }

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    return yo_share_take(yo_uct_share_of(((struct uct_search *)ctx)->uct), entries, most);
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    yo_share_give(yo_uct_share_of(((struct uct_search *)ctx)->uct), entries, count);
}

static const struct yo_search_ops ops = {
    .name = "uct",
    .limits = YO_LIMIT_TIME | YO_LIMIT_PLAYOUTS | YO_LIMIT_NODES | YO_LIMIT_MOVES |
              YO_LIMIT_DETAILS | YO_LIMIT_LINES,
    .run = run,
    .clear = clear,
    .destroy = destroy,
    .entry_kind = entry_kind,
    .take_entries = take_entries,
    .give_entries = give_entries,
};

static bool allocate(struct uct_search *s) {
    s->position = yo_alloc_aligned(s->game->position_size);
    s->only = yo_alloc(s->game->max_moves, sizeof *s->only);
    return s->position && s->only;
}

enum yo_err yo_uct_search_new(const struct yo_game_ops *game, struct yo_eval eval,
                              const struct yo_uct_options *options, struct yo_search *search,
                              struct yo_diag *diag) {
    struct uct_search *s = yo_alloc(1, sizeof *s);
    if (!s) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    s->game = game;
    s->reuse = options->reuse;
    enum yo_err err =
        allocate(s) ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    if (!err)
        err = yo_uct_new(game, (struct yo_rollouts){0}, (struct yo_priors){0}, options, &s->uct,
                         diag);
    if (!err) err = yo_uct_use_eval(s->uct, eval, 0, diag);
    if (!err) {
        struct yo_eval_about about;
        eval.ops->describe(eval.ctx, 0, &about);
        s->kind = yo_share_kind("uct", about.name);
    }
    if (err) {
        destroy(s);
        return err;
    }
    *search = (struct yo_search){&ops, s};
    return YO_OK;
}
