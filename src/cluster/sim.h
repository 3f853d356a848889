/* A cluster in virtual time: the plans of plan.h with workers that search so many nodes a virtual
 * second. Deterministic: the same configuration and seed give the same moves and the same trace, on
 * any machine, faults included. Real engines stand behind the workers (sim_engine.h); they run one
 * after the other, so that many workers can be studied on few cores. */
#pragma once

#include "cluster/plan.h"
#include "cluster/sim_engine.h"

/* Probabilities are a worker's, for each virtual second. */
struct yo_sim_faults {
    double dies;  /* its engine and all it knew is lost; it comes back later as a new worker */
    double slows; /* for some seconds it searches a tenth of the nodes */
    double mutes; /* for some seconds its reports come late, or not at all */
};

enum yo_sim_event_kind {
    YO_SIM_JOB,    /* the worker begins a job */
    YO_SIM_REPORT, /* a report reaches the master */
    YO_SIM_DEATH,
    YO_SIM_BIRTH,
    YO_SIM_BEST, /* the best move of what is known, once for each step of time */
};

struct yo_sim_event {
    enum yo_sim_event_kind kind;
    int64_t at_ms; /* of virtual time, since the simulation began */
    uint32_t worker;
    const struct yo_plan_job *job;         /* of JOB and REPORT */
    const struct yo_search_result *result; /* of REPORT and BEST */
};

/* A zero stands for the default. */
struct yo_sim_config {
    struct yo_plan_config plan; /* recommend_ms is set for each move */
    size_t workers;             /* default 1 */
    uint64_t speed;             /* nodes a virtual second; 20000 */
    int64_t step_ms;            /* the time between two looks of the master; 1/60 of a move's */
    int64_t recommend_ms;       /* 1/15 of a move's time */
    size_t entries;             /* of its table that a worker sends at each step; 0 */
    int64_t delay_ms;           /* of a message; a millisecond */
    uint64_t seed;              /* of the faults */
    struct yo_sim_faults faults;
    struct yo_sim_maker maker;
    void (*trace)(void *user, const struct yo_sim_event *event); /* or NULL */
    void *user;
};

struct yo_sim;

enum yo_err yo_sim_new(const struct yo_sim_config *config, const struct yo_game_ops *ops,
                       struct yo_sim **sim, struct yo_diag *diag);
void yo_sim_delete(struct yo_sim *sim);
/* Forgets the game; faults go on from the seed. */
enum yo_err yo_sim_new_game(struct yo_sim *sim, uint64_t seed, struct yo_diag *diag);
/* Thinks about a game for so long. The result is that of yo_plan_result, valid until the next
 * call. */
enum yo_err yo_sim_think(struct yo_sim *sim, const void *game, int64_t move_ms,
                         struct yo_search_result *result, struct yo_diag *diag);
/* Nodes that the workers have searched since the beginning. */
uint64_t yo_sim_nodes(const struct yo_sim *sim);
