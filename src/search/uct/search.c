#include "search/uct/search.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "search/uct/uct.h"

/* The tree is kept over our move and the reply to it. */
#define KEPT_PLIES 2

struct uct_search {
    const struct yo_game_ops *game;
    struct yo_uct *uct;
    bool reuse;
    bool kept; /* the tree is that of `position` */
    void *position, *next;
    void *tried[KEPT_PLIES];    /* positions on the way from one to the other */
    yo_move *moves[KEPT_PLIES]; /* game->max_moves of each of them */
    yo_move *only;
    size_t only_count;
};

/* Plays on from `from` until a position has the hash. Returns how many plies were played, their
 * moves in line[]; or -1. */
static int find_line(const struct uct_search *s, const void *from, uint64_t hash, int ply,
                     yo_move *line) {
    const struct yo_game_ops *game = s->game;
    if (game->hash(from) == hash) return ply;
    if (ply == KEPT_PLIES) return -1;
    size_t count = game->moves(from, s->moves[ply]);
    for (size_t i = 0; i < count; i++) {
        line[ply] = s->moves[ply][i];
        memcpy(s->tried[ply], from, game->position_size);
        game->play(s->tried[ply], line[ply]);
        int found = find_line(s, s->tried[ply], hash, ply + 1, line);
        if (found >= 0) return found;
    }
    return -1;
}

/* Keeps what the tree has of the new position. */
static void follow(struct uct_search *s) {
    yo_move line[KEPT_PLIES];
    int plies = -1;
    if (s->kept && s->reuse) plies = find_line(s, s->position, s->game->hash(s->next), 0, line);
    if (plies < 0) yo_uct_clear(s->uct);
    for (int i = 0; i < plies; i++)
        yo_uct_advance(s->uct, line[i]);
    memcpy(s->position, s->next, s->game->position_size);
    s->kept = true;
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
    s->game->from_game(game, s->next);
    follow(s);
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
    s->kept = false;
    yo_uct_clear(s->uct);
}

static void destroy(void *ctx) {
    struct uct_search *s = ctx;
    yo_uct_delete(s->uct);
    yo_free_aligned(s->position);
    yo_free_aligned(s->next);
    for (int i = 0; i < KEPT_PLIES; i++) {
        yo_free_aligned(s->tried[i]);
        yo_free(s->moves[i]);
    }
    yo_free(s->only);
    yo_free(s);
}

static const struct yo_search_ops ops = {
    .name = "uct",
    .limits = YO_LIMIT_TIME | YO_LIMIT_PLAYOUTS | YO_LIMIT_NODES | YO_LIMIT_MOVES |
              YO_LIMIT_DETAILS | YO_LIMIT_LINES,
    .run = run,
    .clear = clear,
    .destroy = destroy,
};

static bool allocate(struct uct_search *s) {
    size_t bytes = s->game->position_size, moves = s->game->max_moves;
    s->position = yo_alloc_aligned(bytes);
    s->next = yo_alloc_aligned(bytes);
    s->only = yo_alloc(moves, sizeof *s->only);
    bool good = s->position && s->next && s->only;
    for (int i = 0; i < KEPT_PLIES; i++) {
        s->tried[i] = yo_alloc_aligned(bytes);
        s->moves[i] = yo_alloc(moves, sizeof *s->moves[i]);
        good = good && s->tried[i] && s->moves[i];
    }
    return good;
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
    if (err) {
        destroy(s);
        return err;
    }
    *search = (struct yo_search){&ops, s};
    return YO_OK;
}
