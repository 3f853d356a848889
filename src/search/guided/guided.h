/* Tree searches guided by the policy and the value of a network. They know no game: moves come from
 * a yo_game_ops, values and policies from a yo_eval. Equation numbers in this module are those of
 * Yoshino, Igarashi, Kawashima, "Parallel State Evaluation in MC Softmax Search using GPU and
 * Neural Network Models".
 *
 * All threads share one tree. With one thread and a visit limit the result depends only on the
 * position, the options, the evaluator and the searches before. */
#pragma once

#include "eval/eval.h"
#include "search/guided/options.h"
#include "search/search.h"

/* Moves to look at, whatever the policy says of them: of the side to move at the root, and of the
 * other side in answer to any of its moves. */
enum { YO_GUIDED_ADVICE_MAX = 64 };
struct yo_guided_advice {
    yo_move moves[2][YO_GUIDED_ADVICE_MAX];
    size_t count[2];
};

/* Optional functions of a game. All zero: none. */
struct yo_guided_hooks {
    /* Changes the copy of the root position that is searched, before each search. */
    void (*begin)(void *ctx, void *position);
    /* The outcome of a position in the tree, below the root; clears *proven if the rules do not end
     * the game there. NULL: the outcome of the game table. */
    enum yo_outcome (*outcome)(void *ctx, const void *position, bool *proven);
    /* A proof of the outcome of a position; YO_OUTCOME_NONE if it finds none. Called from thread
     * number `thread` of the search: for a leaf, where it has to be quick, and as the visits of a
     * node grow, when more work is worth it; visits: 0 for a leaf. Not with solve off. */
    enum yo_outcome (*prove)(void *ctx, int thread, const void *position, unsigned visits);
    /* The value of a position that is over, for the side to move. False: use the evaluator's value.
     * clean_up is that of the limits. NULL: use the outcome of the game table. */
    bool (*finish)(void *ctx, const void *position, bool clean_up, struct yo_eval_value *value);
    /* The root moves to consider; NULL: all. */
    enum yo_err (*root_moves)(void *ctx, const void *game, bool clean_up, yo_move *moves,
                              size_t *count);
    /* What the game knows of its position; `playouts` are those below. NULL: nothing. */
    enum yo_err (*advise)(void *ctx, struct yo_eval playouts, const void *game,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          struct yo_guided_advice *advice, struct yo_diag *diag);
    /* A key of a move in a position and of what is around it: the network's values after moves with
     * the same key err alike. 0: none. NULL: values are not corrected. Needs `cells`. */
    uint64_t (*surroundings)(void *ctx, const void *position, yo_move move);
    /* A key of all that moves and results from a position on depend on, but for the number of moves
     * that led to it: positions with the same key can share a node. 0: they depend on which moves
     * led to it, of which `last` was the last. NULL: no positions share a node. */
    uint64_t (*position_key)(void *ctx, const void *position, yo_move last);
    /* A key of what an evaluator may see of the moves before. NULL: nothing. */
    uint64_t (*history_key)(void *ctx, const void *position);
    /* Cells of the board, the unit of scores; NULL: the game has no scores. */
    size_t (*cells)(const void *position);
    /* Playouts, for advice, and for the ownership of positions where the evaluator gives none; ops
     * NULL: none. */
    struct yo_eval playouts;
    bool unproven; /* play may resume after the end of a game: its result proves nothing */
    void *ctx;
};

/* A search for game objects of the game's table. It keeps its tree from move to move. The evaluator
 * must outlive it. */
enum yo_err yo_guided_search_new(const struct yo_game_ops *game, struct yo_eval eval,
                                 const struct yo_guided_hooks *hooks,
                                 const struct yo_guided_options *options, struct yo_search *search,
                                 struct yo_diag *diag);

/* ---- the tree alone ---- */

struct yo_guided;
struct yo_share;

/* The evaluator must outlive the search and must provide values and policies for the game. */
enum yo_err yo_guided_new(const struct yo_game_ops *game, struct yo_eval eval,
                          const struct yo_guided_hooks *hooks,
                          const struct yo_guided_options *options, struct yo_guided **g,
                          struct yo_diag *diag);
void yo_guided_delete(struct yo_guided *g);

/* Clears the tree. */
void yo_guided_clear(struct yo_guided *g);
/* Begins the random numbers anew: with a cleared tree the next search is that of a new yo_guided.
 */
void yo_guided_reseed(struct yo_guided *g);
/* The game continued with this move: keeps its subtree. */
void yo_guided_advance(struct yo_guided *g, yo_move move);

/* For the next run, and those after it. */
void yo_guided_advise(struct yo_guided *g, const struct yo_guided_advice *advice);

/* For the exchange with searches in other processes: the key of the position to be searched, from
 * the game's mark; what is exchanged, and its kind, 0 where nothing is. */
void yo_guided_set_key(struct yo_guided *g, uint64_t key);
struct yo_share *yo_guided_share_of(struct yo_guided *g);
uint64_t yo_guided_share_kind(const struct yo_guided *g);

/* Nodes of the tree. Walks it: for tests and measurements. */
size_t yo_guided_nodes(struct yo_guided *g);

/* As yo_search_ops.run, for a position. The tree must be that of the position, or cleared. A
 * position without moves gives a result without moves. */
enum yo_err yo_guided_run(struct yo_guided *g, const void *position,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          yo_search_report_fn report, void *user, struct yo_search_result *result,
                          struct yo_diag *diag);
