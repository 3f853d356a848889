/* search/go/thrift.c: counted by territory, a search that knows nothing of it keeps its points; by
 * area it ends a game that the opponent wants to end. The search within is a stand-in that prefers
 * a move in its own territory to a pass by `gain`. */
#include "support/test.h"

#include "base/alloc.h"
#include "search/go/thrift.h"
#include "support/go_diagram.h"
#include "support/search_go.h"

static struct {
    double gain;
    bool knows_pass;
    bool has_clock;
    size_t only_count; /* of the limits */
    int cleared, destroyed;
} inner;

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    static struct yo_search_move moves[2];
    (void)ctx, (void)stop, (void)diag;
    inner.has_clock = limits->clock && limits->time_ms == 0;
    inner.only_count = limits->only_count;
    moves[0] = (struct yo_search_move){.visits = 90, .winrate_to_move = 0.6 + inner.gain};
    moves[1] = (struct yo_search_move){.move = YO_GO_PASS, .visits = 10, .winrate_to_move = 0.6};
    while (yo_go_game_at(game, (yo_go_point)moves[0].move) != YO_GO_EMPTY ||
           !yo_search_allows(limits, moves[0].move))
        moves[0].move++;
    static const struct yo_search_prior priors[] = {{0, 0.75}, {YO_GO_PASS, 0.25}};
    *result = (struct yo_search_result){.moves = moves,
                                        .move_count = inner.knows_pass ? 2 : 1,
                                        .playouts = 100,
                                        .priors = priors,
                                        .prior_count = 2};
    if (report) report(user, result);
    return YO_OK;
}

static void clear(void *ctx) {
    (void)ctx;
    inner.cleared++;
}

static void destroy(void *ctx) {
    (void)ctx;
    inner.destroyed++;
}

static struct yo_search make(double gain, bool knows_pass) {
    static const struct yo_search_ops ops = {.name = "stand-in",
                                             .limits = YO_LIMIT_TIME | YO_LIMIT_VISITS |
                                                       YO_LIMIT_MOVES | YO_LIMIT_CLEAN_UP,
                                             .run = run,
                                             .clear = clear,
                                             .destroy = destroy};
    struct yo_search search;
    inner.gain = gain;
    inner.knows_pass = knows_pass;
    inner.cleared = inner.destroyed = 0;
    assert_int_equal(yo_go_thrift_new((struct yo_search){.ops = &ops}, go_eval, 1, &search, NULL),
                     YO_OK);
    assert_string_equal(search.ops->name, "stand-in");
    assert_null(search.ops->entry_kind);
    return search;
}

static void keep_reported(void *user, const struct yo_search_result *result) {
    *(yo_move *)user = result->moves[0].move;
}

/* Black leads by far, and E9 and E8 are still open. */
static const char open_board[] = "X..X.O.O."
                                 "XXXX.OOOO"
                                 "XXXXXOOOO"
                                 "XXXXXXXXX"
                                 "X.X.XXXXX"
                                 "XXXXXXXXX"
                                 ".X.X.X.X."
                                 "XXXXXXXXX"
                                 ".X.X.X.X.";

struct scene {
    const char *rules, *board;
    double gain;
    bool knows_pass, whole, after_pass;
};

/* The first move of Black, who leads by half a point or more. The report says the same. */
static yo_move first(const struct scene *scene) {
    struct yo_go_rules rules;
    struct yo_search_result result;
    struct yo_search_limits limits = {.visits = 100, .whole = scene->whole};
    yo_move reported = YO_MOVE_NONE;
    assert_int_equal(yo_go_rules_parse(scene->rules, &rules, NULL), YO_OK);
    rules.komi2 = 1;
    struct yo_go_game *game = diagram_game(scene->board, &rules, YO_GO_WHITE);
    if (scene->after_pass) assert_int_equal(diagram_play(game, "W pass"), YO_OK);
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    struct yo_search search = make(scene->gain, scene->knows_pass);
    assert_int_equal(
        yo_search_run(search, game, &limits, NULL, keep_reported, &reported, &result, NULL), YO_OK);
    yo_move move = result.moves[0].move;
    assert_int_equal(reported, move);
    search.ops->clear(search.ctx);
    assert_int_equal(inner.cleared, 1);
    search.ops->destroy(search.ctx);
    assert_int_equal(inner.destroyed, 1);
    yo_go_game_delete(game);
    return move;
}

static bool passes(struct scene scene) { return first(&scene) == YO_GO_PASS; }

static void keeps_the_half_point(void **state) {
    (void)state;
    assert_true(passes((struct scene){"japanese", go_territory, 0.1, .knows_pass = true}));
    assert_true(passes((struct scene){"japanese", go_territory, 0.1, .knows_pass = false}));
}

/* Visits and prior of such a pass are those of the search, and the visits no more than were asked
 * for. */
static void tells_what_the_search_knows(void **state) {
    (void)state;
    struct yo_go_rules rules;
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    rules.komi2 = 1;
    struct yo_go_game *game = diagram_game(go_territory, &rules, YO_GO_BLACK);
    for (int knows = 0; knows < 2; knows++) {
        struct yo_search search = make(0.1, knows);
        struct yo_search_limits limits = {.visits = 100};
        struct yo_search_result result;
        assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        assert_int_equal(result.moves[0].move, YO_GO_PASS);
        assert_int_equal(result.moves[0].visits, 10);
        assert_float_equal(result.moves[0].prior, 0.25, 1e-9);
        search.ops->destroy(search.ctx);
    }
    yo_go_game_delete(game);
}

/* An analysis sees what the search says, and by area a move costs nothing. */
static void changes_nothing_else(void **state) {
    (void)state;
    struct scene whole = {"japanese", go_territory, 0.1, .knows_pass = true, .whole = true};
    assert_false(passes(whole));
    assert_false(passes((struct scene){"chinese", go_territory, 0.02, .knows_pass = true}));
}

/* By area, too, a game ends that is won when the opponent passes; but not where the search finds
 * more in another move or has not looked at a pass, nor where points are left to take. */
static void ends_the_game(void **state) {
    (void)state;
    struct scene scene = {"chinese", go_territory, 0.02, .knows_pass = true, .after_pass = true};
    assert_true(passes(scene));
    scene.gain = 0.1;
    assert_false(passes(scene));
    scene = (struct scene){"chinese", go_territory, 0.02, .after_pass = true};
    assert_false(passes(scene));
    scene = (struct scene){"chinese", open_board, 0.02, .knows_pass = true, .after_pass = true};
    assert_false(passes(scene));
}

/* What Black, who leads, is left with in a clean-up. */
static size_t count_to_clean(const char *board, const char *rules_name) {
    struct yo_go_rules rules;
    struct yo_search_result result;
    struct yo_search_limits limits = {.visits = 100, .clean_up = true};
    assert_int_equal(yo_go_rules_parse(rules_name, &rules, NULL), YO_OK);
    struct yo_go_game *game = diagram_game(board, &rules, YO_GO_BLACK);
    struct yo_search search = make(0.1, true);
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
    return inner.only_count;
}

/* In a clean-up only moves that take dead stones off are searched, as long as there are any; the
 * search chooses freely when none are left. */
static void takes_dead_stones_off(void **state) {
    (void)state;
    assert_int_equal(count_to_clean(go_settled, "chinese"), 2);
    assert_int_equal(count_to_clean(go_settled, "japanese"), 2);
    assert_int_equal(count_to_clean(go_territory, "chinese"), 0);
}

/* The judgement's time is the search's: it goes on with the clock that began before. */
static void keeps_the_time(void **state) {
    (void)state;
    struct yo_go_rules rules;
    struct yo_search_result result;
    struct yo_search_limits limits = {.time_ms = 1000};
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    struct yo_go_game *game = diagram_game(go_territory, &rules, YO_GO_BLACK);
    struct yo_search search = make(0.1, true);
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_true(inner.has_clock);
    limits = (struct yo_search_limits){.visits = 100};
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_false(inner.has_clock);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

static void no_memory(void **state) {
    (void)state;
    struct yo_diag diag;
    struct yo_search search;
    static const struct yo_search_ops ops = {.destroy = destroy};
    inner.destroyed = 0;
    yo_alloc_fail_after(0);
    enum yo_err err = yo_go_thrift_new((struct yo_search){.ops = &ops}, go_eval, 1, &search, &diag);
    yo_alloc_fail_after(-1);
    assert_int_equal(err, YO_ERR_NOMEM);
    assert_int_equal(inner.destroyed, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_half_point),
        cmocka_unit_test(tells_what_the_search_knows),
        cmocka_unit_test(changes_nothing_else),
        cmocka_unit_test(ends_the_game),
        cmocka_unit_test(takes_dead_stones_off),
        cmocka_unit_test(keeps_the_time),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
