/* search/guided with joined nodes: the table of nodes, and trees that several orders of moves lead
 * through, while they grow, go on with the game and are thinned. test_search_guided_plain.c
 * compares the searches themselves with their formulas. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/check_graph.h"
#include "support/hash_eval.h"
#include "support/tictactoe.h"

/* ---- the table ---- */

enum { KEYS = 300 };

/* Against an array. A node is found while edges lead to it and it was not forgotten. */
static void the_table_is_a_map(void **state) {
    (void)state;
    static struct {
        yo_cell node;
        uint32_t entry;
        unsigned uses;
    } model[KEYS];
    struct yo_joins joins = {0};
    unsigned refused = 0;
    assert_int_equal(yo_joins_init(&joins, 256), YO_OK);
    srand(1);
    for (int step = 0; step < 100000; step++) {
        unsigned k = (unsigned)rand() % KEYS;
        if (model[k].uses && rand() % 2) {
            bool last = --model[k].uses == 0;
            assert_int_equal(yo_joins_release(&joins, model[k].entry), last);
            continue;
        }
        yo_cell fresh = (yo_cell)step + 1, node = fresh;
        uint32_t entry =
            yo_joins_hold(&joins, ((uint64_t)k + 1) * UINT64_C(0x9e3779b97f4a7c15), &node);
        if (model[k].uses) {
            assert_int_equal(entry, model[k].entry);
            assert_int_equal(node, model[k].node);
        }
        refused += entry == 0;
        if (!entry) continue;
        if (!model[k].uses) assert_int_equal(node, fresh);
        model[k].node = node;
        model[k].entry = entry;
        model[k].uses++;
    }
    assert_true(refused > 0);
    yo_joins_free(&joins);
}

static void a_walk_meets_a_node_once(void **state) {
    (void)state;
    struct yo_joins joins = {0};
    yo_cell node = 5, other = 6;
    assert_int_equal(yo_joins_init(&joins, 256), YO_OK);
    uint32_t entry = yo_joins_hold(&joins, 77, &node);
    for (int walk = 0; walk < 3; walk++) {
        yo_joins_begin_walk(&joins);
        assert_true(yo_joins_meet(&joins, entry));
        assert_false(yo_joins_meet(&joins, entry));
    }
    yo_joins_forget(&joins);
    uint32_t second = yo_joins_hold(&joins, 77, &other);
    assert_int_not_equal(second, entry);
    assert_int_equal(other, 6);
    assert_true(yo_joins_release(&joins, second));
    yo_joins_begin_walk(&joins);
    assert_true(yo_joins_meet(&joins, entry));
    assert_int_equal(yo_joins_hold(&joins, 77, &other), entry);
    assert_int_equal(other, 5);
    assert_false(yo_joins_release(&joins, entry));
    assert_true(yo_joins_release(&joins, entry));
    yo_joins_free(&joins);
}

/* ---- a game of orders: numbers are taken in turn, and only which are taken counts. Unless the
 * last forbids the next, which the key of a position does not tell. ---- */

enum { NUMBERS = 12 };

struct numbers {
    uint16_t taken;
    uint8_t last, to_move;
    bool forbids;
};

static int numbers_side(const void *of) { return ((const struct numbers *)of)->to_move; }

static size_t numbers_moves(const void *of, yo_move *out) {
    const struct numbers *n = of;
    size_t count = 0;
    for (yo_move m = 0; m < NUMBERS; m++)
        if (!(n->taken >> m & 1) && !(n->forbids && m == n->last + 1u)) out[count++] = m;
    return count;
}

static void numbers_play(void *of, yo_move move) {
    struct numbers *n = of;
    n->taken |= (uint16_t)(1 << move);
    n->last = (uint8_t)move;
    n->to_move ^= 1;
}

static enum yo_outcome numbers_outcome(const void *of) {
    yo_move moves[NUMBERS];
    return numbers_moves(of, moves) ? YO_OUTCOME_NONE : YO_OUTCOME_DRAW;
}

static uint64_t numbers_hash(const void *of) { return ((const struct numbers *)of)->taken; }

static const struct yo_game_ops numbers_ops = {.name = "numbers",
                                               .position_size = sizeof(struct numbers),
                                               .max_moves = NUMBERS,
                                               .move_bound = NUMBERS,
                                               .move_null = YO_MOVE_NONE,
                                               .side_to_move = numbers_side,
                                               .moves = numbers_moves,
                                               .play = numbers_play,
                                               .outcome = numbers_outcome,
                                               .hash = numbers_hash};

/* ---- a game of cycles: steps to and fro on a ring ---- */

enum { RING = 5, RING_PLIES = 30 };

struct ring {
    uint8_t at, to_move, ply;
};

static int ring_side(const void *of) { return ((const struct ring *)of)->to_move; }

static size_t ring_moves(const void *of, yo_move *out) {
    (void)of;
    out[0] = 1;
    out[1] = RING - 1;
    return 2;
}

static void ring_play(void *of, yo_move move) {
    struct ring *r = of;
    r->at = (uint8_t)((r->at + move) % RING);
    r->to_move ^= 1;
    r->ply++;
}

static enum yo_outcome ring_outcome(const void *of) {
    return ((const struct ring *)of)->ply < RING_PLIES ? YO_OUTCOME_NONE : YO_OUTCOME_DRAW;
}

static uint64_t ring_hash(const void *of) {
    const struct ring *r = of;
    return 2 * r->at + r->to_move;
}

static const struct yo_game_ops ring_ops = {.name = "ring",
                                            .position_size = sizeof(struct ring),
                                            .max_moves = 2,
                                            .move_bound = RING,
                                            .move_null = YO_MOVE_NONE,
                                            .side_to_move = ring_side,
                                            .moves = ring_moves,
                                            .play = ring_play,
                                            .outcome = ring_outcome,
                                            .hash = ring_hash};

/* ---- trees ---- */

static const struct yo_game_ops *playing;

static uint64_t its_hash(void *ctx, const void *position, yo_move last) {
    (void)ctx, (void)last;
    return playing->hash(position) + 1;
}

static uint64_t few_keys(void *ctx, const void *position, yo_move move) {
    (void)ctx, (void)position;
    return 1 + move % 20;
}

static size_t nine(const void *position) {
    (void)position;
    return 9;
}

static struct yo_guided *make(struct hash_eval *eval, enum yo_guided_mode mode, size_t memory_mb,
                              bool keyed) {
    struct yo_guided_hooks hooks = {.position_key = its_hash};
    struct yo_guided_options options;
    struct yo_guided *g = NULL;
    if (keyed) {
        hooks.surroundings = few_keys;
        hooks.cells = nine;
    }
    yo_guided_options_default(&options);
    options.mode = mode;
    options.memory_mb = memory_mb;
    options.solve = false;
    options.joining = YO_GUIDED_JOIN_ALL;
    playing = eval->game;
    assert_int_equal(yo_guided_new(eval->game, hash_eval(eval), &hooks, &options, &g, NULL), YO_OK);
    return g;
}

static struct yo_search_result search(struct yo_guided *g, const void *position, uint64_t visits) {
    struct yo_search_limits limits = {.playouts = visits, .whole = true};
    struct yo_search_result result;
    assert_int_equal(yo_guided_run(g, position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    return result;
}

/* The moves of a result are those of the position, and their visits are the root's less one. */
static void check_result(const struct yo_guided *g, const void *position,
                         const struct yo_search_result *result, bool was_full) {
    static yo_move moves[GUIDED_CHILDREN_MAX];
    const struct yo_guided_tree *tree = &g->search.tree;
    size_t count = playing->moves(position, moves);
    uint64_t sum = 0;
    for (size_t i = 0; i < result->move_count; i++) {
        bool legal = false;
        for (size_t k = 0; k < count; k++)
            legal = legal || moves[k] == result->moves[i].move;
        assert_true(legal);
        sum += result->moves[i].visits;
    }
    const struct yo_guided_node *root = yo_guided_node(tree, tree->root);
    assert_true(sum + 1 <= yo_guided_visits(root));
    if (root->own_weight == 1 && !was_full) assert_int_equal(sum + 1, yo_guided_visits(root));
}

/* Games at random, a search before each move, and a tree with room or one that is thinned all the
 * time. Sometimes the game goes where the tree has nothing. */
static size_t play_games(struct hash_eval *eval, const void *start, enum yo_guided_mode mode,
                         size_t memory_mb, uint64_t visits, int games) {
    struct yo_guided *g = make(eval, mode, memory_mb, memory_mb % 2);
    void *position = malloc(eval->game->position_size);
    yo_move moves[GUIDED_CHILDREN_MAX];
    enum graph_visits visits_add = memory_mb < 8 ? GRAPH_WAS_FULL : GRAPH_EXACT;
    size_t joined = 0;
    if (!position) abort();
    for (int game = 0; game < games; game++) {
        memcpy(position, start, eval->game->position_size);
        yo_guided_clear(g);
        for (int ply = 0; ply < 8 && eval->game->outcome(position) == YO_OUTCOME_NONE; ply++) {
            struct yo_search_result result = search(g, position, visits);
            check_result(g, position, &result, memory_mb < 8);
            joined += check_graph(g, visits_add).joined;
            size_t count = eval->game->moves(position, moves);
            yo_move move = rand() % 4 ? result.moves[(size_t)rand() % result.move_count].move
                                      : moves[(size_t)rand() % count];
            eval->game->play(position, move);
            yo_guided_advance(g, move);
            check_graph(g, visits_add);
        }
    }
    free(position);
    yo_guided_delete(g);
    return joined;
}

static void trees_are_sound(void **state) {
    (void)state;
    static const size_t memory_mb[] = {0, 1, 8};
    struct ttt empty = {0};
    struct numbers none = {0};
    struct ring first = {0};
    srand(4);
    for (int mode = 0; mode < 2; mode++)
        for (size_t m = 0; m < 3; m++)
            for (size_t batch = 1; batch < 6; batch += 4) {
                struct hash_eval ttt = {.game = &ttt_ops, .batch = batch};
                struct hash_eval numbers = {.game = &numbers_ops, .batch = batch};
                enum yo_guided_mode with = (enum yo_guided_mode)mode;
                assert_true(play_games(&ttt, &empty, with, memory_mb[m], 600, 4) > 0);
                assert_true(play_games(&numbers, &none, with, memory_mb[m], 600, 4) > 0);
                struct hash_eval ring = {.game = &ring_ops, .batch = batch};
                assert_true(play_games(&ring, &first, with, memory_mb[m], 300, 2) > 0);
            }
}

/* ---- values ---- */

/* The mean of a node's own value and those of its children, by the visits of the edges; by cell. */
static double mean_of(const struct yo_guided_tree *tree, const struct yo_guided_node *node,
                      double *known) {
    double *mine = &known[((const unsigned char *)node - tree->cells.base) / YO_CELL_SIZE];
    const struct yo_guided_edge *edges = yo_guided_edges(tree, node);
    double weight = (double)node->own_weight, sum = weight * (double)node->own.value;
    if (!isnan(*mine)) return *mine;
    if (!edges || atomic_load(&node->reach) == 0) return *mine = (double)node->own.value;
    for (unsigned i = 0; i < node->edge_count; i++) {
        double visits = yo_guided_edge_visits(tree, &edges[i]);
        if (visits == 0) continue;
        weight += visits;
        sum += visits * mean_of(tree, yo_guided_node(tree, yo_guided_child(&edges[i])), known);
    }
    return *mine = sum / weight;
}

/* When every node has been computed after its children, all means are those of the definition. */
static void values_are_those_of_the_graph(void **state) {
    (void)state;
    struct numbers none = {0};
    struct ttt empty = {0};
    for (int game = 0; game < 2; game++) {
        struct hash_eval eval = {.game = game ? &numbers_ops : &ttt_ops, .batch = 1};
        struct yo_guided *g = make(&eval, YO_GUIDED_PUCT, 8, false);
        struct guided_search *s = &g->search;
        s->options.value_exponent = s->options.noise_prune = 0;
        search(g, game ? (const void *)&none : &empty, 3000);
        guided_recenter(s);
        size_t checked = 0, capacity = s->tree.cells.capacity;
        double *known = malloc(capacity * sizeof *known);
        if (!known) abort();
        for (size_t i = 0; i < capacity; i++)
            known[i] = NAN;
        mean_of(&s->tree, yo_guided_node(&s->tree, s->tree.root), known);
        for (yo_cell cell = 1; cell < capacity; cell++) {
            if (isnan(known[cell])) continue;
            const struct yo_guided_node *node = yo_guided_node(&s->tree, cell);
            assert_true(fabs(known[cell] - (double)yo_guided_get(&node->mean.value)) < 1e-4);
            checked++;
        }
        assert_true(checked > 500);
        assert_true(check_graph(g, GRAPH_EXACT).joined > 100);
        free(known);
        yo_guided_delete(g);
    }
}

static void the_same_twice(void **state) {
    (void)state;
    struct numbers none = {0};
    for (int mode = 0; mode < 2; mode++) {
        uint64_t visits[2][NUMBERS] = {0}, joined[2];
        for (int round = 0; round < 2; round++) {
            struct hash_eval eval = {.game = &numbers_ops, .batch = 4};
            struct yo_guided *g = make(&eval, (enum yo_guided_mode)mode, 4, false);
            struct yo_search_result result = search(g, &none, 700);
            for (size_t i = 0; i < result.move_count; i++)
                visits[round][i] = result.moves[i].visits << 16 | result.moves[i].move;
            joined[round] = result.joined;
            yo_guided_delete(g);
        }
        assert_memory_equal(visits[0], visits[1], sizeof visits[0]);
        assert_int_equal(joined[0], joined[1]);
    }
}

/* A simulation that meets a known node is not evaluated. */
static void known_nodes_cost_nothing(void **state) {
    (void)state;
    struct numbers none = {0};
    struct hash_eval eval = {.game = &numbers_ops, .batch = 1};
    struct yo_guided *g = make(&eval, YO_GUIDED_PUCT, 8, false);
    struct yo_search_result result = search(g, &none, 2000);
    assert_true(result.joined > 500);
    assert_true((uint64_t)eval.items + result.joined <= 2000);
    yo_guided_delete(g);
}

/* ---- what the evaluator sees of the moves before ---- */

static uint64_t nothing(void *ctx, const void *position) {
    (void)ctx, (void)position;
    return 0;
}

static uint64_t the_last(void *ctx, const void *position) {
    (void)ctx;
    return 1 + ((const struct numbers *)position)->last;
}

static uint64_t another_each_time(void *ctx, const void *position) {
    (void)position;
    return ++*(uint64_t *)ctx;
}

static uint64_t joined_with(enum yo_guided_joining joining,
                            uint64_t (*history_key)(void *ctx, const void *position)) {
    uint64_t calls = 0;
    struct hash_eval eval = {.game = &numbers_ops, .batch = 1};
    struct yo_guided_hooks hooks = {
        .position_key = its_hash, .history_key = history_key, .ctx = &calls};
    struct yo_guided_options options;
    struct yo_guided *g = NULL;
    struct numbers none = {0};
    playing = &numbers_ops;
    yo_guided_options_default(&options);
    options.memory_mb = 8;
    options.joining = joining;
    assert_int_equal(yo_guided_new(&numbers_ops, hash_eval(&eval), &hooks, &options, &g, NULL),
                     YO_OK);
    uint64_t joined = search(g, &none, 1000).joined;
    check_graph(g, GRAPH_EXACT);
    yo_guided_delete(g);
    return joined;
}

static void histories_keep_nodes_apart(void **state) {
    (void)state;
    uint64_t all = joined_with(YO_GUIDED_JOIN_ALL, another_each_time);
    assert_int_equal(joined_with(YO_GUIDED_JOIN_NONE, nothing), 0);
    assert_int_equal(joined_with(YO_GUIDED_JOIN_SAME, nothing), all);
    assert_int_equal(joined_with(YO_GUIDED_JOIN_SAME, NULL), all);
    assert_int_equal(joined_with(YO_GUIDED_JOIN_SAME, another_each_time), 0);
    uint64_t some = joined_with(YO_GUIDED_JOIN_SAME, the_last);
    assert_true(some > 0 && some < all);
}

/* ---- the root ---- */

/* What the other order of moves allows is not played at the root. */
static void moves_of_the_root_are_legal(void **state) {
    (void)state;
    struct hash_eval eval = {.game = &numbers_ops, .batch = 1};
    struct yo_guided *g = make(&eval, YO_GUIDED_PUCT, 1, false);
    srand(6);
    for (int game = 0; game < 200; game++) {
        struct numbers position = {.last = NUMBERS, .forbids = true};
        yo_guided_clear(g);
        while (numbers_outcome(&position) == YO_OUTCOME_NONE) {
            struct yo_search_result result = search(g, &position, 150);
            check_result(g, &position, &result, false);
            yo_move move = result.moves[(size_t)rand() % result.move_count].move;
            numbers_play(&position, move);
            yo_guided_advance(g, move);
        }
    }
    yo_guided_delete(g);
}

/* ---- */

static void no_memory(void **state) {
    (void)state;
    struct hash_eval eval = {.game = &ttt_ops, .batch = 2};
    struct yo_guided_hooks hooks = {.position_key = its_hash};
    struct yo_guided_options options;
    yo_guided_options_default(&options);
    options.mode = YO_GUIDED_MCSS;
    options.memory_mb = 1;
    options.joining = YO_GUIDED_JOIN_ALL;
    for (long n = 0;; n++) {
        struct yo_guided *g = NULL;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_guided_new(&ttt_ops, hash_eval(&eval), &hooks, &options, &g, NULL);
        yo_alloc_fail_after(-1);
        if (err == YO_OK) {
            yo_guided_delete(g);
            assert_true(n > 10);
            return;
        }
        assert_int_equal(err, YO_ERR_NOMEM);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_a_map),
        cmocka_unit_test(a_walk_meets_a_node_once),
        cmocka_unit_test(trees_are_sound),
        cmocka_unit_test(values_are_those_of_the_graph),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(known_nodes_cost_nothing),
        cmocka_unit_test(histories_keep_nodes_apart),
        cmocka_unit_test(moves_of_the_root_are_legal),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
