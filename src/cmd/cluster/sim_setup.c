#include "cmd/cluster/sim_setup.h"

#include <stdio.h>

#include "base/diag.h"
#include "cmd/cluster/simulate.h"
#include "engine/shogi_guided.h"
#include "eval/net/evaluator.h"
#include "eval/shogi/net_eval.h"
#include "game/go/game_ops.h"
#include "game/shogi/game_ops.h"

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

enum yo_err yo_sim_session(uint64_t seed, int threads, size_t memory_mb, struct yo_session **out,
                           struct yo_diag *diag) {
    struct yo_session_config config = {.game = YO_SESSION_GO, .strict = true};
    struct yo_session *session;
    enum yo_err err = yo_session_new(&config, &session, diag);
    if (err) return err;
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

/* Workers must not all play the same playouts. */
static enum yo_err make_engine(void *user, size_t index, struct yo_sim_engine *engine,
                               struct yo_diag *diag) {
    const struct yo_sim_setup *setup = user;
    struct yo_session *session;
    if (!setup->go)
        return yo_sim_shogi(&setup->eval, setup->table_mb, (unsigned)index, engine, diag);
    uint64_t seed = (uint64_t)yo_options_int(setup->options, "seed") % 1000000 + 1 + index;
    enum yo_err err = yo_sim_session(seed, 1, setup->table_mb, &session, diag);
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
    setup->table_mb = (size_t)yo_options_int(o, "table");
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
