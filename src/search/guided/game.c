/* The search for whole games. It keeps its tree while the game continues. */
#include "base/alloc.h"
#include "base/diag.h"
#include "search/guided/guided.h"
#include "search/share.h"

/* With more moves than this since the last search the game counts as a new one. */
#define GONE_ON_MAX 64

struct guided_game {
    const struct yo_game_ops *ops;
    struct yo_guided_hooks hooks;
    struct yo_guided *tree;
    struct yo_game_mark mark; /* the game that the tree belongs to */
    bool reuse;
    size_t advised; /* plies from the root on whose policies hold advice */
    void *position;
    yo_move *only;
};

static void forget(struct guided_game *g) {
    g->advised = 0;
    yo_guided_clear(g->tree);
}

/* An analysis shows the network's policy, not the advice that a search for a move was given. */
static void keep(struct guided_game *g, const void *game, bool analysis) {
    yo_move moves[GONE_ON_MAX];
    size_t count = 0;
    if (g->reuse && g->ops->since && g->ops->since(game, &g->mark, moves, GONE_ON_MAX, &count)) {
        for (size_t i = 0; i < count; i++)
            yo_guided_advance(g->tree, moves[i]);
        g->advised -= count < g->advised ? count : g->advised;
        if (analysis && g->advised > 0) forget(g);
    } else {
        forget(g);
    }
    g->mark = g->ops->mark ? g->ops->mark(game) : (struct yo_game_mark){0};
    yo_guided_set_key(g->tree, g->mark.key);
}

/* Of a game with null moves: if the limits leave no legal move, the null move is searched. */
static void allow_any(struct guided_game *g, struct yo_search_limits *limits) {
    size_t count = g->ops->moves(g->position, g->only);
    for (size_t i = 0; i < count; i++)
        if (yo_search_allows(limits, g->only[i])) return;
    if (g->ops->move_null == YO_MOVE_NONE) return;
    g->only[0] = g->ops->move_null;
    limits->only = g->only;
    limits->only_count = 1;
    limits->avoid_count = 0;
}

/* The moves that the limits allow and, of those, the ones that hooks.root_moves returns, if any. */
static enum yo_err choose_moves(struct guided_game *g, const void *game,
                                struct yo_search_limits *limits, struct yo_diag *diag) {
    size_t count = 0, kept = 0;
    if (limits->only || limits->avoid_count) allow_any(g, limits);
    if (!g->hooks.root_moves || limits->only) return YO_OK;
    enum yo_err err = g->hooks.root_moves(g->hooks.ctx, game, limits->clean_up, g->only, &count);
    if (err) return yo_diag_set(diag, err, "no memory to look at the moves");
    for (size_t i = 0; i < count; i++)
        if (yo_search_allows(limits, g->only[i])) g->only[kept++] = g->only[i];
    if (kept > 0) {
        limits->only = g->only;
        limits->only_count = kept;
    }
    return YO_OK;
}

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *asked,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct guided_game *g = ctx;
    struct yo_search_limits limits = *asked;
    g->ops->from_game(game, g->position);
    if (g->hooks.begin) g->hooks.begin(g->hooks.ctx, g->position);
    keep(g, game, limits.whole && !limits.reads);
    /* A simulation adds a node. */
    if (limits.nodes && (!limits.playouts || limits.nodes < limits.playouts))
        limits.playouts = limits.nodes;
    struct yo_guided_advice advice = {0};
    enum yo_err err = YO_OK;
    if (g->hooks.advise)
        err = g->hooks.advise(g->hooks.ctx, g->hooks.playouts, game, &limits, stop, &advice, diag);
    if (!err) err = choose_moves(g, game, &limits, diag);
    if (err) return err;
    yo_guided_advise(g->tree, &advice);
    if (advice.count[0] + advice.count[1] > 0) g->advised = 2;
    return yo_guided_run(g->tree, g->position, &limits, stop, report, user, result, diag);
}

static void clear(void *ctx) {
    struct guided_game *g = ctx;
    g->mark = (struct yo_game_mark){0};
    forget(g);
    yo_guided_reseed(g->tree); /* what is asked next must not depend on what was asked before */
}

static void destroy(void *ctx) {
    struct guided_game *g = ctx;
    yo_guided_delete(g->tree);
    yo_free_aligned(g->position);
    yo_free(g->only);
    yo_free(g);
}

/* ---- exchange with other processes ---- */

static uint64_t entry_kind(void *ctx) {
    return yo_guided_share_kind(((struct guided_game *)ctx)->tree);
}

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    struct yo_guided *tree = ((struct guided_game *)ctx)->tree;
    if (!yo_guided_share_kind(tree)) return 0;
    return yo_share_take(yo_guided_share_of(tree), entries, most);
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    struct yo_guided *tree = ((struct guided_game *)ctx)->tree;
    if (yo_guided_share_kind(tree)) yo_share_give(yo_guided_share_of(tree), entries, count);
}

#define LIMITS                                                                                     \
    (YO_LIMIT_TIME | YO_LIMIT_PLAYOUTS | YO_LIMIT_VISITS | YO_LIMIT_NODES | YO_LIMIT_MOVES |       \
     YO_LIMIT_CLEAN_UP | YO_LIMIT_DETAILS | YO_LIMIT_LINES)

enum yo_err yo_guided_search_new(const struct yo_game_ops *game, struct yo_eval eval,
                                 const struct yo_guided_hooks *hooks,
                                 const struct yo_guided_options *options, struct yo_search *search,
                                 struct yo_diag *diag) {
    static const struct yo_search_ops puct = {.name = "puct",
                                              .limits = LIMITS,
                                              .run = run,
                                              .clear = clear,
                                              .destroy = destroy,
                                              .entry_kind = entry_kind,
                                              .take_entries = take_entries,
                                              .give_entries = give_entries};
    static const struct yo_search_ops mcss = {
        .name = "mcss", .limits = LIMITS, .run = run, .clear = clear, .destroy = destroy};
    struct guided_game *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    g->ops = game;
    g->reuse = options->reuse;
    if (hooks) g->hooks = *hooks;
    g->position = yo_alloc_aligned(game->position_size);
    g->only = yo_alloc(game->max_moves, sizeof *g->only);
    enum yo_err err = YO_OK;
    if (!g->position || !g->only) err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    if (!err) err = yo_guided_new(game, eval, hooks, options, &g->tree, diag);
    if (err)
        destroy(g);
    else
        *search = (struct yo_search){options->mode == YO_GUIDED_MCSS ? &mcss : &puct, g};
    return err;
}
