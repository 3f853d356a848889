/* Moves that a game's own knowledge wants looked at, whatever the policy says of them: at the root,
 * and in answer to each of its moves, where the other side would play them. */
#include "search/guided/internal.h"

/* What they have of the policy together, at least. It is added: the others keep theirs. */
#define SHARE 0.2f

void yo_guided_advise(struct yo_guided *g, const struct yo_guided_advice *advice) {
    g->advice = *advice;
}

void guided_take_advice(const struct yo_guided *g, struct yo_guided_edge *edges, size_t count,
                        size_t depth) {
    if (depth > 1 || g->advice.count[depth] == 0) return;
    float least = SHARE / (float)g->advice.count[depth];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < g->advice.count[depth]; k++)
            if (edges[i].move == g->advice.moves[depth][k] && yo_guided_prior(&edges[i]) < least)
                edges[i].prior = yo_guided_prior_pack(least);
}

static void take_again(const struct yo_guided *g, struct yo_guided_node *node, size_t depth) {
    struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, node);
    if (!edges || g->advice.count[depth] == 0) return;
    guided_take_advice(g, edges, node->edge_count, depth);
    guided_sort_children(node, edges);
}

void guided_advise_kept(const struct yo_guided *g) {
    const struct yo_guided_tree *tree = &g->search.tree;
    struct yo_guided_node *root = yo_guided_node(tree, tree->root);
    struct yo_guided_edge *edges = yo_guided_edges(tree, root);
    take_again(g, root, 0);
    for (unsigned i = 0; edges && i < root->edge_count; i++) {
        yo_cell way = yo_guided_child(&edges[i]);
        struct yo_guided_node *child = way ? yo_guided_node(tree, way) : NULL;
        if (child && yo_guided_state(child) == YO_GUIDED_OPEN) take_again(g, child, 1);
    }
}
