/* Shared by the files of this folder; nothing else includes it.
 *   make.c     makes a search, and what is asked of it between two runs
 *   search.c   runs a search: its threads, its steps
 *   over.c     when it is over, and reports until then
 *   worker.c   one thread: collects leaves and has them evaluated together
 *   leaf.c     opens the node of an evaluated leaf, and backs it up
 *   descend.c  from the root to a leaf
 *   select.c   which move a simulation takes
 *   backup.c   the value of a node
 *   bias.c     corrects values by the errors of moves with the same surroundings
 *   mcss.c     selection, backup and expansion of MC softmax search
 *   advice.c   moves that the game wants looked at
 *   noise.c    noise on the root's policy
 *   gumbel.c   selection at the root by Gumbel's search
 *   utility.c  combines value and score into one number
 *   owner.c    ownership, for analysis
 *   result.c   the result of a search
 *   share.c    exchange with searches in other processes */
#pragma once

#include "search/guided/guided.h"
#include "search/guided/tree.h"
#include "search/share.h"

#define GUIDED_DEPTH_MAX    512
#define GUIDED_PV_MAX       24
#define GUIDED_IN_FLIGHT    16  /* visits for each leaf of a thread's batch */
#define GUIDED_COLLISIONS   16  /* a batch with so many is sent although it is not full */
#define GUIDED_CHILDREN_MAX 640 /* at least the moves of any position of our games */

/* A simulation in flight: its path, and its request to the evaluator. */
struct guided_leaf {
    size_t depth;
    yo_cell path[GUIDED_DEPTH_MAX + 1]; /* ways, the root's first */
    bool caught_up; /* its last way only counts a visit: the node there has more */
    void *position;
    void *below; /* MCSS: room for the positions of its children */
    yo_move *moves;
    float *policy;
    size_t move_count;
    uint64_t key; /* of the last move and what is around it; 0: none */
    struct yo_eval_result result;
    struct yo_eval_result *children; /* MCSS: one for each move */
};

/* The path of a simulation that met a node in evaluation. */
struct guided_collision {
    size_t depth;
    yo_cell path[GUIDED_DEPTH_MAX + 1];
};

struct guided_batch {
    struct yo_eval_batch eval;
    struct yo_eval_item *items;
    struct guided_leaf *leaves;
    struct guided_collision *collisions;
    size_t collision_count;
    size_t count, item_count; /* leaves, and their items */
    bool only_busy;           /* all simulations met nodes in evaluation, when it was filled */
    bool in_flight;
    int64_t sent_ms; /* when it was sent to the evaluator */
};

struct guided_worker {
    struct yo_guided *g;
    int index;
    struct guided_batch batches[2]; /* one is filled while the other is evaluated */
    uint64_t random;
    int64_t took_ms; /* how long its last batch took */
    bool proved;     /* it has looked for a long proof, and is to look at the clock */
};

/* The data that selection and backup need. */
struct guided_search {
    struct yo_guided_options options;
    struct yo_guided_tree tree;
    struct guided_bias_errors *bias; /* NULL: values are not corrected */
    uint32_t bias_mask;              /* entries less one */
    /* Root moves that are left out, by move. */
    const uint8_t *banned;
    /* Centre and unit of the score utility; unit 0: no scores. */
    float score_center, score_unit;
};

/* What Gumbel's search knows of a root move. */
struct guided_gumbel {
    float draw;   /* Gumbel distributed */
    unsigned had; /* visits when the search began */
};

struct yo_guided {
    struct guided_search search;
    const struct yo_game_ops *game;
    struct yo_eval eval;
    struct yo_guided_hooks hooks;
    size_t batch; /* leaves per batch, at most */
    size_t width; /* leaves per batch in this search */
    bool grows;   /* batches grow with the tree up to that */
    int threads;  /* that work in this search */
    struct guided_worker *workers;
    struct yo_pool *pool;         /* runs all workers but the first; NULL: one worker */
    uint8_t *banned;              /* by move */
    struct guided_gumbel *gumbel; /* by edge of the root */
    struct yo_guided_advice advice;
    yo_cell tempered;  /* the root whose policy has the temperature of a root */
    yo_cell noisy;     /* the root to whose policy noise was added */
    uint64_t root_key; /* of the position, for the exchange with other processes; 0: not known */
    struct yo_share share;

    /* The search that runs, or ran last. */
    const void *position;
    const struct yo_search_limits *limits;
    struct yo_search_clock *clock, own_clock;
    uint64_t budget; /* of simulations; 0: no limit */
    const atomic_bool *stop;
    yo_search_report_fn report;
    void *user;
    int64_t start_ms, reported_ms;
    atomic_bool over;
    atomic_bool cut; /* over because of the clock or *stop: evaluations in flight are dropped */
    bool half_open;  /* the root has a policy, but no values of its children */
    _Atomic(uint64_t) begun, finished; /* simulations of this search */
    _Atomic(uint64_t) joined;          /* those that ended where a node has more visits */
    atomic_bool failed;
    enum yo_err err;
    struct yo_diag diag;

    /* What a result points to. */
    struct yo_search_move *moves;
    yo_move *pv;
    uint64_t *pv_visits;
    struct yo_search_prior *priors;
    struct guided_owners *owners; /* NULL: not wanted */
    struct yo_eval_value raw;     /* the evaluator's value of the root, if limits.details */
};

static inline bool guided_is_banned(const struct guided_search *s, yo_move move) {
    return s->banned[move];
}

/* ---- select.c ---- */

/* The edge to take; edge_count if there is none. */
unsigned guided_select(const struct guided_search *s, const struct yo_guided_node *node,
                       bool is_root);
/* The prior of a move: from the policy, or 1/n with options.uniform. */
float guided_prior(const struct guided_search *s, const struct yo_guided_node *node,
                   const struct yo_guided_edge *edge);

/* ---- descend.c ---- */

/* What a simulation finds at the end of its path. */
enum guided_arrival {
    GUIDED_NEW,  /* a leaf to evaluate */
    GUIDED_OLD,  /* a node whose value is known: no evaluation needed */
    GUIDED_BUSY, /* another simulation waits for this node */
};
enum guided_arrival guided_descend(struct guided_worker *worker, struct guided_leaf *leaf);
/* The child of edge i of a node, created if there is none; 0 if there is no memory. `position` is
 * the child's, `depth` moves below the root; NULL: not known, so it gets a node of its own. */
yo_cell guided_child_of(struct yo_guided *g, struct yo_guided_node *node,
                        struct yo_guided_edge *edge, unsigned i, const void *position,
                        size_t depth);
/* A way to the node of a position, which is `fresh` if there is none. */
yo_cell guided_join(struct yo_guided *g, yo_cell fresh, const void *position, yo_move last,
                    size_t depth);

/* ---- share.c ---- */

/* Merges what other searches have found, and offers what this one has. By the first thread. */
void guided_share(struct yo_guided *g, bool at_end);

/* ---- mcss.c ---- */

unsigned guided_mcss_select(const struct guided_search *s, const struct yo_guided_node *node,
                            bool is_root, uint64_t *random);
/* Recomputes a node's means. The node's lock is held. */
void guided_mcss_compute(const struct guided_search *s, struct yo_guided_node *node);
/* Creates the children of all edges of a node, which are in the order of the leaf's moves, with
 * their values; false if there is no memory. */
bool guided_mcss_open(struct yo_guided *g, struct yo_guided_node *node,
                      struct yo_guided_edge *edges, const struct guided_leaf *leaf);

/* ---- advice.c ---- */

/* Gives the advised moves of a node so many moves below the root their share of the policy. */
void guided_take_advice(const struct yo_guided *g, struct yo_guided_edge *edges, size_t count,
                        size_t depth);
/* The same for the root and its children in a tree that is kept. By one thread. */
void guided_advise_kept(const struct yo_guided *g);

/* ---- noise.c ---- */

void guided_add_noise(struct guided_search *s, uint64_t *random);

/* ---- gumbel.c ---- */

/* Call it at the start of a search. */
void guided_gumbel_begin(struct yo_guided *g);
/* The edge of the root to take. */
unsigned guided_gumbel_select(const struct yo_guided *g);
/* The edge to play. */
unsigned guided_gumbel_best(const struct yo_guided *g);

/* ---- backup.c ---- */

/* Recomputes a node's means from its own value and its children, now or by the thread that holds
 * its lock. */
void guided_update(const struct guided_search *s, struct yo_guided_node *node);
/* Takes in what changed since the lock was taken, and gives it back. */
void guided_unlock(const struct guided_search *s, struct yo_guided_node *node);
/* Counts a node's own value once more. */
void guided_repeat(const struct guided_search *s, struct yo_guided_node *node);

/* ---- utility.c ---- */

void guided_set_center(struct guided_search *s, float root_score, size_t cells);
void guided_value(const struct guided_search *s, const struct yo_eval_value *value, int to_move,
                  struct yo_guided_value *out);
float guided_utility(const struct guided_search *s, const struct yo_guided_value *value);
/* Recomputes all utilities after the centre has moved. */
void guided_recenter(struct guided_search *s);

/* ---- worker.c ---- */

enum yo_err guided_worker_init(struct guided_worker *worker, struct yo_guided *g, int index);
void guided_worker_seed(struct guided_worker *worker); /* begins its random numbers anew */
void guided_worker_free(struct guided_worker *worker);
void guided_work(struct guided_worker *worker);
/* Evaluates the root, unless it is evaluated already. */
enum yo_err guided_open_root(struct guided_worker *worker, struct yo_diag *diag);

/* ---- leaf.c ---- */

/* The leaf's node becomes OPEN. Without memory for its edges it stays a leaf. */
void guided_open_node(struct yo_guided *g, struct guided_leaf *leaf);
/* Adds a visit to each node of the path. */
void guided_back_up(struct yo_guided *g, const struct guided_leaf *leaf);
/* Both. If others have visited the node, its value is no news, and only its policy is: then nothing
 * is backed up. */
void guided_finish(struct yo_guided *g, struct guided_leaf *leaf);
/* Gives the root's policy, which was that of a node in the tree, the temperature of a root. */
void guided_temper_root(struct guided_search *s);
/* The leaf could not be evaluated: its node becomes FRESH again. */
void guided_close_again(struct yo_guided *g, const struct guided_leaf *leaf);
/* A simulation ends without a result. */
void guided_turn_back(struct yo_guided *g, const yo_cell *path, size_t depth);
/* Sorts edges by their priors, likely ones first. */
void guided_sort_edges(struct yo_guided_edge *edges, size_t count);
/* The same for a node that has children. */
void guided_sort_children(struct yo_guided_node *node, struct yo_guided_edge *edges);

/* ---- bias.c ---- */

enum yo_err guided_bias_init(struct guided_search *s);
void guided_bias_free(struct guided_search *s);
/* Forgets all errors. */
void guided_bias_clear(struct guided_search *s);
/* Where the errors of moves with this key are kept; 0 if not at all. */
uint32_t guided_bias_slot(const struct guided_search *s, uint64_t key);
/* The correction for an own value whose errors are kept there. */
float guided_bias_of(const struct guided_search *s, uint32_t slot);
/* The error of an OPEN node's own value, as its children have it now; weight: of the children. */
void guided_bias_learn(const struct guided_search *s, struct yo_guided_node *node,
                       float children_utility, float weight);

/* ---- over.c ---- */

/* Moves of the root that the limits allow. */
size_t guided_choices(const struct yo_guided *g);
bool guided_is_over(const struct yo_guided *g);
/* Ends the search where it is due, and reports. By the first thread, every now and then. */
void guided_look_around(struct yo_guided *g);
/* Ends the search with an error; the first one counts. */
void guided_fail(struct yo_guided *g, enum yo_err err, const struct yo_diag *diag);

/* ---- owner.c ---- */

/* Call it at the start of a search; false if there is no memory. */
bool guided_owners_begin(struct yo_guided *g);
void guided_owners_free(struct yo_guided *g);
/* What reports have shown is out of date: the next result has the ownership of the tree as it is.
 */
void guided_owners_renew(struct yo_guided *g);
/* Adds the ownership to a result, if the limits ask for it. */
void guided_owners_fill(struct yo_guided *g, struct yo_search_result *result);

/* ---- result.c ---- */

void guided_fill_result(struct yo_guided *g, struct yo_search_result *result);
