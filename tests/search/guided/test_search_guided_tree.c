/* search/guided/tree.c and cells.c: memory that is used again, advancing, thinning. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "search/guided/internal.h"
#include "support/hash_eval.h"
#include "support/tictactoe.h"

static void runs_are_apart_and_come_back(void **state) {
    (void)state;
    enum { RUNS = 4000 };
    static struct {
        yo_cell first;
        unsigned count;
    } runs[RUNS];
    struct yo_cells cells;
    assert_int_equal(yo_cells_init(&cells, 1 << 20, NULL), YO_OK);
    static unsigned char owner[(1 << 20) / YO_CELL_SIZE];
    srand(1);
    size_t refused = 0;
    for (int step = 0; step < 100000; step++) {
        size_t i = (size_t)rand() % RUNS;
        if (runs[i].first) {
            for (unsigned k = 0; k < runs[i].count; k++)
                owner[runs[i].first + k] = 0;
            yo_cells_give(&cells, runs[i].first, runs[i].count);
            runs[i].first = 0;
        } else {
            runs[i].count = 1 + (unsigned)rand() % 40;
            runs[i].first = yo_cells_take(&cells, runs[i].count);
            refused += runs[i].first == 0;
            for (unsigned k = 0; runs[i].first && k < runs[i].count; k++) {
                assert_true(runs[i].first + k < cells.capacity);
                assert_int_equal(owner[runs[i].first + k], 0);
                owner[runs[i].first + k] = 1;
            }
        }
        if (step % 10000 == 0) yo_cells_join(&cells);
    }
    assert_true(refused > 0);
    /* All given back, the whole of it can be had again in long runs. */
    for (size_t i = 0; i < RUNS; i++)
        if (runs[i].first) yo_cells_give(&cells, runs[i].first, runs[i].count);
    assert_int_equal(yo_cells_in_use(&cells), 0);
    yo_cells_join(&cells);
    size_t longest = 0;
    while (yo_cells_take(&cells, YO_CELLS_RUN_MAX))
        longest++;
    assert_true(longest >= (cells.capacity - 1) / YO_CELLS_RUN_MAX - 1);
    yo_cells_free(&cells);
}

/* ---- a tree that grows at random, and a plain model of it ---- */

static struct yo_guided_tree tree;

static yo_cell grow(unsigned width, int depth) {
    yo_cell cell = yo_guided_tree_add(&tree, depth & 1);
    if (!cell) return 0;
    struct yo_guided_node *node = yo_guided_node(&tree, cell);
    atomic_store(&node->visits, 1);
    node->own_weight = 1;
    atomic_store(&node->state, YO_GUIDED_OPEN);
    if (depth == 0) return cell;
    struct yo_guided_edge *edges = yo_guided_tree_add_edges(&tree, node, width);
    if (!edges) return cell;
    for (unsigned i = 0; i < width; i++) {
        edges[i].move = (uint16_t)(i * 7);
        atomic_init(&edges[i].child, 0);
    }
    for (unsigned i = 0; i < width; i++) {
        if (rand() % 3 == 0) continue;
        yo_cell child = grow(width, depth - 1);
        atomic_store(&edges[i].child, child);
        atomic_store(&node->reach, (unsigned short)(i + 1));
        if (child)
            atomic_fetch_add(&node->visits, atomic_load(&yo_guided_node(&tree, child)->visits));
    }
    yo_guided_set(&node->weight, (float)atomic_load(&node->visits));
    return cell;
}

static void advancing_keeps_one_subtree(void **state) {
    (void)state;
    assert_int_equal(yo_guided_tree_init(&tree, 4 << 20, false, NULL), YO_OK);
    srand(2);
    for (int round = 0; round < 200; round++) {
        /* Without a clear between: what was left behind must come back by itself. */
        if (!tree.root) tree.root = grow(6, 5);
        struct yo_guided_node *root = yo_guided_node(&tree, tree.root);
        struct yo_guided_edge *edges = yo_guided_edges(&tree, root);
        unsigned i = (unsigned)rand() % 6;
        yo_cell child = edges ? yo_guided_child(&edges[i]) : 0;
        size_t count = child ? yo_guided_tree_count(&tree, child) : 0;
        assert_int_equal(yo_guided_tree_advance(&tree, i * 7), child != 0);
        assert_int_equal(tree.root, child);
        if (child) assert_int_equal(yo_guided_tree_count(&tree, child), count);
        assert_false(atomic_load(&tree.full));
    }
    yo_guided_tree_clear(&tree);
    assert_false(yo_guided_tree_advance(&tree, 0));
    yo_guided_tree_free(&tree);
}

static unsigned visits_below(yo_cell cell, unsigned *least_with_children) {
    const struct yo_guided_node *node = yo_guided_node(&tree, cell);
    const struct yo_guided_edge *edges = yo_guided_edges(&tree, node);
    unsigned visits = yo_guided_visits(node);
    if (edges && visits < *least_with_children) *least_with_children = visits;
    for (unsigned i = 0; i < atomic_load(&node->reach); i++)
        if (yo_guided_child(&edges[i]))
            visits_below(yo_guided_child(&edges[i]), least_with_children);
    return visits;
}

static void thinning_drops_what_was_visited_least(void **state) {
    (void)state;
    assert_int_equal(yo_guided_tree_init(&tree, 1 << 20, false, NULL), YO_OK);
    srand(3);
    tree.root = grow(9, 6);
    assert_true(atomic_load(&tree.full));
    unsigned root_visits = yo_guided_visits(yo_guided_node(&tree, tree.root));
    uint32_t before = yo_cells_in_use(&tree.cells);
    yo_guided_tree_thin(&tree);
    assert_false(atomic_load(&tree.full));
    assert_true(yo_cells_in_use(&tree.cells) <= tree.cells.capacity / 2);
    assert_true(yo_cells_in_use(&tree.cells) < before);
    unsigned least = ~0u;
    assert_int_equal(visits_below(tree.root, &least), root_visits);
    assert_true(least > 1);
    assert_int_not_equal(yo_guided_tree_add(&tree, 0), 0);
    yo_guided_tree_free(&tree);
}

/* ---- of a search ---- */

static size_t cells_from(const struct yo_guided_tree *of, yo_cell cell) {
    const struct yo_guided_node *node = yo_guided_node(of, cell);
    const struct yo_guided_edge *edges = yo_guided_edges(of, node);
    size_t bytes = node->edge_count * sizeof *edges;
    size_t count = 1 + (edges ? (bytes + YO_CELL_SIZE - 1) / YO_CELL_SIZE : 0);
    for (unsigned i = 0; edges && i < node->edge_count; i++)
        if (yo_guided_child(&edges[i])) count += cells_from(of, yo_guided_child(&edges[i]));
    return count;
}

/* What a search has allocated is in its tree, also when the memory ended while the children of a
 * node were made. */
static void no_cell_is_lost(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct hash_eval eval = {.game = &ttt_ops, .batch = 1};
        struct yo_guided_options options;
        struct yo_guided *g;
        struct ttt position = {0};
        struct yo_search_limits limits = {.playouts = 3000};
        struct yo_search_result result;
        yo_guided_options_default(&options);
        options.mode = (enum yo_guided_mode)mode;
        options.memory_mb = 0;
        options.solve = false;
        assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL),
                         YO_OK);
        assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        struct yo_guided_tree *of = &g->search.tree;
        assert_int_equal(yo_cells_in_use(&of->cells), cells_from(of, of->root));
        yo_guided_delete(g);
    }
}

/* Positions without edges that are no ends of the game, and with edges that no child has. */
static size_t count_stunted(const struct yo_guided *g, yo_cell cell) {
    const struct yo_guided_tree *of = &g->search.tree;
    const struct yo_guided_node *node = yo_guided_node(of, cell);
    const struct yo_guided_edge *edges = yo_guided_edges(of, node);
    size_t count = yo_guided_state(node) == YO_GUIDED_OPEN && !edges;
    for (unsigned i = 0; i < node->edge_count; i++) {
        yo_cell child = yo_guided_child(&edges[i]);
        count += child ? count_stunted(g, child) : g->search.options.mode == YO_GUIDED_MCSS;
    }
    return count;
}

/* A node for whose moves there was no memory is opened again when there is some. */
static void nothing_stays_stunted(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct hash_eval eval = {.game = &ttt_ops, .batch = 8};
        struct yo_guided_options options;
        struct yo_guided *g;
        struct ttt position = {0};
        struct yo_search_result result;
        yo_guided_options_default(&options);
        options.mode = (enum yo_guided_mode)mode;
        options.memory_mb = 0;
        options.solve = false;
        assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &g, NULL),
                         YO_OK);
        for (uint64_t n = 300; n < 3000; n += 100) {
            struct yo_search_limits limits = {.playouts = n};
            yo_guided_clear(g);
            assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                             YO_OK);
            yo_guided_tree_thin(&g->search.tree);
            assert_int_equal(count_stunted(g, g->search.tree.root), 0);
        }
        yo_guided_delete(g);
    }
}

/* ---- a game that becomes wide all at once ---- */

enum { NARROW = 8, WIDE = 600 };

struct place {
    uint64_t key;
    uint32_t depth, width;
};

static int place_side(const void *position) {
    return (int)(((const struct place *)position)->depth & 1);
}

static size_t place_moves(const void *position, yo_move *out) {
    size_t count = ((const struct place *)position)->width;
    for (yo_move m = 0; m < count; m++)
        out[m] = m;
    return count;
}

static void place_play(void *position, yo_move move) {
    struct place *p = position;
    p->key = p->key * WIDE + move + 1;
    p->depth++;
}

static enum yo_outcome place_outcome(const void *position) {
    return ((const struct place *)position)->depth < 400 ? YO_OUTCOME_NONE : YO_OUTCOME_DRAW;
}

static uint64_t place_hash(const void *position) { return ((const struct place *)position)->key; }

/* What the game has left behind is in pieces that are too short for the moves of the root. */
static void a_root_finds_room_for_all_its_moves(void **state) {
    (void)state;
    static const struct yo_game_ops game = {.name = "places",
                                            .position_size = sizeof(struct place),
                                            .max_moves = WIDE,
                                            .move_bound = WIDE,
                                            .move_null = YO_MOVE_NONE,
                                            .side_to_move = place_side,
                                            .moves = place_moves,
                                            .play = place_play,
                                            .outcome = place_outcome,
                                            .hash = place_hash};
    struct hash_eval eval = {.game = &game, .batch = 1};
    struct place narrow = {.key = 1, .width = NARROW}, wide = {.key = 2, .width = WIDE};
    struct yo_search_limits limits = {.playouts = 1500}, few = {.visits = 50};
    struct yo_search_result result;
    struct yo_guided_options options;
    struct yo_guided *g;
    yo_guided_options_default(&options);
    options.memory_mb = 0;
    assert_int_equal(yo_guided_new(&game, hash_eval(&eval), NULL, &options, &g, NULL), YO_OK);
    for (limits.playouts = 100; limits.playouts < 2000; limits.playouts += 100) {
        yo_guided_clear(g);
        assert_int_equal(yo_guided_run(g, &narrow, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        yo_guided_advance(g, WIDE - 1); /* a move that it has not looked at */
        assert_int_equal(yo_guided_run(g, &wide, &few, NULL, NULL, NULL, &result, NULL), YO_OK);
        assert_int_equal(result.prior_count, WIDE);
        uint64_t visits = 1; /* the root's own */
        for (size_t i = 0; i < result.move_count; i++)
            visits += result.moves[i].visits;
        assert_int_equal(visits, few.visits);
    }
    yo_guided_delete(g);
}

static void priors_are_kept_closely(void **state) {
    (void)state;
    for (float prior = 1e-4f; prior <= 1; prior *= 1.1f) {
        struct yo_guided_edge edge = {.prior = yo_guided_prior_pack(prior)};
        assert_true(yo_guided_prior(&edge) > 0.998f * prior &&
                    yo_guided_prior(&edge) < 1.002f * prior);
    }
}

static int by_prior(const void *a, const void *b) {
    const struct yo_guided_edge *x = a, *y = b;
    if (x->prior != y->prior) return x->prior < y->prior ? 1 : -1;
    return x->move < y->move ? -1 : x->move > y->move;
}

/* As a sort that compares: all numbers of edges, moves in order or not, many equal priors. */
static void edges_are_sorted(void **state) {
    (void)state;
    static struct yo_guided_edge edges[GUIDED_CHILDREN_MAX], wanted[GUIDED_CHILDREN_MAX];
    srand(1);
    for (unsigned count = 0; count <= GUIDED_CHILDREN_MAX; count++)
        for (unsigned kind = 0; kind < 4; kind++) {
            for (unsigned i = 0; i < count; i++) {
                edges[i] = (struct yo_guided_edge){.move = (uint16_t)(101 * i)};
                edges[i].prior = (uint16_t)(kind & 2 ? rand() % 7 : rand());
                atomic_init(&edges[i].child, i + 1);
            }
            for (unsigned i = count; kind & 1 && i-- > 1;) {
                struct yo_guided_edge *other = &edges[(unsigned)rand() % (i + 1)], edge = *other;
                *other = edges[i];
                edges[i] = edge;
            }
            memcpy(wanted, edges, sizeof edges);
            qsort(wanted, count, sizeof *wanted, by_prior);
            guided_sort_edges(edges, count);
            assert_memory_equal(edges, wanted, count * sizeof *edges);
        }
}

static void no_memory(void **state) {
    (void)state;
    for (long n = 0; n < 2; n++) {
        yo_alloc_fail_after(n);
        enum yo_err err = yo_guided_tree_init(&tree, 1 << 20, false, NULL);
        yo_alloc_fail_after(-1);
        assert_int_equal(err, YO_ERR_NOMEM);
        yo_guided_tree_free(&tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_apart_and_come_back),
        cmocka_unit_test(advancing_keeps_one_subtree),
        cmocka_unit_test(thinning_drops_what_was_visited_least),
        cmocka_unit_test(no_cell_is_lost),
        cmocka_unit_test(nothing_stays_stunted),
        cmocka_unit_test(a_root_finds_room_for_all_its_moves),
        cmocka_unit_test(priors_are_kept_closely),
        cmocka_unit_test(edges_are_sorted),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
