/* What holds for the tree of a search on a network while no search runs, whether its nodes are
 * joined or not: no cycles, no lost memory, visits that add up, a link for each use of a node. */
#pragma once

#include "search/guided/internal.h"

struct graph_counts {
    size_t nodes;  /* that the root leads to */
    size_t joined; /* those that more than one edge leads to */
};

/* How the visits of a node add up from those of its edges. */
enum graph_visits {
    GRAPH_EXACT,
    GRAPH_WAS_FULL, /* simulations may have ended where the tree had no room */
    GRAPH_SHARED,   /* visits of others came with those of the edges or without */
};

/* Fails the test if something does not hold. */
struct graph_counts check_graph(struct yo_guided *g, enum graph_visits visits);
