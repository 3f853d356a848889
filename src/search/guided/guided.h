/* Searches on networks: a tree that is grown where the policy and the values of an evaluator point.
 * They know no game: moves come from a yo_game_ops, values and policies from a yo_eval. Equation
 * numbers in this module are those of Yoshino, Igarashi, Kawashima, "Parallel State Evaluation in
 * MC Softmax Search using GPU and Neural Network Models".
 *
 * All threads share one tree. With one thread and a limit of visits the result depends on the
 * position, the options, the evaluator and what was searched before alone. */
#pragma once

#include "eval/eval.h"
#include "search/guided/options.h"
#include "search/search.h"

/* What a game adds. Zeroed: nothing. */
struct yo_guided_hooks {
    /* The value of a position that is over, for the side to move. False: the evaluator is to
     * say. clean_up: of the limits.
     * NULL: as the outcome says. */
    bool (*finish)(void *ctx, const void *position, bool clean_up, struct yo_eval_value *value);
    /* The moves of a game's position that are worth a look; NULL: all. */
    enum yo_err (*root_moves)(void *ctx, const void *game, yo_move *moves, size_t *count);
    /* Cells of the board, the unit of scores; NULL: the game has no scores. */
    size_t (*cells)(const void *position);
    bool unproven; /* a game that is over may be taken up again: its result proves nothing */
    void *ctx;
};

/* A search for game objects of the game's table, which keeps its tree from move to move. The
 * evaluator outlives it. */
enum yo_err yo_guided_search_new(const struct yo_game_ops *game, struct yo_eval eval,
                                 const struct yo_guided_hooks *hooks,
                                 const struct yo_guided_options *options, struct yo_search *search,
                                 struct yo_diag *diag);

/* ---- the tree alone ---- */

struct yo_guided;

/* The evaluator outlives the search and must give values and policies for the game. */
enum yo_err yo_guided_new(const struct yo_game_ops *game, struct yo_eval eval,
                          const struct yo_guided_hooks *hooks,
                          const struct yo_guided_options *options, struct yo_guided **g,
                          struct yo_diag *diag);
void yo_guided_delete(struct yo_guided *g);

/* Forgets the tree. */
void yo_guided_clear(struct yo_guided *g);
/* The game went on by this move: what the tree holds below it is kept. */
void yo_guided_advance(struct yo_guided *g, yo_move move);

/* As yo_search_ops.run, of a position. The tree must be that of the position, or cleared. A
 * position without moves gives a result without moves. */
enum yo_err yo_guided_run(struct yo_guided *g, const void *position,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          yo_search_report_fn report, void *user, struct yo_search_result *result,
                          struct yo_diag *diag);
