/* The tree of a book. The root and then always the most promising position are searched, and their
 * good moves become new positions: promising is a position after few moves that give little away.
 * At the end every move that may be played is checked by a search of the position after it, and
 * values go back to the root as in minimax: a move whose answer refutes it loses its value. */
#pragma once

#include "cmd/book/place.h"

/* Move and position after it. */
struct yo_book_node {
    size_t parent; /* of the root: itself */
    size_t child, child_count;
    yo_move move;
    int ply;
    double winrate; /* of the side that plays the move */
    double loss;    /* against the best move beside it, by the search of the parent */
    double cost;    /* the position with the least is searched next */
    uint64_t key;
    bool over;
    bool searched; /* a search of the position gave the winrate */
};

struct yo_book_tree {
    struct yo_book_node *nodes; /* parents before children */
    size_t count, cap;
    size_t searches;
};

struct yo_book_growth {
    size_t positions; /* with moves of their own */
    size_t width;     /* moves a position */
    double keep;      /* a move may lose so much against the best one, in winrate */
    double play;      /* and so much if it is to be played */
    int plies;
    const yo_move *after; /* the book begins after these moves */
    size_t after_count;
    void (*progress)(void *user, size_t searches, size_t expected);
    void *user;
};

enum yo_err yo_book_grow(struct yo_book_place *place, const struct yo_book_growth *growth,
                         struct yo_book_tree *tree, struct yo_diag *diag);
void yo_book_tree_free(struct yo_book_tree *tree);
/* The moves that lead to a node, at most `max`; returns their number. */
size_t yo_book_tree_path(const struct yo_book_tree *tree, size_t node, yo_move *moves, size_t max);
