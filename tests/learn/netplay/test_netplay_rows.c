/* Rows of self-play records against the positions they come from, and the targets of Gumbel
 * searches. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "game/go/state.h"
#include "learn/netplay/go.h"
#include "learn/netplay/gumbel.h"
#include "learn/netplay/rows_go.h"

enum { MOVES = 40 };

/* A game of random moves in which every third one has a target. */
static void make(struct yo_netplay_record *r, int size, uint64_t seed) {
    struct yo_netplay_go_settings settings = yo_netplay_go_defaults;
    struct yo_netplay_result result;
    struct yo_go_position pos;
    struct yo_diag diag;
    void *game;
    *r = (struct yo_netplay_record){.game = YO_NETPLAY_GO, .end = YO_NETPLAY_OVER};
    r->setup_size = yo_netplay_go.draw(&settings, size, &seed, r->setup);
    assert_int_equal(yo_netplay_go.create(r->setup, r->setup_size, &game, &diag), YO_OK);
    for (int i = 0; i < MOVES; i++) {
        yo_move moves[YO_GO_POINTS_MAX + 1];
        yo_go_position_from_game(game, &pos);
        size_t count = yo_go_ops.moves(&pos, moves);
        struct yo_netplay_step step = {
            .move = (uint16_t)moves[(size_t)(yo_random_uniform(&seed) * (double)count)],
            .kind = i % 3 == 2 ? YO_NETPLAY_FULL : YO_NETPLAY_FAST,
            .win = (uint16_t)(1000 * i),
            .target_at = (uint32_t)r->target_count};
        for (size_t k = 0; step.kind == YO_NETPLAY_FULL && k < count; k += 7) {
            assert_int_equal(yo_netplay_record_target(r, (uint16_t)moves[k], (uint16_t)(k + 1)),
                             YO_OK);
            step.target_count++;
        }
        assert_int_equal(yo_netplay_record_step(r, &step), YO_OK);
        assert_int_equal(yo_netplay_go.play(game, step.move, &diag), YO_OK);
    }
    yo_go_position_from_game(game, &pos);
    yo_netplay_go.result(&pos, &result);
    r->outcome = (uint8_t)result.outcome;
    r->lead2 = result.lead2;
    r->cells = result.cells;
    memcpy(r->owner, result.owner, result.cells);
    yo_netplay_go.destroy(game);
}

static bool bit(const uint8_t *plane, int size, int p) {
    int at = p / size * 19 + p % size;
    return plane[at / 8] >> at % 8 & 1;
}

static void check_row(const struct yo_netplay_record *r, const struct yo_netplay_step *step,
                      const struct yo_go_game *game, const struct yo_netplay_go_row *row) {
    struct yo_go_position pos;
    struct yo_go_net_input in;
    int size = yo_go_game_size(game), area = 0, sum = 0, own = (int)game->to_move;
    yo_go_position_from_game(game, &pos);
    yo_go_features_v7(&pos, YO_GO_NET_ALL_PLANES, &in);
    for (int p = 0; p < size * size; p++) {
        unsigned q = (unsigned)p;
        for (int ago = 0; ago < 4; ago++)
            assert_int_equal(bit(row->row.plane[YO_GO_ROW_LADDER + ago], size, p),
                             yo_go_bit(in.plane[YO_GO_PLANE_LADDER + ago], q));
        assert_int_equal(bit(row->row.plane[YO_GO_ROW_OWN], size, p),
                         yo_go_bit(in.plane[YO_GO_PLANE_OWN], q));
        assert_int_equal(bit(row->row.plane[YO_GO_ROW_KO], size, p),
                         yo_go_bit(in.plane[YO_GO_PLANE_KO], q));
        assert_int_equal(bit(row->owner[0], size, p), r->owner[p] == own);
        assert_int_equal(bit(row->owner[1], size, p), r->owner[p] == 3 - own);
        area += bit(row->owner[0], size, p) - bit(row->owner[1], size, p);
    }
    assert_memory_equal(row->row.global, in.global, sizeof in.global);
    assert_int_equal(row->row.size, size);
    assert_int_equal(row->row.move, yo_go_row_point(size, step->move));
    assert_int_equal(row->row.last[0], yo_go_row_point(size, pos.last));
    int komi2 = own == YO_GO_BLACK ? -pos.rules.komi2 : pos.rules.komi2;
    assert_int_equal(row->row.lead2, 2 * area + komi2);
    int lead2 = row->row.lead2;
    assert_int_equal(row->row.result, (lead2 > 0) - (lead2 < 0));
    assert_int_equal(row->win, step->win);
    for (int i = 0; i <= YO_GO_ROW_PASS; i++)
        sum += row->policy[i];
    assert_in_range(sum, 65535 - 60, 65535 + 60);
    for (size_t k = 0; k < step->target_count; k++)
        assert_true(row->policy[yo_go_row_point(size, r->targets[step->target_at + k].move)] > 0);
}

static void rows_are_positions(void **state) {
    (void)state;
    static struct yo_netplay_go_row rows[MOVES];
    for (int size = 5; size <= 19; size += 7) {
        struct yo_netplay_record r;
        struct yo_diag diag;
        void *made;
        make(&r, size, (uint64_t)size);
        size_t count = yo_netplay_rows_count(&r), at = 0;
        assert_int_equal(count, MOVES / 3);
        assert_int_equal(yo_netplay_go_rows.make(&r, 7, rows), count);
        assert_int_equal(yo_netplay_go.create(r.setup, r.setup_size, &made, &diag), YO_OK);
        for (size_t i = 0; i < r.step_count; i++) {
            if (r.steps[i].kind == YO_NETPLAY_FULL) check_row(&r, &r.steps[i], made, &rows[at++]);
            assert_int_equal(yo_netplay_go.play(made, r.steps[i].move, &diag), YO_OK);
        }
        yo_netplay_go.destroy(made);
        /* An illegal move ends the rows; an unfinished game and a cut one have none, or no winner.
         */
        uint16_t move = r.steps[10].move;
        r.steps[10].move = r.steps[3].move == YO_GO_PASS ? r.steps[4].move : r.steps[3].move;
        assert_true(yo_netplay_go_rows.make(&r, 7, rows) <= count);
        r.steps[10].move = move;
        r.end = YO_NETPLAY_UNFINISHED;
        assert_int_equal(yo_netplay_go_rows.make(&r, 7, rows), 0);
        r.end = YO_NETPLAY_CUT;
        r.outcome = YO_OUTCOME_NONE;
        r.cells = 0;
        assert_int_equal(yo_netplay_go_rows.make(&r, 7, rows), count);
        assert_int_equal(rows[0].row.result, 2);
        assert_int_equal(rows[0].row.lead2, YO_GO_ROW_NO_SCORE);
        assert_int_equal(rows[0].has_owner, 0);
        yo_netplay_record_free(&r);
    }
}

/* Sequential halving spends its visits on fewer and fewer moves, and finds the best one; its target
 * prefers that move over the policy. */
static void gumbel_halves(void **state) {
    (void)state;
    enum { N = 20, BUDGET = 64, CONSIDERED = 8 };
    int right = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct yo_netplay_tree tree;
        struct yo_netplay_gumbel gumbel;
        struct yo_netplay_value value = {0};
        struct yo_netplay_target target[N];
        uint64_t random = seed;
        uint16_t moves[N];
        float policy[N];
        assert_int_equal(yo_netplay_tree_init(&tree, BUDGET + 2, N, 0), YO_OK);
        for (int i = 0; i < N; i++) {
            moves[i] = (uint16_t)i;
            policy[i] = 1.0f / N;
        }
        tree.root = yo_netplay_tree_add(&tree, 1, &value);
        yo_netplay_tree_open(&tree, tree.root, moves, policy, N);
        yo_netplay_gumbel_begin(&gumbel, &tree, CONSIDERED, &random);
        assert_int_equal(gumbel.count, CONSIDERED);
        struct yo_netplay_node *root = yo_netplay_node(&tree, tree.root);
        struct yo_netplay_kid *kids = yo_netplay_kids(&tree, root);
        unsigned best = 0;
        for (unsigned i = 0; i < CONSIDERED; i++) {
            if (kids[i].move > kids[best].move) best = i;
            for (unsigned k = 0; k < i; k++)
                assert_true(kids[k].move != kids[i].move && gumbel.drawn[k] >= gumbel.drawn[i]);
        }
        for (int v = 0; v < BUDGET; v++) {
            unsigned i = yo_netplay_gumbel_select(&gumbel, &tree, BUDGET);
            assert_true(i < CONSIDERED);
            kids[i].visits++;
            kids[i].sum -= 0.05f * (float)kids[i].move; /* the second side likes high moves */
        }
        unsigned least = BUDGET, most = 0;
        for (unsigned i = 0; i < CONSIDERED; i++) {
            if (kids[i].visits < least) least = kids[i].visits;
            if (kids[i].visits > most) most = kids[i].visits;
        }
        assert_true(least >= 1 && most >= BUDGET / 4);
        right += yo_netplay_gumbel_best(&gumbel, &tree) == kids[best].move;
        size_t count = yo_netplay_gumbel_target(&tree, target, N);
        double sum = 0;
        unsigned top = 0;
        for (size_t i = 0; i < count; i++) {
            sum += target[i].weight;
            if (target[i].weight > target[top].weight) top = (unsigned)i;
        }
        assert_true(fabs(sum - 60000) < 30 && target[top].move == kids[best].move);
        yo_netplay_tree_free(&tree);
    }
    assert_true(right >= 18);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_positions),
        cmocka_unit_test(gumbel_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
