/* base/pool: every job runs, on as many threads as it asks for, in order; and how jobs end. */
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"

static struct yo_pool *new_pool(int threads) {
    struct yo_pool *pool;
    struct yo_diag diag = {0};
    if (yo_pool_new(threads, &pool, &diag)) fail_msg("%s", diag.what);
    assert_int_equal(yo_pool_threads(pool), threads);
    return pool;
}

struct counter {
    atomic_int runs, dones;
    atomic_bool go_on;
    int threads_max;
    bool more;
    struct yo_pool *pool;
    struct yo_job job;
};

static bool count(void *ctx, int thread) {
    struct counter *c = ctx;
    assert_in_range(thread, 0, c->threads_max - 1);
    atomic_fetch_add(&c->runs, 1);
    return c->more;
}

static void every_job_runs_once_for_each_thread_it_asks_for(void **state) {
    (void)state;
    struct yo_pool *pool = new_pool(3);
    for (int threads = 1; threads <= 4; threads++) { /* 4: more than there are */
        struct counter c = {.threads_max = 3, .more = true};
        c.job = (struct yo_job){.run = count, .ctx = &c, .threads = threads};
        for (int round = 1; round <= 200; round++) {
            yo_pool_submit(pool, &c.job);
            yo_pool_wait(pool, &c.job);
            assert_true(yo_pool_ended(pool, &c.job));
            assert_int_equal(atomic_load(&c.runs), round * (threads < 3 ? threads : 3));
        }
    }
    yo_pool_delete(pool);
}

static bool meet(void *ctx, int thread) {
    (void)thread;
    pthread_barrier_wait(ctx); /* for ever, unless all come at once */
    return true;
}

static void threads_of_a_job_run_at_once(void **state) {
    (void)state;
    struct yo_pool *pool = new_pool(4);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 4);
    struct yo_job job = {.run = meet, .ctx = &barrier, .threads = 4};
    for (int round = 0; round < 50; round++) {
        yo_pool_submit(pool, &job);
        yo_pool_wait(pool, &job);
    }
    pthread_barrier_destroy(&barrier);
    yo_pool_delete(pool);
}

#define ORDERED 100
static int order[ORDERED], ordered;

static bool note(void *ctx, int thread) {
    (void)thread;
    order[ordered++] = *(int *)ctx;
    return true;
}

static void jobs_run_in_order_and_delete_waits(void **state) {
    (void)state;
    struct yo_pool *pool = new_pool(1);
    struct yo_job jobs[ORDERED];
    int numbers[ORDERED];
    ordered = 0;
    for (int i = 0; i < ORDERED; i++) {
        numbers[i] = i;
        jobs[i] = (struct yo_job){.run = note, .ctx = &numbers[i], .threads = 1};
        yo_pool_submit(pool, &jobs[i]);
    }
    yo_pool_delete(pool);
    assert_int_equal(ordered, ORDERED);
    for (int i = 0; i < ORDERED; i++)
        assert_int_equal(order[i], i);
}

/* The first thread says that there is nothing left; the other places of the job are given up, or it
 * would have to wait for a thread that is busy elsewhere. */
static bool hold(void *ctx, int thread) {
    struct counter *c = ctx;
    (void)thread;
    atomic_fetch_add(&c->runs, 1);
    while (!atomic_load(&c->go_on))
        usleep(100);
    return true;
}

static void a_job_without_more_work_does_not_wait_for_busy_threads(void **state) {
    (void)state;
    struct yo_pool *pool = new_pool(2);
    struct counter busy = {0}, small = {.threads_max = 2, .more = false};
    busy.job = (struct yo_job){.run = hold, .ctx = &busy, .threads = 1};
    small.job = (struct yo_job){.run = count, .ctx = &small, .threads = 2};
    yo_pool_submit(pool, &busy.job);
    while (atomic_load(&busy.runs) == 0)
        usleep(100);
    yo_pool_submit(pool, &small.job);
    yo_pool_wait(pool, &small.job);
    assert_int_equal(atomic_load(&small.runs), 1);
    assert_false(yo_pool_ended(pool, &busy.job));
    atomic_store(&busy.go_on, true);
    yo_pool_wait(pool, &busy.job);
    yo_pool_delete(pool);
}

static void a_recalled_job_is_not_joined_any_more(void **state) {
    (void)state;
    struct yo_pool *pool = new_pool(1);
    struct counter busy = {0}, waiting = {.threads_max = 1, .more = true};
    busy.job = (struct yo_job){.run = hold, .ctx = &busy, .threads = 1};
    waiting.job = (struct yo_job){.run = count, .ctx = &waiting, .threads = 1};
    yo_pool_submit(pool, &busy.job);
    yo_pool_submit(pool, &waiting.job);
    while (atomic_load(&busy.runs) == 0)
        usleep(100);
    yo_pool_recall(pool, &waiting.job);
    assert_true(yo_pool_ended(pool, &waiting.job));
    atomic_store(&busy.go_on, true);
    yo_pool_recall(pool, &busy.job); /* waits for the one that runs */
    yo_pool_recall(pool, &busy.job); /* has ended: nothing to do */
    assert_int_equal(atomic_load(&waiting.runs), 0);
    yo_pool_submit(pool, &waiting.job); /* can be used again, and the queue is whole */
    yo_pool_wait(pool, &waiting.job);
    assert_int_equal(atomic_load(&waiting.runs), 1);
    yo_pool_delete(pool);
}

/* The owner may free the job and submit another where it is told of the end. */
struct chain {
    struct yo_job job;
    struct yo_pool *pool;
    atomic_int *left;
};

static bool nothing(void *ctx, int thread) {
    (void)ctx, (void)thread;
    return true;
}

static void next_link(void *ctx) {
    struct chain *old = ctx;
    if (atomic_fetch_sub(old->left, 1) > 1) {
        struct chain *chain = yo_alloc(1, sizeof *chain);
        chain->job = (struct yo_job){.run = nothing, .done = next_link, .ctx = chain, .threads = 2};
        chain->pool = old->pool;
        chain->left = old->left;
        yo_pool_submit(old->pool, &chain->job);
    }
    yo_free(old);
}

static void the_owner_is_told_of_the_end(void **state) {
    (void)state;
    atomic_int left = 200;
    struct yo_pool *pool = new_pool(3);
    struct chain *chain = yo_alloc(1, sizeof *chain);
    chain->job = (struct yo_job){.run = nothing, .done = next_link, .ctx = chain, .threads = 2};
    chain->pool = pool;
    chain->left = &left;
    yo_pool_submit(pool, &chain->job);
    while (atomic_load(&left) > 0)
        usleep(100);
    yo_pool_delete(pool);
    assert_int_equal(atomic_load(&left), 0);
}

static void wrong_sizes_and_no_memory_are_errors(void **state) {
    (void)state;
    struct yo_pool *pool;
    struct yo_diag diag = {0};
    assert_int_equal(yo_pool_new(0, &pool, &diag), YO_ERR_RANGE);
    assert_int_equal(yo_pool_new(YO_POOL_THREADS_MAX + 1, &pool, &diag), YO_ERR_RANGE);
    yo_alloc_fail_after(0);
    assert_int_equal(yo_pool_new(1, &pool, &diag), YO_ERR_NOMEM);
    yo_alloc_fail_after(-1);
    yo_pool_delete(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once_for_each_thread_it_asks_for),
        cmocka_unit_test(threads_of_a_job_run_at_once),
        cmocka_unit_test(jobs_run_in_order_and_delete_waits),
        cmocka_unit_test(a_job_without_more_work_does_not_wait_for_busy_threads),
        cmocka_unit_test(a_recalled_job_is_not_joined_any_more),
        cmocka_unit_test(the_owner_is_told_of_the_end),
        cmocka_unit_test(wrong_sizes_and_no_memory_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
