#include "cmd/cluster/sim_setup.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "cmd/cluster/simulate.h"
#include "engine/shogi_guided.h"
#include "eval/net/evaluator.h"
#include "eval/shogi/net_eval.h"
#include "game/go/game_ops.h"
#include "game/shogi/game.h"
#include "game/shogi/game_ops.h"
#include "match/shogi.h"
#include "search/alphabeta/alphabeta.h"

enum { SHOGI_MOVES_MOST = 320, GO_MOVES_MOST = 1000 };

enum { ORDER_SEARCH, ORDER_PROBABILITY, ORDER_NONE, ORDER_POLICY };
const char *const yo_simulate_orders[] = {"search", "probability", "none", "policy", NULL};
const char *const yo_simulate_games[] = {"shogi", "go", NULL};

/* ---- engines ---- */

static enum yo_err set_number(struct yo_session *session, const char *key, uint64_t number,
                              struct yo_diag *diag) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    return yo_session_set(session, YO_ON_CLI, key, text, diag);
}

/* UCT with playouts: the tree search whose nodes are all alike. */
static enum yo_err make_session(const struct yo_sim_setup *setup, uint64_t seed, int threads,
                                size_t memory_mb, struct yo_session **out, struct yo_diag *diag) {
    struct yo_session_config config = {.game = YO_SESSION_GO, .strict = true};
    struct yo_session *session;
    enum yo_err err = yo_session_new(&config, &session, diag);
    if (err) return err;
    (void)setup;
    err = yo_session_set(session, YO_ON_CLI, "net", "none", diag);
    if (!err) err = yo_session_set(session, YO_ON_CLI, "search", "uct", diag);
    /* Fights are read when a search begins: in slices that would be most of the work. */
    if (!err) err = yo_session_set(session, YO_ON_CLI, "reading", "false", diag);
    if (!err) err = set_number(session, "threads", (uint64_t)threads, diag);
    if (!err) err = set_number(session, "seed", seed, diag);
    if (!err) err = set_number(session, "memory", memory_mb, diag);
    if (!err) err = yo_session_prepare(session, diag);
    if (err)
        yo_session_delete(session);
    else
        *out = session;
    return err;
}

static size_t table_mb(const struct yo_sim_setup *setup) {
    return (size_t)yo_options_int(setup->options, "table");
}

/* Workers must not all play the same playouts. */
static enum yo_err make_engine(void *user, size_t index, struct yo_sim_engine *engine,
                               struct yo_diag *diag) {
    const struct yo_sim_setup *setup = user;
    struct yo_session *session;
    if (!setup->go)
        return yo_sim_shogi(&setup->eval, table_mb(setup), (unsigned)index, engine, diag);
    uint64_t seed = (uint64_t)yo_options_int(setup->options, "seed") % 1000000 + 1 + index;
    enum yo_err err = make_session(setup, seed, 1, table_mb(setup), &session, diag);
    if (err) return err;
    err = yo_sim_go(session, (unsigned)index, engine, diag);
    if (err) yo_session_delete(session);
    return err;
}

/* ---- options ---- */

static int64_t ms_of(const struct yo_options *o, const char *key) {
    return (int64_t)(1000 * yo_options_real(o, key) + 0.5);
}

static enum yo_err order_by_policy(struct yo_sim_setup *setup, struct yo_diag *diag) {
    const char *path = yo_options_text(setup->options, "net");
    struct yo_net_eval_options wanted = {.threads = 1};
    if (!path) return yo_diag_set(diag, YO_ERR_ARGUMENT, "--order policy needs --net");
    enum yo_err err = yo_shogi_guide_open_named(path, NULL, &wanted, &setup->policy_net, diag);
    if (!err) err = yo_policy_order_new(setup->policy_net, setup->ops, &setup->policy, diag);
    setup->config.plan.order = yo_policy_order_moves;
    setup->config.plan.user = setup->policy;
    return err;
}

static enum yo_err set_order(struct yo_sim_setup *setup, struct yo_diag *diag) {
    const struct yo_options *o = setup->options;
    size_t choice = yo_options_choice(o, "order");
    const char *path = yo_options_text(o, "probability-file");
    if (setup->go || choice == ORDER_NONE) return YO_OK;
    if (choice == ORDER_POLICY) return order_by_policy(setup, diag);
    enum yo_err err = YO_OK;
    if (choice == ORDER_PROBABILITY && !path)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--order probability needs --probability-file");
    if (choice == ORDER_PROBABILITY) err = yo_probability_load(path, &setup->table, diag);
    if (!err)
        err = yo_shogi_order_new(&setup->eval, choice == ORDER_PROBABILITY ? &setup->table : NULL,
                                 &setup->order, diag);
    setup->config.plan.order = yo_shogi_order_moves;
    setup->config.plan.user = setup->order;
    return err;
}

enum yo_err yo_sim_setup_init(struct yo_sim_setup *setup, const struct yo_options *o,
                              struct yo_diag *diag) {
    *setup = (struct yo_sim_setup){
        .go = yo_options_choice(o, "game") == 1, .options = o, .eval = yo_shogi_eval_material};
    setup->ops = setup->go ? &yo_go_ops : &yo_shogi_ops;
    setup->move_ms = ms_of(o, "seconds");
    setup->config = (struct yo_sim_config){
        .plan = {.strategy = (enum yo_plan_strategy)yo_options_choice(o, "strategy"),
                 .width = (size_t)yo_options_int(o, "width"),
                 .leaf_width = (size_t)yo_options_int(o, "leaf-width"),
                 .margin = (int)yo_options_int(o, "margin"),
                 .roots = (int)yo_options_int(o, "roots"),
                 .lean = (int)yo_options_int(o, "lean"),
                 .discount = (int)yo_options_int(o, "discount")},
        .entries = (size_t)yo_options_int(o, "entries"),
        .workers = (size_t)yo_options_int(o, "workers"),
        .speed = (uint64_t)yo_options_int(o, "speed"),
        .step_ms = ms_of(o, "step"),
        .recommend_ms = ms_of(o, "recommend"),
        .seed = (uint64_t)yo_options_int(o, "seed"),
        .faults = {.dies = yo_options_real(o, "dies"),
                   .slows = yo_options_real(o, "slows"),
                   .mutes = yo_options_real(o, "mutes")},
        .maker = {.make = make_engine, .user = setup},
    };
    enum yo_err err = YO_OK;
    if (!setup->go) err = yo_shogi_net_open(yo_options_text(o, "eval"), &setup->net, diag);
    if (!err && setup->net) setup->eval = yo_shogi_net_eval(setup->net);
    return err ? err : set_order(setup, diag);
}

void yo_sim_setup_free(struct yo_sim_setup *setup) {
    yo_shogi_order_delete(setup->order);
    yo_policy_order_delete(setup->policy);
    if (setup->policy_net.ops) setup->policy_net.ops->destroy(setup->policy_net.ctx);
    yo_shogi_net_delete(setup->net);
}

/* ---- games ---- */

static enum yo_err begin_go(const struct yo_sim_setup *setup, void **game, struct yo_diag *diag) {
    struct yo_go_game *go;
    int size = (int)yo_options_int(setup->options, "size");
    enum yo_err err = yo_go_game_new(size, NULL, &go);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    *game = go;
    return YO_OK;
}

static enum yo_err begin_shogi(const struct yo_usi_opening *o, void **game, struct yo_diag *diag) {
    struct yo_shogi_game *shogi;
    enum yo_err err = yo_shogi_game_begin(&o->start, &shogi);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    for (size_t i = 0; !err && i < o->count; i++)
        err = yo_shogi_game_play(shogi, o->moves[i], diag);
    if (err)
        yo_shogi_game_delete(shogi);
    else
        *game = shogi;
    return err;
}

static enum yo_err parse_go(const struct yo_sim_setup *setup, const char *line, void *game,
                            struct yo_diag *diag) {
    struct yo_go_position *position = yo_alloc_aligned(setup->ops->position_size);
    enum yo_err err = position ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a game");
    while (!err) {
        char word[16];
        yo_move move;
        line += strspn(line, " \t\r\n");
        size_t len = strcspn(line, " \t\r\n");
        if (len == 0) break;
        snprintf(word, sizeof word, "%.*s", (int)(len < 15 ? len : 15), line);
        setup->ops->from_game(game, position);
        err = setup->ops->parse(position, word, &move, diag);
        if (!err) err = yo_sim_game_play(setup, game, move, diag);
        line += len;
    }
    yo_free_aligned(position);
    return err;
}

enum yo_err yo_sim_game_parse(const struct yo_sim_setup *setup, const char *line, void **game,
                              struct yo_diag *diag) {
    enum yo_err err;
    if (setup->go) {
        err = begin_go(setup, game, diag);
        if (!err) err = parse_go(setup, line, *game, diag);
        if (err) yo_sim_game_delete(setup, *game);
        return err;
    }
    struct yo_usi_opening opening;
    err = yo_usi_opening_parse(line, &opening, diag);
    if (err) return err;
    err = begin_shogi(&opening, game, diag);
    yo_free(opening.moves);
    return err;
}

/* A Go opening: random moves inside the second line. */
static enum yo_err draw_go(const struct yo_sim_setup *setup, uint64_t seed, int plies, void *game,
                           struct yo_diag *diag) {
    int size = (int)yo_options_int(setup->options, "size");
    enum yo_err err = YO_OK;
    for (int tries = 0; !err && plies > 0 && tries < 1000; tries++) {
        char text[16];
        int inner = size > 4 ? size - 2 : size, edge = (size - inner) / 2;
        int column = edge + (int)(yo_splitmix64(&seed) % (uint64_t)inner),
            row = edge + (int)(yo_splitmix64(&seed) % (uint64_t)inner);
        snprintf(text, sizeof text, "%c%d", "ABCDEFGHJKLMNOPQRST"[column], row + 1);
        if (parse_go(setup, text, game, NULL) == YO_OK) plies--;
    }
    (void)diag;
    return err;
}

enum yo_err yo_sim_game_draw(const struct yo_sim_setup *setup, uint64_t seed, int plies,
                             void **game, struct yo_diag *diag) {
    enum yo_err err;
    if (setup->go) {
        err = begin_go(setup, game, diag);
        return err ? err : draw_go(setup, seed, plies, *game, diag);
    }
    struct yo_usi_opening opening;
    err = yo_usi_opening_draw(seed, plies, &opening);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    err = begin_shogi(&opening, game, diag);
    yo_free(opening.moves);
    return err;
}

void yo_sim_game_delete(const struct yo_sim_setup *setup, void *game) {
    if (setup->go)
        yo_go_game_delete(game);
    else
        yo_shogi_game_delete(game);
}

enum yo_err yo_sim_game_play(const struct yo_sim_setup *setup, void *game, yo_move move,
                             struct yo_diag *diag) {
    if (setup->go) return yo_go_game_play(game, yo_go_game_to_move(game), (yo_go_point)move, diag);
    return yo_shogi_game_play(game, (yo_shogi_move)move, diag);
}

static enum yo_outcome outcome_go(const struct yo_go_game *game) {
    struct yo_go_score score;
    if (yo_go_game_passes(game) < 2 && yo_go_game_move_count(game) < GO_MOVES_MOST)
        return YO_OUTCOME_NONE;
    yo_go_game_score(game, NULL, &score);
    return score.lead2 > 0   ? YO_OUTCOME_FIRST
           : score.lead2 < 0 ? YO_OUTCOME_SECOND
                             : YO_OUTCOME_DRAW;
}

static enum yo_outcome outcome_shogi(const struct yo_shogi_game *game) {
    int side = shogi_game_now(game)->side;
    switch (yo_shogi_game_outcome(game)) {
    case YO_SHOGI_BLACK_WINS:
        return YO_OUTCOME_FIRST;
    case YO_SHOGI_WHITE_WINS:
        return YO_OUTCOME_SECOND;
    case YO_SHOGI_DRAWN:
        return YO_OUTCOME_DRAW;
    default:
        break;
    }
    if (yo_shogi_game_can_declare(game)) return side ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST;
    return yo_shogi_game_move_count(game) >= SHOGI_MOVES_MOST ? YO_OUTCOME_DRAW : YO_OUTCOME_NONE;
}

enum yo_outcome yo_sim_game_outcome(const struct yo_sim_setup *setup, const void *game) {
    return setup->go ? outcome_go(game) : outcome_shogi(game);
}

int yo_sim_game_side(const struct yo_sim_setup *setup, const void *game) {
    if (setup->go) return yo_go_game_to_move(game) == YO_GO_WHITE;
    return shogi_game_now(game)->side;
}

/* ---- one machine ---- */

struct yo_sim_shared {
    const struct yo_sim_setup *setup;
    uint64_t nodes; /* a move */
    struct yo_ab *ab;
    struct yo_session *session;
};

enum yo_err yo_sim_shared_new(const struct yo_sim_setup *setup, int threads,
                              struct yo_sim_shared **out, struct yo_diag *diag) {
    struct yo_sim_shared *shared = yo_alloc(1, sizeof *shared);
    if (!shared) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the opponent");
    shared->setup = setup;
    double seconds = (double)setup->move_ms / 1000;
    shared->nodes = (uint64_t)(seconds * (double)setup->config.speed * threads);
    size_t memory = table_mb(setup) * (size_t)threads;
    enum yo_err err;
    if (setup->go) {
        uint64_t seed = (uint64_t)yo_options_int(setup->options, "seed") % 1000000 + 5000000;
        err = make_session(setup, seed, threads, memory, &shared->session, diag);
    } else {
        struct yo_ab_options options = yo_ab_options_default;
        options.eval = &setup->eval;
        options.threads = threads;
        options.mate_search = false;
        err = yo_ab_new(memory, &shared->ab);
        if (!err) err = yo_ab_set_options(shared->ab, &options);
        if (err) yo_diag_set(diag, err, "no memory for the opponent");
    }
    if (err)
        yo_sim_shared_delete(shared);
    else
        *out = shared;
    return err;
}

void yo_sim_shared_delete(struct yo_sim_shared *shared) {
    if (!shared) return;
    yo_ab_delete(shared->ab);
    yo_session_delete(shared->session);
    yo_free(shared);
}

void yo_sim_shared_clear(struct yo_sim_shared *shared) {
    if (shared->ab) yo_ab_clear(shared->ab);
    if (shared->session) yo_session_clear(shared->session);
}

enum yo_err yo_sim_shared_think(struct yo_sim_shared *shared, const void *game,
                                struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search_limits limits = {.whole = true};
    if (shared->ab) {
        limits.nodes = shared->nodes;
        return yo_search_run(yo_ab_as_search(shared->ab), game, &limits, NULL, NULL, NULL, result,
                             diag);
    }
    limits.playouts = shared->nodes;
    limits.clean_up = true;
    return yo_session_analyse(shared->session, game, &limits, NULL, NULL, NULL, result, diag);
}
