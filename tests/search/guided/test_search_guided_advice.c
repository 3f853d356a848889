/* search/guided/advice.c: advised moves are looked at, at the root and in answer to its moves, also
 * in a tree that is kept; the others keep their priors. */
#include "support/test.h"

#include "search/guided/guided.h"
#include "support/hash_eval.h"
#include "support/tictactoe.h"

enum { VISITS = 200 };

struct searched {
    struct hash_eval eval;
    struct yo_guided *g;
    struct ttt position;
    struct yo_search_result result;
};

static void set_up(struct searched *s) {
    struct yo_guided_options options;
    yo_guided_options_default(&options);
    options.memory_mb = 8;
    options.solve = false;
    options.root_policy_temperature = options.policy_temperature; /* priors stay comparable */
    *s = (struct searched){.eval = {.game = &ttt_ops, .batch = 1}};
    assert_int_equal(yo_guided_new(&ttt_ops, hash_eval(&s->eval), NULL, &options, &s->g, NULL),
                     YO_OK);
}

static void run(struct searched *s, const struct yo_guided_advice *advice) {
    const struct yo_search_limits limits = {.playouts = VISITS};
    yo_guided_advise(s->g, advice);
    assert_int_equal(yo_guided_run(s->g, &s->position, &limits, NULL, NULL, NULL, &s->result, NULL),
                     YO_OK);
}

static const struct yo_search_move *find(const struct searched *s, yo_move move) {
    for (size_t i = 0; i < s->result.move_count; i++)
        if (s->result.moves[i].move == move) return &s->result.moves[i];
    fail_msg("move %d is not in the result", (int)move);
    return NULL;
}

static yo_move least_likely(const struct searched *s) {
    const struct yo_search_move *least = &s->result.moves[0];
    for (size_t i = 1; i < s->result.move_count; i++)
        if (s->result.moves[i].prior < least->prior) least = &s->result.moves[i];
    return least->move;
}

static const struct yo_guided_advice none;

static struct yo_guided_advice one(int side, yo_move move) {
    struct yo_guided_advice advice = {0};
    advice.count[side] = 1;
    advice.moves[side][0] = move;
    return advice;
}

static void looks_at_advised_moves(void **state) {
    (void)state;
    struct searched s;
    set_up(&s);
    run(&s, &none);
    yo_move move = least_likely(&s);
    double before = find(&s, move)->prior;
    uint64_t visits = find(&s, move)->visits;
    assert_true(before < 0.1);
    struct yo_guided_advice advice = one(0, move);
    for (int kept = 0; kept < 2; kept++) {
        if (!kept) yo_guided_clear(s.g);
        run(&s, &advice);
        assert_true(find(&s, move)->prior > 0.15);
        assert_true(find(&s, move)->visits > visits);
    }
    yo_guided_delete(s.g);
}

/* The priors of the answers show once the game has come there. kept: the advice comes when the
 * nodes are there already. */
static void looks_at_advised_answers(void **state) {
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        struct searched s;
        set_up(&s);
        run(&s, &none);
        yo_move first = s.result.moves[0].move;
        struct ttt start = s.position;
        yo_guided_advance(s.g, first);
        ttt_ops.play(&s.position, first);
        run(&s, &none);
        yo_move answer = least_likely(&s);
        assert_true(find(&s, answer)->prior < 0.1);
        s.position = start;
        yo_guided_clear(s.g);
        run(&s, &none);
        double before = find(&s, answer)->prior;
        if (!kept) yo_guided_clear(s.g);
        struct yo_guided_advice advice = one(1, answer);
        run(&s, &advice);
        assert_true(find(&s, answer)->prior == before); /* advice for the other side */
        yo_guided_advance(s.g, first);
        ttt_ops.play(&s.position, first);
        run(&s, &none);
        assert_true(find(&s, answer)->prior > 0.15);
        yo_guided_delete(s.g);
    }
}

static enum yo_err advise(void *ctx, struct yo_eval playouts, const void *game,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          struct yo_guided_advice *advice, struct yo_diag *diag) {
    (void)playouts, (void)game, (void)stop, (void)diag;
    const yo_move *move = ctx;
    if (!limits->whole) *advice = one(0, *move);
    return YO_OK;
}

static double prior_of(struct yo_search search, bool whole, yo_move move) {
    const struct yo_search_limits limits = {.playouts = VISITS, .whole = whole};
    struct ttt position = {0};
    struct searched s;
    assert_int_equal(yo_search_run(search, &position, &limits, NULL, NULL, NULL, &s.result, NULL),
                     YO_OK);
    return find(&s, move)->prior;
}

/* An analysis of a position that was searched for a move shows the policy of the network. */
static void an_analysis_takes_no_advice(void **state) {
    (void)state;
    struct searched s;
    set_up(&s);
    run(&s, &none);
    yo_move move = least_likely(&s);
    struct yo_guided_hooks hooks = {.advise = advise, .ctx = &move};
    struct yo_guided_options options;
    struct yo_search search;
    yo_guided_options_default(&options);
    options.memory_mb = 8;
    options.solve = false;
    assert_int_equal(
        yo_guided_search_new(&ttt_ops, hash_eval(&s.eval), &hooks, &options, &search, NULL), YO_OK);
    double before = prior_of(search, true, move);
    assert_true(prior_of(search, false, move) > before + 0.05);
    assert_true(prior_of(search, true, move) == before);
    search.ops->destroy(search.ctx);
    yo_guided_delete(s.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_at_advised_moves),
        cmocka_unit_test(looks_at_advised_answers),
        cmocka_unit_test(an_analysis_takes_no_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
