/* cluster/own: our own engine as a worker's, which exchanges entries in another thread than it
 * searches in. */
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>

#include "cluster/worker.h"
#include "yomi/go.h"

static void pass_over(void *user, const struct yo_message_line *lines, size_t count,
                      int64_t nodes) {
    (void)lines, (void)nodes;
    *(size_t *)user += count;
}

struct exchange {
    struct yo_worker_engine engine;
    atomic_bool over;
};

static void *exchange(void *user) {
    struct exchange *x = user;
    struct yo_search_entry entries[16] = {0};
    while (!atomic_load(&x->over)) {
        size_t count = x->engine.ops->take_entries(x->engine.ctx, entries, 16);
        x->engine.ops->give_entries(x->engine.ctx, entries, count);
    }
    return NULL;
}

/* 9x9 has a network of its own: with the size of the board the search is another one. */
static void boards_may_change_while_entries_are_exchanged(void **state) {
    (void)state;
    struct exchange x = {0};
    struct yo_notices silent = {0};
    atomic_bool stop = false;
    pthread_t thread;
    assert_int_equal(
        yo_worker_own(YO_SESSION_GO, "memory=16;search=puct", &silent, &x.engine, NULL), YO_OK);
    assert_int_equal(pthread_create(&thread, NULL, exchange, &x), 0);
    for (int i = 0; i < 6; i++) {
        struct yo_root root = {.kind = YO_SESSION_GO};
        struct yo_worker_task task = {.root = &root, .lines = 1, .most_nodes = 4};
        size_t lines = 0;
        assert_int_equal(yo_go_game_new(i % 2 ? 19 : 9, NULL, &root.go), YO_OK);
        assert_int_equal(x.engine.ops->search(x.engine.ctx, &task, &stop, pass_over, &lines, NULL),
                         YO_OK);
        assert_true(lines > 0);
        yo_root_free(&root);
    }
    atomic_store(&x.over, true);
    pthread_join(thread, NULL);
    x.engine.ops->destroy(x.engine.ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_may_change_while_entries_are_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
