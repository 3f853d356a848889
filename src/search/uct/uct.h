/* UCT: each simulation adds a node where the bound is highest and ends with a playout or with an
 * evaluator's value. It knows no game: moves come from a yo_game_ops, results from yo_rollouts or a
 * yo_eval, priors from a yo_priors. Table, section and equation numbers in this module are those of
 * Gelly, Wang, Munos, Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go" (INRIA
 * RR-6062, 2006).
 *
 * All threads share one tree without locks. With one thread and a playout limit the result depends
 * only on the position, the options and the searches before. */
#pragma once

#include "eval/eval.h"
#include "eval/rollout.h"
#include "search/search.h"
#include "search/uct/options.h"

/* Prior knowledge of a move, as virtual experience: visits and wins. */
struct yo_prior {
    float visits, wins;
    float chance; /* prior probability that a good player chooses it; 0: not known */
    bool prune;   /* leave the move out of the tree */
};

struct yo_priors {
    /* Fills one entry for each move; ctx may be NULL. */
    void (*estimate)(void *ctx, const void *position, const yo_move *moves, size_t count,
                     struct yo_prior *out);
    void *ctx;
    bool has_chances; /* false: selection and move order do not use them */
};

/* A root move that is known to be good: it is considered from the start, with so many visits, all
 * won, as further prior experience, and with at least this chance. */
struct yo_uct_advice {
    yo_move move;
    float visits, chance;
};

struct yo_uct;
struct yo_share;

/* priors.estimate may be NULL: no priors. rollouts.ops may be NULL: then yo_uct_use_eval must be
 * called next. The options are copied. */
enum yo_err yo_uct_new(const struct yo_game_ops *game, struct yo_rollouts rollouts,
                       struct yo_priors priors, const struct yo_uct_options *options,
                       struct yo_uct **uct, struct yo_diag *diag);
void yo_uct_delete(struct yo_uct *uct);

/* From now on leaves are evaluated in batches of options.leaves by an evaluator: by
 * options.leaf_playouts playouts each, or by its value if it has no playouts. The rollouts only
 * score games that are over. The evaluator must outlive the search. If it fails, the search goes on
 * with the rollouts after one notice; without rollouts the run returns the error. */
enum yo_err yo_uct_use_eval(struct yo_uct *uct, struct yo_eval eval, int playout_policy,
                            struct yo_diag *diag);

/* Clears the tree. */
void yo_uct_clear(struct yo_uct *uct);
/* The game continued with this move: keeps its subtree. */
void yo_uct_advance(struct yo_uct *uct, yo_move move);

/* For the exchange with searches in other processes: the key of the position to be searched, from
 * the game's mark, and what is exchanged. Without a key there is nothing to exchange. */
void yo_uct_set_key(struct yo_uct *uct, uint64_t key);
struct yo_share *yo_uct_share_of(struct yo_uct *uct);

/* For the next run alone; the moves must be valid until it ends. A move is advised once in a
 * position. */
void yo_uct_advise(struct yo_uct *uct, const struct yo_uct_advice *advice, size_t count);

/* As yo_search_ops.run. The tree must be that of the position, or cleared. `only` are the root
 * moves to search; NULL for all. A position without moves gives a result without moves. */
enum yo_err yo_uct_run(struct yo_uct *uct, const void *position, const yo_move *only,
                       size_t only_count, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag);

/* Nodes in the tree, and whether it is or was full: for display. */
size_t yo_uct_nodes(const struct yo_uct *uct, bool *full);
