/* The small tree of self-play: visits and sums add up, selection is that of the formula, subtrees
 * survive a move; the root's noise, targets and draws. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "learn/netplay/root.h"
#include "search/guided/tree.h"

enum { MOVES = 12, VISITS = 300 };

static const struct yo_netplay_puct puct = {
    .cpuct = 1.1f, .cpuct_log = 0.45f, .cpuct_base = 500, .fpu = 0.2f, .root_fpu = 0.05f};
static uint64_t seed;

static double uniform(void) { return yo_random_uniform(&seed); }

static float prior_of(uint16_t packed) {
    struct yo_guided_edge edge = {.prior = packed};
    return yo_guided_prior(&edge);
}

static struct yo_netplay_value some_value(void) {
    float v = (float)(2 * uniform() - 1);
    return (struct yo_netplay_value){.utility = v, .value = v / 2, .score = 10 * v};
}

static void open_leaf(struct yo_netplay_tree *tree, uint32_t node) {
    uint16_t moves[MOVES];
    float policy[MOVES], sum = 0;
    for (int i = 0; i < MOVES; i++) {
        moves[i] = (uint16_t)(10 * i);
        sum += policy[i] = (float)exp(3 * uniform());
    }
    for (int i = 0; i < MOVES; i++)
        policy[i] /= sum;
    yo_netplay_tree_open(tree, node, moves, policy, MOVES);
}

/* The formula in plain words, in double precision. */
static double urgency(const struct yo_netplay_tree *tree, const struct yo_netplay_node *node,
                      bool root, int kid) {
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, node);
    double total = 0, tried = 0, sign = node->to_move ? -1 : 1;
    for (int i = 0; i < node->kid_count; i++) {
        total += kids[i].visits;
        tried += (double)prior_of(kids[i].prior);
    }
    double c = 1.1 + (total > 32 ? 0.45 * log((total + 500) / 500) : 0);
    c *= sqrt(total + 0.01);
    if (kid < node->kid_count)
        return sign * (double)kids[kid].sum / kids[kid].visits +
               c * (double)prior_of(kids[kid].prior) / (1 + kids[kid].visits);
    uint16_t best = 0;
    for (int i = 0; i < node->edge_count; i++)
        if (yo_netplay_edges(tree, node)[i].prior > best)
            best = yo_netplay_edges(tree, node)[i].prior;
    return sign * (double)node->sum / node->visits - (root ? 0.05 : 0.2) * sqrt(tried) +
           c * (double)prior_of(best);
}

static unsigned select_checked(const struct yo_netplay_tree *tree,
                               const struct yo_netplay_node *node, bool root) {
    unsigned chosen = yo_netplay_tree_select(tree, node, &puct, root);
    double mine = urgency(tree, node, root, (int)chosen);
    for (int i = 0; i < node->kid_count + (node->edge_count > 0); i++)
        assert_true(urgency(tree, node, root, i) <= mine + 1e-4);
    return chosen;
}

static void visit(struct yo_netplay_tree *tree) {
    struct yo_netplay_path path = {.length = 1, .node = {tree->root}};
    struct yo_netplay_value value = some_value();
    uint32_t at = tree->root;
    int side = 0;
    while (at) {
        struct yo_netplay_node *node = yo_netplay_node(tree, at);
        unsigned i = select_checked(tree, node, path.length == 1);
        if (i == node->kid_count) i = yo_netplay_tree_try(tree, node);
        path.kid[path.length - 1] = (uint16_t)i;
        side = node->to_move ^ 1;
        path.node[path.length++] = at = yo_netplay_kids(tree, node)[i].child;
    }
    uint32_t leaf = yo_netplay_tree_add(tree, side, &value);
    if (leaf) {
        open_leaf(tree, leaf);
        memset(yo_netplay_kept(tree, leaf), (int)(leaf & 127), 8 * tree->kept);
        struct yo_netplay_node *parent = yo_netplay_node(tree, path.node[path.length - 2]);
        yo_netplay_kids(tree, parent)[path.kid[path.length - 2]].child = leaf;
    }
    path.node[path.length - 1] = leaf;
    yo_netplay_tree_back_up(tree, &path, &value);
}

static void grow(struct yo_netplay_tree *tree, int visits) {
    struct yo_netplay_value value = some_value();
    tree->root = yo_netplay_tree_add(tree, 0, &value);
    open_leaf(tree, tree->root);
    struct yo_netplay_path path = {.length = 1, .node = {tree->root}};
    yo_netplay_tree_back_up(tree, &path, &value);
    for (int i = 0; i < visits; i++)
        visit(tree);
}

/* Visits and sums of a node are those of its kids and its own; moves appear once. */
static unsigned check(const struct yo_netplay_tree *tree, uint32_t at) {
    const struct yo_netplay_node *node = yo_netplay_node(tree, at);
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, node);
    double sum = (double)node->own;
    unsigned visits = 1, moves = 0;
    for (unsigned i = 0; i < node->kid_count; i++) {
        if (kids[i].child) assert_int_equal(check(tree, kids[i].child), kids[i].visits);
        visits += kids[i].visits;
        sum += (double)kids[i].sum;
        moves |= 1u << kids[i].move / 10;
    }
    for (unsigned i = 0; i < node->edge_count; i++)
        moves |= 1u << yo_netplay_edges(tree, node)[i].move / 10;
    assert_int_equal(moves, (1u << MOVES) - 1);
    assert_int_equal(node->kid_count + node->edge_count, MOVES);
    assert_int_equal(node->visits, visits);
    assert_true(fabs(sum - (double)node->sum) < 1e-3);
    return visits;
}

static void visits_add_up(void **state) {
    (void)state;
    for (seed = 1; seed < 6; seed++) {
        struct yo_netplay_tree tree, spare;
        assert_int_equal(yo_netplay_tree_init(&tree, VISITS + 2, MOVES, 3), YO_OK);
        assert_int_equal(yo_netplay_tree_init(&spare, VISITS + 2, MOVES, 3), YO_OK);
        grow(&tree, VISITS);
        assert_int_equal(check(&tree, tree.root), VISITS + 1);
        const struct yo_netplay_node *root = yo_netplay_node(&tree, tree.root);
        struct yo_netplay_kid kid = yo_netplay_kids(&tree, root)[0];
        uint64_t kept = *yo_netplay_kept(&tree, kid.child);
        assert_true(yo_netplay_tree_advance(&tree, kid.move, &spare));
        assert_int_equal(check(&tree, tree.root), kid.visits);
        assert_true(*yo_netplay_kept(&tree, tree.root) == kept);
        for (int i = 0; i < 50; i++)
            visit(&tree);
        check(&tree, tree.root);
        assert_false(yo_netplay_tree_advance(&tree, 7777, &spare));
        assert_int_equal(tree.root, 0);
        yo_netplay_tree_free(&tree);
        yo_netplay_tree_free(&spare);
    }
}

/* Without room leaves are not kept, but all visits count. */
static void full_tree(void **state) {
    (void)state;
    struct yo_netplay_tree tree;
    seed = 9;
    assert_int_equal(yo_netplay_tree_init(&tree, 10, MOVES, 0), YO_OK);
    struct yo_netplay_value value = some_value();
    tree.root = yo_netplay_tree_add(&tree, 0, &value);
    open_leaf(&tree, tree.root);
    uint32_t used = 0, leaf;
    while ((leaf = yo_netplay_tree_add(&tree, 1, &value)))
        used++;
    assert_true(used >= 10);
    yo_netplay_tree_free(&tree);
}

static void restricts(void **state) {
    (void)state;
    struct yo_netplay_tree tree;
    const yo_move allowed[] = {0, 50, 110};
    seed = 4;
    assert_int_equal(yo_netplay_tree_init(&tree, VISITS, MOVES, 0), YO_OK);
    grow(&tree, 40);
    yo_netplay_tree_restrict(&tree, allowed, 3);
    const struct yo_netplay_node *root = yo_netplay_node(&tree, tree.root);
    assert_int_equal(root->kid_count + root->edge_count, 3);
    for (int i = 0; i < 100; i++)
        visit(&tree);
    struct yo_netplay_target moves[MOVES];
    size_t count = yo_netplay_root_visits(&tree, &puct, false, moves, MOVES);
    assert_true(count >= 1 && count <= 3);
    for (size_t i = 0; i < count; i++)
        assert_true(moves[i].move == 0 || moves[i].move == 50 || moves[i].move == 110);
    yo_netplay_tree_free(&tree);
}

static double prior_sum(const struct yo_netplay_tree *tree) {
    const struct yo_netplay_node *root = yo_netplay_node(tree, tree->root);
    double sum = 0;
    for (int i = 0; i < root->kid_count; i++)
        sum += (double)prior_of(yo_netplay_kids(tree, root)[i].prior);
    for (int i = 0; i < root->edge_count; i++)
        sum += (double)prior_of(yo_netplay_edges(tree, root)[i].prior);
    return sum;
}

/* Noise keeps the sum of the priors; forced visits are taken off again, others stay. */
static void noise_and_targets(void **state) {
    (void)state;
    struct yo_netplay_puct forcing = puct;
    forcing.forced = 2;
    for (seed = 20; seed < 26; seed++) {
        struct yo_netplay_tree tree;
        struct yo_netplay_target all[MOVES], pruned[MOVES];
        assert_int_equal(yo_netplay_tree_init(&tree, VISITS + 2, MOVES, 0), YO_OK);
        grow(&tree, 0);
        yo_netplay_root_noise(&tree, 0.25f, 10, &seed);
        assert_true(fabs(prior_sum(&tree) - 1) < 0.01);
        for (int i = 0; i < VISITS; i++)
            visit(&tree);
        size_t n = yo_netplay_root_visits(&tree, &forcing, false, all, MOVES);
        size_t m = yo_netplay_root_visits(&tree, &forcing, true, pruned, MOVES);
        unsigned sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += all[i].weight;
            if (i > 0) assert_true(all[i].weight <= all[i - 1].weight);
        }
        assert_int_equal(sum, VISITS);
        assert_true(m >= 1 && m <= n);
        assert_int_equal(pruned[0].move, all[0].move);
        assert_int_equal(pruned[0].weight, all[0].weight);
        for (size_t i = 0; i < m; i++)
            for (size_t k = 0; k < n; k++)
                if (pruned[i].move == all[k].move)
                    assert_true(pruned[i].weight <= all[k].weight && pruned[i].weight > 0);
        yo_netplay_tree_free(&tree);
    }
}

/* Draws follow the weights; at temperature 0 the first is taken. */
static void draws(void **state) {
    (void)state;
    const struct yo_netplay_target moves[] = {{5, 60}, {6, 30}, {7, 10}};
    int found[3] = {0};
    seed = 77;
    for (int i = 0; i < 10000; i++)
        found[yo_netplay_root_pick(moves, 3, 1, &seed)]++;
    assert_in_range(found[0], 5800, 6200);
    assert_in_range(found[1], 2800, 3200);
    assert_in_range(found[2], 850, 1150);
    for (int i = 0; i < 100; i++)
        assert_int_equal(yo_netplay_root_pick(moves, 3, 0, &seed), 0);
}

static void softmax(void **state) {
    (void)state;
    for (int round = 0; round < 200; round++) {
        float values[100], logits[100];
        size_t count = 1 + (size_t)(99 * uniform());
        double sum = 0, most = -1e9;
        for (size_t i = 0; i < count; i++) {
            logits[i] = values[i] = (float)((round % 50) * (uniform() - 0.5));
            most = fmax(most, (double)logits[i]);
        }
        for (size_t i = 0; i < count; i++)
            sum += exp((double)logits[i] - most);
        yo_netplay_softmax(values, count);
        for (size_t i = 0; i < count; i++) {
            double right = exp((double)logits[i] - most) / sum;
            assert_true(fabs((double)values[i] - right) <= 3e-6 * right + 1e-12);
        }
    }
    float apart[2] = {-1e9f, 3}, one = 7;
    yo_netplay_softmax(apart, 2);
    yo_netplay_softmax(&one, 1);
    assert_true(apart[0] < 1e-17f && apart[1] == 1 && one == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax),           cmocka_unit_test(visits_add_up),
        cmocka_unit_test(full_tree),         cmocka_unit_test(restricts),
        cmocka_unit_test(noise_and_targets), cmocka_unit_test(draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
