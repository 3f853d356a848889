/* search/go/guided.c: which positions that several orders of moves lead to share a node. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "eval/net/go_features.h"
#include "game/go/game_ops.h"
#include "search/go/guided.h"
#include "support/check_graph.h"
#include "support/hash_eval.h"
#include "yomi/go.h"

/* The key after moves from the empty board; 0: the position gets a node of its own. */
static uint64_t key_after(const yo_go_point *moves, size_t count) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    struct yo_go_game *game;
    struct yo_go_position position;
    assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
    yo_go_position_from_game(game, &position);
    for (size_t i = 0; i < count; i++) {
        assert_true(yo_go_position_legal(&position, moves[i]));
        yo_go_position_play(&position, moves[i]);
    }
    uint64_t key = hooks.position_key(hooks.ctx, &position, moves[count - 1]);
    yo_go_game_delete(game);
    return key;
}

#define KEY(...)                                                                                   \
    key_after((const yo_go_point[]){__VA_ARGS__},                                                  \
              sizeof((const yo_go_point[]){__VA_ARGS__}) / sizeof(yo_go_point))

/* Orders of moves do not matter, unless a ko is near. */
static void keys_of_positions(void **state) {
    (void)state;
    uint64_t key = KEY(20, 24, 60, 56, 40);
    assert_true(key != 0);
    assert_true(key == KEY(40, 56, 20, 24, 60));
    assert_true(key != KEY(20, 24, 60, 56, 41));
    assert_true(KEY(20, 24, YO_GO_PASS) == 0);
    assert_true(KEY(20, 24, YO_GO_PASS, 56) != 0);
    assert_true(KEY(20, 24, YO_GO_PASS, 56) != KEY(20, 24, 56, YO_GO_PASS, YO_GO_PASS, 40));
    /* Black takes a ko with 30, and later plays elsewhere. */
    assert_true(KEY(20, 21, 28, 31, 38, 39, 60, 29, 30) == 0);
    assert_true(KEY(20, 21, 28, 31, 38, 39, 60, 29, 30, 61) != 0);
    assert_true(KEY(20, 21, 28, 31, 38, 39, 60, 29, 30, 61) != KEY(20, 21, 28, 31, 38, 39, 30, 29));
    /* Black plays into a corner of two points. */
    assert_true(KEY(50, 9, 51, 10, 52, 2, 1) == 0);
}

/* ---- what a network sees ---- */

enum { SMALL = 5, PLIES = 12 };

/* Plays moves from the empty board; false: one of them is not legal. */
static bool play_all(const yo_go_point *moves, struct yo_go_game **game,
                     struct yo_go_position *position) {
    bool legal = true;
    assert_int_equal(yo_go_game_new(SMALL, NULL, game), YO_OK);
    yo_go_position_from_game(*game, position);
    for (int i = 0; legal && i < PLIES; i++) {
        legal = yo_go_position_legal(position, moves[i]);
        if (legal) yo_go_position_play(position, moves[i]);
    }
    return legal;
}

/* Two orders of the same moves, which differ by two moves of one colour. */
static void swap_two(yo_go_point *moves, yo_go_point *other) {
    int i = rand() % PLIES, k = (i + 2 * (1 + rand() % (PLIES / 2 - 1))) % PLIES;
    for (int m = 0; m < PLIES; m++)
        moves[m] = (yo_go_point)(rand() % (SMALL * SMALL));
    memcpy(other, moves, PLIES * sizeof *moves);
    other[i] = moves[k];
    other[k] = moves[i];
}

/* Positions with the same keys, that of the history included, are the same to a network; those of
 * other last moves have another history. */
static void histories_are_what_a_network_sees(void **state) {
    (void)state;
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    int same = 0, others = 0;
    srand(7);
    while (same < 200 || others < 200) {
        yo_go_point moves[2][PLIES];
        struct yo_go_game *game[2] = {NULL, NULL};
        struct yo_go_position at[2];
        uint64_t key[2] = {0, 1}, history[2] = {0};
        bool good = true;
        swap_two(moves[0], moves[1]);
        for (int i = 0; good && i < 2; i++) {
            good = play_all(moves[i], &game[i], &at[i]);
            if (!good) break;
            key[i] = hooks.position_key(hooks.ctx, &at[i], moves[i][PLIES - 1]);
            history[i] = hooks.history_key(hooks.ctx, &at[i]);
        }
        if (good && key[0] && key[0] == key[1]) {
            struct yo_go_net_input in[2];
            bool last_differ =
                memcmp(&moves[0][PLIES - YO_GO_TURNS], &moves[1][PLIES - YO_GO_TURNS],
                       YO_GO_TURNS * sizeof moves[0][0]) != 0;
            for (int i = 0; i < 2; i++)
                yo_go_features_v7(&at[i], YO_GO_NET_ALL_PLANES, &in[i]);
            if (last_differ) assert_true(history[0] != history[1]);
            if (history[0] == history[1]) {
                assert_memory_equal(in[0].plane, in[1].plane, sizeof in[0].plane);
                assert_memory_equal(in[0].global, in[1].global, sizeof in[0].global);
            }
            same += history[0] == history[1];
            others += history[0] != history[1];
        }
        for (int i = 0; i < 2; i++)
            yo_go_game_delete(game[i]);
    }
}

/* What was seen with each key. */
enum { SEEN = 1 << 14 };
static struct {
    uint64_t key;
    uint8_t color[YO_GO_POINTS_MAX + 1];
    yo_go_point ko;
    uint8_t to_move;
} seen[SEEN];

static uint64_t (*key_of)(void *ctx, const void *position, yo_move last);

static uint64_t watch_key(void *ctx, const void *of, yo_move last) {
    const struct yo_go_position *pos = of;
    uint64_t key = key_of(ctx, of, last);
    size_t at = key % SEEN;
    while (key && seen[at].key && seen[at].key != key)
        at = (at + 1) % SEEN;
    if (key && seen[at].key) {
        assert_memory_equal(seen[at].color, pos->board.color, sizeof seen[at].color);
        assert_int_equal(seen[at].ko, pos->board.ko);
        assert_int_equal(seen[at].to_move, pos->to_move);
    } else if (key) {
        seen[at].key = key;
        memcpy(seen[at].color, pos->board.color, sizeof seen[at].color);
        seen[at].ko = pos->board.ko;
        seen[at].to_move = pos->to_move;
    }
    return key;
}

/* Nodes that are joined are of the same position, and the tree is sound, under any ko rule. */
static void joined_nodes_are_the_same(void **state) {
    (void)state;
    static const enum yo_go_ko kos[] = {YO_GO_KO_SIMPLE, YO_GO_KO_POSITIONAL, YO_GO_KO_SITUATIONAL};
    struct hash_eval eval = {.game = &yo_go_ops, .batch = 2};
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    key_of = hooks.position_key;
    hooks.position_key = watch_key;
    for (size_t k = 0; k < 3; k++) {
        struct yo_guided_options options;
        struct yo_go_rules rules = yo_go_rules_default;
        struct yo_go_game *game;
        struct yo_go_position position;
        struct yo_guided *g;
        struct yo_search_limits limits = {.playouts = 2000};
        struct yo_search_result result;
        uint64_t joined = 0;
        rules.ko = kos[k];
        memset(seen, 0, sizeof seen);
        yo_guided_options_default(&options);
        options.joining = YO_GUIDED_JOIN_ALL;
        options.memory_mb = 8;
        assert_int_equal(yo_go_game_new(4, &rules, &game), YO_OK);
        assert_int_equal(yo_guided_new(&yo_go_ops, hash_eval(&eval), &hooks, &options, &g, NULL),
                         YO_OK);
        for (int ply = 0; ply < 6; ply++) {
            yo_go_position_from_game(game, &position);
            assert_int_equal(yo_guided_run(g, &position, &limits, NULL, NULL, NULL, &result, NULL),
                             YO_OK);
            check_graph(g, GRAPH_EXACT);
            joined += result.joined;
            yo_guided_advance(g, result.moves[0].move);
            assert_int_equal(yo_go_game_play(game, yo_go_game_to_move(game),
                                             (yo_go_point)result.moves[0].move, NULL),
                             YO_OK);
        }
        assert_true(joined > 0);
        yo_guided_delete(g);
        yo_go_game_delete(game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_positions),
        cmocka_unit_test(histories_are_what_a_network_sees),
        cmocka_unit_test(joined_nodes_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
