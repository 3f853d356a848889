/* Threads that share a program of a CPU backend: each makes its worker, some of them of a board
 * size whose weights no one has made yet, and gets the numbers that one thread gets. */
#include <pthread.h>
#include <stdlib.h>

#include "eval/net/cpu/cpu.h"
#include "support/random_net.h"
#include "support/test.h"

enum { THREADS = 4, COUNT = 3 };

static struct random_net net;
static void *program;

static void run(struct random_net_batch *b) {
    struct yo_diag diag;
    void *worker;
    if (yo_net_plain_int16.worker_new(program, b->batch.size, COUNT, &worker, &diag)) abort();
    if (yo_net_plain_int16.run(worker, &b->batch, &diag)) abort();
    yo_net_plain_int16.worker_delete(worker);
}

static void *thread(void *batch) {
    run(batch);
    return NULL;
}

static void threads_agree(void **state) {
    (void)state;
    struct yo_diag diag;
    struct random_net_batch alone[THREADS], together[THREADS];
    pthread_t threads[THREADS];
    random_net_tower(&net, 3, 16, 2, YO_NET_RELU);
    assert_int_equal(yo_net_plain_int16.compile(&net.graph, &program, &diag), YO_OK);
    for (int i = 0; i < THREADS; i++) {
        random_net_batch_init(&together[i], &net, i % 2 ? 9 : 7, COUNT); /* tiles of 3 and of 4 */
        random_net_batch_copy(&alone[i], &together[i]);
        assert_int_equal(pthread_create(&threads[i], NULL, thread, &together[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        run(&alone[i]);
        random_net_assert_same(&alone[i], &together[i]);
        random_net_batch_free(&alone[i], false);
        random_net_batch_free(&together[i], true);
    }
    yo_net_plain_int16.program_delete(program);
    random_net_free(&net);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
