/* PUCT and MC softmax search for shogi: mates of the root, of leaves and behind proven moves;
 * repetition, perpetual check, declaration; limits; the same answer twice. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/session.h"
#include "game/shogi/game.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "search/shogi/guided.h"
#include "search/shogi/proof.h"
#include "support/hash_eval.h"
#include "support/shogi_random.h"

static struct hash_eval values = {.game = &yo_shogi_ops, .batch = 1};

static bool transpositions; /* of all searches that options_for is asked for */

static struct yo_shogi_guided_options options_for(enum yo_guided_mode mode) {
    struct yo_shogi_guided_options options;
    yo_shogi_guided_options_default(&options);
    options.tree.mode = mode;
    options.tree.memory_mb = 16;
    options.tree.seed = 5;
    options.tree.joining = transpositions ? YO_GUIDED_JOIN_SAME : YO_GUIDED_JOIN_NONE;
    return options;
}

static struct yo_search make(const struct yo_shogi_guided_options *options) {
    struct yo_search search;
    assert_int_equal(yo_shogi_guided_new(hash_eval(&values), options, &search, NULL), YO_OK);
    return search;
}

static struct yo_shogi_game *game_at(const char *sfen, const char *moves) {
    struct yo_shogi_game *game;
    char words[400], *rest = NULL;
    assert_int_equal(yo_shogi_game_new(sfen, &game, NULL), YO_OK);
    snprintf(words, sizeof words, "%s", moves);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        yo_shogi_move move;
        assert_int_equal(yo_shogi_move_parse(word, &move, NULL), YO_OK);
        assert_int_equal(yo_shogi_game_play(game, move, NULL), YO_OK);
    }
    return game;
}

static struct yo_search_result run(struct yo_search search, const struct yo_shogi_game *game,
                                   const struct yo_search_limits *limits) {
    struct yo_search_result result;
    assert_int_equal(yo_search_run(search, game, limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    return result;
}

static struct yo_search_result run_for(struct yo_search search, const struct yo_shogi_game *game,
                                       uint64_t nodes) {
    struct yo_search_limits limits = {.nodes = nodes};
    return run(search, game, &limits);
}

static const char *text_of(yo_move move) {
    static char text[YO_SHOGI_MOVE_TEXT];
    return yo_shogi_move_format((yo_shogi_move)move, text);
}

/* Each move of the PV is legal, and a mate that is claimed is there. */
static void check_move(const struct yo_shogi_game *game, const struct yo_search_move *m) {
    struct yo_shogi_position pos = *shogi_game_now(game);
    for (size_t i = 0; i < m->pv_count; i++) {
        assert_true(yo_shogi_move_is_sound(&pos, (yo_shogi_move)m->pv[i]));
        yo_shogi_play(&pos, (yo_shogi_move)m->pv[i]);
    }
    assert_int_equal(m->pv[0], m->move);
    if (!m->mate) return;
    assert_true(m->proven);
    assert_int_equal(abs(m->mate), m->pv_count);
    assert_false(yo_shogi_can_move(&pos));
    assert_int_equal(m->mate > 0, pos.side != shogi_game_now(game)->side);
    assert_true(m->mate > 0 ? m->winrate_to_move == 1 : m->winrate_to_move == 0);
}

static const char *const mates[] = {"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "7k1/9/7P1/9/9/9/9/9/9 b 2G 1",
                                    "8k/9/8+P/9/9/9/9/9/9 b R 1",

                                    "6k2/4P4/9/9/9/9/9/9/9 b RG 1", "5k3/9/4P4/9/9/9/9/9/9 b RG 1"};
#define MATES (sizeof mates / sizeof mates[0])

static void finds_mates_at_the_root(void **unused) {
    (void)unused;
    for (int mode = 0; mode < 2; mode++) {
        struct yo_shogi_guided_options options = options_for((enum yo_guided_mode)mode);
        options.leaf_mate = 0;
        struct yo_search search = make(&options);
        for (size_t i = 0; i < MATES; i++) {
            struct yo_shogi_game *game = game_at(mates[i], "");
            struct yo_search_result result = run_for(search, game, 1);
            assert_int_equal(result.move_count, 1);
            assert_true(result.moves[0].mate > 0);
            check_move(game, &result.moves[0]);
            yo_shogi_game_delete(game);
        }
        search.ops->destroy(search.ctx);
    }
}

/* Without the search at the root, the tree and the leaves find them too. */
static void finds_mates_in_leaves(void **unused) {
    (void)unused;
    for (int mode = 0; mode < 2; mode++) {
        struct yo_shogi_guided_options options = options_for((enum yo_guided_mode)mode);
        options.root_mate = 0;
        options.leaf_mate = 500;
        options.tree.cpuct = 10; /* values and policy know nothing: search wide */
        options.tree.select_temperature = 1;
        struct yo_search search = make(&options);
        for (size_t i = 0; i < MATES; i++) {
            struct yo_shogi_game *game = game_at(mates[i], "");
            struct yo_search_result result = run_for(search, game, 10000);
            if (!result.moves[0].proven)
                fail_msg("no mate in %s by %s", mates[i], search.ops->name);
            assert_true(result.moves[0].mate > 0);
            check_move(game, &result.moves[0]);
            yo_shogi_game_delete(game);
        }
        search.ops->destroy(search.ctx);
    }
}

/* A mate that the limit of moves forestalls is none, neither for the root nor for a leaf. */
static void mates_in_time_count(void **unused) {
    (void)unused;
    static const struct yo_shogi_rules rules = {.entering = YO_SHOGI_ENTER_NONE, .max_moves = 10};
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_shogi_prover prover;
    assert_int_equal(yo_shogi_prover_init(&prover, 1, 1000, 100), YO_OK);
    options.leaf_mate = options.node_mate = 0;
    struct yo_search search = make(&options);
    for (int number = 8; number <= 11; number++) { /* at 11 the game is over, and goes on */
        char sfen[100];
        snprintf(sfen, sizeof sfen, "8k/9/9/7P1/9/9/9/9/4K4 b RG %d", number);
        struct yo_shogi_game *game = game_at(sfen, "");
        struct yo_shogi_state state;
        game->rules = rules;
        yo_shogi_ops.from_game(game, &state);
        for (unsigned visits = 0; visits <= 10; visits += 10)
            assert_int_equal(yo_shogi_prover_mates(&prover, 0, &state, visits), number == 8);
        struct yo_search_result result = run_for(search, game, 50);
        assert_int_equal(result.moves[0].mate > 0, number == 8 || number == 11);
        yo_shogi_game_delete(game);
    }
    search.ops->destroy(search.ctx);
    yo_shogi_prover_free(&prover);
}

/* Mates too long for a leaf: the solver looks again, at more positions, as visits grow. */
static void proofs_grow_with_visits(void **unused) {
    (void)unused;
    uint64_t random = 23;
    int positions = 0, proven[2] = {0, 0};
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_search search[2];
    struct yo_dfpn *solver;
    assert_int_equal(yo_dfpn_new(1, &solver), YO_OK);
    options.root_mate = 0;
    options.leaf_mate = 10;
    for (int grows = 0; grows < 2; grows++) {
        options.node_mate = grows ? 50 : 0;
        search[grows] = make(&options);
    }
    while (positions < 20) {
        struct yo_shogi_position pos;
        struct yo_shogi_game *game;
        struct yo_dfpn_answer answer;
        shogi_random_game(&random, 60 + (int)shogi_random(&random, 150), &pos);
        if (yo_dfpn_mates(solver, &pos, 100, NULL, &answer) ||
            !yo_dfpn_mates(solver, &pos, 20000, NULL, &answer))
            continue;
        positions++;
        assert_int_equal(yo_shogi_game_begin(&pos, &game), YO_OK);
        for (int grows = 0; grows < 2; grows++) {
            struct yo_search_limits limits = {.nodes = 1000, .lines = 5};
            struct yo_search_result result = run(search[grows], game, &limits);
            check_move(game, &result.moves[0]);
            proven[grows] += result.moves[0].proven;
            assert_true(!result.moves[0].proven || result.moves[0].mate != 0);
        }
        yo_shogi_game_delete(game);
    }
    if (proven[1] <= proven[0]) fail_msg("%d proven, %d without", proven[1], proven[0]);
    for (int grows = 0; grows < 2; grows++)
        search[grows].ops->destroy(search[grows].ctx);
    yo_dfpn_delete(solver);
}

/* A position that was proven inside the tree becomes the root: the proof named no move, so the
 * search goes on until it has one. */
static void a_proven_root_is_searched(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    options.root_mate = options.leaf_mate = 0;
    options.node_mate = 50;
    struct yo_search search = make(&options);
    struct yo_shogi_game *game = game_at("8k/9/7P1/9/9/9/9/9/4K4 w 2G 1", "");
    struct yo_search_limits limits = {.nodes = 400, .lines = 2};
    struct yo_search_result result = run(search, game, &limits);
    yo_shogi_move move;
    assert_int_equal(yo_shogi_move_parse("1a2a", &move, NULL), YO_OK);
    size_t i = 0;
    while (i < result.move_count && result.moves[i].move != move)
        i++;
    assert_true(i < result.move_count && result.moves[i].proven);
    assert_int_equal(yo_shogi_game_play(game, move, NULL), YO_OK);
    result = run(search, game, &limits);
    assert_true(result.moves[0].mate > 0);
    check_move(game, &result.moves[0]);
    yo_shogi_game_delete(game);
    search.ops->destroy(search.ctx);
}

/* Whatever is claimed in positions of random games, near and far from a mate, is true. */
static void claims_are_true(void **unused) {
    (void)unused;
    uint64_t random = 11;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    options.root_mate = 0;
    struct yo_search search = make(&options);
    int proven = 0;
    for (int i = 0; i < 60; i++) {
        struct yo_shogi_position pos;
        struct yo_shogi_game *game;
        shogi_random_game(&random, 60 + (int)shogi_random(&random, 150), &pos);
        if (!yo_shogi_can_move(&pos)) continue;
        assert_int_equal(yo_shogi_game_begin(&pos, &game), YO_OK);
        struct yo_search_limits limits = {.nodes = 150, .lines = 5};
        struct yo_search_result result = run(search, game, &limits);
        for (size_t k = 0; k < result.move_count && k < 5; k++) {
            check_move(game, &result.moves[k]);
            proven += result.moves[k].mate != 0;
        }
        yo_shogi_game_delete(game);
    }
    assert_true(proven > 5);
    search.ops->destroy(search.ctx);
}

/* The same with the roles exchanged: a king that is mated next whatever it does. */
static void sees_that_it_is_mated(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_search search = make(&options);
    struct yo_shogi_game *game = game_at("8k/9/7GP/9/9/9/9/9/8K w G 1", "");
    struct yo_search_result result = run_for(search, game, 2000);
    assert_true(result.move_count > 0);
    assert_true(result.moves[0].proven);
    assert_true(result.moves[0].mate < 0);
    check_move(game, &result.moves[0]);
    yo_shogi_game_delete(game);
    search.ops->destroy(search.ctx);
}

/* White is far ahead for whoever counts pieces, but the evaluator does not; what is certain is that
 * Black, who checks for ever, loses by the rule. After three times round, the next check repeats
 * the position for the fourth time. */
#define ROUND "5a5b 9a9b 5b5a 9b9a "

static void knows_perpetual_check(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_search search = make(&options);
    struct yo_shogi_game *game =
        game_at("4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a " ROUND ROUND "5a5b 9a9b 5b5a");
    struct yo_search_limits limits = {.nodes = 600, .lines = 100};
    struct yo_search_result result = run(search, game, &limits);
    bool seen = false;
    for (size_t i = 0; i < result.move_count; i++)
        if (strcmp(text_of(result.moves[i].move), "9b9a") == 0) {
            seen = true;
            assert_true(result.moves[i].proven);
            assert_true(result.moves[i].winrate_to_move == 0);
            assert_int_equal(result.moves[i].mate, 0);
        }
    assert_true(seen);
    assert_string_not_equal(text_of(result.moves[0].move), "9b9a");
    yo_shogi_game_delete(game);
    search.ops->destroy(search.ctx);
}

/* The second time is enough for a value, but proves nothing. */
static void one_repetition_is_a_value(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    options.tree.uniform = true;
    struct yo_search search = make(&options);
    struct yo_shogi_game *game = game_at(NULL, "2h3h 8b7b 3h2h");
    struct yo_search_limits limits = {.nodes = 200, .lines = 100};
    yo_move back;
    struct yo_shogi_state state;
    yo_shogi_state_from_game(game, &state);
    assert_int_equal(yo_shogi_ops.parse(&state, "7b8b", &back, NULL), YO_OK);
    limits.only = &back;
    limits.only_count = 1;
    struct yo_search_result result = run(search, game, &limits);
    assert_int_equal(result.move_count, 1);
    assert_false(result.moves[0].proven);
    assert_true(result.moves[0].winrate_to_move == 0.5);
    assert_int_equal(result.moves[0].pv_count, 1);
    /* If it is played, the game goes on from there. */
    assert_int_equal(yo_shogi_game_play(game, (yo_shogi_move)back, NULL), YO_OK);
    result = run_for(search, game, 50);
    assert_true(result.move_count > 5);
    yo_shogi_game_delete(game);
    search.ops->destroy(search.ctx);
}

/* A king that has entered with 28 points wins after any quiet move of the other side. */
static void knows_declarations(void **unused) {
    (void)unused;
    static const char *const sfen = "4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 w 2RB3P 2";
    for (int mode = 0; mode < 2; mode++) {
        struct yo_shogi_guided_options options = options_for((enum yo_guided_mode)mode);
        struct yo_search search = make(&options);
        struct yo_shogi_game *game = game_at(sfen, "");
        struct yo_search_result result = run_for(search, game, 200);
        assert_true(result.moves[0].proven);
        assert_true(result.moves[0].winrate_to_move == 0);
        /* Where it may declare, a client can have the position analysed all the same. */
        assert_int_equal(yo_shogi_game_play(game, (yo_shogi_move)result.moves[0].move, NULL),
                         YO_OK);
        struct yo_search_limits limits = {.nodes = 40, .lines = 2}; /* two lines: no mate search */
        result = run(search, game, &limits);
        assert_true(result.move_count > 1);
        yo_shogi_game_delete(game);
        search.ops->destroy(search.ctx);
    }
}

/* ---- limits ---- */

static void nodes_are_simulations(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_search search = make(&options);
    struct yo_shogi_game *game = game_at(NULL, "");
    assert_int_equal(run_for(search, game, 321).playouts, 321);
    struct yo_search_limits limits = {.nodes = 100, .depth = 3};
    struct yo_search_result result;
    struct yo_diag diag = {0};
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, &diag),
                     YO_ERR_ARGUMENT);
    assert_string_equal(diag.what, "the search puct cannot be limited by depth");
    yo_shogi_game_delete(game);
    search.ops->destroy(search.ctx);
}

static void keeps_its_tree(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    struct yo_search search = make(&options);
    struct yo_shogi_game *game = game_at(NULL, "");
    struct yo_search_result result = run_for(search, game, 500);
    assert_true(result.moves[0].pv_count > 1 && result.moves[0].pv_visits[1] > 10);
    yo_move line[2] = {result.moves[0].pv[0], result.moves[0].pv[1]};
    uint64_t kept = result.moves[0].pv_visits[1], sum = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(yo_shogi_game_play(game, (yo_shogi_move)line[i], NULL), YO_OK);
    result = run_for(search, game, 10);
    for (size_t i = 0; i < result.move_count; i++)
        sum += result.moves[i].visits;
    assert_int_equal(sum, kept + 10 - 1);
    yo_shogi_game_delete(game);
    search.ops->destroy(search.ctx);
}

#define SIGNATURE UINT64_C(0x35135a4dfa845ea8)

/* One number for the visits and winrates of searches in several positions. */
static uint64_t signature(const struct yo_shogi_guided_options *options) {
    struct yo_search search = make(options);
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < MATES + 1; i++) {
        struct yo_shogi_game *game = game_at(i < MATES ? mates[i] : NULL, "");
        struct yo_search_limits limits = {.nodes = 300, .lines = 2};
        struct yo_search_result result = run(search, game, &limits);
        for (size_t k = 0; k < result.move_count; k++) {
            uint64_t words[] = {result.moves[k].move, result.moves[k].visits,
                                (uint64_t)(result.moves[k].winrate_to_move * 1000 + 0.5)};
            for (int w = 0; w < 3; w++)
                sum = (sum ^ words[w]) * 1099511628211u;
        }
        yo_shogi_game_delete(game);
    }
    search.ops->destroy(search.ctx);
    return sum;
}

static void the_same_twice(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options puct = options_for(YO_GUIDED_PUCT);
    struct yo_shogi_guided_options mcss = options_for(YO_GUIDED_MCSS);
    assert_true(signature(&puct) == signature(&puct));
    assert_true(signature(&mcss) == signature(&mcss));
    assert_true(signature(&puct) != signature(&mcss));
}

/* The same on every machine, without what calls exp, log and pow: their last bits may differ. If
 * the search is meant to change, so is this number. */
static void the_same_everywhere(void **unused) {
    (void)unused;
    struct yo_shogi_guided_options options = options_for(YO_GUIDED_PUCT);
    options.tree.cpuct_log = options.tree.value_exponent = options.tree.noise_prune = 0;
    uint64_t got = signature(&options);
    if (got != SIGNATURE) fail_msg("signature %#llx", (unsigned long long)got);
    options.tree.cpuct = 1.01f;
    assert_true(signature(&options) != got);
}

/* ---- transpositions ---- */

/* The key after moves from the initial position; 0: the position gets a node of its own. */
static uint64_t key_after(const char *moves) {
    struct yo_shogi_game *game = game_at(NULL, "");
    struct yo_shogi_state state;
    yo_move move = 0;
    char words[200], *rest = NULL;
    yo_shogi_state_from_game(game, &state);
    snprintf(words, sizeof words, "%s", moves);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        assert_int_equal(yo_shogi_ops.parse(&state, word, &move, NULL), YO_OK);
        yo_shogi_ops.play(&state, move);
    }
    uint64_t key = yo_shogi_guided_key(&state, (yo_shogi_move)move);
    yo_shogi_game_delete(game);
    return key;
}

/* Orders of moves do not matter, unless the last can be taken back at once, gives check or repeats
 * a position. */
static void keys_of_positions(void **unused) {
    (void)unused;
    uint64_t key = key_after("7g7f 3c3d 2g2f");
    assert_true(key != 0);
    assert_true(key == key_after("2g2f 3c3d 7g7f"));
    assert_true(key != key_after("7g7f 3c3d 6g6f"));
    assert_true(key_after("7g7f 3c3d 2g2f 4a3b") == 0);                /* a gold steps aside */
    assert_true(key_after("7g7f 3c3d 8h2b") != 0);                     /* takes */
    assert_true(key_after("7g7f 3c3d 8h2b+") != 0);                    /* and promotes */
    assert_true(key_after("7g7f 3c3d 8h2b+ 3a2b") != 0);               /* takes back */
    assert_true(key_after("7g7f 3c3d 8h2b+ 3a2b B*4e") != 0);          /* drops */
    assert_true(key_after("7g7f 3c3d 8h3c+") == 0);                    /* check */
    assert_true(key_after("2h3h 8b7b 3h2h 7b8b") == 0);                /* again the first */
    assert_true(key_after("7g7f 3c3d 2h3h 8b7b 3h2h 7b8b 2g2f") != 0); /* but onwards */
}

/* Mates, proofs and repetition are found with joined nodes as without. */
static void joined_nodes_tell_no_lies(void **unused) {
    transpositions = true;
    finds_mates_in_leaves(unused);
    claims_are_true(unused);
    knows_perpetual_check(unused);
    one_repetition_is_a_value(unused);
    knows_declarations(unused);
    nodes_are_simulations(unused);
    the_same_twice(unused);
    transpositions = false;
}

/* A player's options and those of a search that is made without them are the same. */
static void rows_have_the_defaults(void **state) {
    (void)state;
    struct yo_shogi_guided_options made, read;
    struct yo_options rows;
    yo_shogi_guided_options_default(&made);
    yo_shogi_guided_options_default(&read);
    read.tree.cpuct = read.tree.fpu = -1;
    read.tree.policy_temperature = read.tree.root_policy_temperature = -1;
    assert_int_equal(yo_options_init(&rows, yo_session_rows(YO_SESSION_SHOGI), NULL), YO_OK);
    yo_shogi_guided_options_read(&rows, &read);
    assert_float_equal(read.tree.cpuct, made.tree.cpuct, 1e-6);
    assert_float_equal(read.tree.fpu, made.tree.fpu, 1e-6);
    assert_float_equal(read.tree.policy_temperature, made.tree.policy_temperature, 1e-6);
    assert_float_equal(read.tree.root_policy_temperature, made.tree.root_policy_temperature, 1e-6);
    yo_options_free(&rows);
}

static void no_memory_is_an_error(void **unused) {
    (void)unused;
    for (long nth = 0;; nth++) {
        struct yo_shogi_guided_options options = options_for(YO_GUIDED_MCSS);
        struct yo_search search = {0};
        struct yo_diag diag = {0};
        options.tree.threads = 2;
        yo_alloc_fail_after(nth);
        enum yo_err err = yo_shogi_guided_new(hash_eval(&values), &options, &search, &diag);
        yo_alloc_fail_after(-1);
        if (!err) {
            assert_true(nth > 5);
            search.ops->destroy(search.ctx);
            return;
        }
        assert_int_equal(err, YO_ERR_NOMEM);
        assert_null(search.ops);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_mates_at_the_root),
        cmocka_unit_test(finds_mates_in_leaves),
        cmocka_unit_test(mates_in_time_count),
        cmocka_unit_test(proofs_grow_with_visits),
        cmocka_unit_test(a_proven_root_is_searched),
        cmocka_unit_test(claims_are_true),
        cmocka_unit_test(sees_that_it_is_mated),
        cmocka_unit_test(knows_perpetual_check),
        cmocka_unit_test(one_repetition_is_a_value),
        cmocka_unit_test(knows_declarations),
        cmocka_unit_test(nodes_are_simulations),
        cmocka_unit_test(keeps_its_tree),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(the_same_everywhere),
        cmocka_unit_test(rows_have_the_defaults),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(keys_of_positions),
        cmocka_unit_test(joined_nodes_tell_no_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
