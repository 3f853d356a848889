/* tree.c: blocks until the arena is full, and that advancing keeps just the right part. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "search/tree.h"

static struct yo_tree tree;

static yo_node_index grow(yo_node_index parent, size_t count) {
    yo_node_index block = yo_tree_alloc(&tree, parent, count);
    if (block == YO_NODE_NONE) return block;
    for (size_t i = 0; i < count; i++) {
        yo_tree_node(&tree, block + (yo_node_index)i)->move = (yo_move)i;
        atomic_store(&yo_tree_node(&tree, block + (yo_node_index)i)->visits, (unsigned)rand());
    }
    atomic_store(&yo_tree_node(&tree, parent)->children, block);
    return block;
}

static void is_full_and_stays_usable(void **state) {
    (void)state;
    assert_int_equal(yo_tree_init(&tree, 0, NULL), YO_OK);
    size_t blocks = 0;
    yo_node_index parent = YO_NODE_ROOT, block;
    while ((block = grow(parent, 100)) != YO_NODE_NONE) {
        parent = block + 7;
        blocks++;
    }
    assert_int_equal(blocks, (tree.capacity - 2) / 100);
    assert_true(atomic_load(&tree.full));
    assert_true(atomic_load(&tree.used) <= tree.capacity);
    /* A small one still fits, and nothing that was there has changed. */
    assert_int_not_equal(yo_tree_alloc(&tree, parent, 1), YO_NODE_NONE);
    size_t count;
    assert_non_null(yo_tree_children(&tree, yo_tree_node(&tree, YO_NODE_ROOT), &count));
    assert_int_equal(count, 100);
    yo_tree_clear(&tree);
    assert_null(yo_tree_children(&tree, yo_tree_node(&tree, YO_NODE_ROOT), &count));
    assert_false(atomic_load(&tree.full));
    yo_tree_free(&tree);
}

/* All that is below a node, as one number; and how many nodes there are. */
static uint64_t fingerprint(yo_node_index index, size_t *nodes) {
    const struct yo_node *node = yo_tree_node(&tree, index);
    uint64_t h = atomic_load(&node->visits) * UINT64_C(0x9e3779b97f4a7c15) + node->move;
    size_t count = 0;
    const struct yo_node *child = yo_tree_children(&tree, node, &count);
    for (size_t i = 0; i < count; i++, (*nodes)++)
        h = (h ^ fingerprint((yo_node_index)(child + i - tree.nodes), nodes)) *
            UINT64_C(0xd1b54a32d192ed03);
    return h;
}

static void grow_at_random(size_t blocks) {
    for (size_t i = 0; i < blocks; i++) {
        yo_node_index at = YO_NODE_ROOT + (yo_node_index)rand() % (atomic_load(&tree.used) - 1);
        if (atomic_load(&yo_tree_node(&tree, at)->children) == YO_NODE_NONE)
            grow(at, 1 + (size_t)rand() % 9);
    }
}

static void advances(void **state) {
    (void)state;
    srand(1);
    assert_int_equal(yo_tree_init(&tree, 1 << 20, NULL), YO_OK);
    for (int round = 0; round < 200; round++) {
        if (round % 20 == 0) yo_tree_clear(&tree);
        grow_at_random(300);
        size_t count = 0, wanted = 0, got = 0;
        struct yo_node *child = yo_tree_children(&tree, yo_tree_node(&tree, YO_NODE_ROOT), &count);
        if (!child) continue;
        yo_move move = (yo_move)rand() % (yo_move)count;
        uint64_t before = fingerprint((yo_node_index)(child + move - tree.nodes), &wanted);
        assert_true(yo_tree_advance(&tree, move));
        assert_true(fingerprint(YO_NODE_ROOT, &got) == before);
        assert_int_equal(got, wanted);
        assert_int_equal(atomic_load(&tree.used), YO_NODE_ROOT + 1 + wanted); /* no waste */
    }
    assert_false(yo_tree_advance(&tree, 1000));
    assert_int_equal(atomic_load(&tree.used), YO_NODE_ROOT + 1);
    yo_tree_free(&tree);
}

/* ---- thinning ---- */

/* Visits as a search makes them: no child has more than its parent, or than it has left. */
static void share_visits(yo_node_index index, unsigned visits) {
    size_t count = 0;
    struct yo_node *node = yo_tree_node(&tree, index);
    struct yo_node *child = yo_tree_children(&tree, node, &count);
    atomic_store(&node->visits, visits);
    for (size_t i = 0; i < count; i++) {
        unsigned part = visits > 1 ? (unsigned)rand() % (visits / 2 + 1) : 0;
        share_visits((yo_node_index)(child + i - tree.nodes), part);
        visits -= part;
    }
}

/* The nodes that have children, and what those with so many visits at least have below them. */
static size_t owners_below(yo_node_index index, unsigned *fewest) {
    const struct yo_node *node = yo_tree_node(&tree, index);
    size_t count = 0, owners = 1;
    const struct yo_node *child = yo_tree_children(&tree, node, &count);
    if (!child) return 0;
    if (atomic_load(&node->visits) < *fewest) *fewest = atomic_load(&node->visits);
    for (size_t i = 0; i < count; i++)
        owners += owners_below((yo_node_index)(child + i - tree.nodes), fewest);
    return owners;
}

static uint64_t fingerprint_above(yo_node_index index, unsigned least) {
    const struct yo_node *node = yo_tree_node(&tree, index);
    unsigned visits = atomic_load(&node->visits);
    uint64_t h = visits * UINT64_C(0x9e3779b97f4a7c15) + node->move;
    size_t count = 0;
    const struct yo_node *child = yo_tree_children(&tree, node, &count);
    if (visits < least && index != YO_NODE_ROOT) return h;
    for (size_t i = 0; i < count; i++)
        h = (h ^ fingerprint_above((yo_node_index)(child + i - tree.nodes), least)) *
            UINT64_C(0xd1b54a32d192ed03);
    return h;
}

static void fill_up(void) {
    yo_tree_clear(&tree);
    grow(YO_NODE_ROOT, 30);
    while (!atomic_load(&tree.full)) {
        yo_node_index at = YO_NODE_ROOT + (yo_node_index)rand() % (atomic_load(&tree.used) - 1);
        if (atomic_load(&yo_tree_node(&tree, at)->children) == YO_NODE_NONE)
            grow(at, 1 + (size_t)rand() % 30);
    }
    share_visits(YO_NODE_ROOT, 1 << 20);
}

/* What was visited more than anything that went is still there, as it was. */
static void drops_what_was_visited_least(void **state) {
    (void)state;
    srand(2);
    assert_int_equal(yo_tree_init(&tree, 1 << 20, NULL), YO_OK);
    for (int round = 0; round < 20; round++) {
        fill_up();
        unsigned fewest = ~0u, before = ~0u;
        size_t nodes = 0, owners = owners_below(YO_NODE_ROOT, &before);
        yo_node_index from = atomic_load(&tree.used);
        uint64_t whole[24];
        for (unsigned i = 0; i < 24; i++)
            whole[i] = fingerprint_above(YO_NODE_ROOT, i);
        assert_true(yo_tree_thin(&tree, NULL, NULL));
        assert_false(atomic_load(&tree.full));
        assert_true(tree.thinned);
        assert_true(atomic_load(&tree.used) <= tree.capacity / 2 + 32);
        assert_true(owners_below(YO_NODE_ROOT, &fewest) < owners);
        assert_true(fewest > before && fewest < 24);
        assert_true(fingerprint_above(YO_NODE_ROOT, fewest) == whole[fewest]);
        fingerprint(YO_NODE_ROOT, &nodes);
        assert_int_equal(atomic_load(&tree.used), YO_NODE_ROOT + 1 + nodes);
        assert_true(atomic_load(&tree.used) < from);
        assert_int_not_equal(yo_tree_alloc(&tree, YO_NODE_ROOT, 500), YO_NODE_NONE);
    }
    yo_tree_free(&tree);
}

static bool count_down(void *user) { return --*(int *)user < 0; }

/* Ended at any moment, it leaves a tree that has lost nothing but what it should, and that goes on.
 */
static void can_be_ended_while_thinning(void **state) {
    (void)state;
    srand(3);
    assert_int_equal(yo_tree_init(&tree, 1 << 20, NULL), YO_OK);
    for (int after = 0, ended = 1; ended; after++) {
        fill_up();
        int left = after;
        unsigned fewest = ~0u;
        uint64_t above = fingerprint_above(YO_NODE_ROOT, 24);
        ended = !yo_tree_thin(&tree, count_down, &left);
        assert_true(ended == atomic_load(&tree.full));
        assert_true(after < 1000);
        assert_true(fingerprint_above(YO_NODE_ROOT, 24) == above);
        owners_below(YO_NODE_ROOT, &fewest);
        /* Again, and to its end: the gap and what has lost its owner go too. */
        size_t nodes = 0, kept = 0;
        if (after % 2) {
            assert_true(yo_tree_thin(&tree, NULL, NULL));
            assert_true(fingerprint_above(YO_NODE_ROOT, 24) == above);
            fingerprint(YO_NODE_ROOT, &nodes);
            assert_int_equal(atomic_load(&tree.used), YO_NODE_ROOT + 1 + nodes);
        }
        size_t count = 0;
        struct yo_node *child = yo_tree_children(&tree, yo_tree_node(&tree, YO_NODE_ROOT), &count);
        uint64_t below = fingerprint((yo_node_index)(child + 5 - tree.nodes), &kept);
        assert_true(yo_tree_advance(&tree, 5));
        nodes = 0;
        assert_true(fingerprint(YO_NODE_ROOT, &nodes) == below);
        assert_int_equal(nodes, kept);
        assert_int_equal(atomic_load(&tree.used), YO_NODE_ROOT + 1 + nodes);
        assert_false(tree.thinned);
    }
    yo_tree_free(&tree);
}

/* A node that a thread has claimed has no children that anyone sees, and nobody else makes any. */
static void one_thread_makes_the_children(void **state) {
    (void)state;
    size_t count = 0;
    assert_int_equal(yo_tree_init(&tree, 1 << 20, NULL), YO_OK);
    struct yo_node *root = yo_tree_node(&tree, YO_NODE_ROOT);
    assert_true(yo_tree_claim(root));
    yo_tree_publish(root, YO_NODE_NONE);
    assert_null(yo_tree_children(&tree, root, &count));
    assert_true(yo_tree_claim(root));
    assert_false(yo_tree_claim(root));
    assert_null(yo_tree_children(&tree, root, &count));
    yo_tree_publish(root, yo_tree_alloc(&tree, YO_NODE_ROOT, 10));
    assert_false(yo_tree_claim(root));
    assert_non_null(yo_tree_children(&tree, root, &count));
    assert_int_equal(count, 10);
    yo_tree_free(&tree);
}

static void hears_no_memory(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    yo_alloc_fail_after(0);
    assert_int_equal(yo_tree_init(&tree, 1 << 20, &diag), YO_ERR_NOMEM);
    yo_alloc_fail_after(-1);
    assert_non_null(strstr(diag.hint, "--memory"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_full_and_stays_usable),
        cmocka_unit_test(advances),
        cmocka_unit_test(drops_what_was_visited_least),
        cmocka_unit_test(can_be_ended_while_thinning),
        cmocka_unit_test(one_thread_makes_the_children),
        cmocka_unit_test(hears_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
