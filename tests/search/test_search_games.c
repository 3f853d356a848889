/* What a search may take for granted of every game's table, and a short search by every tree on
 * each of them. A new game is a row in games[], a new tree one in trees[]. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/shogi/values.h"
#include "game/go/game_ops.h"
#include "game/shogi/game_ops.h"
#include "search/uct/search.h"
#include "search/uct/uct.h"
#include "support/random_rollouts.h"
#include "support/tictactoe.h"
#include "yomi/go.h"
#include "yomi/shogi.h"

/* ---- the games, each with the struct that from_game takes ---- */

struct game {
    const struct yo_game_ops *ops;
    void *(*begin)(void);
    void (*play)(void *game, yo_move move);
    void (*end)(void *game);
};

static void *begin_go(void) {
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(5, NULL, &game), YO_OK);
    return game;
}
static void play_go(void *game, yo_move move) {
    assert_int_equal(yo_go_game_play(game, yo_go_game_to_move(game), (yo_go_point)move, NULL),
                     YO_OK);
}
static void end_go(void *game) { yo_go_game_delete(game); }

static void *begin_shogi(void) {
    struct yo_shogi_game *game;
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    return game;
}
static void play_shogi(void *game, yo_move move) {
    assert_int_equal(yo_shogi_game_play(game, (yo_shogi_move)move, NULL), YO_OK);
}
static void end_shogi(void *game) { yo_shogi_game_delete(game); }

static void *begin_ttt(void) { return calloc(1, sizeof(struct ttt)); }
static void play_ttt(void *game, yo_move move) { ttt_ops.play(game, move); }

static const struct game games[] = {
    {&yo_go_ops, begin_go, play_go, end_go},
    {&yo_shogi_ops, begin_shogi, play_shogi, end_shogi},
    {&ttt_ops, begin_ttt, play_ttt, free},
};
#define GAMES (sizeof games / sizeof games[0])

/* ---- the table ---- */

#define GUARD 64 /* bytes behind each buffer that must stay as they are */

static void *guarded(size_t size) {
    unsigned char *block = malloc(size + GUARD);
    assert_non_null(block);
    memset(block + size, 0xa5, GUARD);
    return block;
}

static void check_guard(const void *block, size_t size) {
    for (size_t i = 0; i < GUARD; i++)
        assert_int_equal(((const unsigned char *)block)[size + i], 0xa5);
}

static void check_moves(const struct yo_game_ops *ops, const void *position, const yo_move *moves,
                        size_t count) {
    bool has_null = false;
    assert_true(count <= ops->max_moves);
    for (size_t i = 0; i < count; i++) {
        char text[16];
        yo_move read;
        assert_true(moves[i] < ops->move_bound);
        assert_string_equal(ops->format(position, moves[i], text), text);
        assert_int_equal(ops->parse(position, text, &read, NULL), YO_OK);
        assert_int_equal(read, moves[i]);
        has_null = has_null || moves[i] == ops->move_null;
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(moves[i], moves[k]);
    }
    /* The null move can be made wherever the game goes on. */
    assert_int_equal(has_null, count > 0 && ops->move_null != YO_MOVE_NONE);
}

/* Copies play on alike, and a move changes what tells positions apart. */
static void check_play(const struct yo_game_ops *ops, const void *position, yo_move move) {
    void *copy[2] = {guarded(ops->position_size), guarded(ops->position_size)};
    uint64_t before = ops->hash(position);
    int side = ops->side_to_move(position);
    for (int i = 0; i < 2; i++) {
        memcpy(copy[i], position, ops->position_size);
        ops->play(copy[i], move);
        check_guard(copy[i], ops->position_size);
        assert_int_equal(ops->side_to_move(copy[i]), side ^ 1);
        assert_true(ops->hash(copy[i]) != before);
    }
    assert_true(ops->hash(copy[0]) == ops->hash(copy[1]));
    assert_int_equal(ops->outcome(copy[0]), ops->outcome(copy[1]));
    free(copy[0]);
    free(copy[1]);
}

/* One random game: the position that is played on and the one made from the game agree. The first
 * is of a game that does not change. */
static void follow_game(const struct game *g, int length) {
    const struct yo_game_ops *ops = g->ops;
    size_t list = ops->max_moves * sizeof(yo_move);
    void *first = g->begin(), *game = g->begin(), *position = guarded(ops->position_size),
         *made = guarded(ops->position_size);
    yo_move *moves = guarded(list);
    ops->from_game(first, position);
    assert_int_equal(ops->side_to_move(position), 0);
    for (int i = 0; i < length; i++) {
        size_t count = ops->moves(position, moves);
        check_guard(moves, list);
        assert_int_equal(count == 0, ops->outcome(position) != YO_OUTCOME_NONE);
        check_moves(ops, position, moves, count);
        if (count == 0) break;
        yo_move move = moves[(size_t)rand() % count];
        check_play(ops, position, move);
        ops->play(position, move);
        g->play(game, move);
        check_guard(position, ops->position_size);
        if (ops->outcome(position) != YO_OUTCOME_NONE) break;
        ops->from_game(game, made);
        check_guard(made, ops->position_size);
        assert_true(ops->hash(made) == ops->hash(position));
        assert_int_equal(ops->side_to_move(made), ops->side_to_move(position));
    }
    g->end(game);
    g->end(first);
    free(position);
    free(made);
    free(moves);
}

static void tables_keep_their_word(void **state) {
    (void)state;
    srand(1);
    for (size_t i = 0; i < GAMES; i++) {
        const struct yo_game_ops *ops = games[i].ops;
        assert_true(ops->name && ops->name[0]);
        assert_true(ops->position_size > 0 && ops->max_moves > 0 && ops->move_bound > 0);
        assert_true(ops->move_null == YO_MOVE_NONE || ops->move_null < ops->move_bound);
        for (int round = 0; round < 12; round++)
            follow_game(&games[i], 120);
    }
}

/* ---- the trees ---- */

static struct yo_uct_options every_part(void) {
    return (struct yo_uct_options){.seed = 3,
                                   .threads = 2,
                                   .memory_mb = 1,
                                   .formula = YO_UCT_TUNED,
                                   .explore = 1,
                                   .fpu = 1.1f,
                                   .order = true,
                                   .expand = 1,
                                   .rave = 50,
                                   .bias = 1,
                                   .widen = 2,
                                   .prior = 1,
                                   .virtual_loss = 1,
                                   .lcb = true,
                                   .solve = true,
                                   .reuse = true};
}

/* The best move, which must be one of the position's. */
static void expect_a_move(const struct yo_game_ops *ops, const void *position,
                          const struct yo_search_result *result) {
    yo_move *moves = malloc(ops->max_moves * sizeof *moves);
    size_t count = ops->moves(position, moves), i = 0;
    assert_true(result->move_count > 0 && result->move_count <= count);
    while (i < count && moves[i] != result->moves[0].move)
        i++;
    assert_true(i < count);
    free(moves);
}

static void search_by_rollouts(const struct game *g, const void *game, const void *position) {
    (void)game;
    struct yo_uct_options options = every_part();
    const struct yo_search_limits limits = {.playouts = 300};
    struct yo_search_result result;
    struct yo_uct *uct;
    assert_int_equal(
        yo_uct_new(g->ops, random_rollouts(g->ops), (struct yo_priors){0}, &options, &uct, NULL),
        YO_OK);
    assert_int_equal(yo_uct_run(uct, position, NULL, 0, &limits, NULL, NULL, NULL, &result, NULL),
                     YO_OK);
    expect_a_move(g->ops, position, &result);
    yo_uct_delete(uct);
}

/* An evaluator for any game that values every position alike, at once. */
static enum yo_err submit_even(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    (void)ctx, (void)diag;
    for (size_t i = 0; i < batch->item_count; i++) {
        assert_int_equal(batch->items[i].want, YO_EVAL_VALUE);
        batch->items[i].results->value = (struct yo_eval_value){.win = 0.4f, .draw = 0.2f};
    }
    batch->err = YO_OK;
    atomic_store(&batch->finished, true);
    return YO_OK;
}
static bool poll_even(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load(&batch->finished);
}
static enum yo_err wait_even(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return batch->err;
}
static void cancel_even(void *ctx, struct yo_eval_batch *batch) { (void)ctx, (void)batch; }
static void describe_even(void *ctx, int policy, struct yo_eval_about *about) {
    (void)ctx, (void)policy;
    *about = (struct yo_eval_about){
        .name = "even", .wants = YO_EVAL_VALUE, .batch = 1, .exact = true, .at_once = true};
}
static const struct yo_eval_ops even_ops = {.describe = describe_even,
                                            .submit = submit_even,
                                            .poll = poll_even,
                                            .wait = wait_even,
                                            .cancel = cancel_even};

static void search_by_values(const struct game *g, const void *game, const void *position) {
    struct yo_uct_options options = every_part();
    const struct yo_search_limits limits = {.playouts = 300};
    struct yo_search_result result;
    struct yo_search search;
    assert_int_equal(
        yo_uct_search_new(g->ops, (struct yo_eval){&even_ops, NULL}, &options, &search, NULL),
        YO_OK);
    for (int i = 0; i < 2; i++) { /* the second on the same tree */
        assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        expect_a_move(g->ops, position, &result);
    }
    search.ops->destroy(search.ctx);
}

static void (*const trees[])(const struct game *g, const void *game, const void *position) = {
    search_by_rollouts,
    search_by_values,
};

static void every_tree_searches_every_game(void **state) {
    (void)state;
    srand(2);
    for (size_t i = 0; i < GAMES; i++)
        for (size_t t = 0; t < sizeof trees / sizeof trees[0]; t++) {
            const struct yo_game_ops *ops = games[i].ops;
            void *game = games[i].begin(), *position = malloc(ops->position_size);
            yo_move *moves = malloc(ops->max_moves * sizeof *moves);
            for (int ply = 0; ply < 4; ply++) {
                ops->from_game(game, position);
                trees[t](&games[i], game, position);
                size_t count = ops->moves(position, moves);
                games[i].play(game, moves[(size_t)rand() % count]);
            }
            games[i].end(game);
            free(position);
            free(moves);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_keep_their_word),
        cmocka_unit_test(every_tree_searches_every_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
