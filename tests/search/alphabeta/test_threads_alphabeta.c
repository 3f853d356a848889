/* Alpha-beta with several threads on one table. */
#include "support/test.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "support/ab_think.h"
#include "support/shogi_random.h"

static struct yo_ab *engine;

static int set_up(void **unused) {
    (void)unused;
    struct yo_ab_options options = yo_ab_options_default;
    options.threads = 3;
    if (yo_ab_new(1, &engine)) return -1;
    return yo_ab_set_options(engine, &options) == YO_OK ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_ab_delete(engine);
    return 0;
}

static struct ab_found think(const struct yo_shogi_position *pos,
                             const struct yo_search_limits *limits, const atomic_bool *stop) {
    return ab_think(engine, pos, limits, stop);
}

static void lines_can_be_played(void **unused) {
    (void)unused;
    uint64_t state = 91;
    for (int i = 0; i < 8; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, 20 + (int)shogi_random(&state, 80), &pos);
        if (!yo_shogi_can_move(&pos)) continue;
        struct ab_found result = think(&pos, &(struct yo_search_limits){.nodes = 5000}, NULL);
        ab_assert_line(&pos, &result);
        result = think(&pos, &(struct yo_search_limits){.depth = 4}, NULL);
        ab_assert_line(&pos, &result);
    }
}

static void mates_are_found(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &pos, NULL), YO_OK);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.depth = 5}, NULL);
    assert_int_equal(result.score, YO_AB_MATE - 1);
}

static void node_limits_count_all_threads(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.nodes = 30000}, NULL);
    assert_true(result.nodes >= 30000);
    ab_assert_line(&pos, &result);
}

static void wait_once(void *user, uint64_t nodes) {
    bool *waited = user;
    (void)nodes;
    if (!*waited) usleep(500000);
    *waited = true;
}

/* The other threads do not search on while the first one waits for the processor. */
static void node_limits_are_kept_by_all_threads(void **unused) {
    (void)unused;
    struct yo_ab_options options = yo_ab_options_default;
    struct yo_shogi_position pos;
    bool waited = false;
    yo_shogi_position_start(&pos);
    options.threads = 3;
    options.pace = wait_once;
    options.pace_user = &waited;
    assert_int_equal(yo_ab_set_options(engine, &options), YO_OK);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.nodes = 3000}, NULL);
    assert_true(waited && result.nodes >= 3000 && result.nodes < 6000);
    ab_assert_line(&pos, &result);
}

static atomic_bool stop;

static void *stop_soon(void *unused) {
    usleep(30000);
    atomic_store(&stop, true);
    return unused;
}

/* All threads end when they are told to. How soon depends on how busy the machine is: a second is
 * far more than the search needs, and far less than it would take by itself. */
static void stop_is_heard(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    pthread_t thread;
    yo_shogi_position_start(&pos);
    atomic_store(&stop, false);
    int64_t start = yo_time_ms();
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, NULL), 0);
    struct ab_found result = think(&pos, &(struct yo_search_limits){0}, &stop);
    pthread_join(thread, NULL);
    assert_true(yo_time_ms() - start < 10000);
    ab_assert_line(&pos, &result);
}

/* Too many threads for the memory there is: the search stays as it was. */
static void no_memory_changes_nothing(void **unused) {
    (void)unused;
    struct yo_ab_options options = yo_ab_options_default;
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    options.threads = 6;
    for (long n = 0; n < 5; n++) {
        yo_alloc_fail_after(n);
        assert_int_equal(yo_ab_set_options(engine, &options), YO_ERR_NOMEM);
        yo_alloc_fail_after(-1);
        struct ab_found result = think(&pos, &(struct yo_search_limits){.depth = 2}, NULL);
        ab_assert_line(&pos, &result);
    }
    assert_int_equal(yo_ab_set_options(engine, &options), YO_OK);
    think(&pos, &(struct yo_search_limits){.depth = 2}, NULL);
    options.threads = 1;
    assert_int_equal(yo_ab_set_options(engine, &options), YO_OK);
    think(&pos, &(struct yo_search_limits){.depth = 2}, NULL);
}

/* ---- An evaluation whose states are large, and fill all of their bytes ---- */

enum { LARGE = 8192 };

static void fill_root(const void *net, const struct yo_shogi_position *pos, void *state) {
    (void)net, (void)pos;
    memset(state, 1, LARGE);
}

static void fill_step(const void *net, const struct yo_shogi_position *before,
                      const struct yo_shogi_position *after, yo_shogi_move move, void *old_state,
                      void *state) {
    (void)net, (void)before, (void)after, (void)move;
    memcpy(state, old_state, LARGE);
}

static int sum_state(const void *net, const struct yo_shogi_position *pos, void *state) {
    int sum = 0;
    (void)net, (void)pos;
    for (int i = 0; i < LARGE; i++)
        sum += ((const char *)state)[i];
    return sum - LARGE;
}

/* The change to an evaluation with smaller states fails: those of the old one have their room. */
static void without_memory_the_evaluation_stays(void **unused) {
    (void)unused;
    static const struct yo_shogi_eval large = {.name = "large",
                                               .state_size = LARGE,
                                               .root = fill_root,
                                               .step = fill_step,
                                               .value = sum_state};
    struct yo_ab_options before = yo_ab_options_default, after = before;
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    before.threads = 2;
    before.eval = &large;
    after.threads = 4;
    for (long n = 0; n < 5; n++) {
        assert_int_equal(yo_ab_set_options(engine, &before), YO_OK);
        yo_alloc_fail_after(n);
        enum yo_err err = yo_ab_set_options(engine, &after);
        yo_alloc_fail_after(-1);
        assert_int_equal(err, YO_ERR_NOMEM);
        struct ab_found result = think(&pos, &(struct yo_search_limits){.depth = 3}, NULL);
        ab_assert_line(&pos, &result);
    }
    assert_int_equal(yo_ab_set_options(engine, &after), YO_OK);
    think(&pos, &(struct yo_search_limits){.depth = 2}, NULL);
}

/* Takes the entries of the search that runs, and gives them back changed. */
static void *exchange(void *ended) {
    static struct yo_search_entry entries[512];
    struct yo_search search = yo_ab_as_search(engine);
    do {
        size_t count = search.ops->take_entries(search.ctx, entries, 512);
        for (size_t i = 0; i < count; i++)
            entries[i].data += 1ull << 50; /* deeper */
        search.ops->give_entries(search.ctx, entries, count);
        usleep(200);
    } while (!atomic_load((atomic_bool *)ended));
    return NULL;
}

static void entries_come_and_go_while_it_runs(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    atomic_bool ended = false;
    pthread_t thread;
    yo_shogi_position_start(&pos);
    assert_int_equal(pthread_create(&thread, NULL, exchange, &ended), 0);
    struct ab_found result = think(&pos, &(struct yo_search_limits){.nodes = 30000}, NULL);
    atomic_store(&ended, true);
    pthread_join(thread, NULL);
    ab_assert_line(&pos, &result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_can_be_played, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mates_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(node_limits_count_all_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(node_limits_are_kept_by_all_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stop_is_heard, set_up, tear_down),
        cmocka_unit_test_setup_teardown(entries_come_and_go_while_it_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_memory_the_evaluation_stays, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
