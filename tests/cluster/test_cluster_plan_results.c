/* Plans: votes, shared statistics, root moves left out, bad reports, a game that goes on, and
 * missing memory. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "cluster/plan.h"
#include "game/shogi/game_ops.h"
#include "support/tictactoe.h"
#include "yomi/shogi.h"

static struct ttt empty;

static struct yo_plan *begin(enum yo_plan_strategy strategy) {
    struct yo_plan *plan;
    struct yo_plan_config config = {.strategy = strategy};
    assert_int_equal(yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL), YO_OK);
    return plan;
}

static const struct yo_plan_job whole = {.path_count = 0};

static void vote(struct yo_plan *plan, uint32_t worker, yo_move move, int centipawns) {
    struct yo_search_move line = {.move = move, .centipawns = centipawns, .depth = 5};
    struct yo_search_result result = {.moves = &line, .move_count = 1};
    assert_int_equal(yo_plan_report(plan, worker, &whole, &result, 0, NULL), YO_OK);
}

static yo_move best(struct yo_plan *plan) {
    struct yo_search_result result;
    yo_plan_result(plan, &result);
    assert_true(result.move_count > 0);
    return result.moves[0].move;
}

static void test_votes(void **state) {
    (void)state;
    struct yo_plan *majority = begin(YO_PLAN_MAJORITY), *optimistic = begin(YO_PLAN_OPTIMISTIC);
    struct yo_plan *both[2] = {majority, optimistic};
    for (int i = 0; i < 2; i++) {
        vote(both[i], 1, 4, 100);
        vote(both[i], 2, 0, 10);
        vote(both[i], 3, 0, 20);
        vote(both[i], 4, 8, 30);
        vote(both[i], YO_PLAN_MASTER, 8, 500); /* has no vote */
        vote(both[i], 4, 8, 25);               /* a later report replaces the vote */
    }
    assert_int_equal(best(majority), 0);
    assert_int_equal(best(optimistic), 4);
    /* A tie goes to the higher value. */
    yo_plan_forget(majority, 2);
    assert_int_equal(best(majority), 4);
    yo_plan_forget(optimistic, 1);
    assert_int_equal(best(optimistic), 8);
    yo_plan_delete(majority);
    yo_plan_delete(optimistic);
}

static void share(struct yo_plan *plan, uint32_t worker, uint64_t a, double wa, uint64_t b,
                  double wb) {
    struct yo_search_move lines[2] = {{.move = 4, .visits = a, .winrate_to_move = wa},
                                      {.move = 1, .visits = b, .winrate_to_move = wb}};
    struct yo_search_result result = {.moves = lines, .move_count = 2};
    assert_int_equal(yo_plan_report(plan, worker, &whole, &result, 0, NULL), YO_OK);
}

/* Each worker has read other moves: a line stays until another has read on from its move, too. */
static void test_shared_lines(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_SHARE);
    struct yo_search_result sum;
    const yo_move center[] = {4, 0}, edge[] = {1, 0};
    struct yo_search_move first[] = {{.move = 4, .visits = 60, .pv = center, .pv_count = 2},
                                     {.move = 1, .visits = 40, .pv = edge, .pv_count = 2}};
    struct yo_search_move second[] = {{.move = 1, .visits = 50, .pv = edge, .pv_count = 1}};
    struct yo_search_result from_first = {.moves = first, .move_count = 2};
    struct yo_search_result from_second = {.moves = second, .move_count = 1};
    assert_int_equal(yo_plan_report(plan, 1, &whole, &from_first, 0, NULL), YO_OK);
    assert_int_equal(yo_plan_report(plan, 2, &whole, &from_second, 0, NULL), YO_OK);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.move_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(sum.moves[i].pv_count, 2);
    /* A later line of the same move takes its place. */
    const yo_move other[] = {4, 2};
    first[0].pv = other;
    first[0].visits = 90;
    assert_int_equal(yo_plan_report(plan, 1, &whole, &from_first, 0, NULL), YO_OK);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.moves[0].move == 4 ? sum.moves[0].pv[1] : sum.moves[1].pv[1], 2);
    yo_plan_delete(plan);
}

static void test_shared_statistics(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_SHARE);
    struct yo_search_result sum;
    share(plan, 1, 10, 0.5, 90, 0.25);
    share(plan, 1, 100, 0.5, 100, 0.25); /* the latest counts, not the sum of reports */
    share(plan, 2, 300, 0.75, 50, 0.5);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.move_count, 2);
    assert_int_equal(sum.moves[0].move, 4);
    assert_int_equal(sum.moves[0].visits, 400);
    assert_true(sum.moves[0].winrate_to_move == (100 * 0.5 + 300 * 0.75) / 400);
    yo_plan_forget(plan, 1);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.moves[0].visits, 300);
    /* Workers that exchange have the statistics of all in their trees: their mean counts. */
    struct yo_plan_worker workers[2] = {{.id = 1, .gives_values = true, .exchanges = true},
                                        {.id = 2, .gives_values = true, .exchanges = true}};
    const struct yo_plan_job *jobs[2];
    share(plan, 1, 500, 0.25, 60, 0.5);
    assert_int_equal(yo_plan_make(plan, workers, 2, 0, jobs, NULL, NULL), YO_OK);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.moves[0].visits, 400);
    assert_int_equal(sum.moves[1].visits, 55);
    assert_true(sum.moves[0].winrate_to_move == (300 * 0.75 + 500 * 0.25) / 800);
    yo_plan_delete(plan);
}

/* Without workers the master's own tree is all there is, or what those who are gone have found: the
 * most visited move there, too, not the one that a few visits praise. */
static void test_shared_without_workers(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_SHARE);
    struct yo_search_result sum;
    share(plan, YO_PLAN_MASTER, 900, 0.5, 20, 0.75);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.move_count, 2);
    assert_int_equal(sum.moves[0].move, 4);
    assert_int_equal(sum.moves[0].visits, 900);
    assert_true(fabs(sum.moves[0].winrate_to_move - 0.5) < 0.01);
    share(plan, 1, 100, 0.5, 5000, 0.75);
    assert_int_equal(best(plan), 1);
    yo_plan_forget(plan, 1);
    assert_int_equal(best(plan), 1);
    yo_plan_delete(plan);
}

/* A pass that most searches choose stands before moves that have more visits; also one that the
 * master's own search chooses, as long as there is no worker. */
static void test_shared_pass(void **state) {
    (void)state;
    struct yo_game_ops ops = ttt_ops;
    struct yo_plan_config config = {.strategy = YO_PLAN_SHARE};
    struct yo_plan *plan;
    struct yo_search_move other = {.move = 1, .visits = 500, .winrate_to_move = 0.5};
    struct yo_search_result against = {.moves = &other, .move_count = 1}, sum;
    ops.move_null = 4;
    assert_int_equal(yo_plan_new(&config, &ops, &empty, &plan, NULL), YO_OK);
    share(plan, YO_PLAN_MASTER, 10, 0.75, 500, 0.5);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.moves[0].move, 4);
    assert_int_equal(sum.moves[0].visits, 10);
    assert_int_equal(sum.move_count, 2);
    /* Its next search has another opinion. */
    assert_int_equal(yo_plan_report(plan, YO_PLAN_MASTER, &whole, &against, 0, NULL), YO_OK);
    assert_int_equal(best(plan), 1);
    share(plan, YO_PLAN_MASTER, 20, 0.75, 600, 0.5);
    assert_int_equal(best(plan), 4);
    assert_int_equal(yo_plan_report(plan, 1, &whole, &against, 0, NULL), YO_OK);
    assert_int_equal(best(plan), 1); /* one worker, for another move */
    share(plan, 2, 10, 0.75, 500, 0.5);
    assert_int_equal(best(plan), 1); /* half of them */
    share(plan, 3, 10, 0.75, 500, 0.5);
    assert_int_equal(best(plan), 4);
    /* What was chosen in one position says nothing of the next. */
    share(plan, YO_PLAN_MASTER, 20, 0.75, 600, 0.5);
    assert_int_equal(yo_plan_advance(plan, &empty, NULL, NULL, NULL), YO_OK);
    assert_int_equal(best(plan), 1);
    /* An analysis shows what is found of each move. */
    struct yo_search_limits analysis = {.whole = true};
    assert_int_equal(yo_plan_advance(plan, &empty, &analysis, NULL, NULL), YO_OK);
    share(plan, 1, 10, 0.75, 500, 0.5);
    assert_int_equal(best(plan), 1);
    yo_plan_delete(plan);
}

/* One worker has proven a win that the others have hardly looked at. */
static void test_shared_win(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_SHARE);
    struct yo_search_move lines[2] = {
        {.move = 1, .visits = 30, .winrate_to_move = 1, .proven = true, .mate = 3},
        {.move = 4, .visits = 500, .winrate_to_move = 0.75}};
    struct yo_search_result won = {.moves = lines, .move_count = 2}, sum;
    share(plan, 1, 900, 0.75, 40, 0.25);
    assert_int_equal(yo_plan_report(plan, 2, &whole, &won, 0, NULL), YO_OK);
    yo_plan_result(plan, &sum);
    assert_int_equal(sum.moves[0].move, 1);
    assert_int_equal(sum.moves[0].mate, 3);
    assert_int_equal(sum.moves[0].depth, 3); /* seen to its end */
    assert_true(sum.moves[0].proven && sum.moves[0].winrate_to_move == 1);
    assert_int_equal(sum.moves[1].visits, 1400);
    yo_plan_delete(plan);
}

static void answer(struct yo_plan *plan, uint32_t worker, yo_move move, int depth, int cp) {
    struct yo_search_move line = {.move = move, .depth = depth, .centipawns = cp};
    struct yo_search_result result = {.moves = &line, .move_count = 1, .depth = depth};
    assert_int_equal(yo_plan_report(plan, worker, &whole, &result, 0, NULL), YO_OK);
}

/* Everyone searches the root; the deepest answer counts, of equals the one with the higher value.
 */
static void test_exchange(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_EXCHANGE);
    struct yo_plan_worker workers[3] = {{.id = 1, .gives_values = true},
                                        {.id = 2, .gives_values = true},
                                        {.id = 3, .gives_values = true}};
    const struct yo_plan_job *jobs[3];
    struct yo_search_result result;
    assert_int_equal(yo_plan_make(plan, workers, 3, 0, jobs, NULL, NULL), YO_OK);
    for (size_t i = 0; i < 3; i++)
        assert_true(jobs[i]->path_count == 0 && !jobs[i]->only);
    answer(plan, 1, 0, 8, 100);
    answer(plan, 2, 1, 9, -20);
    answer(plan, 3, 2, 9, -10);
    yo_plan_result(plan, &result);
    assert_int_equal(result.moves[0].move, 2);
    assert_int_equal(result.moves[0].depth, 9);
    answer(plan, 1, 0, 10, -200); /* what it said before is void */
    yo_plan_result(plan, &result);
    assert_int_equal(result.moves[0].move, 0);
    assert_int_equal(result.moves[0].centipawns, -200);
    /* An analysis asks for several lines: they follow the answer, best first. */
    struct yo_search_move lines[3] = {{.move = 1, .depth = 11, .centipawns = -15},
                                      {.move = 3, .depth = 11, .centipawns = -40},
                                      {.move = 4, .depth = 11, .centipawns = -50}};
    struct yo_search_result several = {.moves = lines, .move_count = 3, .depth = 11};
    assert_int_equal(yo_plan_report(plan, 2, &whole, &several, 0, NULL), YO_OK);
    yo_plan_result(plan, &result);
    assert_true(result.move_count >= 3);
    assert_int_equal(result.moves[0].move, 1);
    size_t third = 0, fourth = 0;
    for (size_t i = 1; i < result.move_count; i++) {
        assert_int_not_equal(result.moves[i].move, 1);
        if (result.moves[i].move == 3) third = i;
        if (result.moves[i].move == 4) fourth = i;
    }
    assert_true(third > 0 && fourth > third);
    assert_int_equal(result.moves[third].centipawns, -40);
    yo_plan_delete(plan);
}

/* A mate counts at any depth, the shortest first; a best move that fails low is no answer. */
static void test_exchange_mates(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_EXCHANGE);
    struct yo_search_move line = {.move = 3, .depth = 9, .mate = 7};
    struct yo_search_result result = {.moves = &line, .move_count = 1, .depth = 9};
    answer(plan, 1, 0, 12, 900);
    assert_int_equal(yo_plan_report(plan, 2, &whole, &result, 0, NULL), YO_OK);
    assert_int_equal(best(plan), 3);
    line = (struct yo_search_move){.move = 5, .depth = 5, .mate = 5};
    assert_int_equal(yo_plan_report(plan, 3, &whole, &result, 0, NULL), YO_OK);
    assert_int_equal(best(plan), 5);
    /* Being mated is no proof of anything about the other moves' depths. */
    line = (struct yo_search_move){.move = 6, .depth = 3, .mate = -2};
    assert_int_equal(yo_plan_report(plan, 3, &whole, &result, 0, NULL), YO_OK);
    assert_int_equal(best(plan), 3);
    answer(plan, 2, 3, 13, 50);
    assert_int_equal(best(plan), 3);
    line =
        (struct yo_search_move){.move = 0, .depth = 14, .centipawns = -80, .bound = YO_BOUND_UPPER};
    assert_int_equal(yo_plan_report(plan, 1, &whole, &result, 0, NULL), YO_OK);
    assert_int_equal(best(plan), 3);
    yo_plan_delete(plan);
}

/* The master's first look at the position is the answer until a worker has searched as deep. */
static void test_first_look(void **state) {
    static const enum yo_plan_strategy strategies[] = {YO_PLAN_EXCHANGE, YO_PLAN_PREDICT};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct yo_plan_config config = {.strategy = strategies[i], .roots = 50};
        struct yo_plan_worker workers[2] = {{.id = 1, .gives_values = true, .exchanges = true},
                                            {.id = 2, .gives_values = true, .exchanges = true}};
        const struct yo_plan_job *jobs[2];
        struct yo_search_result result;
        struct yo_plan *plan;
        assert_int_equal(yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL), YO_OK);
        answer(plan, YO_PLAN_MASTER, 3, 6, 20);
        yo_plan_result(plan, &result);
        assert_int_equal(result.moves[0].move, 3);
        assert_int_equal(result.move_count, 9); /* the tree's: all moves */
        assert_int_equal(yo_plan_make(plan, workers, 2, 0, jobs, NULL, NULL), YO_OK);
        answer(plan, 1, 4, 1, 300);
        yo_plan_result(plan, &result);
        assert_int_equal(result.moves[0].move, 3);
        assert_int_equal(result.depth, 6);
        answer(plan, 1, 5, 7, -40);
        yo_plan_result(plan, &result);
        assert_int_equal(result.moves[0].move, 5);
        yo_plan_delete(plan);
    }
}

/* What a worker that searched the whole position has said is not the answer for ever: once too few
 * are left to exchange, that is minimax over the tree. */
static void test_too_few_roots(void **state) {
    struct yo_plan_config config = {.strategy = YO_PLAN_PREDICT, .roots = 50};
    struct yo_plan_worker workers[2] = {{.id = 1, .gives_values = true, .exchanges = true},
                                        {.id = 2, .gives_values = true, .exchanges = true}};
    const struct yo_plan_job *jobs[2];
    struct yo_plan *plan;
    (void)state;
    assert_int_equal(yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL), YO_OK);
    assert_int_equal(yo_plan_make(plan, workers, 2, 0, jobs, NULL, NULL), YO_OK);
    answer(plan, 1, 4, 5, 30);
    assert_int_equal(best(plan), 4);
    yo_plan_forget(plan, 2);
    assert_int_equal(yo_plan_make(plan, workers, 1, 0, jobs, NULL, NULL), YO_OK);
    answer(plan, 1, 6, 9, 40);
    assert_int_equal(best(plan), 6);
    yo_plan_delete(plan);
}

/* The best move of an unfinished iteration says nothing of the others at its depth. */
static void test_unfinished(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_SPLIT);
    struct yo_search_move line = {.move = 3, .depth = 10, .centipawns = 40};
    struct yo_search_result result = {.moves = &line, .move_count = 1, .depth = 9};
    assert_int_equal(yo_plan_report(plan, 1, &whole, &result, 0, NULL), YO_OK);
    yo_plan_result(plan, &result);
    assert_int_equal(result.moves[0].depth, 10);
    assert_int_equal(result.moves[1].bound, YO_BOUND_UPPER);
    assert_int_equal(result.moves[1].depth, 9);
    yo_plan_delete(plan);
}

/* ---- The quick order ---- */

static size_t orders;

static void count_order(void *user, const void *position, const yo_move *moves, size_t count,
                        double *likely) {
    (void)user, (void)position;
    orders++;
    for (size_t i = 0; i < count; i++)
        likely[i] = (double)moves[i];
}

/* It costs much: a position that one worker searches does not need it. */
static void test_quick_order(void **state) {
    (void)state;
    struct yo_plan_config config = {.strategy = YO_PLAN_PREDICT, .order = count_order};
    struct yo_plan_worker workers[4] = {0};
    const struct yo_plan_job *jobs[4];
    struct yo_plan *plan;
    orders = 0;
    assert_int_equal(yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL), YO_OK);
    for (uint32_t i = 0; i < 4; i++)
        workers[i] = (struct yo_plan_worker){.id = i + 1, .gives_values = true};
    assert_int_equal(yo_plan_make(plan, workers, 4, 0, jobs, NULL, NULL), YO_OK);
    assert_int_equal(orders, 1);
    assert_int_equal(yo_plan_count(plan).nodes, 4);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(jobs[i]->path_count, 1 - (jobs[i]->only != NULL));
    /* A child becomes the root: its moves are put in order, once. */
    struct ttt next = empty;
    ttt_ops.play(&next, 8);
    assert_int_equal(yo_plan_advance(plan, &next, NULL, NULL, NULL), YO_OK);
    assert_int_equal(orders, 2);
    assert_int_equal(best(plan), 7);
    assert_int_equal(yo_plan_make(plan, workers, 4, 0, jobs, NULL, NULL), YO_OK);
    assert_int_equal(orders, 2);
    yo_plan_delete(plan);
}

/* With `roots` some workers of predict do the same, and the answer is theirs. */
static void test_roots(void **state) {
    (void)state;
    struct yo_plan_config config = {.strategy = YO_PLAN_PREDICT, .roots = 50};
    struct yo_plan_worker workers[6] = {0};
    const struct yo_plan_job *jobs[6];
    struct yo_search_result result;
    struct yo_plan *plan;
    size_t roots = 0;
    assert_int_equal(yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL), YO_OK);
    for (uint32_t i = 0; i < 6; i++)
        workers[i] = (struct yo_plan_worker){.id = i + 1, .gives_values = true, .exchanges = i < 4};
    assert_int_equal(yo_plan_make(plan, workers, 6, 0, jobs, NULL, NULL), YO_OK);
    for (size_t i = 0; i < 6; i++)
        roots += jobs[i]->purpose == YO_PLAN_WHOLE;
    assert_int_equal(roots, 2); /* of the four that exchange */
    for (size_t i = 4; i < 6; i++)
        assert_true(jobs[i]->purpose != YO_PLAN_WHOLE);
    answer(plan, 1, 3, 8, -50);
    answer(plan, 2, 4, 7, 50);
    yo_plan_result(plan, &result);
    assert_int_equal(result.moves[0].move, 3);
    yo_plan_delete(plan);
}

/* Root moves that are left out are in no job and in no result. */
static void test_left_out(void **state) {
    (void)state;
    static const yo_move only[] = {0, 2, 4, 6, 8}, avoid[] = {4};
    for (int s = 0; s < YO_PLAN_STRATEGY_COUNT; s++) {
        struct yo_plan_config config = {.strategy = (enum yo_plan_strategy)s,
                                        .only = only,
                                        .only_count = 5,
                                        .avoid = avoid,
                                        .avoid_count = 1};
        struct yo_plan_worker workers[7] = {0};
        const struct yo_plan_job *jobs[7];
        struct yo_search_result result;
        struct yo_plan *plan;
        assert_int_equal(yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL), YO_OK);
        for (uint32_t i = 0; i < 7; i++)
            workers[i] = (struct yo_plan_worker){.id = i + 1, .gives_values = true};
        assert_int_equal(yo_plan_make(plan, workers, 7, 0, jobs, NULL, NULL), YO_OK);
        for (size_t i = 0; i < 7; i++) {
            yo_move first = jobs[i]->path_count ? jobs[i]->path[0] : 0;
            assert_true(first % 2 == 0 && first != 4);
            assert_true(jobs[i]->path_count || jobs[i]->only);
            for (size_t k = 0; !jobs[i]->path_count && k < jobs[i]->only_count; k++)
                assert_true(jobs[i]->only[k] % 2 == 0 && jobs[i]->only[k] != 4);
        }
        yo_plan_result(plan, &result);
        assert_int_equal(result.move_count, 4);
        yo_plan_delete(plan);
    }
}

/* A worker that names only a move votes, and is in nobody's way elsewhere. */
static void test_without_values(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_PREDICT);
    struct yo_plan_worker workers[2] = {{.id = 1}, {.id = 2, .gives_values = true}};
    const struct yo_plan_job *jobs[2];
    assert_int_equal(yo_plan_make(plan, workers, 2, 0, jobs, NULL, NULL), YO_OK);
    assert_int_equal(jobs[0]->purpose, YO_PLAN_WHOLE);
    assert_int_equal(jobs[1]->purpose, YO_PLAN_LINE);
    yo_plan_delete(plan);
}

static void test_bad_reports(void **state) {
    (void)state;
    struct yo_plan *plan = begin(YO_PLAN_PREDICT);
    static const yo_move only[] = {3, 5};
    struct yo_plan_job job = {.only = only, .only_count = 2},
                       nowhere = {.path = {1}, .path_count = 1};
    yo_move pv[3] = {3, 4, 3};
    struct yo_search_move line = {.move = 4, .centipawns = 50, .depth = 9};
    struct yo_search_result result = {.moves = &line, .move_count = 1};
    struct yo_plan_value value;
    struct yo_diag diag = {0};
    assert_int_equal(yo_plan_report(plan, 1, &job, &result, 0, &diag), YO_ERR_ILLEGAL);
    assert_non_null(strstr(diag.what, "job does not have"));
    line.move = 77;
    assert_int_equal(yo_plan_report(plan, 1, &whole, &result, 0, &diag), YO_ERR_ILLEGAL);
    assert_false(yo_plan_root_value(plan, 4, &value));
    line.move = 4;
    assert_int_equal(yo_plan_report(plan, 1, &nowhere, &result, 0, &diag), YO_OK);
    /* The illegal end of a PV is cut off. */
    line =
        (struct yo_search_move){.move = 3, .centipawns = 50, .depth = 9, .pv = pv, .pv_count = 3};
    assert_int_equal(yo_plan_report(plan, 1, &job, &result, 7, &diag), YO_OK);
    yo_plan_result(plan, &result);
    assert_int_equal(result.moves[0].move, 3);
    assert_int_equal(result.moves[0].pv_count, 2);
    assert_true(yo_plan_root_value(plan, 3, &value));
    assert_int_equal(value.depth, 9);
    assert_int_equal(value.at_ms, 7);
    assert_int_equal(value.worker, 1);
    /* A late report from a shallower search changes nothing. */
    line = (struct yo_search_move){.move = 3, .centipawns = -90, .depth = 4};
    result = (struct yo_search_result){.moves = &line, .move_count = 1};
    assert_int_equal(yo_plan_report(plan, 2, &job, &result, 8, &diag), YO_OK);
    assert_true(yo_plan_root_value(plan, 3, &value));
    assert_int_equal(value.centipawns, 50);
    yo_plan_delete(plan);
}

/* A search says that move 4 is best at depth 8. A new, shallow search of the others does not
 * overrule it by a high value; a deep one does. */
static void test_shallow_values(void **state) {
    (void)state;
    static const yo_move others[] = {0, 1, 2, 3, 5, 6, 7, 8};
    struct yo_plan *plan = begin(YO_PLAN_PREDICT);
    struct yo_plan_job rest = {.only = others, .only_count = 8};
    struct yo_search_move line = {.move = 4, .centipawns = 50, .depth = 8};
    struct yo_search_result result = {.moves = &line, .move_count = 1};
    assert_int_equal(yo_plan_report(plan, 1, &whole, &result, 0, NULL), YO_OK);
    line = (struct yo_search_move){.move = 2, .centipawns = 400, .depth = 3};
    assert_int_equal(yo_plan_report(plan, 2, &rest, &result, 1, NULL), YO_OK);
    assert_int_equal(best(plan), 4);
    line = (struct yo_search_move){.move = 2, .centipawns = 20, .depth = 4};
    assert_int_equal(yo_plan_report(plan, 2, &rest, &result, 2, NULL), YO_OK);
    assert_int_equal(best(plan), 4);
    line = (struct yo_search_move){.move = 1, .centipawns = 120, .depth = 8};
    assert_int_equal(yo_plan_report(plan, 2, &rest, &result, 3, NULL), YO_OK);
    assert_int_equal(best(plan), 1);
    yo_plan_delete(plan);
}

/* How many of ten workers are at a first move, after a recommendation that put 4 so many
 * centipawns before 0. */
static size_t count_at(int lean, int ahead, yo_move first) {
    struct yo_plan *plan;
    struct yo_plan_config config = {.recommend_ms = 10, .lean = lean};
    struct yo_plan_worker workers[10] = {0};
    const struct yo_plan_job *jobs[10];
    size_t count = 0;
    assert_int_equal(yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL), YO_OK);
    for (uint32_t i = 0; i < 10; i++)
        workers[i] = (struct yo_plan_worker){.id = i, .gives_values = true, .takes_moves = true};
    assert_int_equal(yo_plan_make(plan, workers, 10, 0, jobs, NULL, NULL), YO_OK);
    for (yo_move move = 0; move < 9; move++) {
        struct yo_plan_job job = {.path = {move}, .path_count = 1};
        struct yo_search_move line = {
            .move = move == 8 ? 7 : 8,
            .centipawns = move == 4   ? 0
                          : move == 0 ? ahead
                                      : 900,
            .depth = 5,
        };
        struct yo_search_result result = {.moves = &line, .move_count = 1};
        assert_int_equal(yo_plan_report(plan, move, &job, &result, 5, NULL), YO_OK);
    }
    assert_int_equal(yo_plan_make(plan, workers, 10, 20, jobs, NULL, NULL), YO_OK);
    for (size_t i = 0; i < 10; i++)
        count += jobs[i]->path_count > 0 && jobs[i]->path[0] == first;
    yo_plan_delete(plan);
    return count;
}

/* Nine workers for two moves: as many for both, or more for the better one. */
static void test_lean(void **state) {
    (void)state;
    assert_int_equal(count_at(0, 200, 4), 5);
    assert_int_equal(count_at(0, 200, 0), 4);
    assert_int_equal(count_at(200, 200, 4), 6);
    assert_int_equal(count_at(200, 200, 0), 3);
    assert_int_equal(count_at(100, 600, 4), 8);
    assert_int_equal(count_at(100, 600, 0), 1);
}

/* ---- the game goes on ---- */

static void play(struct yo_shogi_game *game, const char *text) {
    yo_shogi_move move;
    assert_int_equal(yo_shogi_move_parse(text, &move, NULL), YO_OK);
    assert_int_equal(yo_shogi_game_play(game, move, NULL), YO_OK);
}

/* Values and jobs below the moves that were played are those of the new root. */
static void test_advance(void **state) {
    (void)state;
    struct yo_shogi_game *game;
    struct yo_plan *plan;
    struct yo_plan_config config = {.recommend_ms = 10};
    struct yo_plan_worker workers[9] = {0};
    struct yo_plan_job copy;
    const struct yo_plan_job *jobs[9];
    struct yo_plan_advanced advanced;
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    assert_int_equal(yo_plan_new(&config, &yo_shogi_ops, game, &plan, NULL), YO_OK);
    for (uint32_t i = 0; i < 9; i++)
        workers[i] = (struct yo_plan_worker){.id = i, .gives_values = true, .takes_moves = true};
    assert_int_equal(yo_plan_make(plan, workers, 9, 0, jobs, NULL, NULL), YO_OK);
    /* Someone searches the position after one move: it reports the best reply. */
    size_t w = 0;
    while (jobs[w]->path_count != 1)
        w++;
    char text[16];
    yo_move first = jobs[w]->path[0];
    assert_int_equal(yo_plan_job_copy(jobs[w], &copy, NULL), YO_OK);
    yo_shogi_move_format((yo_shogi_move)first, text);
    yo_shogi_move parsed;
    assert_int_equal(yo_shogi_move_parse("3c3d", &parsed, NULL), YO_OK);
    struct yo_search_move line = {.move = parsed, .centipawns = -35, .depth = 11};
    struct yo_search_result result = {.moves = &line, .move_count = 1};
    assert_int_equal(yo_plan_report(plan, 5, &copy, &result, 3, NULL), YO_OK);
    struct yo_plan_value value;
    assert_true(yo_plan_root_value(plan, first, &value));
    assert_int_equal(value.centipawns, 35);
    assert_int_equal(value.depth, 12);

    play(game, text);
    assert_int_equal(yo_plan_advance(plan, game, NULL, &advanced, NULL), YO_OK);
    assert_true(advanced.kept);
    assert_int_equal(advanced.count, 1);
    assert_true(yo_plan_root_value(plan, parsed, &value));
    assert_int_equal(value.centipawns, -35);
    assert_true(yo_plan_job_advance(&copy, advanced.played, advanced.count));
    assert_int_equal(copy.path_count, 0);
    assert_false(yo_plan_job_advance(&copy, advanced.played, advanced.count));
    assert_int_equal(yo_plan_make(plan, workers, 9, 5, jobs, NULL, NULL), YO_OK);

    /* Another game: nothing is kept. */
    assert_int_equal(yo_shogi_game_undo(game, NULL), YO_OK);
    play(game, "1g1f");
    assert_int_equal(yo_plan_advance(plan, game, NULL, &advanced, NULL), YO_OK);
    assert_false(advanced.kept);
    assert_false(yo_plan_root_value(plan, parsed, &value));
    yo_plan_job_free(&copy);
    yo_plan_delete(plan);
    yo_shogi_game_delete(game);
}

/* ---- missing memory ---- */

/* Every allocation fails once: an error, no crash, and the next call works. */
static void test_no_memory(void **state) {
    (void)state;
    struct yo_plan_config config = {.recommend_ms = 10};
    struct yo_plan_worker workers[20] = {0};
    const struct yo_plan_job *jobs[20];
    bool failed = true;
    for (uint32_t i = 0; i < 20; i++)
        workers[i] = (struct yo_plan_worker){.id = i, .gives_values = true};
    for (long n = 0; failed; n++) {
        struct yo_plan *plan = NULL;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_plan_new(&config, &ttt_ops, &empty, &plan, NULL);
        for (int64_t now = 0; !err && now < 30; now += 10)
            err = yo_plan_make(plan, workers, 20, now, jobs, NULL, NULL);
        yo_alloc_fail_after(-1);
        failed = err != YO_OK;
        if (failed) assert_int_equal(err, YO_ERR_NOMEM);
        if (plan) assert_int_equal(yo_plan_make(plan, workers, 20, 40, jobs, NULL, NULL), YO_OK);
        yo_plan_delete(plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes),
        cmocka_unit_test(test_shared_lines),
        cmocka_unit_test(test_shared_statistics),
        cmocka_unit_test(test_shared_without_workers),
        cmocka_unit_test(test_shared_pass),
        cmocka_unit_test(test_shared_win),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_exchange_mates),
        cmocka_unit_test(test_first_look),
        cmocka_unit_test(test_too_few_roots),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_quick_order),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_without_values),
        cmocka_unit_test(test_bad_reports),
        cmocka_unit_test(test_shallow_values),
        cmocka_unit_test(test_lean),
        cmocka_unit_test(test_advance),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
