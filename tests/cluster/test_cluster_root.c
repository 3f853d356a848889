/* cluster/root: a game that travels arrives as the same game; a wrong one is refused. */
#include "support/test.h"

#include <string.h>

#include "base/alloc.h"
#include "cluster/root.h"
#include "game/go/state.h"
#include "game/shogi/game.h"
#include "yomi/go.h"
#include "yomi/shogi.h"

static struct yo_root travel(enum yo_session_game kind, const void *game) {
    struct yo_message_game m;
    struct yo_root root;
    struct yo_diag diag = {0};
    assert_int_equal(yo_root_write(kind, game, &m), YO_OK);
    if (yo_root_read(&m, &root, &diag)) fail_msg("%s", diag.what);
    yo_message_game_free(&m);
    return root;
}

static void assert_same_go(struct yo_go_game *game) {
    struct yo_root root = travel(YO_SESSION_GO, game);
    const struct yo_go_game *other = root.go;
    assert_memory_equal(other->board.color, game->board.color, YO_GO_POINTS_MAX);
    assert_int_equal(other->to_move, game->to_move);
    assert_int_equal(other->handicap, game->handicap);
    assert_int_equal(other->count, game->count);
    assert_memory_equal(other->situations, game->situations,
                        (game->count + 1) * sizeof *game->situations);
    assert_int_equal(other->rules.komi2, game->rules.komi2);
    assert_int_equal(other->rules.ko, game->rules.ko);
    assert_int_equal(other->rules.scoring, game->rules.scoring);
    yo_root_free(&root);
}

static void go_arrives_as_the_same_game(void **state) {
    (void)state;
    struct yo_go_game *game;
    struct yo_go_rules rules = yo_go_rules_default;
    yo_go_point stars[4];
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    rules.komi2 = -3;
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    assert_same_go(game);
    assert_int_equal(yo_go_handicap_points(9, 4, stars, NULL), YO_OK);
    assert_int_equal(yo_go_game_handicap_set(game, stars, 4, NULL), YO_OK);
    assert_same_go(game);
    assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, 40, NULL), YO_OK);
    assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, 41, NULL), YO_OK); /* twice in a row */
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, YO_GO_PASS, NULL), YO_OK);
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    assert_same_go(game);
    uint8_t colors[YO_GO_POINTS_MAX] = {[3] = YO_GO_BLACK, [5] = YO_GO_WHITE};
    assert_int_equal(yo_go_game_setup(game, colors, YO_GO_WHITE, NULL), YO_OK);
    assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, 9, NULL), YO_OK);
    assert_same_go(game);
    yo_go_game_delete(game);
}

static void shogi_arrives_as_the_same_game(void **state) {
    (void)state;
    struct yo_shogi_game *game;
    static const char *const moves[] = {"7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"};
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    game->rules.max_moves = 320;
    game->rules.handicap_points = true;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        yo_shogi_move move;
        assert_int_equal(yo_shogi_move_parse(moves[i], &move, NULL), YO_OK);
        assert_int_equal(yo_shogi_game_play(game, move, NULL), YO_OK);
    }
    struct yo_root root = travel(YO_SESSION_SHOGI, game);
    assert_int_equal(root.shogi->count, game->count);
    assert_memory_equal(root.shogi->past, game->past, game->count * sizeof *game->past);
    assert_int_equal(root.shogi->rules.max_moves, 320);
    assert_true(root.shogi->rules.handicap_points);
    assert_int_equal(yo_root_play(&root, "5a4b 4e3d", NULL), YO_OK);
    assert_int_equal(root.shogi->count, game->count + 2);
    assert_int_not_equal(yo_root_play(&root, "4e3d", NULL), YO_OK);
    yo_root_free(&root);
    yo_shogi_game_delete(game);
}

static void assert_refused(struct yo_message_game m) {
    struct yo_root root;
    struct yo_diag diag = {0};
    assert_int_not_equal(yo_root_read(&m, &root, &diag), YO_OK);
    assert_string_not_equal(diag.what, "");
    assert_null(root.go);
    assert_null(root.shogi);
}

static void what_is_no_game_is_refused(void **state) {
    (void)state;
    char empty[] = "....", odd[] = "..x.", dead[] = "wbb.", none[] = "", move[] = "bZ9",
         twice[] = "bA1 wA1", nocolor[] = "A1", hand[] = "nothing", lost[] = "1a1b",
         start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
         endless[] = "bA1xxxxxxxxxxxxxxxxxxxxxxxx";
    struct yo_message_game go = {.game = "go", .size = 2, .rules = "chinese", .start = empty};
    struct yo_message_game shogi = {.game = "shogi", .rules = "CSARule27", .start = start};
    struct yo_message_game m = {.game = "chess"};
    assert_refused(m);
    m = go, m.size = 1, assert_refused(m);
    m = go, m.rules[0] = 'x', assert_refused(m);
    m = go, m.start = none, assert_refused(m);
    m = go, m.start = odd, assert_refused(m);
    m = go, m.start = dead, m.white = true, assert_refused(m);
    m = go, m.moves = move, assert_refused(m);
    m = go, m.moves = twice, assert_refused(m);
    m = go, m.moves = nocolor, assert_refused(m);
    m = go, m.moves = endless, assert_refused(m);
    m = shogi, m.start = hand, assert_refused(m);
    m = shogi, m.moves = lost, assert_refused(m);
    m = shogi, m.rules[0] = 'x', assert_refused(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(go_arrives_as_the_same_game),
        cmocka_unit_test(shogi_arrives_as_the_same_game),
        cmocka_unit_test(what_is_no_game_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
