/* search/go/guided.c: how games end for a search on a network, and who owns the board. Black owns
 * it unconditionally, but two dead white stones still stand in it. */
#include "support/test.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "eval/net/evaluator.h"
#include "eval/net/reference.h"
#include "eval/playout/playouts.h"
#include "game/go/game_ops.h"
#include "search/go/guided.h"
#include "support/katago_net.h"
#include "yomi/go.h"

enum { SIZE = 5 };

/* Row by row: a wall with two eyes, and White's stones inside the larger one. */
static const char *const board[SIZE] = {".XO.X", "XX.OX", ".XXXX", "XXXXX", "X.XXX"};

static struct yo_go_game *make(bool friendly) {
    struct yo_go_rules rules = yo_go_rules_default;
    struct yo_go_game *game;
    rules.scoring = YO_GO_AREA;
    rules.friendly_pass_ok = friendly;
    rules.komi2 = 15;
    assert_int_equal(yo_go_game_new(SIZE, &rules, &game), YO_OK);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            if (board[y][x] == '.') continue;
            enum yo_go_color color = board[y][x] == 'X' ? YO_GO_BLACK : YO_GO_WHITE;
            assert_int_equal(
                yo_go_game_play(game, color, (yo_go_point)((SIZE - 1 - y) * SIZE + x), NULL),
                YO_OK);
        }
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    return game;
}

static bool finish(const struct yo_go_game *game, bool clean_up, struct yo_eval_value *value) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    yo_go_position_play(&position, YO_GO_PASS);
    yo_go_position_play(&position, YO_GO_PASS);
    return hooks.finish(hooks.ctx, &position, clean_up, value);
}

static size_t count_moves(const struct yo_go_game *game, bool clean_up) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    yo_move moves[YO_GO_POINTS_MAX + 1];
    size_t count = 0;
    assert_int_equal(hooks.root_moves(hooks.ctx, game, clean_up, moves, &count), YO_OK);
    assert_int_equal(moves[count - 1], YO_GO_PASS);
    return count;
}

/* Without agreement all stones on the board count, so Black may not pass before they are captured.
 */
static void the_board_counts_as_it_stands(void **state) {
    (void)state;
    struct yo_go_game *game = make(false);
    struct yo_go_score score;
    struct yo_eval_value value;
    yo_go_game_score(game, NULL, &score);
    assert_true(finish(game, false, &value));
    assert_true(value.score_mean == (float)score.lead2 / 2);
    assert_true(count_moves(game, false) > 1);
    yo_go_game_delete(game);
}

/* With agreement the evaluator says what the end is worth; a clean-up is counted as it stands. */
static void agreement_is_the_evaluators(void **state) {
    (void)state;
    struct yo_go_game *game = make(true);
    struct yo_eval_value value;
    assert_false(finish(game, false, &value));
    assert_int_equal(count_moves(game, false), 1);
    assert_true(finish(game, true, &value));
    assert_true(count_moves(game, true) > 1);
    yo_go_game_delete(game);
}

/* ---- ownership ---- */

static struct yo_eval open_net(bool with_ownership) {
    struct katago_net made = {
        .version = 8, .blocks = "o", .trunk = 4, .mid = 4, .pool = 3, .head = 2, .ky = 3, .kx = 3};
    struct yo_net_eval_options options = {.backend = &yo_net_reference, .threads = 1};
    struct yo_buf file = {0};
    struct yo_net *net;
    struct yo_eval eval;
    katago_net_make(&made);
    if (!with_ownership) { /* its layer is the last */
        struct katago_layer *last = &made.layers[made.layer_count - 1];
        assert_int_equal(last->kind, KATAGO_CONV);
        memset(last->weights, 0,
               sizeof(float) * (size_t)(last->ky * last->kx * last->in * last->out));
    }
    katago_net_write(&made, true, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &net, NULL), YO_OK);
    yo_buf_free(&file);
    katago_net_free(&made);
    assert_int_equal(yo_net_eval_new(net, &options, &eval, NULL), YO_OK);
    return eval;
}

static struct yo_search make_search(struct yo_eval net, struct yo_eval playouts) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks(playouts, false);
    struct yo_guided_options options;
    struct yo_search search;
    yo_guided_options_default(&options);
    options.memory_mb = 8;
    assert_int_equal(yo_guided_search_new(&yo_go_ops, net, &hooks, &options, &search, NULL), YO_OK);
    return search;
}

static const struct yo_search_limits fifty = {
    .visits = 50, .ownership = true, .moves_ownership = true};

/* A network that was not trained on ownership: playouts tell that all is Black's. */
static void ownership_by_playouts(void **state) {
    (void)state;
    struct yo_eval net = open_net(false), playouts;
    struct yo_search_result result;
    assert_int_equal(yo_playouts_eval_open_with("scalar", NULL, 1, &playouts, NULL), YO_OK);
    struct yo_search search = make_search(net, playouts);
    struct yo_go_game *game = make(true);
    assert_int_equal(yo_search_run(search, game, &fifty, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_non_null(result.ownership);
    for (int p = 0; p < SIZE * SIZE; p++)
        assert_true(result.ownership[p] > 0.8f);
    struct yo_search_limits none = {.visits = 60};
    assert_int_equal(yo_search_run(search, game, &none, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_null(result.ownership);
    yo_go_game_delete(game);
    search.ops->destroy(search.ctx);
    net.ops->destroy(net.ctx);
    playouts.ops->destroy(playouts.ctx);
}

/* A single visit: the ownership of the one position behind the move, as the evaluator gives it.
 * With more: a mean of such. */
static void ownership_by_the_network(void **state) {
    (void)state;
    struct yo_eval net = open_net(true);
    struct yo_search search = make_search(net, (struct yo_eval){0});
    struct yo_search_result result;
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(SIZE, &yo_go_rules_default, &game), YO_OK);
    struct yo_search_limits two = {.visits = 2, .ownership = true, .moves_ownership = true};
    assert_int_equal(yo_search_run(search, game, &two, NULL, NULL, NULL, &result, NULL), YO_OK);
    struct yo_go_position position;
    float owner[SIZE * SIZE];
    struct yo_eval_result after = {.ownership = owner};
    struct yo_eval_item item = {
        .position = &position, .want = YO_EVAL_OWNERSHIP, .results = &after};
    yo_go_position_from_game(game, &position);
    yo_go_ops.play(&position, result.moves[0].move);
    assert_int_equal(yo_eval_run(net, &item, 1, NULL), YO_OK);
    for (int p = 0; p < SIZE * SIZE; p++) {
        assert_true(fabsf(result.ownership[p] - owner[p]) < 1e-5f);
        assert_true(fabsf(result.moves[0].ownership[p] - owner[p]) < 1e-5f);
        assert_true(result.ownership_stdev[p] < 1e-3f);
    }
    assert_int_equal(yo_search_run(search, game, &fifty, NULL, NULL, NULL, &result, NULL), YO_OK);
    float spread = 0;
    for (int p = 0; p < SIZE * SIZE; p++) {
        assert_true(result.ownership[p] >= -1 && result.ownership[p] <= 1);
        spread += result.ownership_stdev[p];
    }
    assert_true(spread > 0);
    for (size_t m = 0; m < result.move_count && m < 20; m++)
        assert_non_null(result.moves[m].ownership);
    yo_go_game_delete(game);
    search.ops->destroy(search.ctx);
    net.ops->destroy(net.ctx);
}

static void no_memory_for_ownership(void **state) {
    (void)state;
    struct yo_eval net = open_net(true);
    struct yo_search search = make_search(net, (struct yo_eval){0});
    struct yo_search_result result;
    struct yo_go_game *game = make(true);
    for (long n = 0;; n++) {
        yo_alloc_fail_after(n);
        enum yo_err err = yo_search_run(search, game, &fifty, NULL, NULL, NULL, &result, NULL);
        yo_alloc_fail_after(-1);
        if (err == YO_OK) {
            assert_true(n >= 6);
            break;
        }
        assert_int_equal(err, YO_ERR_NOMEM);
    }
    yo_go_game_delete(game);
    search.ops->destroy(search.ctx);
    net.ops->destroy(net.ctx);
}

/* One thread and a limit of visits: the same search, again and after a move, with either search. */
static void the_same_twice(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct yo_eval net = open_net(true);
        uint64_t seen[2] = {0, 0};
        for (int round = 0; round < 2; round++) {
            struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
            struct yo_guided_options options;
            struct yo_search search;
            struct yo_go_game *game;
            yo_guided_options_default(&options);
            options.memory_mb = 8;
            options.mode = (enum yo_guided_mode)mode;
            assert_int_equal(yo_guided_search_new(&yo_go_ops, net, &hooks, &options, &search, NULL),
                             YO_OK);
            assert_int_equal(yo_go_game_new(SIZE, &yo_go_rules_default, &game), YO_OK);
            for (int move = 0; move < 4; move++) {
                struct yo_search_limits limits = {.visits = mode ? 8 : 60};
                struct yo_search_result r;
                assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &r, NULL),
                                 YO_OK);
                for (size_t m = 0; m < r.move_count; m++)
                    seen[round] = seen[round] * 31 + r.moves[m].move * 1000 + r.moves[m].visits;
                assert_int_equal(yo_go_game_play(game, yo_go_game_to_move(game),
                                                 (yo_go_point)r.moves[0].move, NULL),
                                 YO_OK);
            }
            yo_go_game_delete(game);
            search.ops->destroy(search.ctx);
        }
        assert_true(seen[0] == seen[1]);
        net.ops->destroy(net.ctx);
    }
}

/* MC softmax search draws its moves, and is as good as new when it is cleared. */
static void the_same_when_cleared(void **state) {
    (void)state;
    struct yo_eval net = open_net(true);
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    struct yo_guided_options options;
    struct yo_search search;
    struct yo_go_game *game;
    uint64_t seen[2] = {0, 0};
    yo_guided_options_default(&options);
    options.memory_mb = 8;
    options.mode = YO_GUIDED_MCSS;
    assert_int_equal(yo_guided_search_new(&yo_go_ops, net, &hooks, &options, &search, NULL), YO_OK);
    assert_int_equal(yo_go_game_new(SIZE, &yo_go_rules_default, &game), YO_OK);
    for (int round = 0; round < 2; round++) {
        struct yo_search_limits limits = {.visits = 40};
        struct yo_search_result r;
        assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
        for (size_t m = 0; m < r.move_count; m++)
            seen[round] = seen[round] * 31 + r.moves[m].move * 1000 + r.moves[m].visits;
        search.ops->clear(search.ctx);
    }
    assert_true(seen[0] == seen[1]);
    yo_go_game_delete(game);
    search.ops->destroy(search.ctx);
    net.ops->destroy(net.ctx);
}

static struct yo_eval hurried;

static enum yo_err submit_slowly(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    usleep(1000);
    return hurried.ops->submit(ctx, batch, diag);
}

static void count_reports(void *user, const struct yo_search_result *so_far) {
    (void)so_far;
    ++*(int *)user;
}

/* Reports come when the clock says so: what they showed is not what the search ends with. */
static void ownership_is_of_the_whole_search(void **state) {
    (void)state;
    hurried = open_net(true);
    struct yo_eval_ops slow = *hurried.ops;
    slow.submit = submit_slowly;
    struct yo_go_game *game;
    float owner[2][SIZE * SIZE];
    int reports = 0;
    assert_int_equal(yo_go_game_new(SIZE, &yo_go_rules_default, &game), YO_OK);
    for (int watched = 0; watched < 2; watched++) {
        struct yo_eval net = {watched ? &slow : hurried.ops, hurried.ctx};
        struct yo_search search = make_search(net, (struct yo_eval){0});
        struct yo_search_limits limits = {.visits = 700, .ownership = true};
        struct yo_search_result r;
        assert_int_equal(yo_search_run(search, game, &limits, NULL, watched ? count_reports : NULL,
                                       &reports, &r, NULL),
                         YO_OK);
        memcpy(owner[watched], r.ownership, sizeof owner[0]);
        search.ops->destroy(search.ctx);
    }
    assert_true(reports > 2);
    assert_memory_equal(owner[0], owner[1], sizeof owner[0]);
    yo_go_game_delete(game);
    hurried.ops->destroy(hurried.ctx);
}

static void no_memory_for_the_search(void **state) {
    (void)state;
    struct yo_eval net = open_net(true);
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    struct yo_guided_options options;
    yo_guided_options_default(&options);
    options.memory_mb = 8;
    options.threads = 2;
    for (long n = 0;; n++) {
        struct yo_search search = {0};
        yo_alloc_fail_after(n);
        enum yo_err err = yo_guided_search_new(&yo_go_ops, net, &hooks, &options, &search, NULL);
        yo_alloc_fail_after(-1);
        if (err == YO_OK) {
            search.ops->destroy(search.ctx);
            assert_true(n > 10);
            break;
        }
        assert_int_equal(err, YO_ERR_NOMEM);
    }
    net.ops->destroy(net.ctx);
}

/* The key of a move after these, on 9x9. */
static uint64_t key_after(const char *const *moves, const char *move) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    struct yo_go_rules rules = yo_go_rules_default;
    struct yo_go_position position;
    struct yo_go_game *game;
    yo_go_point point;
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    for (int i = 0; moves[i]; i++) {
        enum yo_go_color color = i % 2 ? YO_GO_WHITE : YO_GO_BLACK;
        assert_int_equal(yo_go_point_parse(moves[i], 9, &point, NULL), YO_OK);
        assert_int_equal(yo_go_game_play(game, color, point, NULL), YO_OK);
    }
    assert_int_equal(yo_go_point_parse(move, 9, &point, NULL), YO_OK);
    yo_go_position_from_game(game, &position);
    uint64_t key = hooks.surroundings(hooks.ctx, &position, point);
    yo_go_game_delete(game);
    return key;
}

#define MOVES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A move has the same key wherever stones far away stand, but not after another move, beside other
 * stones, or beside stones with other liberties. */
static void keys_of_surroundings(void **state) {
    (void)state;
    uint64_t key = key_after(MOVES("C3", "G7", "C5", "D4"), "D5");
    assert_true(key != 0);
    assert_true(key == key_after(MOVES("C5", "H2", "C3", "D4"), "D5"));
    assert_true(key != key_after(MOVES("C3", "D4", "C5", "G7"), "D5"));
    assert_true(key != key_after(MOVES("C3", "G7", "C6", "D4"), "D5"));
    assert_true(key != key_after(MOVES("C3", "G7", "C5", "D4"), "E5"));
    assert_true(key != key_after(MOVES("C3", "G7", "C5", "G6", "H9", "D4"), "D6"));
    /* C5's string reaches out of sight: there it loses one of its three liberties. */
    uint64_t three =
        key_after(MOVES("A5", "H2", "B5", "B6", "C5", "A6", "J1", "C4", "J9", "C6"), "E5");
    uint64_t two =
        key_after(MOVES("A5", "A4", "B5", "B6", "C5", "A6", "J1", "C4", "J9", "C6"), "E5");
    assert_true(three != two);
    assert_true(key_after(MOVES("C3", "G7"), "pass") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_counts_as_it_stands),
        cmocka_unit_test(agreement_is_the_evaluators),
        cmocka_unit_test(ownership_by_playouts),
        cmocka_unit_test(ownership_by_the_network),
        cmocka_unit_test(no_memory_for_ownership),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(the_same_when_cleared),
        cmocka_unit_test(ownership_is_of_the_whole_search),
        cmocka_unit_test(keys_of_surroundings),
        cmocka_unit_test(no_memory_for_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
