/* UCT on a game that is not Go, with minimax as the judge; and each of its parts alone. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "search/uct/uct.h"
#include "support/tictactoe.h"

static struct yo_uct_options plain(void) {
    return (struct yo_uct_options){.seed = 3,
                                   .threads = 1,
                                   .memory_mb = 4,
                                   .formula = YO_UCT_TUNED,
                                   .explore = 1,
                                   .fpu = 1.1f,
                                   .expand = 1,
                                   .virtual_loss = 1,
                                   .reuse = true};
}

static struct yo_uct *make(const struct yo_uct_options *options) {
    struct yo_uct *uct;
    struct yo_diag diag;
    assert_int_equal(
        yo_uct_new(&ttt_ops, ttt_rollouts(), (struct yo_priors){0}, options, &uct, &diag), YO_OK);
    return uct;
}

static struct yo_search_result search(struct yo_uct *uct, const struct ttt *position,
                                      uint64_t playouts) {
    struct yo_search_limits limits = {.playouts = playouts};
    struct yo_search_result result;
    assert_int_equal(yo_uct_run(uct, position, NULL, 0, &limits, NULL, NULL, NULL, &result, NULL),
                     YO_OK);
    return result;
}

static struct ttt random_position(int moves) {
    struct ttt p = {0};
    while (moves-- > 0) {
        yo_move choice[9];
        size_t count = ttt_ops.moves(&p, choice);
        if (count == 0) return (struct ttt){0};
        ttt_ops.play(&p, choice[(size_t)rand() % count]);
    }
    return ttt_ops.outcome(&p) == YO_OUTCOME_NONE ? p : (struct ttt){0};
}

/* Every variant must come to what minimax says. */
static void plays_as_minimax_does(void **state) {
    (void)state;
    struct yo_uct_options variants[7];
    for (int i = 0; i < 7; i++)
        variants[i] = plain();
    variants[1].formula = YO_UCT_UCB1;
    variants[2].order = true;
    variants[3].rave = 30;
    variants[4].solve = true;
    variants[5].lcb = true;
    variants[6].expand = 4;
    for (int v = 0; v < 7; v++) {
        struct yo_uct *uct = make(&variants[v]);
        srand(5);
        for (int i = 0; i < 25; i++) {
            struct ttt position = random_position(2 + i % 5);
            yo_uct_clear(uct);
            struct yo_search_result r = search(uct, &position, 3000);
            assert_true(r.move_count > 0);
            if (ttt_move_value(&position, r.moves[0].move) != ttt_value(&position))
                fail_msg("variant %d, position %d: move %u", v, i, (unsigned)r.moves[0].move);
        }
        yo_uct_delete(uct);
    }
}

/* X X .
 * O O .   the first side to move: cell 2 wins at once. */
static const struct ttt wins_at_once = {{1, 1, 0, 2, 2, 0, 0, 0, 0}, 0};

static void solves(void **state) {
    (void)state;
    struct yo_uct_options options = plain();
    options.solve = true;
    struct yo_uct *uct = make(&options);
    struct yo_search_result r = search(uct, &wins_at_once, 200);
    assert_int_equal(r.moves[0].move, 2);
    assert_true(r.moves[0].winrate_to_move == 1);
    assert_true(r.moves[0].lcb_to_move == 1);
    /* The opponent to move instead: any move but 5 and 2 loses, and that is proven too. */
    struct ttt threatened = wins_at_once;
    threatened.to_move = 1;
    yo_uct_clear(uct);
    r = search(uct, &threatened, 2000);
    assert_int_equal(r.moves[0].move, 5);
    for (size_t i = 0; i < r.move_count; i++)
        if (r.moves[i].move > 5) assert_true(r.moves[i].winrate_to_move == 0);
    yo_uct_delete(uct);
}

/* Proven late to be lost, a move may still be the one that was visited most. */
static void plays_no_proven_loss(void **state) {
    (void)state;
    struct yo_uct_options options = plain();
    options.solve = options.lcb = true;
    options.explore = 0; /* so that the others have few visits */
    struct yo_uct *uct = make(&options);
    srand(7);
    for (int i = 0; i < 40; i++) {
        struct ttt position = random_position(1 + i % 4);
        for (uint64_t playouts = 10; playouts < 300; playouts += 1 + playouts / 8) {
            yo_uct_clear(uct);
            struct yo_search_result r = search(uct, &position, playouts);
            bool has_better = false;
            for (size_t k = 1; k < r.move_count; k++)
                has_better = has_better || !r.moves[k].proven;
            if (has_better && r.moves[0].proven && r.moves[0].winrate_to_move == 0)
                fail_msg("position %d, %u playouts: a loss", i, (unsigned)playouts);
        }
    }
    yo_uct_delete(uct);
}

/* Nor does a search end early because such a move cannot be caught up with. */
static void a_proven_loss_decides_nothing(void **state) {
    (void)state;
    struct yo_uct_options options = plain();
    options.solve = options.early = true;
    options.explore = 0;
    struct yo_uct *uct = make(&options);
    srand(7);
    for (int i = 0; i < 40; i++) {
        struct ttt position = random_position(1 + i % 4);
        for (uint64_t playouts = 10; playouts < 300; playouts += 1 + playouts / 8) {
            yo_uct_clear(uct);
            struct yo_search_result r = search(uct, &position, playouts);
            bool is_lost = r.moves[0].proven && r.moves[0].winrate_to_move == 0;
            uint64_t second = 0;
            bool has_choice = false;
            for (size_t k = 1; k < r.move_count; k++) {
                has_choice = has_choice || !r.moves[k].proven;
                if (!r.moves[k].proven && r.moves[k].visits > second) second = r.moves[k].visits;
            }
            if (r.playouts == playouts || is_lost || !has_choice) continue;
            assert_true(r.moves[0].visits > second + playouts - r.playouts);
        }
    }
    yo_uct_delete(uct);
}

/* A large urgency tries all moves before any twice; none goes on with what wins. */
static void first_play_urgency(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.fpu = 1000;
    struct yo_uct *uct = make(&options);
    struct yo_search_result r = search(uct, &empty, 9);
    assert_int_equal(r.move_count, 9);
    yo_uct_delete(uct);
    options.fpu = 0;
    uct = make(&options);
    r = search(uct, &empty, 9);
    assert_int_equal(r.move_count, 1);
    yo_uct_delete(uct);
}

/* UCB1 explores more than UCB1-TUNED, and a larger p more than a smaller one. */
static uint64_t visits_of_worst(enum yo_uct_formula formula, float explore) {
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.formula = formula;
    options.explore = explore;
    struct yo_uct *uct = make(&options);
    struct yo_search_result r = search(uct, &empty, 2000);
    assert_int_equal(r.move_count, 9);
    uint64_t visits = r.moves[8].visits;
    yo_uct_delete(uct);
    return visits;
}

static void formulas_explore(void **state) {
    (void)state;
    assert_true(visits_of_worst(YO_UCT_UCB1, 1) > visits_of_worst(YO_UCT_TUNED, 1));
    assert_true(visits_of_worst(YO_UCT_TUNED, 1) > visits_of_worst(YO_UCT_TUNED, 0.2f));
}

static void prefer_corner(void *ctx, const void *position, const yo_move *moves, size_t count,
                          struct yo_prior *out) {
    (void)ctx, (void)position;
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct yo_prior){.visits = 20, .wins = moves[i] == 8 ? 19 : 1};
        out[i].prune = moves[i] == 4;
    }
}

static void priors_guide_and_prune(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.prior = 1;
    struct yo_uct *uct;
    struct yo_priors priors = {.estimate = prefer_corner};
    assert_int_equal(yo_uct_new(&ttt_ops, ttt_rollouts(), priors, &options, &uct, NULL), YO_OK);
    struct yo_search_result r = search(uct, &empty, 20);
    assert_int_equal(r.moves[0].move, 8);
    assert_true(r.moves[0].visits > 10);
    r = search(uct, &empty, 3000);
    for (size_t i = 0; i < r.move_count; i++)
        assert_int_not_equal(r.moves[i].move, 4);
    yo_uct_delete(uct);
}

/* The likelier the later the cell; nothing else is known. */
static void prefer_late(void *ctx, const void *position, const yo_move *moves, size_t count,
                        struct yo_prior *out) {
    (void)ctx;
    (void)position;
    for (size_t i = 0; i < count; i++)
        out[i] = (struct yo_prior){.chance = (float)(moves[i] + 1) / 45};
}

static struct yo_uct *make_likely(const struct yo_uct_options *options) {
    struct yo_uct *uct;
    struct yo_priors priors = {.estimate = prefer_late, .has_chances = true};
    assert_int_equal(yo_uct_new(&ttt_ops, ttt_rollouts(), priors, options, &uct, NULL), YO_OK);
    return uct;
}

/* The bias draws visits to likely moves, and gives way to what playouts say. */
static void likely_moves_are_favoured(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.bias = 1000;
    options.fpu = options.explore = 0;
    struct yo_uct *uct = make_likely(&options);
    struct yo_search_result r = search(uct, &empty, 450);
    for (size_t i = 0; i < r.move_count; i++) /* visits in proportion to the chances */
        assert_in_range(r.moves[i].visits, 10 * (r.moves[i].move + 1) - 5,
                        10 * (r.moves[i].move + 1) + 5);
    yo_uct_delete(uct);
    options.bias = 0.2f;
    options.fpu = 1.1f;
    uct = make_likely(&options);
    r = search(uct, &wins_at_once, 2000);
    assert_int_equal(r.moves[0].move, 2); /* the unlikeliest one */
    yo_uct_delete(uct);
}

/* Two moves at first, the likely ones; more with time, and all in the end. */
static void widens_from_likely_moves(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.widen = 1;
    struct yo_uct *uct = make_likely(&options);
    struct yo_search_result r = search(uct, &empty, 100);
    assert_int_equal(r.move_count, 6); /* 2 + ln 100 */
    for (size_t i = 0; i < r.move_count; i++)
        assert_true(r.moves[i].move >= 3);
    r = search(uct, &empty, 3000);
    assert_int_equal(r.move_count, 9);
    yo_uct_clear(uct);
    r = search(uct, &wins_at_once, 2000);
    assert_int_equal(r.moves[0].move, 2);
    yo_uct_delete(uct);
}

static void is_deterministic(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.rave = 100;
    options.order = true;
    struct yo_uct *one = make(&options), *two = make(&options);
    struct yo_search_result a = search(one, &empty, 777), b = search(two, &empty, 777);
    assert_int_equal(a.playouts, 777);
    assert_int_equal(a.move_count, b.move_count);
    uint64_t sum = 0;
    for (size_t i = 0; i < a.move_count; i++) {
        assert_int_equal(a.moves[i].move, b.moves[i].move);
        assert_int_equal(a.moves[i].visits, b.moves[i].visits);
        assert_int_equal(a.moves[i].pv[0], a.moves[i].move);
        sum += a.moves[i].visits;
    }
    assert_int_equal(sum, 777);
    yo_uct_delete(one);
    yo_uct_delete(two);
}

static void keeps_the_tree(void **state) {
    (void)state;
    struct ttt p = {0};
    struct yo_uct_options options = plain();
    struct yo_uct *uct = make(&options);
    struct yo_search_result r = search(uct, &p, 1000);
    yo_move move = r.moves[0].move, reply = r.moves[0].pv[1];
    uint64_t visits = r.moves[0].pv_visits[1];
    ttt_ops.play(&p, move);
    yo_uct_advance(uct, move);
    r = search(uct, &p, 1);
    assert_int_equal(r.playouts, 1);
    for (size_t i = 0; i < r.move_count; i++)
        if (r.moves[i].move == reply) assert_true(r.moves[i].visits >= visits);
    assert_true(r.moves[0].visits >= visits);
    yo_uct_advance(uct, 99); /* not in the tree: begins anew */
    bool full;
    assert_int_equal(yo_uct_nodes(uct, &full), 1);
    yo_uct_delete(uct);
}

static void looks_only_where_told(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    struct yo_uct *uct = make(&options);
    const yo_move only[] = {1, 7};
    struct yo_search_limits limits = {.playouts = 300};
    struct yo_search_result r;
    assert_int_equal(yo_uct_run(uct, &empty, only, 2, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
    assert_int_equal(r.move_count, 2);
    assert_int_equal(r.moves[0].visits + r.moves[1].visits, 300);
    r = search(uct, &empty, 300); /* and a ban holds for one search */
    assert_true(r.move_count > 2);
    yo_uct_delete(uct);
}

/* No room for all the nodes: the search drops some, and still finds the move. */
static void goes_on_when_full(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.memory_mb = 0;
    struct yo_uct *uct = make(&options);
    struct yo_search_result r = search(uct, &empty, 20000);
    bool full;
    size_t nodes = yo_uct_nodes(uct, &full);
    assert_true(full);
    assert_true(nodes <= 1024);
    assert_int_equal(r.playouts, 20000);
    uint64_t sum = 0;
    for (size_t i = 0; i < r.move_count; i++)
        sum += r.moves[i].visits;
    assert_int_equal(sum, 20000);
    assert_int_equal(ttt_move_value(&empty, r.moves[0].move), 0);
    yo_uct_delete(uct);
}

static void ends_in_time(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    struct yo_uct *uct = make(&options);
    struct yo_search_limits limits = {.time_ms = 50};
    struct yo_search_result r;
    int64_t start = yo_time_ms();
    yo_uct_run(uct, &empty, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
    assert_true(yo_time_ms() - start < 60 * 1000); /* a busy machine */
    assert_true(r.playouts > 10);
    /* A move that nothing can catch up with ends a search before its time. */
    options.solve = true;
    struct yo_uct *solver = make(&options);
    limits.time_ms = 10 * 1000;
    start = yo_time_ms();
    yo_uct_run(solver, &wins_at_once, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL);
    assert_true(yo_time_ms() - start < 9500);
    atomic_bool stop = true;
    limits.time_ms = 0;
    yo_uct_run(uct, &empty, NULL, 0, &limits, &stop, NULL, NULL, &r, NULL);
    assert_true(r.playouts < 100);
    yo_uct_delete(uct);
    yo_uct_delete(solver);
}

/* A single move is looked at for what it is worth, and no longer. */
static void does_not_ponder_over_one_move(void **state) {
    (void)state;
    struct ttt empty = {0};
    struct yo_uct_options options = plain();
    options.early = true;
    struct yo_uct *uct = make(&options);
    struct yo_search_limits limits = {.playouts = 10000};
    struct yo_search_result r;
    yo_move only = 4;
    assert_int_equal(yo_uct_run(uct, &empty, &only, 1, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
    assert_int_equal(r.moves[0].move, only);
    assert_in_range(r.playouts, 100, 1000);
    yo_uct_delete(uct);
}

/* With few playouts left for the others, the most visited move stays so: no need to make them. The
 * search until then is the same. */
static void ends_early_if_asked(void **state) {
    (void)state;
    struct yo_uct_options options = plain();
    struct yo_uct *all = make(&options);
    options.early = true;
    struct yo_uct *early = make(&options);
    struct yo_search_result a = search(all, &wins_at_once, 5000);
    struct yo_search_result b = search(early, &wins_at_once, 5000);
    assert_int_equal(a.playouts, 5000);
    assert_in_range(b.playouts, 2500, 4999);
    assert_int_equal(a.moves[0].move, b.moves[0].move);
    assert_true(b.moves[0].visits > b.moves[1].visits + 5000 - b.playouts);
    struct yo_search_limits limits = {.playouts = 5000, .whole = true};
    yo_uct_run(early, &wins_at_once, NULL, 0, &limits, NULL, NULL, NULL, &b, NULL);
    assert_int_equal(b.playouts, 5000);
    yo_uct_delete(all);
    yo_uct_delete(early);
}

static void survives_no_memory(void **state) {
    (void)state;
    struct yo_uct_options options = plain();
    for (long n = 0; n < 16; n++) {
        struct yo_uct *uct = NULL;
        yo_alloc_fail_after(n);
        enum yo_err err =
            yo_uct_new(&ttt_ops, ttt_rollouts(), (struct yo_priors){0}, &options, &uct, NULL);
        yo_alloc_fail_after(-1);
        if (err) assert_int_equal(err, YO_ERR_NOMEM);
        assert_int_equal(err == YO_OK, uct != NULL);
        yo_uct_delete(uct);
    }
}

/* ---- wrong AMAF ---- */

/* The first side wins 95 of 100 games in which it begins in the middle, and 84 of 100 others; of
 * those it loses all in which it comes to the middle later. */
static void play_middle(void *ctx, const void *position, uint64_t seed, uint64_t number,
                        void *scratch, struct yo_rollout *out) {
    static const yo_move none[] = {0}, middle[] = {8, 4};
    (void)ctx;
    (void)seed;
    (void)scratch;
    const struct ttt *p = position;
    bool began = p->cells[4] == 1, wins = number * 37 % 100 < (began ? 95 : 84);
    *out = (struct yo_rollout){.score2 = wins ? 2 : -2};
    out->moves = wins || began ? none : middle;
    out->move_count = wins || began ? 0 : 2;
}

static size_t no_cells(const void *position) {
    (void)position;
    return 0;
}

static void recovers_from_wrong_amaf(void **state) {
    (void)state;
    static const struct yo_rollout_ops ops = {
        .name = "middle", .scratch_size = 64, .play = play_middle, .cells = no_cells};
    struct yo_uct_options options = plain();
    struct ttt position = {0};
    struct yo_uct *uct;
    options.explore = 0;
    options.rave = 1500;
    options.lcb = true;
    options.expand = 1000000; /* the moves at the root alone */
    assert_int_equal(yo_uct_new(&ttt_ops, (struct yo_rollouts){.ops = &ops}, (struct yo_priors){0},
                                &options, &uct, NULL),
                     YO_OK);
    struct yo_search_result r = search(uct, &position, 40000);
    assert_int_equal(r.moves[0].move, 4);
    assert_true(r.moves[0].visits > 10000);
    yo_uct_delete(uct);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_as_minimax_does),
        cmocka_unit_test(solves),
        cmocka_unit_test(plays_no_proven_loss),
        cmocka_unit_test(a_proven_loss_decides_nothing),
        cmocka_unit_test(first_play_urgency),
        cmocka_unit_test(formulas_explore),
        cmocka_unit_test(priors_guide_and_prune),
        cmocka_unit_test(likely_moves_are_favoured),
        cmocka_unit_test(widens_from_likely_moves),
        cmocka_unit_test(is_deterministic),
        cmocka_unit_test(keeps_the_tree),
        cmocka_unit_test(looks_only_where_told),
        cmocka_unit_test(goes_on_when_full),
        cmocka_unit_test(ends_in_time),
        cmocka_unit_test(does_not_ponder_over_one_move),
        cmocka_unit_test(ends_early_if_asked),
        cmocka_unit_test(survives_no_memory),
        cmocka_unit_test(recovers_from_wrong_amaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
