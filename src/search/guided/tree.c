#include "search/guided/tree.h"

#include <string.h>

#include "base/diag.h"
#include "base/random.h"

static unsigned cells_of(const struct yo_guided_tree *tree, size_t edges) {
    size_t bytes = edges * sizeof(struct yo_guided_edge);
    if (tree->has_bias) bytes += sizeof(struct yo_guided_bias);
    return (unsigned)((bytes + YO_CELL_SIZE - 1) / YO_CELL_SIZE);
}

enum yo_err yo_guided_tree_init(struct yo_guided_tree *tree, size_t bytes, bool joins,
                                struct yo_diag *diag) {
    const size_t most = (size_t)(YO_GUIDED_LINK - 1) * YO_CELL_SIZE; /* cells without that bit */
    size_t entries = joins ? yo_joins_room(bytes) : 0, table = entries * sizeof(struct yo_join);
    *tree = (struct yo_guided_tree){0};
    size_t rest = bytes > table ? bytes - table : 0;
    enum yo_err err = yo_cells_init(&tree->cells, rest < most ? rest : most, diag);
    if (err) return err;
    pthread_mutex_init(&tree->dead_mutex, NULL);
    if (joins && yo_joins_init(&tree->joins, entries))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    if (err) yo_guided_tree_free(tree);
    return err;
}

void yo_guided_tree_free(struct yo_guided_tree *tree) {
    if (!tree->cells.base) return;
    pthread_mutex_destroy(&tree->dead_mutex);
    yo_cells_free(&tree->cells);
    yo_joins_free(&tree->joins);
}

void yo_guided_tree_clear(struct yo_guided_tree *tree) {
    yo_cells_clear(&tree->cells);
    yo_joins_clear(&tree->joins);
    tree->root = tree->dead = 0;
    tree->ply = 0;
    atomic_store(&tree->full, false);
}

/* ---- freeing ---- */

static void give_edges(struct yo_guided_tree *tree, struct yo_guided_node *node) {
    if (node->edges) yo_cells_give(&tree->cells, node->edges, cells_of(tree, node->edge_count));
    node->edges = 0;
    node->edge_count = 0;
    atomic_store_explicit(&node->reach, 0, memory_order_relaxed);
}

/* Dead nodes form a list, linked through `visits`, which is not needed any more. */
static void bury(struct yo_guided_tree *tree, yo_cell cell) {
    struct yo_guided_node *node = yo_cells_at(&tree->cells, cell);
    atomic_store_explicit(&node->visits, tree->dead, memory_order_relaxed);
    tree->dead = cell;
}

/* The cell of the node that a way leads to, if no other way leads there; else 0. The way is gone.
 */
static yo_cell close_way(struct yo_guided_tree *tree, yo_cell way) {
    if (!(way & YO_GUIDED_LINK)) return way;
    const struct yo_guided_link *link = yo_guided_link(tree, way);
    yo_cell node = link->node;
    bool last = yo_joins_release(&tree->joins, link->entry);
    yo_cells_give(&tree->cells, way & ~YO_GUIDED_LINK, 1);
    return last ? node : 0;
}

static void drop(struct yo_guided_tree *tree, yo_cell way) {
    yo_cell cell = close_way(tree, way);
    if (cell) bury(tree, cell);
}

/* Drops the children of a node, and frees its edges. */
static void drop_edges(struct yo_guided_tree *tree, struct yo_guided_node *node) {
    struct yo_guided_edge *edges = yo_guided_edges(tree, node);
    unsigned reach = atomic_load_explicit(&node->reach, memory_order_relaxed);
    for (unsigned i = 0; i < reach; i++) {
        yo_cell child = yo_guided_child(&edges[i]);
        if (child) drop(tree, child);
    }
    give_edges(tree, node);
}

/* Frees one dead node; its children take its place in the list. */
static bool free_one(struct yo_guided_tree *tree) {
    pthread_mutex_lock(&tree->dead_mutex);
    yo_cell cell = tree->dead;
    if (cell) {
        struct yo_guided_node *node = yo_guided_node(tree, cell);
        tree->dead = yo_guided_visits(node);
        drop_edges(tree, node);
        yo_cells_give(&tree->cells, cell, 1);
    }
    pthread_mutex_unlock(&tree->dead_mutex);
    return cell != 0;
}

/* Allocates a run of cells. Frees dead nodes as needed. */
static yo_cell take(struct yo_guided_tree *tree, unsigned count) {
    yo_cell cell;
    do {
        cell = yo_cells_take(&tree->cells, count);
    } while (!cell && free_one(tree));
    if (!cell) atomic_store_explicit(&tree->full, true, memory_order_relaxed);
    return cell;
}

/* ---- growing ---- */

yo_cell yo_guided_tree_add(struct yo_guided_tree *tree, int to_move) {
    yo_cell cell = take(tree, 1);
    if (!cell) return 0;
    struct yo_guided_node *node = yo_guided_node(tree, cell);
    memset(node, 0, sizeof *node);
    node->to_move = (uint8_t)to_move;
    return cell;
}

yo_cell yo_guided_tree_join(struct yo_guided_tree *tree, yo_cell fresh, uint64_t key,
                            size_t depth) {
    yo_cell node = fresh, cell = take(tree, 1);
    if (!cell) return fresh;
    /* Entries of the dead would fill the table: two of them go for each that comes. */
    if (free_one(tree)) free_one(tree);
    /* With its distance from the root in its key, a node cannot lead back to itself. */
    uint64_t at = yo_mix64(key + YO_SPLITMIX_STEP * (tree->ply + depth));
    uint32_t entry = yo_joins_hold(&tree->joins, at ? at : 1, &node);
    if (!entry || node != fresh) yo_cells_give(&tree->cells, entry ? fresh : cell, 1);
    if (!entry) return fresh;
    struct yo_guided_link *link = yo_guided_link(tree, cell);
    atomic_init(&link->visits, 0);
    link->node = node;
    link->entry = entry;
    return cell | YO_GUIDED_LINK;
}

void yo_guided_tree_take_back(struct yo_guided_tree *tree, yo_cell way) {
    yo_cell cell = close_way(tree, way);
    if (cell) yo_cells_give(&tree->cells, cell, 1);
}

struct yo_guided_edge *yo_guided_tree_add_edges(struct yo_guided_tree *tree,
                                                struct yo_guided_node *node, size_t count) {
    yo_cell cell = take(tree, cells_of(tree, count));
    if (!cell) return NULL;
    node->edges = cell;
    node->edge_count = (uint16_t)count;
    atomic_store_explicit(&node->reach, 0, memory_order_relaxed);
    if (tree->has_bias) *yo_guided_bias(tree, node) = (struct yo_guided_bias){0};
    return yo_cells_at(&tree->cells, cell);
}

void yo_guided_tree_take_back_edges(struct yo_guided_tree *tree, struct yo_guided_node *node) {
    struct yo_guided_edge *edges = yo_guided_edges(tree, node);
    unsigned reach = atomic_load_explicit(&node->reach, memory_order_relaxed);
    for (unsigned i = 0; i < reach; i++)
        yo_guided_tree_take_back(tree, yo_guided_child(&edges[i]));
    give_edges(tree, node);
}

/* ---- shrinking ---- */

bool yo_guided_tree_advance(struct yo_guided_tree *tree, yo_move move) {
    yo_cell found = 0, old = tree->root;
    if (!old) return false;
    struct yo_guided_node *root = yo_guided_node(tree, old);
    struct yo_guided_edge *edges = yo_guided_edges(tree, root);
    for (unsigned i = 0; edges && i < root->edge_count; i++)
        if (edges[i].move == move) found = atomic_exchange(&edges[i].child, 0);
    drop(tree, old);
    tree->root = found;
    tree->ply++;
    /* What only dead nodes lead to is out of date. */
    if (tree->joins.entries) yo_joins_forget(&tree->joins);
    return found != 0;
}

/* Without children the own value of a node stands for all of its visits, until it is evaluated
 * again. */
static void drop_children(struct yo_guided_tree *tree, struct yo_guided_node *node) {
    drop_edges(tree, node);
    node->own_weight = yo_guided_get(&node->weight);
    node->own.utility = yo_guided_get(&node->mean.utility);
    node->own.value = yo_guided_get(&node->mean.value);
    node->own.score = yo_guided_get(&node->mean.score);
    atomic_store(&node->state, YO_GUIDED_FRESH);
}

static void drop_below(struct yo_guided_tree *tree, struct yo_guided_node *node, unsigned least) {
    const struct yo_guided_edge *edges = yo_guided_edges(tree, node);
    unsigned reach = atomic_load(&node->reach);
    for (unsigned i = 0; i < reach; i++) {
        yo_cell way = yo_guided_child(&edges[i]);
        if (!way || !yo_guided_tree_meet(tree, way)) continue;
        struct yo_guided_node *child = yo_guided_node(tree, way);
        if (yo_guided_state(child) != YO_GUIDED_OPEN) continue;
        /* Without edges, for which there was no memory, it is to be opened again. */
        if (!child->edges || yo_guided_visits(child) < least)
            drop_children(tree, child);
        else
            drop_below(tree, child, least);
    }
}

void yo_guided_tree_thin(struct yo_guided_tree *tree) {
    unsigned least = 2;
    if (tree->root) {
        do {
            yo_guided_tree_begin_walk(tree);
            drop_below(tree, yo_guided_node(tree, tree->root), least);
            while (free_one(tree)) {
            }
            least *= 2;
        } while (yo_cells_in_use(&tree->cells) > tree->cells.capacity / 2 && least < 1u << 30);
    }
    yo_cells_join(&tree->cells);
    atomic_store(&tree->full, false);
}

static size_t count_from(struct yo_guided_tree *tree, yo_cell way) {
    if (!yo_guided_tree_meet(tree, way)) return 0;
    size_t count = 1;
    const struct yo_guided_node *node = yo_guided_node(tree, way);
    const struct yo_guided_edge *edges = yo_guided_edges(tree, node);
    for (unsigned i = 0; i < atomic_load(&node->reach); i++)
        if (yo_guided_child(&edges[i])) count += count_from(tree, yo_guided_child(&edges[i]));
    return count;
}

size_t yo_guided_tree_count(struct yo_guided_tree *tree, yo_cell way) {
    yo_guided_tree_begin_walk(tree);
    return count_from(tree, way);
}
