#include "support/check_graph.h"

#include <stdlib.h>

#include "support/test.h"

enum { NEW, ON_THE_PATH, DONE };

/* By cell. */
struct look {
    const struct yo_guided_tree *tree;
    unsigned char *seen;
    uint32_t *links, *depths;
    size_t cells;
    enum graph_visits visits;
    struct graph_counts counts;
};

static yo_cell cell_of(const struct look *l, yo_cell way) {
    return way & YO_GUIDED_LINK ? yo_guided_link(l->tree, way)->node : way;
}

static size_t cells_of_edges(const struct look *l, const struct yo_guided_node *node) {
    size_t bytes = node->edge_count * sizeof(struct yo_guided_edge);
    if (l->tree->has_bias) bytes += sizeof(struct yo_guided_bias);
    return node->edges ? (bytes + YO_CELL_SIZE - 1) / YO_CELL_SIZE : 0;
}

static void look_at_way(struct look *l, yo_cell way) {
    if (!(way & YO_GUIDED_LINK)) return;
    const struct yo_guided_link *link = yo_guided_link(l->tree, way);
    const struct yo_join *entry = &l->tree->joins.entries[link->entry];
    l->cells++;
    l->links[link->node]++;
    assert_int_not_equal(link->entry, 0);
    assert_int_equal(entry->node, link->node);
}

/* A visit of an open node is that of itself, or one of an edge; where children were dropped, or
 * others' visits merged, its own value stands for more than one. */
static void check_visits(const struct look *l, const struct yo_guided_node *node) {
    const struct yo_guided_edge *edges = yo_guided_edges(l->tree, node);
    unsigned sum = 0, reach = atomic_load(&node->reach);
    for (unsigned i = 0; edges && i < reach; i++) {
        unsigned its = yo_guided_edge_visits(l->tree, &edges[i]);
        yo_cell way = yo_guided_child(&edges[i]);
        if (way) assert_true(its <= yo_guided_visits(yo_guided_node(l->tree, way)));
        sum += its;
    }
    assert_int_equal(yo_guided_pending(node), 0);
    assert_int_not_equal(yo_guided_state(node), YO_GUIDED_WAITING);
    if (yo_guided_state(node) != YO_GUIDED_OPEN || !edges || yo_guided_solved(node)) return;
    if (node->own_weight == 1 && l->visits == GRAPH_EXACT)
        assert_int_equal(yo_guided_visits(node), 1 + sum);
    else if (l->visits != GRAPH_SHARED)
        assert_true(yo_guided_visits(node) >= 1 + sum);
}

/* alive: from the root. The depths of the nodes that only dead ones lead to do not count. */
static void look_from(struct look *l, yo_cell way, uint32_t depth, bool alive) {
    yo_cell cell = cell_of(l, way);
    const struct yo_guided_node *node = yo_guided_node(l->tree, cell);
    const struct yo_guided_edge *edges = yo_guided_edges(l->tree, node);
    look_at_way(l, way);
    assert_int_not_equal(l->seen[cell], ON_THE_PATH);
    if (l->seen[cell] == DONE) {
        assert_true(way & YO_GUIDED_LINK);
        if (alive) assert_int_equal(l->depths[cell], depth);
        return;
    }
    l->seen[cell] = ON_THE_PATH;
    l->depths[cell] = depth;
    l->cells += 1 + cells_of_edges(l, node);
    if (alive) check_visits(l, node);
    l->counts.nodes += alive;
    for (unsigned i = 0; edges && i < node->edge_count; i++) {
        yo_cell child = yo_guided_child(&edges[i]);
        if (child) assert_true(i < atomic_load(&node->reach));
        if (child) look_from(l, child, depth + 1, alive);
    }
    l->seen[cell] = DONE;
}

static void check_entries(struct look *l) {
    const struct yo_joins *joins = &l->tree->joins;
    for (size_t i = 0; joins->entries && i <= joins->mask; i++) {
        const struct yo_join *e = &joins->entries[i];
        if (e->key == 0) continue;
        assert_int_equal(e->uses, l->links[e->node]);
        assert_int_not_equal(e->uses, 0);
        l->links[e->node] = 0;
    }
    for (uint32_t cell = 0; cell < l->tree->cells.capacity; cell++)
        assert_int_equal(l->links[cell], 0);
}

struct graph_counts check_graph(struct yo_guided *g, enum graph_visits visits) {
    struct yo_guided_tree *tree = &g->search.tree;
    size_t capacity = tree->cells.capacity;
    struct look l = {.tree = tree, .visits = visits};
    l.seen = calloc(capacity, 1);
    l.links = calloc(capacity, sizeof *l.links);
    l.depths = calloc(capacity, sizeof *l.depths);
    if (!l.seen || !l.links || !l.depths) abort();
    if (tree->root) look_from(&l, tree->root, 0, true);
    for (uint32_t cell = 0; cell < capacity; cell++)
        l.counts.joined += l.links[cell] > 1;
    for (yo_cell dead = tree->dead; dead; dead = yo_guided_visits(yo_guided_node(tree, dead))) {
        assert_int_not_equal(l.seen[dead], DONE); /* nothing leads to it */
        look_from(&l, dead, 0, false);
    }
    assert_int_equal(yo_cells_in_use(&tree->cells), l.cells);
    check_entries(&l);
    if (tree->root) assert_int_equal(yo_guided_nodes(g), l.counts.nodes);
    free(l.seen);
    free(l.links);
    free(l.depths);
    return l.counts;
}
