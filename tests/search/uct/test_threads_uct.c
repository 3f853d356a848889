/* UCT with several threads on one tree: no visit is lost, and the stop is heard. */
#include "support/test.h"

#include <pthread.h>
#include <unistd.h>

#include "base/time.h"
#include "search/uct/uct.h"
#include "support/tictactoe.h"

static struct yo_uct *make(unsigned virtual_loss, size_t memory_mb) {
    struct yo_uct_options options = {.seed = 3,
                                     .threads = 4,
                                     .memory_mb = memory_mb,
                                     .formula = YO_UCT_TUNED,
                                     .explore = 1,
                                     .fpu = 1.1f,
                                     .order = true,
                                     .expand = 1,
                                     .rave = 50,
                                     .solve = true,
                                     .virtual_loss = virtual_loss};
    struct yo_uct *uct;
    assert_int_equal(
        yo_uct_new(&ttt_ops, ttt_rollouts(), (struct yo_priors){0}, &options, &uct, NULL), YO_OK);
    return uct;
}

static void loses_no_visit(void **state) {
    (void)state;
    const struct {
        unsigned virtual_loss;
        size_t memory_mb;
    } cases[] = {{1, 4}, {3, 4}, {1, 0}};
    for (int c = 0; c < 3; c++) {
        struct yo_uct *uct = make(cases[c].virtual_loss, cases[c].memory_mb);
        struct ttt position = {0};
        struct yo_search_limits limits = {.playouts = 5000};
        for (int move = 0; move < 3; move++) {
            struct yo_search_result r;
            yo_uct_clear(uct);
            yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
            assert_int_equal(r.playouts, 5000);
            uint64_t sum = 0;
            for (size_t i = 0; i < r.move_count; i++) {
                sum += r.moves[i].visits;
                assert_true(r.moves[i].winrate_to_move >= 0 && r.moves[i].winrate_to_move <= 1);
            }
            assert_int_equal(sum, 5000);
            assert_int_equal(ttt_move_value(&position, r.moves[0].move), ttt_value(&position));
            ttt_ops.play(&position, r.moves[0].move);
        }
        yo_uct_delete(uct);
    }
}

struct stopper {
    atomic_bool stop;
    _Atomic(int64_t) stopped_ms;
};

static void *stop_soon(void *arg) {
    struct stopper *s = arg;
    usleep(50000);
    atomic_store(&s->stopped_ms, yo_time_ms());
    atomic_store(&s->stop, true);
    return NULL;
}

static void stops_when_told(void **state) {
    (void)state;
    struct yo_uct *uct = make(1, 4);
    struct ttt position = {0};
    struct yo_search_limits limits = {0};
    struct yo_search_result r;
    struct stopper s = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &s), 0);
    yo_uct_run(uct, &position, NULL, 0, &limits, &s.stop, NULL, NULL, &r, NULL);
    int64_t late = yo_time_ms() - atomic_load(&s.stopped_ms);
    pthread_join(thread, NULL);
    assert_true(late < 60 * 1000); /* 10 ms on a machine that is not busy */
    assert_true(r.move_count > 0);
    yo_uct_delete(uct);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loses_no_visit),
        cmocka_unit_test(stops_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
