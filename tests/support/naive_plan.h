/* The judge of cluster/plan.h's strategy predict: what is known in one flat table, minimax by plain
 * recursion, Assign and Recommend as lists of workers that are handed down. Slow and obvious. */
#pragma once

#include "cluster/plan.h"

enum { NAIVE_PATH_MAX = 12 };

struct naive_path {
    yo_move moves[NAIVE_PATH_MAX];
    size_t count;
};

/* What is known of a move after a path. */
struct naive_fact {
    struct naive_path path;
    yo_move move;
    bool any, upper;
    struct yo_plan_value value;
};

/* A position that the master's tree has. */
struct naive_place {
    struct naive_path path;
    int64_t begun_ms; /* -1: not begun */
    bool recommended;
    yo_move frozen[64]; /* the order when the recommendation began */
    size_t frozen_count;
    yo_move chosen[8]; /* that have workers of their own */
    size_t chosen_count;
};

struct naive_job {
    struct naive_path path;
    bool limited;
    yo_move only[600];
    size_t only_count;
};

struct naive_plan {
    const struct yo_game_ops *ops;
    const void *game;
    struct yo_plan_config config; /* without zeros; margin 1 */
    struct naive_fact *facts;
    size_t fact_count;
    struct naive_place *places;
    size_t place_count;
    struct naive_job *jobs;
    size_t job_count;
    int64_t now_ms;
};

void naive_plan_init(struct naive_plan *plan, const struct yo_game_ops *ops, const void *game,
                     const struct yo_plan_config *config);
void naive_plan_free(struct naive_plan *plan);
/* The result has one line. */
void naive_plan_report(struct naive_plan *plan, const struct yo_plan_job *job,
                       const struct yo_search_result *result, uint32_t worker, int64_t now_ms);
/* The value of a move after a path; false if nothing is known. */
bool naive_plan_value(struct naive_plan *plan, const struct naive_path *path, yo_move move,
                      struct yo_plan_value *value);
/* Fills plan->jobs for so many workers. */
void naive_plan_assign(struct naive_plan *plan, size_t workers, int64_t now_ms);
