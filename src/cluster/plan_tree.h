/* The master's tree, shared by the files of the plan; nothing else includes it.
 *   plan.c          life of a plan, reports
 *   plan_tree.c     nodes and their values
 *   plan_predict.c  strategy predict: the wanted jobs
 *   plan_make.c     the wanted jobs of the other strategies; jobs given to workers
 *   plan_vote.c     reports of whole positions: votes and shared statistics
 *   plan_result.c   what is known, as a search reports it
 *   plan_job.c      jobs by themselves
 * A node has one edge per legal move. Reports are stored at the edges of the node that was
 * searched. Nodes are named by index, since their array moves when it grows. */
#pragma once

#include "cluster/plan.h"

enum { PLAN_PV_MAX = 16, PLAN_WIDTH_MAX = 8, PLAN_ROOT = 0 };
#define PLAN_NONE UINT32_MAX
/* The depth of a value that no search can change: the game is over there. */
#define PLAN_DEPTH_FINAL 1000
/* The plies of a win that is proven but whose length is not known. */
#define PLAN_PROVEN 5000

struct plan_known {
    bool any;
    bool upper; /* only an upper bound: another move of the same search was better */
    struct yo_plan_value value;
    yo_move pv[PLAN_PV_MAX]; /* the edge's move first */
    size_t pv_count;
};

struct plan_edge {
    yo_move move;
    double likely;         /* by the quick order */
    uint32_t child;        /* a node, or PLAN_NONE */
    bool barred;           /* a root move that the search leaves out */
    bool final;            /* the game is over after this move; `own` has the value */
    bool settled;          /* a worker has searched it to the end */
    struct plan_known own; /* from searches at this node */
};

struct plan_node {
    bool live;
    bool wanted;  /* by the plan that was made last: on the path of a job */
    bool settled; /* the game is over here, or a worker has searched it to the end */
    bool ordered; /* by the quick order; else the moves are as they were generated */
    uint32_t parent, parent_edge, depth;
    void *position;
    struct plan_edge *edges;
    size_t count;
    uint32_t *rank; /* edges, likeliest first; frozen while a recommendation runs */

    bool recommended;
    int64_t begun_ms; /* of the recommendation; -1: there was none */
    uint32_t chosen[PLAN_WIDTH_MAX];
    size_t chosen_count;

    int deepest;          /* of the values of its edges */
    bool known, complete; /* there is a value; every edge has a value or a bound */
    uint32_t best;        /* the edge that it comes from */
    struct yo_plan_value value;
};

/* The latest report of a worker about the root as a whole. */
struct plan_ballot {
    uint32_t worker;
    uint32_t edge; /* its best move */
    struct yo_plan_value value;
    uint64_t *visits; /* by edge of the root */
    double *winrates;
};

/* A job that the plan wants, in order of importance. */
struct plan_slot {
    struct yo_plan_job job;
    uint64_t hash;
    size_t only_at; /* into the plan's `only` */
    bool limited;   /* to moves there */
    bool taken;     /* by a worker */
};

struct yo_plan {
    struct yo_plan_config config; /* without zeros; only and avoid: see plan_edge.barred */
    const struct yo_game_ops *ops;
    struct yo_game_mark mark;
    struct plan_node *nodes;
    size_t node_count, node_cap, live_count;
    yo_move *moves; /* of one position */
    double *likely;
    uint32_t *order; /* edges of one node */
    void *scratch;   /* a position */

    struct plan_ballot *ballots;
    size_t ballot_count, ballot_cap;

    struct plan_slot *slots;
    size_t slot_count, slot_cap;
    yo_move *only;
    size_t only_count, only_cap;
    int64_t now_ms, again_ms;
    size_t roots;  /* workers of the last plan that search the whole root for predict's answer */
    bool merged;   /* the workers of the last plan exchange what they find */
    bool own_null; /* the master's own search, by its last report, would play the null move */
    bool met_end;  /* a new node showed that the game is over there, which changes values above */

    yo_move *played;
    struct yo_search_move *results;
    yo_move *pvs;
};

/* ---- plan_tree.c ---- */

/* A total order of values: higher is better for the side to move. */
int yo_plan_score(const struct yo_plan_value *value);
/* The same for choosing among the moves of a node: a shallow value has to be better. */
int yo_plan_sure_score(const struct yo_plan *plan, const struct plan_node *node,
                       const struct yo_plan_value *value);
/* Does `a` come from a deeper search than `b`, or from one as deep? */
bool yo_plan_as_deep(const struct yo_plan_value *a, const struct yo_plan_value *b);
/* The minimax value of an edge; false if nothing is known. *through_child (or NULL): it comes from
 * the child node. */
bool yo_plan_edge_value(const struct yo_plan *plan, const struct plan_edge *edge,
                        struct yo_plan_value *value, bool *through_child);
/* Computes the value of a node from its edges, then those of the nodes above it. */
void yo_plan_back_up(struct yo_plan *plan, uint32_t node);
/* Asks for the quick order of a node's moves, once. It costs far more than the node: most nodes get
 * one worker, and need none. The root always has it, for the result. */
void yo_plan_order(struct yo_plan *plan, struct plan_node *node);
/* The root of the game's current position. */
enum yo_err yo_plan_open_root(struct yo_plan *plan, const void *game, struct yo_diag *diag);
/* Creates the child of an edge, unless it is there. */
enum yo_err yo_plan_open(struct yo_plan *plan, uint32_t node, uint32_t edge, struct yo_diag *diag);
/* Frees a node and all below; the parent's edge keeps its value. */
void yo_plan_close(struct yo_plan *plan, uint32_t node);
/* The edge of a node by its move, or PLAN_NONE. */
uint32_t yo_plan_edge_of(const struct plan_node *node, yo_move move);
/* The node at the end of a path, or PLAN_NONE. */
uint32_t yo_plan_node_at(const struct yo_plan *plan, const yo_move *path, size_t count);
/* Makes a child of the root, or a node deeper down, the new root. */
void yo_plan_reroot(struct yo_plan *plan, uint32_t node);
/* Closes nodes that no job is in, deepest first, while there are more than the limit. */
void yo_plan_shrink(struct yo_plan *plan);

/* ---- plan_predict.c ---- */

enum yo_err yo_plan_predict(struct yo_plan *plan, size_t workers, struct yo_diag *diag);
/* Sorts edges of a node: known values first, best first, then by the quick order. */
void yo_plan_rank(const struct yo_plan *plan, const struct plan_node *node, uint32_t *rank);

/* ---- plan_make.c ---- */

/* Adds a wanted job: a node with all its moves, those that are barred left out. */
enum yo_err yo_plan_want_all(struct yo_plan *plan, uint32_t node, enum yo_plan_purpose purpose,
                             struct yo_diag *diag);
/* Adds a wanted job: the position of a node. */
enum yo_err yo_plan_want(struct yo_plan *plan, uint32_t node, enum yo_plan_purpose purpose,
                         struct yo_diag *diag);
/* Limits the job that was added last to moves of its node; call once for each. */
enum yo_err yo_plan_want_only(struct yo_plan *plan, yo_move move, struct yo_diag *diag);

/* ---- plan_vote.c ---- */

enum yo_err yo_plan_ballot(struct yo_plan *plan, uint32_t worker,
                           const struct yo_search_result *result, int64_t now_ms,
                           struct yo_diag *diag);
void yo_plan_ballots_clear(struct yo_plan *plan);
/* Fills plan->results by the votes; returns how many. 0: the tree has the answer. */
size_t yo_plan_count_votes(struct yo_plan *plan);
/* The same with the statistics of all workers. */
size_t yo_plan_sum_shared(struct yo_plan *plan);

/* ---- plan_job.c ---- */

uint64_t yo_plan_job_hash(const struct yo_plan_job *job);
