/* yomi/playout.h as a program sees it that has nothing but the public headers. */
#include "support/test.h"

#include <pthread.h>
#include <string.h>

#include "yomi/playout.h"

#define SIZE   9
#define POINTS (SIZE * SIZE)

struct arrays {
    uint32_t histogram[2 * POINTS + 1];
    int32_t ownership[POINTS];
};

static void policies_have_names(void **state) {
    (void)state;
    struct yo_diag diag = {0};
    for (int i = 0; i < YO_PLAYOUT_POLICIES; i++) {
        enum yo_playout_policy policy = YO_PLAYOUT_POLICIES;
        const char *name = yo_playout_policy_name((enum yo_playout_policy)i);
        assert_int_equal(yo_playout_policy_parse(name, &policy, &diag), YO_OK);
        assert_int_equal(policy, i);
    }
    enum yo_playout_policy policy = YO_PLAYOUT_MOGO;
    assert_int_equal(yo_playout_policy_parse("LIGHT", &policy, &diag), YO_OK);
    assert_int_equal(policy, YO_PLAYOUT_LIGHT);
    assert_int_equal(yo_playout_policy_parse("heavy", &policy, &diag), YO_ERR_UNKNOWN);
    assert_int_equal(policy, YO_PLAYOUT_LIGHT);
    assert_non_null(strstr(diag.what, "heavy"));
}

static void play(struct yo_go_game *game, const char *color, const char *point) {
    enum yo_go_color who;
    yo_go_point move;
    assert_int_equal(yo_go_color_parse(color, &who, NULL), YO_OK);
    assert_int_equal(yo_go_point_parse(point, yo_go_game_size(game), &move, NULL), YO_OK);
    assert_int_equal(yo_go_game_play(game, who, move, NULL), YO_OK);
}

static yo_go_point point(const char *text) {
    yo_go_point p;
    assert_int_equal(yo_go_point_parse(text, SIZE, &p, NULL), YO_OK);
    return p;
}

static void positions_come_from_games(void **state) {
    (void)state;
    static const char *const moves[][2] = {{"b", "B2"}, {"w", "C2"}, {"b", "A1"}, {"w", "D1"},
                                           {"b", "J9"}, {"w", "B1"}, {"b", "C1"}};
    struct yo_go_game *game;
    struct yo_playout_position position;
    assert_int_equal(yo_go_game_new(SIZE, NULL, &game), YO_OK);
    yo_playout_position_from_game(game, &position);
    assert_int_equal(position.to_move, YO_GO_BLACK);
    assert_int_equal(position.last, YO_GO_NONE);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        play(game, moves[i][0], moves[i][1]);
    yo_playout_position_from_game(game, &position);
    assert_int_equal(position.size, SIZE);
    assert_int_equal(position.to_move, YO_GO_WHITE);
    assert_int_equal(position.last, point("C1"));
    assert_int_equal(position.ko, point("B1")); /* C1 took it, and stands in atari itself */
    for (int p = 0; p < POINTS; p++)
        assert_int_equal(position.stones[p], yo_go_game_at(game, (yo_go_point)p));
    /* Who took the ko may fill it. */
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    yo_playout_position_from_game(game, &position);
    assert_int_equal(position.to_move, YO_GO_BLACK);
    assert_int_equal(position.ko, YO_GO_NONE);
    play(game, "w", "pass");
    yo_playout_position_from_game(game, &position);
    assert_int_equal(position.ko, YO_GO_NONE);
    assert_int_equal(position.last, YO_GO_PASS);
    yo_go_game_delete(game);
}

static void start(struct yo_playout_position *position) {
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(SIZE, NULL, &game), YO_OK);
    yo_playout_position_from_game(game, position);
    yo_go_game_delete(game);
}

/* Games are numbered: the first hundred and the next two hundred are the first three hundred, and
 * arrays that are not wanted change nothing. */
static void results_add_up(void **state) {
    (void)state;
    static struct arrays whole, parts;
    struct yo_playout_position position;
    struct yo_playouts *playouts;
    start(&position);
    assert_int_equal(yo_playouts_new("auto", 2, &playouts, NULL), YO_OK);
    struct yo_playout_result a = {.histogram = whole.histogram, .ownership = whole.ownership};
    struct yo_playout_result b = {.histogram = parts.histogram, .ownership = parts.ownership};
    struct yo_playout_result plain = {0};
    for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++) {
        enum yo_playout_policy p = (enum yo_playout_policy)policy;
        assert_int_equal(yo_playouts_run(playouts, p, &position, 5, 0, 300, &a, NULL), YO_OK);
        assert_int_equal(yo_playouts_run(playouts, p, &position, 5, 0, 100, &b, NULL), YO_OK);
        assert_int_equal(yo_playouts_run(playouts, p, &position, 5, 100, 200, &b, NULL), YO_OK);
        assert_int_equal(yo_playouts_run(playouts, p, &position, 5, 0, 300, &plain, NULL), YO_OK);
        assert_int_equal(yo_playouts_run(playouts, p, &position, 5, 0, 0, &plain, NULL), YO_OK);
    }
    assert_int_equal(a.games, 300 * YO_PLAYOUT_POLICIES);
    assert_int_equal(b.games, a.games);
    assert_int_equal(b.moves, a.moves);
    assert_int_equal(b.score_sum, a.score_sum);
    assert_int_equal(plain.moves, a.moves);
    assert_int_equal(plain.score_sum, a.score_sum);
    assert_memory_equal(&whole, &parts, sizeof whole);
    yo_playouts_delete(playouts);
    yo_playouts_delete(NULL);
}

/* Every backend that is compiled in either runs here or says why not. */
static void backends_are_listed(void **state) {
    (void)state;
    struct yo_playout_position position;
    size_t usable = 0, i = 0;
    start(&position);
    for (const char *name; (name = yo_playout_backend_name(i)); i++) {
        struct yo_playouts *playouts = NULL;
        struct yo_playout_result result = {0};
        struct yo_diag diag = {0};
        enum yo_err err = yo_playouts_new(name, 1, &playouts, &diag);
        assert_true(err == YO_OK || err == YO_ERR_UNSUPPORTED);
        assert_int_equal(err, diag.err);
        if (err) continue;
        usable++;
        assert_string_equal(yo_playouts_backend(playouts), name);
        err = yo_playouts_run(playouts, YO_PLAYOUT_MOGO, &position, 1, 0, 2, &result, &diag);
        assert_true(err == YO_OK || (err == YO_ERR_UNSUPPORTED && diag.hint[0]));
        assert_int_equal(result.games, err ? 0 : 2);
        yo_playouts_delete(playouts);
    }
    assert_true(usable >= 1 && i >= usable);
    struct yo_playouts *none = NULL;
    struct yo_diag diag = {0};
    assert_int_equal(yo_playouts_new("scaler", 1, &none, &diag), YO_ERR_UNKNOWN);
    assert_string_equal(diag.hint, "did you mean scalar?");
    assert_null(none);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    struct yo_playout_position position;
    struct yo_playouts *playouts;
    struct yo_playout_result result = {0};
    start(&position);
    assert_int_equal(yo_playouts_new("check:auto", 1, &playouts, NULL), YO_OK);
    assert_int_equal(
        yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, 1, 0, UINT64_MAX, &result, NULL),
        YO_ERR_RANGE);
    assert_int_equal(
        yo_playouts_run(playouts, (enum yo_playout_policy)9, &position, 1, 0, 1, &result, NULL),
        YO_ERR_ARGUMENT);
    position.size = 20;
    assert_int_equal(yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, 1, 0, 1, &result, NULL),
                     YO_ERR_RANGE);
    assert_int_equal(result.games, 0);
    yo_playouts_delete(playouts);
}

/* ---- several callers ---- */

#define CALLERS 4

struct caller {
    struct yo_playouts *playouts;
    struct yo_playout_position position;
    struct yo_playout_result result;
    enum yo_err err;
};

static void *call(void *arg) {
    struct caller *caller = arg;
    for (uint64_t i = 0; i < 5 && !caller->err; i++)
        caller->err = yo_playouts_run(caller->playouts, YO_PLAYOUT_LIGHT, &caller->position, 1,
                                      100 * i, 100, &caller->result, NULL);
    return NULL;
}

static void callers_do_not_disturb_each_other(void **state) {
    (void)state;
    struct yo_playouts *playouts;
    struct caller callers[CALLERS] = {0};
    pthread_t threads[CALLERS];
    assert_int_equal(yo_playouts_new("auto", 2, &playouts, NULL), YO_OK);
    for (int i = 0; i < CALLERS; i++) {
        callers[i].playouts = playouts;
        start(&callers[i].position);
        assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(callers[i].err, YO_OK);
        assert_int_equal(callers[i].result.games, 500);
        assert_int_equal(callers[i].result.moves, callers[0].result.moves);
        assert_int_equal(callers[i].result.score_sum, callers[0].result.score_sum);
    }
    yo_playouts_delete(playouts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_have_names),  cmocka_unit_test(positions_come_from_games),
        cmocka_unit_test(results_add_up),       cmocka_unit_test(backends_are_listed),
        cmocka_unit_test(mistakes_are_refused), cmocka_unit_test(callers_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
