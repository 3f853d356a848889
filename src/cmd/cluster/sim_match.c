#include "cmd/cluster/sim_match.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/stats.h"
#include "cmd/cluster/sim_games.h"
#include "cmd/cluster/sim_shared.h"

/* A side resigns when it is so far behind by its own search, in centipawns. */
enum { RESIGN = 3000 };

struct match {
    const struct yo_sim_setup *setup;
    struct yo_sim *sim;
    struct yo_sim *rival;         /* the opponent is this cluster, */
    struct yo_sim_shared *shared; /* or one machine */
    void *position;               /* to write moves */
};

/* The best move, or YO_MOVE_NONE for a resignation. */
static yo_move decide(const struct yo_search_result *result) {
    const struct yo_search_move *best = &result->moves[0];
    if (result->move_count == 0) return YO_MOVE_NONE;
    bool lost = best->mate < 0 || (best->mate == 0 && yo_search_centipawns(best) <= -RESIGN);
    return lost ? YO_MOVE_NONE : best->move;
}

static enum yo_err think(struct match *m, bool cluster, const void *game, yo_move *move,
                         struct yo_diag *diag) {
    struct yo_search_result result;
    struct yo_sim *sim = cluster ? m->sim : m->rival;
    enum yo_err err = sim ? yo_sim_think(sim, game, m->setup->move_ms, &result, diag)
                          : yo_sim_shared_think(m->shared, game, &result, diag);
    if (!err) *move = decide(&result);
    return err;
}

/* +1: the cluster wins, 0: a draw, -1: it loses. */
static enum yo_err play(struct match *m, bool cluster_first, void *game, int *points,
                        struct yo_diag *diag) {
    enum yo_outcome outcome = yo_sim_game_outcome(m->setup, game);
    while (outcome == YO_OUTCOME_NONE) {
        int side = yo_sim_game_side(m->setup, game);
        yo_move move = YO_MOVE_NONE;
        enum yo_err err = think(m, (side == 0) == cluster_first, game, &move, diag);
        if (err) return err;
        if (move == YO_MOVE_NONE) {
            outcome = side == 0 ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST;
            break;
        }
        err = yo_sim_game_play(m->setup, game, move, diag);
        if (err) return err;
        outcome = yo_sim_game_outcome(m->setup, game);
    }
    bool won = (outcome == YO_OUTCOME_FIRST) == cluster_first;
    *points = outcome == YO_OUTCOME_DRAW ? 0 : won ? 1 : -1;
    return YO_OK;
}

/* All moves of a game, the opening's included. */
static enum yo_err write_moves(struct match *m, const void *game, struct yo_buf *text,
                               struct yo_diag *diag) {
    yo_move moves[2048];
    const struct yo_game_ops *ops = m->setup->ops;
    void *empty;
    size_t count = 0;
    enum yo_err err = yo_sim_game_draw(m->setup, 0, 0, &empty, diag);
    if (err) return err;
    struct yo_game_mark start = ops->mark(empty);
    ops->from_game(empty, m->position);
    ops->since(game, &start, moves, sizeof moves / sizeof moves[0], &count);
    for (size_t i = 0; i < count; i++) {
        char move[16];
        yo_buf_printf(text, "%s%s", i ? " " : "", ops->format(m->position, moves[i], move));
        ops->play(m->position, moves[i]);
    }
    yo_sim_game_delete(m->setup, empty);
    return yo_buf_status(text) ? yo_diag_set(diag, YO_ERR_NOMEM, "out of memory") : YO_OK;
}

static enum yo_err play_game(struct match *m, uint64_t number, struct yo_tally *tally,
                             struct yo_diag *diag) {
    const struct yo_options *o = m->setup->options;
    uint64_t seed = yo_mix64((uint64_t)yo_options_int(o, "seed") + YO_SPLITMIX_STEP * (number / 2));
    int opening = (int)yo_options_int(o, "opening"), points = 0;
    bool first = number % 2 == 0;
    struct yo_buf moves = {0};
    void *game;
    enum yo_err err = yo_sim_game_draw(m->setup, seed, opening, &game, diag);
    if (err) return err;
    if (m->shared) yo_sim_shared_clear(m->shared);
    err = yo_sim_new_game(m->sim, seed + number, diag);
    if (!err && m->rival) err = yo_sim_new_game(m->rival, seed + number, diag);
    if (!err) err = play(m, first, game, &points, diag);
    if (!err) err = write_moves(m, game, &moves, diag);
    if (!err)
        printf("{\"game\": %" PRIu64 ", \"cluster_first\": %s, \"points\": %d, \"opening\": %d, "
               "\"moves\": \"%s\"}\n",
               number, first ? "true" : "false", points, opening, yo_buf_text(&moves));
    fflush(stdout);
    tally->wins += points > 0;
    tally->losses += points < 0;
    tally->draws += points == 0;
    yo_buf_free(&moves);
    yo_sim_game_delete(m->setup, game);
    return err;
}

static enum yo_err make_opponent(struct match *m, struct yo_diag *diag) {
    const struct yo_options *o = m->setup->options;
    int threads = (int)yo_options_int(o, "against");
    if (threads > 0) return yo_sim_shared_new(m->setup, threads, &m->shared, diag);
    struct yo_sim_config config = m->setup->config;
    config.workers = (size_t)yo_options_int(o, "rival");
    config.plan.strategy = (enum yo_plan_strategy)yo_options_choice(o, "rival-strategy");
    config.entries = (size_t)yo_options_int(o, "rival-entries");
    return yo_sim_new(&config, m->setup->ops, &m->rival, diag);
}

static void print_score(const struct match *m, const struct yo_tally *tally) {
    const struct yo_options *o = m->setup->options;
    double low, high;
    yo_tally_interval(tally, &low, &high);
    fprintf(stderr, "%zu workers against %" PRId64 " %s: %u - %u, %u drawn: %.3f [%.3f, %.3f]\n",
            m->setup->config.workers, yo_options_int(o, m->rival ? "rival" : "against"),
            m->rival ? "workers" : "threads", tally->wins, tally->losses, tally->draws,
            yo_tally_score(tally), low, high);
}

enum yo_err yo_sim_match(struct yo_sim_setup *setup, struct yo_diag *diag) {
    struct match match = {.setup = setup};
    struct yo_tally tally = {0};
    uint64_t first = (uint64_t)yo_options_int(setup->options, "first-game"),
             games = (uint64_t)yo_options_int(setup->options, "games");
    enum yo_err err = yo_sim_new(&setup->config, setup->ops, &match.sim, diag);
    if (!err) err = make_opponent(&match, diag);
    match.position = err ? NULL : yo_alloc_aligned(setup->ops->position_size);
    if (!err && !match.position) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    for (uint64_t i = first; !err && i < first + games; i++)
        err = play_game(&match, i, &tally, diag);
    if (!err) print_score(&match, &tally);
    yo_free_aligned(match.position);
    yo_sim_shared_delete(match.shared);
    yo_sim_delete(match.rival);
    yo_sim_delete(match.sim);
    return err;
}
