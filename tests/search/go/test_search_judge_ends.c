/* judge.c, settle.c and read.c on finished positions. */
#include "support/test.h"

#include <string.h>

#include "eval/net/evaluator.h"
#include "eval/net/reference.h"
#include "game/go/game_ops.h"
#include "search/go/judge.h"
#include "support/go_diagram.h"
#include "support/go_ends.h"
#include "support/katago_net.h"
#include "support/search_go.h"

static void judge(const struct yo_go_game *game, struct yo_judgement *judgement) {
    struct yo_judge_limits limits = {.seed = 1, .games = 1000};
    struct yo_diag diag;
    assert_int_equal(yo_judge_go(go_eval, game, &limits, judgement, &diag), YO_OK);
}

static bool is_right(const struct go_end *end, const struct yo_go_game *game) {
    struct yo_judgement judgement;
    judge(game, &judgement);
    return go_end_matches(end, game, &judgement);
}

static void judges_finished_positions(void **state) {
    (void)state;
    int wrong, count = go_ends_each(GO_ENDS, is_right, &wrong);
    assert_true(count >= 110);
    assert_int_equal(wrong, 0);
}

/* A capturing race with two liberties each. */
static const char race[] = ".XXOO.O.."
                           "XXOXOOO.."
                           ".XOXO.O.."
                           "XXOXOOO.."
                           "X.OX.OO.."
                           "XXOXOOO.."
                           "X.OX.OO.."
                           "XXOXOOO.."
                           "XXOXOOO..";
/* Two groups of Black with three points in a row each; the lower one is larger by a stone. */
static const char corners[] = "...XO...."
                              "XXXXO...."
                              "OOOOOOOOO"
                              "OOOOOOOOO"
                              ".O.O....."
                              "OOOOOOOOO"
                              "XOOOO...."
                              "XXXXO...."
                              "...XO....";

/* What whoever moves first decides, the side to move decides: the largest fight, then the other
 * side the next. A game that is over is not played on. */
static void decides_open_fights(void **state) {
    (void)state;
    static const struct {
        const char *diagram;
        enum yo_go_color to_move;
        const char *point;
        bool dead;
    } cases[] = {{race, YO_GO_BLACK, "C5", true},     {race, YO_GO_BLACK, "D5", false},
                 {race, YO_GO_WHITE, "C5", false},    {race, YO_GO_WHITE, "D5", true},
                 {corners, YO_GO_BLACK, "A2", false}, {corners, YO_GO_BLACK, "A8", true},
                 {corners, YO_GO_WHITE, "A2", true},  {corners, YO_GO_WHITE, "A8", false}};
    struct yo_go_rules rules = go_komi(15);
    struct yo_judge_limits limits = {.seed = 1, .games = 1000};
    struct yo_judgement judgement;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_go_game *game = diagram_game(cases[i].diagram, &rules, cases[i].to_move);
        assert_int_equal(yo_judge_result(go_eval, game, &limits, &judgement, NULL), YO_OK);
        bool dead = judgement.dead[diagram_point(game, cases[i].point)];
        if (dead != cases[i].dead) fail_msg("case %zu: %s", i, cases[i].point);
        assert_false(judgement.settled);
        yo_go_game_delete(game);
    }
}

/* Two games that were played, with the score people would agree on: a stone in an eye of a group in
 * seki can be taken at no risk, so by area it counts as dead. */
static void counts_games_with_seki(void **state) {
    (void)state;
    static const struct {
        const char *diagram;
        int lead2;
    } games[] = {{".XXOOOOX."
                  "XXXXO.OXO"
                  "OXXXXOOXX"
                  ".XXXOOXXX"
                  "XXXOOXOOX"
                  "OXOOXXO.X"
                  "OOOX.XOOX"
                  "..OXXXXOO"
                  "OOOOOOXX.",
                  3},
                 {".OXX.X.X."
                  "OX.XXXX.X"
                  "XXX.XXOX."
                  "XXOXXOOXX"
                  "XOOXXXOOX"
                  "OO.OXOO.O"
                  ".XOOXXOO."
                  "XXOOXOOOO"
                  ".OOXXXOX.",
                  15}};
    struct yo_go_rules rules = go_komi(15);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct yo_go_game *game = diagram_game(games[i].diagram, &rules, YO_GO_WHITE);
        struct yo_judgement j;
        judge(game, &j);
        assert_int_equal(j.score.lead2, games[i].lead2);
        assert_true(j.settled); /* nobody has a reason to play on */
        yo_go_game_delete(game);
    }
}

/* A small random network. */
static struct yo_eval open_net(void) {
    struct katago_net made = {
        .version = 8, .blocks = "o", .trunk = 4, .mid = 4, .pool = 3, .head = 2, .ky = 3, .kx = 3};
    struct yo_net_eval_options options = {.backend = &yo_net_reference, .threads = 1};
    struct yo_buf file = {0};
    struct yo_net *net;
    struct yo_eval eval;
    katago_net_make(&made);
    katago_net_write(&made, true, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &net, NULL), YO_OK);
    yo_buf_free(&file);
    katago_net_free(&made);
    assert_int_equal(yo_net_eval_new(net, &options, &eval, NULL), YO_OK);
    return eval;
}

/* Over all ways to turn the board. */
static void mean_ownership(struct yo_eval net, const struct yo_go_game *game, float *mean) {
    float ownership[YO_GO_POINTS_MAX], first[YO_GO_POINTS_MAX];
    struct yo_eval_result result = {.ownership = ownership};
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    for (uint8_t turn = 1; turn <= 8; turn++) {
        struct yo_eval_item item = {
            .position = &position, .want = YO_EVAL_OWNERSHIP, .results = &result, .turn = turn};
        assert_int_equal(yo_eval_run(net, &item, 1, NULL), YO_OK);
        for (int p = 0; p < position.board.geometry->points; p++)
            mean[p] += ownership[p] / 8;
        if (turn == 1) memcpy(first, ownership, sizeof first);
    }
    assert_memory_not_equal(first, ownership, 49 * sizeof first[0]);
}

/* What reading leaves open, all of it here, is the network's to say: with the side to move on move,
 * and with either after two passes. */
static void judges_by_a_network(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game("......."
                                           "..X.O.."
                                           "......."
                                           "..O.X.."
                                           "......."
                                           "..X.O.."
                                           ".......",
                                           &rules, YO_GO_BLACK);
    struct yo_judge_limits limits = {.seed = 1, .games = 100, .net = open_net()};
    struct yo_judgement one, two;
    float ownership[YO_GO_POINTS_MAX] = {0};
    mean_ownership(limits.net, game, ownership);
    assert_int_equal(yo_judge_go(go_eval, game, &limits, &one, NULL), YO_OK);
    for (int p = 0; p < 49; p++) {
        assert_float_equal(one.ownership[p], ownership[p], 1e-5);
        enum yo_go_color color = yo_go_game_at(game, (yo_go_point)p);
        if (color == YO_GO_EMPTY) continue;
        bool dead = color == YO_GO_BLACK ? ownership[p] < 0 : ownership[p] > 0;
        assert_int_equal(one.status[p], dead ? YO_JUDGE_DEAD : YO_JUDGE_ALIVE);
    }
    assert_int_equal(diagram_play(game, "B pass"), YO_OK);
    assert_int_equal(diagram_play(game, "W pass"), YO_OK);
    assert_int_equal(yo_judge_go(go_eval, game, &limits, &two, NULL), YO_OK);
    assert_memory_not_equal(one.ownership, two.ownership, sizeof one.ownership);
    limits.net.ops->destroy(limits.net.ctx);
    yo_go_game_delete(game);
}

/* ---- a network that takes every stone for alive ---- */

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)ctx, (void)playout_policy;
    *about = (struct yo_eval_about){.name = "stones",
                                    .game = &yo_go_ops,
                                    .wants = YO_EVAL_VALUE | YO_EVAL_OWNERSHIP,
                                    .at_once = true};
}

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    (void)ctx, (void)diag;
    for (size_t i = 0; i < batch->item_count; i++) {
        const struct yo_go_position *position = batch->items[i].position;
        struct yo_eval_result *result = batch->items[i].results;
        result->value = (struct yo_eval_value){.win = 0.5f};
        for (int p = 0; p < position->board.geometry->points; p++) {
            int color = position->board.color[p];
            result->ownership[p] = color == YO_GO_BLACK ? 1 : color == YO_GO_WHITE ? -1 : 0;
        }
    }
    batch->err = YO_OK;
    atomic_store(&batch->finished, true);
    return YO_OK;
}

static enum yo_err finish(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return batch->err;
}

static bool is_right_with_a_bad_network(const struct go_end *end, const struct yo_go_game *game) {
    static const struct yo_eval_ops ops = {.describe = describe, .submit = submit, .wait = finish};
    struct yo_judge_limits limits = {.seed = 1, .games = 1000, .net = {.ops = &ops}};
    struct yo_judgement judgement;
    bool wide = /* too much to read */
        strstr(end->name, "wide") || strstr(end->name, "both sides") ||
        strstr(end->name, "area of") || strstr(end->name, "open frame") ||
        strstr(end->name, "played,");
    if (end->size > 9 || wide) return true;
    assert_int_equal(yo_judge_go(go_eval, game, &limits, &judgement, NULL), YO_OK);
    return go_end_matches(end, game, &judgement);
}

/* A network's opinion does not keep seki, bent four and dead stones in eyes from being read. */
static void reads_whatever_a_network_says(void **state) {
    (void)state;
    int wrong;
    go_ends_each(GO_ENDS, is_right_with_a_bad_network, &wrong);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_finished_positions),     cmocka_unit_test(decides_open_fights),
        cmocka_unit_test(counts_games_with_seki),        cmocka_unit_test(judges_by_a_network),
        cmocka_unit_test(reads_whatever_a_network_says),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
