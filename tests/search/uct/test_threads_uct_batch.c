/* UCT with its leaves evaluated in batches: minimax is the judge, no visit is lost, batches of one
 * are as good as rollouts, and an evaluator that fails costs nothing but its speed. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "base/notice.h"
#include "base/time.h"
#include "search/uct/uct.h"
#include "support/tictactoe.h"

/* ---- an evaluator for noughts and crosses; all is done at submit ---- */

struct evaluator {
    atomic_int batches;
    int refuse_from, fail_from; /* batch numbers; 0 for never */
    bool is_slow;               /* no batch has ended before someone waits for it */
    atomic_int waited_for;      /* batches that someone waited for while it was slow */
    bool counts;                /* the leaves of a batch, in a search of one thread: */
    size_t first, most;         /* those of the first one and of the largest */
    int leaf_ms;                /* what a leaf then takes at least, before submit comes back */
    int batch_ms;               /* and a batch, one after another; wait waits */
    int64_t free_ns;            /* when the last one is done */
};

static void play(const struct yo_eval_item *item) {
    struct yo_eval_playouts *sums = &item->results->playouts;
    struct yo_rollouts rollouts = ttt_rollouts();
    _Alignas(64) unsigned char scratch[1024];
    assert_true(rollouts.ops->scratch_size <= sizeof scratch);
    for (uint64_t i = 0; i < item->playouts; i++) {
        struct yo_rollout one;
        rollouts.ops->play(rollouts.ctx, item->position, item->seed, item->first_game + i, scratch,
                           &one);
        sums->games++;
        sums->half_wins_first += one.score2 > 0 ? 2 : one.score2 == 0;
        sums->score2_first += one.score2;
        sums->score2_squared += (uint64_t)(one.score2 * one.score2);
    }
}

static void sleep_ns(int64_t ns) {
    if (ns > 0) nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}

static void measure(struct evaluator *e, size_t leaves) {
    if (!e->first) e->first = leaves;
    if (leaves > e->most) e->most = leaves;
    sleep_ns(e->leaf_ms * (int64_t)leaves * 1000000);
    int64_t now_ns = yo_time_ns();
    e->free_ns = (e->free_ns > now_ns ? e->free_ns : now_ns) + e->batch_ms * INT64_C(1000000);
}

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct evaluator *e = ctx;
    int number = atomic_fetch_add(&e->batches, 1) + 1;
    if (e->counts) measure(e, batch->item_count);
    memcpy(batch->work, &e->free_ns, sizeof e->free_ns);
    if (e->refuse_from && number >= e->refuse_from)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "no more");
    batch->err = e->fail_from && number >= e->fail_from
                     ? yo_diag_set(&batch->diag, YO_ERR_IO, "the device is gone")
                     : YO_OK;
    for (size_t i = 0; !batch->err && i < batch->item_count; i++)
        play(&batch->items[i]);
    return YO_OK;
}

static enum yo_err wait(void *ctx, struct yo_eval_batch *batch) {
    struct evaluator *e = ctx;
    if (e->is_slow) atomic_fetch_add(&e->waited_for, 1);
    int64_t free_ns;
    memcpy(&free_ns, batch->work, sizeof free_ns);
    if (e->counts) sleep_ns(free_ns - yo_time_ns());
    return batch->err;
}

static bool poll(void *ctx, struct yo_eval_batch *batch) {
    (void)batch;
    return !((const struct evaluator *)ctx)->is_slow;
}

static void cancel(void *ctx, struct yo_eval_batch *batch) { (void)ctx, (void)batch; }

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)ctx, (void)playout_policy;
    *about = (struct yo_eval_about){
        .name = "random", .game = &ttt_ops, .wants = YO_EVAL_PLAYOUTS, .batch = 1, .playouts = 1};
}

static struct yo_eval eval_of(struct evaluator *e) {
    static const struct yo_eval_ops ops = {
        .describe = describe, .submit = submit, .poll = poll, .wait = wait, .cancel = cancel};
    return (struct yo_eval){&ops, e};
}

/* ---- the search on it ---- */

static atomic_int notices;

static void hear(void *user, const char *text) {
    (void)user;
    assert_non_null(strstr(text, "goes on"));
    atomic_fetch_add(&notices, 1);
}

struct shape {
    int threads;
    unsigned leaves, playouts;
    float virtual_loss, weight;
    bool beside; /* leaves do not wait */
    bool small;  /* a tree that is full soon */
};

static struct yo_uct *make_one(const struct shape *shape, bool early, struct evaluator *e) {
    struct yo_uct_options options = {.seed = 3,
                                     .threads = shape->threads,
                                     .notices = {.notify = hear},
                                     .memory_mb = shape->small ? 0 : 4,
                                     .formula = YO_UCT_TUNED,
                                     .explore = 1,
                                     .fpu = 1.1f,
                                     .expand = 1,
                                     .rave = 50,
                                     .virtual_loss = shape->virtual_loss,
                                     .leaves = shape->leaves,
                                     .leaf_playouts = shape->playouts,
                                     .leaf_weight = shape->weight,
                                     .leaf_wait = !shape->beside,
                                     .early = early};
    struct yo_uct *uct;
    assert_int_equal(
        yo_uct_new(&ttt_ops, ttt_rollouts(), (struct yo_priors){0}, &options, &uct, NULL), YO_OK);
    assert_int_equal(yo_uct_use_eval(uct, eval_of(e), 0, NULL), YO_OK);
    return uct;
}

static struct yo_uct *make(const struct shape *shape, struct evaluator *e) {
    return make_one(shape, false, e);
}

static void check_search(struct yo_uct *uct, const struct ttt *position, uint64_t playouts,
                         bool beside) {
    struct yo_search_limits limits = {.playouts = playouts};
    struct yo_search_result r;
    yo_uct_clear(uct);
    yo_uct_run(uct, position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
    if (beside)
        assert_true(r.playouts > playouts); /* what the evaluator said counts too */
    else
        assert_int_equal(r.playouts, playouts);
    uint64_t sum = 0;
    for (size_t i = 0; i < r.move_count; i++) {
        sum += r.moves[i].visits;
        assert_true(r.moves[i].winrate_to_move >= 0 && r.moves[i].winrate_to_move <= 1);
    }
    assert_int_equal(sum, r.playouts);
    if (ttt_move_value(position, r.moves[0].move) != ttt_value(position))
        fail_msg("move %u", (unsigned)r.moves[0].move);
}

static void plays_as_minimax_does(void **state) {
    (void)state;
    const struct shape shapes[] = {
        {1, 1, 1, 1, 0, false, false},  {1, 1, 7, 1, 0, false, false},
        {1, 8, 1, 1, 2, false, false},  {1, 8, 16, 3, 2, false, false},
        {3, 4, 4, 1, 0, false, false},  {4, 64, 2, 2, 0, false, false},
        {1, 8, 16, 1, 4, true, false},  {4, 8, 16, 1, 0, true, false},
        {4, 8, 16, 1, 2, false, false}, {1, 8, 16, 0.1f, 2, false, false},
        {3, 4, 2, 1, 0, false, true},   {3, 4, 2, 1, 1, true, true}};
    const struct ttt positions[] = {{{0}, 0},
                                    {{1, 0, 0, 0, 2, 0, 0, 0, 0}, 0},
                                    {{1, 1, 0, 2, 2, 0, 0, 0, 0}, 1},
                                    {{1, 2, 0, 0, 1, 0, 0, 0, 0}, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct evaluator e = {0};
        struct yo_uct *uct = make(&shapes[s], &e);
        for (size_t p = 0; p < sizeof positions / sizeof positions[0]; p++)
            check_search(uct, &positions[p], 20011, shapes[s].beside);
        assert_true(atomic_load(&e.batches) > 10);
        yo_uct_delete(uct);
    }
}

/* The root's moves, from the empty board. */
static void count_visits(const struct shape *shape, uint64_t visits[9]) {
    struct ttt position = {0};
    struct evaluator e = {0};
    struct yo_search_limits limits = {.playouts = 3000 * shape->playouts};
    struct yo_search_result r;
    struct yo_uct *uct = make(shape, &e);
    yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
    memset(visits, 0, 9 * sizeof visits[0]);
    for (size_t i = 0; i < r.move_count; i++)
        visits[r.moves[i].move] = r.moves[i].visits;
    yo_uct_delete(uct);
}

static void same_every_time(void **state) {
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        struct shape shape = {1, 16, 4, 1, 2, beside, false};
        uint64_t visits[2][9];
        for (int run = 0; run < 2; run++)
            count_visits(&shape, visits[run]);
        assert_memory_equal(visits[0], visits[1], sizeof visits[0]);
    }
}

static uint64_t least(const uint64_t *visits) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 9; i++)
        least = visits[i] < least ? visits[i] : least;
    return least;
}

/* The less a leaf counts for, the longer the search looks elsewhere. */
static void the_weight_of_a_leaf(void **state) {
    (void)state;
    const float weights[] = {2, 64, 1000, 16, 4, 1};
    uint64_t visits[6][9], before = 0;
    for (int i = 0; i < 6; i++) {
        struct shape shape = {1, 2, 64, 1, weights[i], false, false};
        count_visits(&shape, visits[i]);
    }
    struct shape not_said = {1, 2, 64, 1, 0, false, false};
    uint64_t default_visits[9];
    count_visits(&not_said, default_visits);
    assert_memory_equal(visits[0], default_visits, sizeof visits[0]);
    /* No weight that is more than the playouts: they count for what they are. */
    assert_memory_equal(visits[1], visits[2], sizeof visits[0]);
    for (int i = 2; i < 6; i++) {
        assert_true(least(visits[i]) >= before); /* two may both be at the share of every move */
        before = least(visits[i]);
    }
    assert_true(least(visits[5]) > least(visits[2]));
}

/* ---- an evaluator of values, no rollouts ---- */

static bool values_fail;

static enum yo_err submit_values(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    (void)ctx;
    if (values_fail) return yo_diag_set(diag, YO_ERR_IO, "the network is gone");
    for (size_t i = 0; i < batch->item_count; i++) {
        const struct ttt *p = batch->items[i].position;
        assert_int_equal(batch->items[i].want, YO_EVAL_VALUE);
        /* Something to go by: the middle is worth a little. */
        float middle = p->cells[4] == 0 ? 0 : p->cells[4] == p->to_move + 1 ? 0.1f : -0.1f;
        batch->items[i].results->value = (struct yo_eval_value){.win = 0.3f + middle, .draw = 0.4f};
    }
    batch->err = YO_OK;
    atomic_store(&batch->finished, true);
    return YO_OK;
}

static void describe_values(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)playout_policy;
    *about = (struct yo_eval_about){.name = "values",
                                    .game = &ttt_ops,
                                    .wants = YO_EVAL_VALUE,
                                    .batch = 1,
                                    .at_once = *(const bool *)ctx};
}

static bool poll_values(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load(&batch->finished);
}

static enum yo_err wait_values(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return batch->err;
}

static const struct yo_eval_ops value_ops = {.describe = describe_values,
                                             .submit = submit_values,
                                             .poll = poll_values,
                                             .wait = wait_values,
                                             .cancel = cancel};

/* Values of leaves and the outcomes of games are enough to play as minimax does; no visit is lost,
 * and without an evaluator there is an error, not a move. */
static void values_are_enough(void **state) {
    (void)state;
    const struct ttt positions[] = {{{0}, 0},
                                    {{1, 0, 0, 0, 2, 0, 0, 0, 0}, 0},
                                    {{1, 1, 0, 2, 2, 0, 0, 0, 0}, 1},
                                    {{1, 2, 0, 0, 1, 0, 0, 0, 0}, 1}};
    bool at_once[] = {true, false};
    for (int kind = 0; kind < 8; kind++) {
        struct yo_uct_options options = {.seed = 3,
                                         .threads = kind & 4 ? 3 : 1,
                                         .memory_mb = 4,
                                         .formula = YO_UCT_UCB1,
                                         .explore = 0.5f,
                                         .fpu = 1.1f,
                                         .expand = 1,
                                         .rave = 50,
                                         .virtual_loss = 1,
                                         .solve = true,
                                         .leaves = kind & 2 ? 8 : 1};
        struct yo_eval eval = {&value_ops, &at_once[kind & 1]};
        struct yo_search_limits limits = {.playouts = 6000};
        struct yo_search_result r;
        struct yo_diag diag;
        struct yo_uct *uct;
        assert_int_equal(yo_uct_new(&ttt_ops, (struct yo_rollouts){0}, (struct yo_priors){0},
                                    &options, &uct, NULL),
                         YO_OK);
        assert_int_equal(yo_uct_use_eval(uct, eval, 0, NULL), YO_OK);
        for (size_t p = 0; p < 4; p++) {
            yo_uct_clear(uct);
            values_fail = false;
            assert_int_equal(
                yo_uct_run(uct, &positions[p], NULL, 0, &limits, NULL, NULL, NULL, &r, NULL),
                YO_OK);
            assert_int_equal(r.playouts, 6000);
            if (ttt_move_value(&positions[p], r.moves[0].move) != ttt_value(&positions[p]))
                fail_msg("kind %d, position %zu: move %u", kind, p, (unsigned)r.moves[0].move);
            values_fail = true;
            yo_uct_clear(uct);
            assert_int_equal(
                yo_uct_run(uct, &positions[p], NULL, 0, &limits, NULL, NULL, NULL, &r, &diag),
                YO_ERR_IO);
            assert_non_null(strstr(diag.what, "gone"));
        }
        yo_uct_delete(uct);
    }
}

/* An evaluator for another game, or without values, is refused. */
static void wrong_evaluators_are_refused(void **state) {
    (void)state;
    struct yo_uct_options options = {.threads = 1, .memory_mb = 1, .leaves = 1};
    struct yo_game_ops other = ttt_ops;
    bool at_once = true;
    struct yo_uct *uct;
    struct yo_diag diag;
    assert_int_equal(
        yo_uct_new(&other, (struct yo_rollouts){0}, (struct yo_priors){0}, &options, &uct, NULL),
        YO_OK);
    assert_int_equal(yo_uct_use_eval(uct, (struct yo_eval){&value_ops, &at_once}, 0, &diag),
                     YO_ERR_UNSUPPORTED);
    yo_uct_delete(uct);
}

static void survives_failures(void **state) {
    (void)state;
    struct ttt position = {{1, 1, 0, 2, 2, 0, 0, 0, 0}, 1};
    for (int threads = 1; threads <= 3; threads += 2)
        for (int at = 1; at < 4; at++)
            for (int refuse = 0; refuse < 2; refuse++) {
                struct shape shape = {threads, 8, 4, 2, 2, false, false};
                struct evaluator e = {.refuse_from = refuse ? at : 0, .fail_from = refuse ? 0 : at};
                struct yo_uct *uct = make(&shape, &e);
                atomic_store(&notices, 0);
                struct yo_search_limits limits = {.playouts = 6000};
                struct yo_search_result r;
                yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
                assert_int_equal(r.moves[0].move, 5);
                assert_int_equal(atomic_load(&notices), 1);
                /* Numbers that were taken for a batch that failed are all that is missing. */
                assert_true(r.playouts > 5500 && r.playouts <= 6000);
                uint64_t sum = 0;
                for (size_t i = 0; i < r.move_count; i++)
                    sum += r.moves[i].visits;
                assert_int_equal(sum, r.playouts);
                yo_uct_delete(uct);
            }
}

static void failures_beside_cost_nothing(void **state) {
    (void)state;
    struct ttt position = {{1, 1, 0, 2, 2, 0, 0, 0, 0}, 1};
    for (int refuse = 0; refuse < 2; refuse++) {
        struct shape shape = {2, 4, 4, 1, 2, true, false};
        struct evaluator e = {.refuse_from = refuse, .fail_from = !refuse};
        struct yo_uct *uct = make(&shape, &e);
        atomic_store(&notices, 0);
        struct yo_search_limits limits = {.playouts = 6000};
        struct yo_search_result r;
        yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
        assert_int_equal(r.moves[0].move, 5);
        assert_int_equal(atomic_load(&notices), 1);
        assert_int_equal(r.playouts, 6000);
        yo_uct_delete(uct);
    }
}

/* A search against the clock asks whether a batch has ended; by playouts it waits for it. */
static void nobody_waits_beside(void **state) {
    (void)state;
    struct ttt position = {0};
    struct shape shape = {1, 4, 4, 1, 2, true, false};
    struct yo_search_result r;
    for (int timed = 0; timed < 2; timed++) {
        struct evaluator e = {.is_slow = true};
        struct yo_uct *uct = make(&shape, &e);
        struct yo_search_limits limits = {.playouts = 2000, .time_ms = timed ? 100000 : 0};
        yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
        if (timed)
            assert_int_equal(atomic_load(&e.batches), 1);
        else
            assert_true(atomic_load(&e.batches) > 10);
        /* What comes last is waited for at the end: four leaves, or against the clock one. */
        assert_true(r.playouts >= 2000 + (timed ? 1 : 4) * 2);
        yo_uct_delete(uct);
    }
}

/* When the time is over, what is not back is left, and its place is used again when it is. */
static void nobody_waits_at_the_end(void **state) {
    (void)state;
    struct ttt position = {0};
    const struct yo_search_limits limits = {.time_ms = 30, .whole = true};
    struct shape shape = {2, 4, 4, 1, 2, true, false};
    struct evaluator e = {.is_slow = true};
    struct yo_search_result r;
    struct yo_uct *uct = make(&shape, &e);
    for (int i = 0; i < 2; i++) { /* and the next search plays by itself meanwhile */
        yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
        assert_int_equal(atomic_load(&e.waited_for), 0);
        assert_in_range(atomic_load(&e.batches), 1, 2); /* one a thread */
        assert_true(r.playouts > 0);
    }
    e.is_slow = false;
    int before = atomic_load(&e.batches);
    yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
    assert_true(atomic_load(&e.batches) > before);
    e.is_slow = true;
    yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
    assert_int_equal(atomic_load(&e.waited_for), 0);
    yo_uct_delete(uct); /* here it is waited for: its memory goes */
    assert_in_range(atomic_load(&e.waited_for), 1, 2);
}

/* A leaf takes five milliseconds here, and a batch of 64 would take a third of a second. However
 * slow the machine is, the time is over before batches come to a quarter of that. The pace is kept
 * for the next search. Where playouts alone count, batches are as was asked for. */
static void batches_that_a_stop_can_wait_for(void **state) {
    (void)state;
    struct ttt position = {0};
    const struct yo_search_limits by_clock = {.time_ms = 60, .whole = true};
    const struct yo_search_limits by_playouts = {.playouts = 4 * 64};
    for (int beside = 0; beside < 2; beside++) {
        struct shape shape = {1, 64, 4, 1, 2, beside, false};
        struct yo_search_result r;
        struct evaluator e = {.counts = true, .leaf_ms = 5};
        struct yo_uct *uct = make(&shape, &e);
        for (int again = 0; again < 2; again++) {
            e.first = 0;
            yo_uct_run(uct, &position, NULL, 0, &by_clock, NULL, NULL, NULL, &r, NULL);
            assert_in_range(e.first, 1, again ? 16 : 1);
            assert_in_range(e.most, 1, 16);
            yo_uct_clear(uct);
        }
        e.first = 0;
        if (!beside) {
            yo_uct_run(uct, &position, NULL, 0, &by_playouts, NULL, NULL, NULL, &r, NULL);
            assert_int_equal(e.first, 64);
        }
        yo_uct_delete(uct);
    }
}

/* With an evaluator that is soon done, batches are full soon, and so is the first one of the next
 * search. */
static void batches_grow(void **state) {
    (void)state;
    struct ttt position = {0};
    const struct yo_search_limits limits = {.playouts = 20000, .time_ms = 100000, .whole = true};
    for (int beside = 0; beside < 2; beside++) {
        struct shape shape = {1, 16, 4, 1, 2, beside, false};
        struct yo_search_result r;
        struct evaluator e = {.counts = true};
        struct yo_uct *uct = make(&shape, &e);
        yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
        assert_int_equal(e.first, 1);
        assert_int_equal(e.most, 16);
        e.first = 0;
        yo_uct_clear(uct);
        yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
        assert_in_range(e.first, 2, 16);
        yo_uct_delete(uct);
    }
}

/* Here a batch takes 15 ms, and behind another one 30, whatever its size: small ones are no sooner
 * done, so that in a search which may be stopped they are full all the same. Other processes may
 * delay single batches; then it takes another search. */
static void batches_of_a_gpu(void **state) {
    (void)state;
    struct ttt position = {0};
    const struct yo_search_limits limits = {.time_ms = 300, .whole = true};
    struct shape shape = {1, 16, 4, 1, 2, false, false};
    struct yo_search_result r;
    struct evaluator e = {.counts = true, .batch_ms = 15};
    struct yo_uct *uct = make(&shape, &e);
    for (int i = 0; i < 20 && e.most < 16; i++) {
        yo_uct_clear(uct);
        yo_uct_run(uct, &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
    }
    assert_int_equal(e.most, 16);
    yo_uct_delete(uct);
}

/* What the evaluator says counts for visits too, and more of it is to come: to be early is to be
 * ahead by more than all of that, which is not before half of the whole. */
static void early_beside(void **state) {
    (void)state;
    uint64_t visits[2] = {0, 0};
    for (int early = 0; early < 2; early++) {
        struct evaluator e = {0};
        struct shape shape = {1, 8, 16, 1, 16, true, false};
        struct yo_uct *uct = make_one(&shape, early, &e);
        struct yo_search_limits limits = {.playouts = 2000};
        struct yo_search_result r;
        yo_uct_run(uct, &(struct ttt){0}, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
        visits[early] = r.playouts;
        yo_uct_delete(uct);
    }
    assert_true(visits[0] > 3 * 2000);
    assert_true(visits[1] > visits[0] / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_as_minimax_does),
        cmocka_unit_test(same_every_time),
        cmocka_unit_test(the_weight_of_a_leaf),
        cmocka_unit_test(values_are_enough),
        cmocka_unit_test(wrong_evaluators_are_refused),
        cmocka_unit_test(survives_failures),
        cmocka_unit_test(failures_beside_cost_nothing),
        cmocka_unit_test(nobody_waits_beside),
        cmocka_unit_test(nobody_waits_at_the_end),
        cmocka_unit_test(batches_that_a_stop_can_wait_for),
        cmocka_unit_test(batches_grow),
        cmocka_unit_test(batches_of_a_gpu),
        cmocka_unit_test(early_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
