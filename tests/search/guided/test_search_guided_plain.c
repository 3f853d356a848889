/* search/guided against the same searches written from their formulas, move by move of the root, on
 * a game of a few moves and on one of many. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "game/shogi/game_ops.h"
#include "game/shogi/text.h"
#include "search/guided/guided.h"
#include "support/plain_guided.h"
#include "support/tictactoe.h"

/* The formulas as the papers have them. */
static struct yo_guided_options plain_options(enum yo_guided_mode mode, uint64_t seed) {
    struct yo_guided_options options;
    yo_guided_options_default(&options);
    options.mode = mode;
    options.seed = seed;
    options.memory_mb = 16;
    options.cpuct_log = 0;
    options.stdev_scale = 0;
    options.value_exponent = 0;
    options.noise_prune = 0;
    options.solve = false;
    options.lcb = false;
    return options;
}

static size_t one_cell(const void *position) {
    (void)position;
    return 1;
}

/* Few keys, so that many nodes share one. */
static uint64_t few_keys(void *ctx, const void *position, yo_move move) {
    (void)ctx, (void)position;
    return 1 + move % 20;
}

/* By the game of the search that runs. */
static const struct yo_game_ops *playing;
static uint64_t joins; /* simulations that ended at a node with more visits than their edge */

static uint64_t its_hash(void *ctx, const void *position, yo_move last) {
    (void)ctx, (void)last;
    return playing->hash(position) + 1;
}

static const struct yo_guided_hooks keyed = {.surroundings = few_keys, .cells = one_cell};

static void compare(const struct yo_game_ops *game, const void *position,
                    const struct yo_guided_options *options, const struct yo_guided_hooks *hooks,
                    unsigned visits) {
    struct hash_eval eval = {.game = game, .batch = 1};
    struct yo_guided *g;
    playing = game;
    struct yo_search_limits limits = {.playouts = visits, .whole = true};
    struct yo_search_result result;
    assert_int_equal(yo_guided_new(game, hash_eval(&eval), hooks, options, &g, NULL), YO_OK);
    assert_int_equal(yo_guided_run(g, position, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    struct plain_node *root = plain_guided(game, position, options, hooks, visits);
    assert_int_equal(result.playouts, visits);
    joins += result.joined;
    for (size_t i = 0; i < root->count; i++) {
        const struct plain_node *child = root->children[i];
        uint64_t found = 0;
        double rate = 0;
        for (size_t m = 0; m < result.move_count; m++)
            if (result.moves[m].move == root->moves[i]) {
                found = result.moves[m].visits;
                rate = result.moves[m].winrate_to_move;
            }
        assert_int_equal(found, root->children && root->children[i] ? root->tried[i] : 0);
        if (!found) continue;
        double sign = root->to_move == 0 ? 1 : -1;
        assert_true(fabs(rate - (1 + sign * child->value) / 2) < 1e-4);
    }
    plain_guided_free(root);
    yo_guided_delete(g);
}

static const char *const sfens[] = {
    "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "8k/9/7G1/9/9/9/9/9/K8 w 2r 7",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 1",
};

static void on_all(const struct yo_guided_options *options, const struct yo_guided_hooks *hooks,
                   unsigned visits) {
    struct ttt ttt = {0};
    compare(&ttt_ops, &ttt, options, hooks, visits);
    ttt_ops.play(&ttt, 4);
    ttt_ops.play(&ttt, 0);
    ttt_ops.play(&ttt, 1);
    compare(&ttt_ops, &ttt, options, hooks, visits);
    for (size_t i = 0; i < sizeof sfens / sizeof sfens[0]; i++) {
        struct yo_shogi_position pos;
        struct yo_shogi_past first;
        struct yo_shogi_state state;
        assert_int_equal(yo_shogi_sfen_parse(sfens[i], &pos, NULL), YO_OK);
        yo_shogi_state_init(&state, &pos, &yo_shogi_rules_default, &first);
        compare(&yo_shogi_ops, &state, options, hooks, visits);
    }
}

static void puct_is_the_formula(void **unused) {
    (void)unused;
    struct yo_guided_options options = plain_options(YO_GUIDED_PUCT, 1);
    on_all(&options, NULL, 400);
    options.uniform = true;
    on_all(&options, NULL, 200);
    options.uniform = false;
    options.whole_root = true;
    options.cpuct = 1.7f;
    on_all(&options, NULL, 200);
}

static void mcss_is_the_formula(void **unused) {
    (void)unused;
    struct yo_guided_options options = plain_options(YO_GUIDED_MCSS, 3);
    options.select_temperature = 0.05f;
    options.backup_temperature = 0.01f;
    on_all(&options, NULL, 150);
    options.mcss_cpuct = 0;
    on_all(&options, NULL, 100);
    options.mcss_cpuct = 1;
    options.whole_root = true;
    options.select_cooling = 0.5f;
    on_all(&options, NULL, 100);
}

/* Positions that several orders of moves lead to have one node, in the formulas too. */
static void joined_nodes_are_the_formula(void **unused) {
    (void)unused;
    static const struct yo_guided_hooks joined = {.position_key = its_hash};
    static const struct yo_guided_hooks joined_and_keyed = {
        .position_key = its_hash, .surroundings = few_keys, .cells = one_cell};
    struct yo_guided_options options = plain_options(YO_GUIDED_PUCT, 1);
    options.joining = YO_GUIDED_JOIN_ALL;
    joins = 0;
    on_all(&options, &joined, 600);
    assert_true(joins > 100);
    on_all(&options, &joined_and_keyed, 300);
    options = plain_options(YO_GUIDED_MCSS, 3);
    options.joining = YO_GUIDED_JOIN_ALL;
    options.select_temperature = 0.05f;
    options.backup_temperature = 0.01f;
    joins = 0;
    on_all(&options, &joined, 150);
    assert_true(joins > 5);
}

static void values_are_corrected_by_the_formula(void **unused) {
    (void)unused;
    struct yo_guided_options options = plain_options(YO_GUIDED_PUCT, 1);
    on_all(&options, &keyed, 300);
    options.value_bias = 1;
    on_all(&options, &keyed, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puct_is_the_formula),
        cmocka_unit_test(mcss_is_the_formula),
        cmocka_unit_test(values_are_corrected_by_the_formula),
        cmocka_unit_test(joined_nodes_are_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
