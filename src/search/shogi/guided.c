#include "search/shogi/guided.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/time.h"
#include "game/shogi/game.h"
#include "game/shogi/movegen.h"
#include "search/around.h"
#include "search/shogi/proof.h"

/* Fifty positions take a core a few hundredths of the time that it takes to evaluate a network, and
 * twice as long as all else that a visit costs it if a GPU does that. */
enum { LEAF_MATE = 50, LEAF_MATE_GPU = 10 };

enum {
    ROOT_TABLE_MB = 16,
    ROOT_SHARE = 8 /* of the time: at most one part of this many for the mate search */
};

struct shogi_guided {
    struct yo_search_around around;
    struct yo_shogi_prover prover;
    uint64_t root_nodes;
    struct yo_dfpn *root_solver; /* NULL: no mate search at the root */
    struct yo_dfpn_answer mate;
    struct yo_shogi_past alone; /* the history of a root that is searched without its own */

    /* The search that runs, or ran last. */
    const struct yo_shogi_position *root;
    size_t lines;
    yo_search_report_fn report;
    void *user;

    /* What a result points to. */
    struct yo_search_move *moves;
    yo_move *lines_moves; /* YO_SHOGI_PROOF_LINE for each move */
};

/* ---- hooks ---- */

/* A client may have a position analysed at which the rules end the game. It is searched as if the
 * game began there, without limits of length and without declarations. */
static void begin(void *ctx, void *position) {
    struct shogi_guided *g = ctx;
    struct yo_shogi_state *state = position;
    if (yo_shogi_state_outcome(state) == YO_OUTCOME_NONE || !yo_shogi_can_move(&state->position))
        return;
    const struct yo_shogi_rules free_rules = {.entering = YO_SHOGI_ENTER_NONE};
    struct yo_shogi_position alone = state->position;
    yo_shogi_state_init(state, &alone, &free_rules, &g->alone);
}

/* The first repetition counts, as in alpha-beta: what is right to play once is right again. It
 * proves nothing, since the rules end the game only at the fourth occurrence. */
static enum yo_outcome outcome(void *ctx, const void *position, bool *proven) {
    (void)ctx;
    enum yo_outcome by_rules = yo_shogi_state_outcome(position);
    if (by_rules != YO_OUTCOME_NONE) return by_rules;
    enum yo_outcome repetition = yo_shogi_state_repetition(position, 1);
    if (repetition != YO_OUTCOME_NONE) *proven = false;
    return repetition;
}

static enum yo_outcome prove(void *ctx, int thread, const void *position, unsigned visits) {
    const struct shogi_guided *g = ctx;
    const struct yo_shogi_state *state = position;
    if (!yo_shogi_prover_mates(&g->prover, thread, state, visits)) return YO_OUTCOME_NONE;
    return state->position.side == YO_SHOGI_BLACK ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
}

/* Did the last move only move a piece, so that the same piece can undo it? */
static bool can_go_back(const struct yo_shogi_state *state, yo_shogi_move last) {
    const struct yo_shogi_position *pos = &state->position;
    int from = shogi_from(last), to = shogi_to(last);
    if (shogi_is_drop(last) || shogi_promotes(last)) return false;
    if (shogi_kind(pos->board[to]) == YO_SHOGI_PAWN) return false;
    const struct yo_shogi_tables *t = &yo_shogi_tables;
    uint64_t back = shogi_hash(pos) ^ t->side_key ^ t->piece_key[pos->board[to]][to] ^
                    t->piece_key[pos->board[to]][from];
    const struct yo_shogi_past *before = state->played > 1
                                             ? &state->recent[(state->played - 2) % YO_SHOGI_RECENT]
                                             : &state->game[state->game_count - 1];
    return before->hash == back;
}

/* Repetition, and who gave check all the while, depend on the moves before. After a capture, a
 * drop, a promotion or a move of a pawn no earlier position comes again soon. */
uint64_t yo_shogi_guided_key(const struct yo_shogi_state *state, yo_shogi_move last) {
    if (shogi_in_check(&state->position) || can_go_back(state, last)) return 0;
    if (yo_shogi_state_repetition(state, 1) != YO_OUTCOME_NONE) return 0;
    uint64_t key = yo_mix64(shogi_hash(&state->position));
    return key ? key : 1;
}

static uint64_t position_key(void *ctx, const void *position, yo_move last) {
    (void)ctx;
    return yo_shogi_guided_key(position, (yo_shogi_move)last);
}

/* ---- results ---- */

/* The tree's result, with the mates behind the moves that are shown. */
static void complete(struct shogi_guided *g, struct yo_search_result *result) {
    size_t count = result->move_count;
    if (count == 0) return;
    memcpy(g->moves, result->moves, count * sizeof *g->moves);
    for (size_t i = 0; i < count && i < g->lines; i++)
        yo_shogi_prover_show(&g->prover, g->root, &g->moves[i],
                             g->lines_moves + i * YO_SHOGI_PROOF_LINE);
    result->moves = g->moves;
    result->depth = (int)g->moves[0].pv_count;
}

static void pass_on(void *ctx, const struct yo_search_result *so_far) {
    struct shogi_guided *g = ctx;
    struct yo_search_result result = *so_far;
    complete(g, &result);
    g->report(g->user, &result);
}

/* ---- the root ---- */

static bool find_mate(struct shogi_guided *g, const struct yo_shogi_game *game,
                      const struct yo_search_limits *limits, const atomic_bool *stop) {
    struct yo_dfpn_limits inner = {.nodes = g->root_nodes};
    if (!g->root_solver || limits->only || limits->avoid_count || limits->lines > 1) return false;
    int64_t end = yo_search_clock_end(limits->clock), left_ms = end - yo_time_ms();
    if (end) inner.time_ms = (left_ms > 0 ? left_ms : 0) / ROOT_SHARE + 1;
    yo_dfpn_solve(g->root_solver, g->root, &inner, stop, &g->mate);
    bool over = game->rules.max_moves && g->root->ply >= game->rules.max_moves;
    return g->mate.result == YO_DFPN_MATE && g->mate.length > 0 &&
           g->mate.length <= YO_SHOGI_PROOF_LINE &&
           (over || yo_shogi_mate_is_in_time(g->root, &game->rules, g->mate.length));
}

static void fill_mate(struct shogi_guided *g, struct yo_search_result *result) {
    size_t length = g->mate.length;
    for (size_t i = 0; i < length; i++)
        g->lines_moves[i] = g->mate.line[i];
    g->moves[0] = (struct yo_search_move){.move = g->lines_moves[0],
                                          .winrate_to_move = 1,
                                          .proven = true,
                                          .lcb_to_move = 1,
                                          .mate = (int)length,
                                          .depth = (int)length,
                                          .pv = g->lines_moves,
                                          .pv_count = length};
    *result = (struct yo_search_result){.moves = g->moves,
                                        .move_count = 1,
                                        .nodes = g->mate.nodes,
                                        .depth = (int)length,
                                        .elapsed_ms = g->mate.elapsed_ms};
}

/* ---- a search ---- */

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *asked,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct shogi_guided *g = ctx;
    struct yo_search_limits limits = *asked;
    struct yo_search_clock own;
    limits.clock = yo_search_clock_begin(asked, &own);
    limits.time_ms = limits.extra_ms = 0;
    g->root = shogi_game_now(game);
    g->lines = asked->lines ? asked->lines : 1;
    g->report = report;
    g->user = user;
    g->prover.stop = stop;
    if (find_mate(g, game, &limits, stop)) {
        fill_mate(g, result);
        if (report) report(user, result);
        return YO_OK;
    }
    struct yo_search inner = g->around.inner;
    enum yo_err err =
        inner.ops->run(inner.ctx, game, &limits, stop, report ? pass_on : NULL, g, result, diag);
    g->prover.stop = NULL; /* what is shown is searched again, stopped or not */
    if (!err) complete(g, result);
    return err;
}

static void destroy(void *ctx) {
    struct shogi_guided *g = ctx;
    if (g->around.inner.ops) g->around.inner.ops->destroy(g->around.inner.ctx);
    yo_dfpn_delete(g->root_solver);
    yo_shogi_prover_free(&g->prover);
    yo_free(g->moves);
    yo_free(g->lines_moves);
    yo_free(g);
}

/* ---- making ---- */

void yo_shogi_guided_options_default(struct yo_shogi_guided_options *options) {
    yo_guided_options_default(&options->tree);
    options->tree.cpuct = 1.6f;
    options->tree.policy_temperature = options->tree.root_policy_temperature = 1.4f;
    options->tree.fpu = 0.3f;
    options->leaf_mate = -1;
    options->node_mate = 2;
    options->root_mate = 20000;
}

void yo_shogi_guided_options_read(const struct yo_options *from,
                                  struct yo_shogi_guided_options *options) {
    yo_guided_options_read(from, &options->tree);
    options->leaf_mate = yo_options_int(from, "leaf-mate");
    options->node_mate = (unsigned)yo_options_int(from, "node-mate");
    options->root_mate = (uint64_t)yo_options_int(from, "root-mate");
}

static enum yo_err make(struct shogi_guided *g, struct yo_eval eval,
                        const struct yo_shogi_guided_options *options, struct yo_diag *diag) {
    struct yo_guided_hooks hooks = {
        .begin = begin, .outcome = outcome, .position_key = position_key, .ctx = g};
    int threads = options->tree.threads;
    int64_t leaf_mate = options->leaf_mate;
    struct yo_eval_about about;
    eval.ops->describe(eval.ctx, 0, &about);
    if (leaf_mate < 0) leaf_mate = about.on_gpu ? LEAF_MATE_GPU : LEAF_MATE;
    if (leaf_mate || options->node_mate) hooks.prove = prove;
    g->root_nodes = options->root_mate;
    g->moves = yo_alloc(YO_SHOGI_MOVES_MAX, sizeof *g->moves);
    g->lines_moves =
        yo_alloc((size_t)YO_SHOGI_MOVES_MAX * YO_SHOGI_PROOF_LINE, sizeof *g->lines_moves);
    enum yo_err err = g->moves && g->lines_moves ? YO_OK : YO_ERR_NOMEM;
    if (threads > YO_POOL_THREADS_MAX) threads = YO_POOL_THREADS_MAX;
    if (!err)
        err = yo_shogi_prover_init(&g->prover, threads, (uint64_t)leaf_mate, options->node_mate);
    if (!err && g->root_nodes) err = yo_dfpn_new(ROOT_TABLE_MB, &g->root_solver);
    if (err) return yo_diag_set(diag, err, "no memory for the search");
    return yo_guided_search_new(&yo_shogi_ops, eval, &hooks, &options->tree, &g->around.inner,
                                diag);
}

enum yo_err yo_shogi_guided_new(struct yo_eval eval, const struct yo_shogi_guided_options *options,
                                struct yo_search *search, struct yo_diag *diag) {
    struct shogi_guided *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    enum yo_err err = make(g, eval, options, diag);
    if (err) {
        destroy(g);
        return err;
    }
    static const struct yo_search_ops outer = {.run = run, .destroy = destroy};
    *search = yo_search_around_new(&g->around, g->around.inner, &outer);
    return YO_OK;
}
