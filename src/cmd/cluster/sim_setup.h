/* What a simulation is made of: the game, the plan, and the workers' engines. */
#pragma once

#include "cluster/order_policy.h"
#include "cluster/order_shogi.h"
#include "cluster/sim.h"
#include "eval/shogi/net_open.h"

struct yo_sim_setup {
    bool go;
    const struct yo_options *options;
    const struct yo_game_ops *ops;
    struct yo_sim_config config;
    int64_t move_ms;
    size_t table_mb; /* of a worker */
    struct yo_shogi_net *net;
    struct yo_shogi_eval eval;
    struct yo_probability_table table;
    struct yo_shogi_order *order;
    struct yo_eval policy_net; /* of the next; ops NULL: none */
    struct yo_policy_order *policy;
};

/* The storage must not move afterwards. */
enum yo_err yo_sim_setup_init(struct yo_sim_setup *setup, const struct yo_options *options,
                              struct yo_diag *diag);
void yo_sim_setup_free(struct yo_sim_setup *setup);
/* UCT with playouts: the tree search of Go whose nodes are all alike. */
enum yo_err yo_sim_session(uint64_t seed, int threads, size_t memory_mb, struct yo_session **out,
                           struct yo_diag *diag);
