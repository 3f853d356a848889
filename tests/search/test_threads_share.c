/* search/share, alone and in the trees of UCT and PUCT: what several searches have found counts
 * once in each of them, whatever else arrives; together they come closer to a larger search than
 * searches that keep to themselves. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "game/go/game_ops.h"
#include "game/go/score.h"
#include "game/go/state.h"
#include "search/guided/guided.h"
#include "search/share.h"
#include "search/uct/uct.h"
#include "support/check_graph.h"
#include "support/hash_eval.h"
#include "support/tictactoe.h"
#include "yomi/go.h"

enum { SEARCHES = 4, ENTRIES = 256 };

/* ---- alone ---- */

/* One node of a tree, in a walk. Returns what others found. */
static struct yo_share_sum walk_one(struct yo_share *share, uint64_t key,
                                    const struct yo_share_sum *total) {
    assert_true(yo_share_open(share, true));
    struct yo_share_slot *slot = yo_share_slot(share, key, true);
    struct yo_share_sum found = yo_share_merge(slot), now = *total;
    now.visits += found.visits;
    now.value += found.value;
    now.score += found.score;
    yo_share_offer(share, slot, &now);
    yo_share_close(share);
    return found;
}

static void entries_carry_what_is_new(void **state) {
    (void)state;
    struct yo_share a, b;
    struct yo_search_entry entries[ENTRIES];
    struct yo_share_sum none = {0}, first = {100, 60, -1234}, later = {150, 100, -1234 - 100};
    yo_share_init(&a);
    yo_share_init(&b);
    assert_false(yo_share_open(&a, true)); /* a search that is alone has nothing to do */
    for (int i = 0; i < 2; i++) {
        yo_share_begin(i ? &b : &a, 7, (unsigned)i);
        assert_int_equal(yo_share_take(i ? &b : &a, entries, ENTRIES), 0);
        walk_one(i ? &b : &a, 7, &none); /* a new root: what is there is no news */
        assert_int_equal(yo_share_take(i ? &b : &a, entries, ENTRIES), 0);
    }
    walk_one(&a, 7, &first);
    assert_int_equal(yo_share_take(&a, entries, ENTRIES), 1);
    yo_share_give(&b, entries, 1);
    yo_share_give(&a, entries, 1); /* its own */
    struct yo_share_sum found = walk_one(&b, 7, &none), own = walk_one(&a, 7, &first);
    assert_float_equal(found.visits, 100, 0);
    assert_float_equal(found.value, 60, 0.01);
    assert_float_equal(found.score, -1234, 1);
    assert_float_equal(own.visits, 0, 0);
    assert_int_equal(yo_share_take(&b, entries, ENTRIES), 0); /* it does not send them back */

    yo_share_take(&a, entries, ENTRIES);
    walk_one(&a, 7, &later);
    assert_int_equal(yo_share_take(&a, entries, ENTRIES), 1);
    yo_share_give(&b, entries, 1);
    found = walk_one(&b, 7, &found);
    assert_float_equal(found.visits, 50, 0);
    assert_float_equal(found.value, 40, 0.01);

    yo_share_give(&b, entries, 1);
    yo_share_begin(&b, 8, 1); /* another position: what is late is dropped */
    found = walk_one(&b, 7, &none);
    assert_float_equal(found.visits, 0, 0);
    yo_share_free(&a);
    yo_share_free(&b);
}

/* Whatever arrives, in any number. */
static void garbage_does_no_harm(void **state) {
    (void)state;
    struct yo_share share;
    struct yo_search_entry entries[ENTRIES];
    uint64_t random = 3;
    yo_share_init(&share);
    yo_share_begin(&share, 7, 0);
    for (int round = 0; round < 100; round++) {
        for (size_t i = 0; i < ENTRIES; i++)
            entries[i] =
                (struct yo_search_entry){i ? yo_splitmix64(&random) : 0, yo_splitmix64(&random)};
        yo_share_give(&share, entries, ENTRIES);
    }
    struct yo_share_sum none = {0};
    struct yo_share_sum found = walk_one(&share, 7, &none);
    assert_float_equal(found.visits, 0, 0);
    yo_share_free(&share);
}

/* ---- trees ---- */

/* All entries reach all searches, the sender's own included. */
static void exchange(struct yo_share *const *shares) {
    struct yo_search_entry entries[SEARCHES * ENTRIES];
    size_t count = 0;
    for (int i = 0; i < SEARCHES; i++)
        count += yo_share_take(shares[i], entries + count, ENTRIES);
    for (int i = 0; i < SEARCHES; i++)
        yo_share_give(shares[i], entries, count);
}

static uint64_t visits_of(const struct yo_search_result *r) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->move_count; i++)
        sum += r->moves[i].visits;
    return sum;
}

static struct yo_uct *make_uct(uint64_t seed) {
    struct yo_uct_options options = {.seed = seed,
                                     .threads = 1,
                                     .memory_mb = 4,
                                     .formula = YO_UCT_TUNED,
                                     .explore = 1,
                                     .fpu = 1.1f,
                                     .expand = 1,
                                     .virtual_loss = 1,
                                     .reuse = true};
    struct yo_uct *uct;
    assert_int_equal(
        yo_uct_new(&ttt_ops, ttt_rollouts(), (struct yo_priors){0}, &options, &uct, NULL), YO_OK);
    yo_uct_set_key(uct, 99);
    return uct;
}

enum { ROUNDS = 20, EACH = 100 };

/* After each round every tree has nearly all that was searched so far, and no visit twice. */
static void uct_adds_up(void **state) {
    (void)state;
    struct yo_uct *uct[SEARCHES];
    struct yo_share *shares[SEARCHES];
    struct ttt position = {0};
    for (int i = 0; i < SEARCHES; i++) {
        uct[i] = make_uct(3);
        shares[i] = yo_uct_share_of(uct[i]);
    }
    exchange(shares);
    for (int round = 0; round < ROUNDS; round++) {
        double winrates[SEARCHES];
        for (unsigned i = 0; i < SEARCHES; i++) {
            struct yo_search_limits limits = {.playouts = EACH, .number = i, .whole = true};
            struct yo_search_result r;
            assert_int_equal(
                yo_uct_run(uct[i], &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
            assert_int_equal(r.playouts, EACH); /* its own */
            uint64_t all = (uint64_t)(round * EACH * SEARCHES + EACH), has = visits_of(&r);
            if (has > all || has * 10 < all * 9) fail_msg("%d visits of %d", (int)has, (int)all);
            winrates[i] = yo_search_root_winrate(&r);
        }
        for (int i = 1; round == ROUNDS - 1 && i < SEARCHES; i++)
            assert_true(fabs(winrates[i] - winrates[0]) < 0.02);
        exchange(shares);
    }
    /* A cleared tree begins anew, and is told nothing of what it knew. */
    yo_uct_clear(uct[0]);
    struct yo_search_limits limits = {.playouts = EACH, .whole = true};
    struct yo_search_result r;
    assert_int_equal(yo_uct_run(uct[0], &position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL),
                     YO_OK);
    assert_true(visits_of(&r) <= EACH);
    for (int i = 0; i < SEARCHES; i++)
        yo_uct_delete(uct[i]);
}

/* ---- UCT, against one larger search ---- */

/* Adds the shares of the visits, by move, of searches that make so many playouts each in rounds. */
static void think_uct(uint64_t seed, const struct ttt *position, unsigned searches, uint64_t each,
                      bool together, double *shares) {
    struct yo_uct *uct[SEARCHES];
    struct yo_share *mail[SEARCHES];
    for (unsigned i = 0; i < searches; i++) {
        uct[i] = make_uct(seed);
        mail[i] = yo_uct_share_of(uct[i]);
    }
    if (together) exchange(mail);
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < searches; i++) {
            struct yo_search_limits limits = {.playouts = each, .number = i, .whole = true};
            struct yo_search_result r;
            assert_int_equal(
                yo_uct_run(uct[i], position, NULL, 0, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
            for (size_t m = 0; round == ROUNDS - 1 && m < r.move_count; m++)
                shares[r.moves[m].move] +=
                    (double)r.moves[m].visits / (double)visits_of(&r) / searches;
        }
        if (together) exchange(mail);
    }
    for (unsigned i = 0; i < searches; i++)
        yo_uct_delete(uct[i]);
}

/* Four searches of 200 playouts: the shares of the visits of root moves, compared with those of one
 * search of 800. */
static void uct_comes_closer_to_a_larger_search(void **state) {
    (void)state;
    enum { POSITIONS = 40, PLAYOUTS = 10 };
    double apart = 0, together = 0;
    srand(3);
    for (uint64_t p = 0; p < POSITIONS; p++) {
        double large[9] = {0}, alone[9] = {0}, shared[9] = {0};
        struct ttt position = {0};
        for (uint64_t n = 0; n < p % 4; n++) {
            yo_move moves[9];
            ttt_ops.play(&position, moves[(size_t)rand() % ttt_ops.moves(&position, moves)]);
        }
        think_uct(1000 + p, &position, 1, SEARCHES * PLAYOUTS, false, large);
        think_uct(p, &position, SEARCHES, PLAYOUTS, false, alone);
        think_uct(p, &position, SEARCHES, PLAYOUTS, true, shared);
        for (int m = 0; m < 9; m++) {
            apart += fabs(alone[m] - large[m]);
            together += fabs(shared[m] - large[m]);
        }
    }
    if (together > 0.97 * apart)
        fail_msg("distance to the larger search: %.3f together, %.3f apart", together, apart);
}

/* ---- PUCT, against one larger search ---- */

static uint64_t go_key(void *ctx, const void *position, yo_move last) {
    (void)ctx, (void)last;
    return yo_go_ops.hash(position) + 1;
}

static struct yo_guided *make_puct(struct hash_eval *eval, bool transpositions) {
    const struct yo_guided_hooks hooks = {.position_key = go_key};
    struct yo_guided_options options;
    struct yo_guided *g;
    yo_guided_options_default(&options);
    options.memory_mb = 8;
    options.threads = 1;
    options.solve = false;
    options.joining = transpositions ? YO_GUIDED_JOIN_ALL : YO_GUIDED_JOIN_NONE;
    assert_int_equal(yo_guided_new(&yo_go_ops, hash_eval(eval), &hooks, &options, &g, NULL), YO_OK);
    return g;
}

enum { SIZE = 5, MOVES = SIZE * SIZE + 1 };

/* Adds the shares of the visits, by move. */
static void add_shares(const struct yo_search_result *r, double *shares) {
    double all = (double)visits_of(r);
    for (size_t i = 0; i < r->move_count; i++) {
        size_t at = r->moves[i].move < MOVES - 1 ? r->moves[i].move : MOVES - 1;
        shares[at] += (double)r->moves[i].visits / all;
    }
}

static void think_alone(struct yo_guided *g, const void *position, uint64_t playouts,
                        double *shares) {
    struct yo_search_limits limits = {.playouts = playouts, .whole = true};
    struct yo_search_result r;
    yo_guided_clear(g);
    assert_int_equal(yo_guided_run(g, position, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
    add_shares(&r, shares);
}

static void think_together(struct yo_guided *const *g, const void *position, double *shares) {
    struct yo_share *mail[SEARCHES];
    for (int i = 0; i < SEARCHES; i++) {
        yo_guided_clear(g[i]);
        yo_guided_set_key(g[i], 99);
        mail[i] = yo_guided_share_of(g[i]);
    }
    exchange(mail);
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < SEARCHES; i++) {
            struct yo_search_limits limits = {.playouts = EACH / 5, .number = i, .whole = true};
            struct yo_search_result r;
            assert_int_equal(yo_guided_run(g[i], position, &limits, NULL, NULL, NULL, &r, NULL),
                             YO_OK);
            uint64_t all = (uint64_t)(round * EACH / 5 * SEARCHES + EACH / 5);
            if (visits_of(&r) > all) fail_msg("%d visits of %d", (int)visits_of(&r), (int)all);
            if (round == ROUNDS - 1) add_shares(&r, shares);
        }
        exchange(mail);
    }
    for (int i = 0; i < MOVES; i++)
        shares[i] /= SEARCHES;
}

static double distance(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < MOVES; i++)
        sum += fabs(a[i] - b[i]);
    return sum;
}

/* By the score of the board as it stands. */
static float lead_value(const void *position) {
    const struct yo_go_position *p = position;
    struct yo_go_score score;
    yo_go_score_board(&p->board, &p->rules, 0, NULL, &score);
    int lead2 = p->to_move == YO_GO_BLACK ? score.lead2 : -score.lead2;
    return 0.5f + 0.5f * tanhf((float)lead2 / 24);
}

/* Four searches of 400 visits: the shares of the visits of root moves, compared with those of one
 * search of 1,600. */
static void puct_comes_closer_to_a_larger_search(void **state) {
    (void)state;
    enum { POSITIONS = 40 };
    struct hash_eval eval = {.game = &yo_go_ops, .batch = 1, .value = lead_value};
    struct yo_guided *g[SEARCHES];
    struct yo_go_game *game;
    struct yo_go_position *position = yo_alloc_aligned(yo_go_ops.position_size);
    double apart = 0, together = 0;
    for (int i = 0; i < SEARCHES; i++)
        g[i] = make_puct(&eval, false);
    struct yo_guided *alone = make_puct(&eval, false);
    for (int p = 0; p < POSITIONS; p++) {
        double large[MOVES] = {0}, one[MOVES] = {0}, shared[MOVES] = {0};
        uint64_t random = (uint64_t)p;
        assert_int_equal(yo_go_game_new(SIZE, NULL, &game), YO_OK);
        for (int i = 0; i < 4; i++)
            yo_go_game_play(game, yo_go_game_to_move(game),
                            (yo_go_point)(yo_splitmix64(&random) % (SIZE * SIZE)), NULL);
        yo_go_ops.from_game(game, position);
        think_alone(alone, position, ROUNDS * EACH / 5 * SEARCHES, large);
        think_alone(alone, position, ROUNDS * EACH / 5, one); /* four of them would say the same */
        think_together(g, position, shared);
        apart += distance(one, large);
        together += distance(shared, large);
        yo_go_game_delete(game);
    }
    if (together > 0.93 * apart)
        fail_msg("distance to the larger search: %.3f together, %.3f alone", together, apart);
    for (int i = 0; i < SEARCHES; i++)
        yo_guided_delete(g[i]);
    yo_guided_delete(alone);
    yo_free_aligned(position);
}

/* Nodes are not joined while searches exchange, since entries name them by the moves that lead
 * there; but a tree may have joined nodes from before. No visit counts twice then either. */
static void joined_nodes_are_shared_by_path(void **state) {
    (void)state;
    enum { FIRST = 1000, THEN = 60 };
    struct hash_eval eval = {.game = &yo_go_ops, .batch = 1, .value = lead_value};
    struct yo_guided *g[SEARCHES];
    struct yo_share *mail[SEARCHES];
    struct yo_go_game *game;
    struct yo_go_position *position = yo_alloc_aligned(yo_go_ops.position_size);
    struct yo_search_result r;
    uint64_t sum = 0;
    assert_int_equal(yo_go_game_new(3, NULL, &game), YO_OK);
    yo_go_ops.from_game(game, position);
    for (unsigned i = 0; i < SEARCHES; i++) {
        struct yo_search_limits limits = {.playouts = FIRST, .number = i, .whole = true};
        g[i] = make_puct(&eval, true);
        yo_guided_set_key(g[i], 99);
        mail[i] = yo_guided_share_of(g[i]);
        assert_int_equal(yo_guided_run(g[i], position, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
        assert_true(r.joined > 50);
        assert_int_equal(visits_of(&r), FIRST - 1);
    }
    for (unsigned round = 0; round < 10; round++) {
        exchange(mail);
        for (unsigned i = 0; i < SEARCHES; i++) {
            struct yo_search_limits limits = {.playouts = THEN, .number = i, .whole = true};
            assert_int_equal(yo_guided_run(g[i], position, &limits, NULL, NULL, NULL, &r, NULL),
                             YO_OK);
            assert_int_equal(r.joined, 0);
            check_graph(g[i], GRAPH_SHARED);
            if (visits_of(&r) >= FIRST + (round * SEARCHES + 1) * THEN)
                fail_msg("%d visits in round %u", (int)visits_of(&r), round);
            sum += visits_of(&r) - FIRST;
        }
    }
    assert_true(sum > SEARCHES * 10 * THEN * 2); /* others' visits do arrive */
    for (unsigned i = 0; i < SEARCHES; i++)
        yo_guided_delete(g[i]);
    yo_go_game_delete(game);
    yo_free_aligned(position);
}

/* ---- while they search ---- */

struct running {
    struct yo_guided *g;
    unsigned number;
    const void *position;
    atomic_bool stop;
    uint64_t visits, playouts;
};

static void *run_until_stopped(void *arg) {
    struct running *r = arg;
    struct yo_search_limits limits = {.number = r->number, .whole = true};
    struct yo_search_result result;
    assert_int_equal(yo_guided_run(r->g, r->position, &limits, &r->stop, NULL, NULL, &result, NULL),
                     YO_OK);
    r->visits = visits_of(&result);
    r->playouts = result.playouts;
    return NULL;
}

/* Two searches with three threads each, and a third party that carries entries between them. */
static void threads_exchange_while_they_search(void **state) {
    (void)state;
    enum { TIMES = 30 };
    struct hash_eval eval = {.game = &ttt_ops, .batch = 4};
    struct yo_guided_options options;
    struct ttt position = {0};
    struct running running[2];
    pthread_t threads[2];
    yo_guided_options_default(&options);
    options.memory_mb = 32;
    options.threads = 3;
    options.solve = false;
    for (unsigned i = 0; i < 2; i++) {
        running[i] = (struct running){.number = i, .position = &position};
        assert_int_equal(
            yo_guided_new(&ttt_ops, hash_eval(&eval), NULL, &options, &running[i].g, NULL), YO_OK);
        yo_guided_set_key(running[i].g, 99);
        assert_int_equal(pthread_create(&threads[i], NULL, run_until_stopped, &running[i]), 0);
    }
    for (int sent = 0; sent < TIMES;) {
        struct yo_search_entry entries[ENTRIES];
        for (int i = 0; i < 2; i++) {
            size_t count = yo_share_take(yo_guided_share_of(running[i].g), entries, ENTRIES);
            yo_share_give(yo_guided_share_of(running[1 - i].g), entries, count);
            sent += count > 0;
        }
        usleep(1000);
    }
    for (int i = 0; i < 2; i++) {
        atomic_store(&running[i].stop, true);
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(running[i].visits <= running[0].playouts + running[1].playouts);
        yo_guided_delete(running[i].g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_carry_what_is_new),
        cmocka_unit_test(garbage_does_no_harm),
        cmocka_unit_test(uct_adds_up),
        cmocka_unit_test(uct_comes_closer_to_a_larger_search),
        cmocka_unit_test(puct_comes_closer_to_a_larger_search),
        cmocka_unit_test(joined_nodes_are_shared_by_path),
        cmocka_unit_test(threads_exchange_while_they_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
