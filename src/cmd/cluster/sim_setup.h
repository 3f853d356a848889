/* What a simulation plays with: the game, the workers' engines, and the one machine with shared
 * memory that they are compared with. */
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

/* ---- games ---- */

/* A line of a file: for shogi "startpos moves 7g7f", for Go moves from the empty board. */
enum yo_err yo_sim_game_parse(const struct yo_sim_setup *setup, const char *line, void **game,
                              struct yo_diag *diag);
/* Random moves from the beginning. */
enum yo_err yo_sim_game_draw(const struct yo_sim_setup *setup, uint64_t seed, int plies,
                             void **game, struct yo_diag *diag);
void yo_sim_game_delete(const struct yo_sim_setup *setup, void *game);
enum yo_err yo_sim_game_play(const struct yo_sim_setup *setup, void *game, yo_move move,
                             struct yo_diag *diag);
/* Decided by the rules; for shogi also after so many moves. Go is over after two passes and counted
 * as it stands on the board. */
enum yo_outcome yo_sim_game_outcome(const struct yo_sim_setup *setup, const void *game);
/* 0: the side that moved first in the game is to move. */
int yo_sim_game_side(const struct yo_sim_setup *setup, const void *game);

/* ---- one machine ---- */

struct yo_sim_shared;

/* A search with this many threads, which share table or tree. It searches threads * speed nodes a
 * virtual second: as fast as so many workers, and nothing is lost on the memory bus. */
enum yo_err yo_sim_shared_new(const struct yo_sim_setup *setup, int threads,
                              struct yo_sim_shared **shared, struct yo_diag *diag);
void yo_sim_shared_delete(struct yo_sim_shared *shared);
void yo_sim_shared_clear(struct yo_sim_shared *shared);
enum yo_err yo_sim_shared_think(struct yo_sim_shared *shared, const void *game,
                                struct yo_search_result *result, struct yo_diag *diag);
