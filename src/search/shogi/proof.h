/* Mates that a tree search proves: in leaves by the mate solver, and the mate behind a move that
 * the tree has proven. */
#pragma once

#include "game/shogi/game_ops.h"
#include "search/mate/dfpn.h"
#include "search/search.h"

/* Solvers for each thread of a search. */
struct yo_shogi_prover {
    struct yo_dfpn **leaf, **node;
    int count;
    uint64_t leaf_nodes;     /* for each leaf */
    uint64_t visit_nodes;    /* for each visit of a node that is looked at again */
    const atomic_bool *stop; /* ends every proof; may be NULL */
};

enum yo_err yo_shogi_prover_init(struct yo_shogi_prover *prover, int threads, uint64_t leaf_nodes,
                                 uint64_t visit_nodes);
void yo_shogi_prover_free(struct yo_shogi_prover *prover);

/* Can the side to move mate, before the limit of moves? visits: of the node; 0: it is a leaf. */
bool yo_shogi_prover_mates(const struct yo_shogi_prover *prover, int thread,
                           const struct yo_shogi_state *state, unsigned visits);

enum { YO_SHOGI_PROOF_LINE = 128 };

/* Fills in the length of the mate behind a proven move, and continues its PV up to the mate; line
 * holds YO_SHOGI_PROOF_LINE moves. Leaves a move as it is that was proven in another way (by a
 * declaration, or by perpetual check). */
void yo_shogi_prover_show(const struct yo_shogi_prover *prover,
                          const struct yo_shogi_position *root, struct yo_search_move *move,
                          yo_move *line);
