/* Shared by the files of UCT; nothing else includes it.
 *   uct.c       runs a search: threads, reports
 *   end.c       when a search ends
 *   simulate.c  one simulation: selection, expansion, playout, backup
 *   batch.c     many simulations at once, their leaves evaluated together
 *   pace.c      the batch size where a search may have to end at any time
 *   beside.c    simulations one by one, and new nodes evaluated together beside them
 *   select.c    which child is best
 *   result.c    the result of a search
 *   details.c   data of each root move that only analysis needs
 *   share.c     exchange with searches in other processes */
#pragma once

#include "search/share.h"
#include "search/tree.h"
#include "search/uct/pace.h"
#include "search/uct/uct.h"

/* A simulation that reaches this depth ends there with its playout. */
#define UCT_DEPTH_MAX 512
#define UCT_PV_MAX    24
#define UCT_CELLS_MAX 1024

/* The result of a leaf. */
struct uct_reward {
    unsigned games; /* playouts, or 1: visits for every node of the path */
    /* Sums over the games, for the side that moves first in the game, in the units of tree.h. */
    int64_t value_first;
    int64_t score_first;
};

struct uct_batch;

struct uct_worker {
    struct yo_uct *uct;
    int index;
    size_t depth; /* of the simulation that runs */
    yo_node_index path[UCT_DEPTH_MAX + 1];
    uint8_t to_move[UCT_DEPTH_MAX + 1]; /* side to move at each node of the path */
    void *position;                     /* game->position_size bytes */
    void *scratch;                      /* of the rollouts */
    yo_move *moves;                     /* game->max_moves entries, as the next three */
    struct yo_prior *priors;
    uint32_t *order;
    float *rank;      /* sort key of the order */
    int8_t *first_by; /* by move: the side that plays it first from here on, -1: neither */
    float *grand;     /* by move: its value two moves earlier */
    /* Sums of `cells` entries, and the number of playouts in them. Only this worker writes them;
     * atomic because a report reads them meanwhile. */
    _Atomic(int64_t) *owner;
    _Atomic(uint64_t) rollouts;
    struct uct_details *details; /* NULL: not asked for */
    struct uct_batch *batches;   /* two, where leaves are evaluated in batches; or NULL */
    struct uct_pace pace;        /* of the batches */
};

struct yo_uct {
    const struct yo_game_ops *game;
    struct yo_rollouts rollouts;
    struct yo_priors priors;
    struct yo_eval eval; /* of leaves in batches; not for leaves one at a time */
    unsigned want;       /* from eval: playouts, or a value if it has no playouts */
    bool at_once;        /* the evaluator works synchronously, inside submit */
    int playout_policy;
    struct yo_uct_options options;
    unsigned pending; /* virtual loss of a simulation in flight, in visits */
    float weight;     /* weight of a playout in selection */
    struct yo_tree tree;
    struct uct_worker *workers;
    struct yo_pool *pool; /* runs all workers but the first, which is the caller's; NULL: there is
                           * but one */

    /* The search that runs, or ran last. */
    const void *position;
    size_t cells;
    const struct yo_search_limits *limits;
    struct yo_search_clock *clock, own_clock; /* the clock in use, and our own */
    const atomic_bool *stop;
    yo_search_report_fn report;
    void *user;
    int64_t start_ms, reported_ms;
    atomic_bool over;
    bool grows;                    /* a full tree is thinned; false: thinning cannot make room */
    atomic_bool batches_failed;    /* the evaluator failed: leaves one at a time from now on */
    struct yo_diag failure;        /* why, if there are no rollouts to go on with */
    _Atomic(uint64_t) next_number; /* simulations begun */
    uint64_t number_base;          /* and those of earlier searches on this tree */
    uint64_t visits_before;        /* the root's that are not of this search */
    uint64_t root_key;             /* of the position; 0: not known */
    const struct yo_uct_advice *advice;
    size_t advice_count;
    size_t advised_end; /* behind the last child of the root that is advised */
    struct yo_share share;

    /* What a result points to: max_moves entries, and UCT_PV_MAX for each. */
    struct yo_search_move *moves;
    yo_move *pv;
    uint64_t *pv_visits;
    float *ownership;
    struct yo_search_prior *root_priors;
    float *move_ownership; /* by the root's children; NULL: not asked for */
    size_t detail_cells;   /* the cells that details were allocated for; 0: they are not */
};

/* The number of a playout, which its random moves follow from. Searches of the same position in
 * other processes, which may have the same seed, play others. */
static inline uint64_t uct_number(const struct yo_uct *uct, uint64_t begun) {
    return uct->number_base + begun + ((uint64_t)uct->limits->number << 36);
}

void yo_uct_simulate(struct uct_worker *worker, uint64_t number);

/* The parts of a simulation: descend to a leaf, whose position the worker then holds; evaluate it;
 * back the reward up along the worker's path, less the `pending` visits that were counted on the
 * way down. AMAF is updated with the moves of the path and of the rollout; with a NULL rollout not
 * at all. */
void yo_uct_descend(struct uct_worker *worker);
struct uct_reward yo_uct_evaluate(struct uct_worker *worker, uint64_t number,
                                  struct yo_rollout *rollout);
void yo_uct_back_up(struct uct_worker *worker, const struct uct_reward *reward,
                    const struct yo_rollout *rollout, unsigned pending);
/* The last two, for a simulation that has come to its leaf. */
void yo_uct_finish(struct uct_worker *worker, uint64_t number);

/* Leaves in batches: one batch is filled while another is evaluated. Returns when the search is
 * over, or when the evaluator failed. */
enum yo_err yo_uct_batches_new(struct uct_worker *worker, struct yo_diag *diag);
void yo_uct_batches_delete(struct uct_worker *worker);
void yo_uct_batches_work(struct uct_worker *worker);

bool yo_uct_is_over(const struct yo_uct *uct);
/* Ends the search at its limits and sends reports. The first worker calls it from time to time. */
void yo_uct_look_around(struct yo_uct *uct);
/* Creates the children of a node whose position the worker holds. False if there are none, the tree
 * is full, or another thread has claimed the node. */
bool yo_uct_expand(struct uct_worker *worker, yo_node_index node, size_t depth);
/* The child to go to. */
yo_node_index yo_uct_select(const struct yo_uct *uct, const struct yo_node *parent,
                            yo_node_index first, size_t count);
/* At the start of a search: allocates the details of moves, if the limits ask for them. False: no
 * memory. */
bool yo_uct_details_begin(struct yo_uct *uct);
void yo_uct_details_free(struct yo_uct *uct);
/* Add the results of the worker's simulation: of a playout of its own, or of an evaluator's
 * playouts. */
void yo_uct_details_add_rollout(struct uct_worker *worker, int64_t score2,
                                const struct yo_rollout *rollout);
void yo_uct_details_add_sums(struct uct_worker *worker, const struct yo_eval_playouts *sums);
/* Child i of the root. */
void yo_uct_details_fill(const struct yo_uct *uct, size_t i, struct yo_search_move *move);
void yo_uct_fill_result(struct yo_uct *uct, struct yo_search_result *result);
/* Merges what other searches have found, and offers what this one has. */
void yo_uct_share(struct yo_uct *uct, bool at_end);

/* The tree is full: threads return, so that it can be thinned. */
static inline bool uct_wants_room(const struct yo_uct *uct) {
    return uct->grows && atomic_load_explicit(&uct->tree.full, memory_order_relaxed);
}

static inline unsigned uct_visits(const struct yo_node *node) {
    return atomic_load_explicit(&node->visits, memory_order_relaxed);
}

static inline int64_t uct_value(const struct yo_node *node) {
    return atomic_load_explicit(&node->value, memory_order_relaxed);
}

/* The mean value, 0..1; only of a node that was visited. */
static inline double uct_mean(const struct yo_node *node) {
    return (double)uct_value(node) / (double)YO_VALUE_ONE / uct_visits(node);
}

static inline enum yo_solved uct_solved(const struct yo_node *node) {
    return (enum yo_solved)atomic_load_explicit(&node->solved, memory_order_relaxed);
}
