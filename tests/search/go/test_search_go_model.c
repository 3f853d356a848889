/* Shapes, features and the model of moves: the same from all sides and for both colours, aware of
 * what stands there and of nothing else; and a model that knows plain things. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/go/state.h"
#include "search/go/model.h"
#include "search/go/prior.h"
#include "support/go_diagram.h"

static uint32_t random_state = 12345;

static unsigned draw(unsigned n) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % n;
}

static struct yo_go_game *new_game(int size) {
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(size, &yo_go_rules_default, &game), YO_OK);
    return game;
}

/* ---- the eight symmetries, and the other colour ---- */

static yo_go_point turn(yo_go_point p, int size, int symmetry) {
    int x = p % size, y = p / size;
    if (p == YO_GO_PASS || p == YO_GO_NONE) return p;
    if (symmetry & 1) x = size - 1 - x;
    if (symmetry & 2) y = size - 1 - y;
    return (yo_go_point)(symmetry & 4 ? x * size + y : y * size + x);
}

/* A game of random moves, and the same game turned; with `swap` played by the other colours, after
 * a pass. */
static void play_both(struct yo_go_game *a, struct yo_go_game *b, int moves, int symmetry,
                      bool swap) {
    int size = yo_go_game_size(a);
    if (swap) yo_go_game_set_to_move(b, YO_GO_WHITE);
    for (int i = 0; i < moves; i++) {
        yo_go_point p = (yo_go_point)draw((unsigned)(size * size));
        enum yo_go_color color = yo_go_game_to_move(a);
        if (yo_go_game_play(a, color, p, NULL)) continue;
        assert_int_equal(
            yo_go_game_play(b, swap ? yo_go_other(color) : color, turn(p, size, symmetry), NULL),
            YO_OK);
    }
}

static int by_id(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void same_features(const struct yo_go_look *a, yo_go_point p, const struct yo_go_look *b,
                          yo_go_point q) {
    struct yo_go_features of_a, of_b;
    yo_go_features(a, p, &of_a);
    yo_go_features(b, q, &of_b);
    assert_int_equal(of_a.count, of_b.count);
    qsort(of_a.id, of_a.count, sizeof of_a.id[0], by_id);
    qsort(of_b.id, of_b.count, sizeof of_b.id[0], by_id);
    assert_memory_equal(of_a.id, of_b.id, of_a.count * sizeof of_a.id[0]);
}

static void features_have_no_side(void **state) {
    (void)state;
    static const int sizes[] = {5, 9, 13, 19};
    for (int round = 0; round < 64; round++) {
        int size = sizes[round % 4], symmetry = round / 4 % 8;
        struct yo_go_game *a = new_game(size), *b = new_game(size);
        struct yo_go_position at_a, at_b;
        struct yo_go_look look_a, look_b;
        yo_move moves[YO_GO_POINTS_MAX + 1];
        play_both(a, b, size * size * (1 + round % 3) / 3, symmetry, round >= 32);
        yo_go_position_from_game(a, &at_a);
        yo_go_position_from_game(b, &at_b);
        yo_go_look(&look_a, &at_a);
        yo_go_look(&look_b, &at_b);
        size_t count = yo_go_ops.moves(&at_a, moves);
        for (size_t i = 0; i + 1 < count; i++) /* the last is the pass */
            same_features(&look_a, (yo_go_point)moves[i], &look_b,
                          turn((yo_go_point)moves[i], size, symmetry));
        yo_go_game_delete(a);
        yo_go_game_delete(b);
    }
}

/* ---- shapes ---- */

static void keys_of(const struct yo_go_board *board, yo_go_point p, uint32_t *keys) {
    struct yo_go_shape_view view = {0};
    memset(view.liberties, 3, sizeof view.liberties);
    yo_go_shape_view(&view, board, YO_GO_BLACK);
    yo_go_shape_keys(&view, p, keys);
}

/* A stone changes the keys of the neighbourhoods that it lies in, and those alone. */
static void shapes_see_what_is_in_them(void **state) {
    (void)state;
    static const int reach[YO_GO_SHAPES] = {3, 4, 5, 6, 7, 8, 9, 10};
    struct yo_go_board bare, board;
    uint32_t without[YO_GO_SHAPES], with[YO_GO_SHAPES];
    yo_go_point middle = 9 * 19 + 9;
    yo_go_board_init(&bare, 19);
    keys_of(&bare, middle, without);
    for (yo_go_point p = 0; p < 361; p++) {
        if (p == middle) continue;
        int dx = abs(p % 19 - 9), dy = abs(p / 19 - 9), far = dx + dy + (dx > dy ? dx : dy);
        board = bare;
        yo_go_board_play(&board, YO_GO_WHITE, p);
        keys_of(&board, middle, with);
        for (int i = 0; i < YO_GO_SHAPES; i++)
            assert_int_equal(with[i] != without[i], far <= reach[i]);
    }
}

static void shapes_know_liberties_beside(void **state) {
    (void)state;
    struct yo_go_board board;
    struct yo_go_shape_view view = {0};
    uint32_t in_atari[YO_GO_SHAPES], free_[YO_GO_SHAPES];
    yo_go_board_init(&board, 9);
    yo_go_board_play(&board, YO_GO_WHITE, 40);
    yo_go_shape_view(&view, &board, YO_GO_BLACK);
    view.liberties[40] = 1;
    yo_go_shape_keys(&view, 41, in_atari);
    uint32_t near_last = yo_go_shape_answer_key(&view, 41, 42);
    assert_int_not_equal(near_last, yo_go_shape_answer_key(&view, 41, 50));
    view.liberties[40] = 3;
    yo_go_shape_keys(&view, 41, free_);
    assert_int_not_equal(in_atari[0], free_[0]);
    assert_int_equal(in_atari[1], free_[1]);
    assert_int_not_equal(near_last, yo_go_shape_answer_key(&view, 41, 42));
}

/* ---- the distance along strings ---- */

static void strings_are_one_step(void **state) {
    (void)state;
    struct yo_go_game *game = diagram_game("........."
                                           ".XXXXXX.."
                                           "........."
                                           "........."
                                           "........."
                                           "........."
                                           "........."
                                           "........."
                                           ".........",
                                           &yo_go_rules_default, YO_GO_BLACK);
    struct yo_go_position position;
    struct yo_go_look look;
    assert_int_equal(diagram_play(game, "B H8"), YO_OK);
    yo_go_position_from_game(game, &position);
    yo_go_look(&look, &position);
    assert_int_equal(look.fate_near[diagram_point(game, "B8")], 0);
    assert_int_equal(look.fate_near[diagram_point(game, "B7")], 1);
    assert_int_equal(look.fate_near[diagram_point(game, "A7")], 2);
    assert_int_equal(look.fate_near[diagram_point(game, "J6")], 3);
    assert_int_equal(look.fate_near[diagram_point(game, "E1")], 7);
    yo_go_game_delete(game);
}

/* ---- the model ---- */

static void put16(unsigned char *at, int value) {
    at[0] = (unsigned char)(value & 255);
    at[1] = (unsigned char)(value >> 8 & 255);
}

static void model_adds_weights_up(void **state) {
    (void)state;
    enum { MAGIC = sizeof YO_GO_MODEL_MAGIC - 1, HEAD = MAGIC + 2 * YO_GO_FEATURES };
    unsigned char bytes[HEAD + 12] = YO_GO_MODEL_MAGIC;
    struct yo_go_model *model = calloc(1, sizeof *model);
    struct yo_diag diag;
    struct yo_go_features features = {.id = {3, 5, 0xaabbccdd, 0x11223344, 0x55667788}, .count = 5};
    assert_non_null(model);
    put16(bytes + MAGIC + 2 * 3, 1024);
    put16(bytes + MAGIC + 2 * 5, -512);
    memcpy(bytes + HEAD, "\xdd\xcc\xbb\xaa\x00\x08\x44\x33\x22\x11\x00\xfc", 12);
    assert_int_equal(yo_go_model_read(model, bytes, sizeof bytes, &diag), YO_OK);
    assert_true(yo_go_model_score(model, &features) == 1 - 0.5f + 2 - 1);
    assert_int_equal(yo_go_model_read(model, bytes, sizeof bytes - 1, &diag), YO_ERR_PARSE);
    assert_int_equal(yo_go_model_read(model, bytes, HEAD - 1, &diag), YO_ERR_PARSE);
    memset(bytes + HEAD + 6, 0, 4);
    assert_int_equal(yo_go_model_read(model, bytes, sizeof bytes, &diag), YO_ERR_PARSE);
    bytes[0] = 'Y';
    assert_int_equal(yo_go_model_read(model, bytes, sizeof bytes, &diag), YO_ERR_PARSE);
    free(model);
}

/* The built-in model's chances of all moves, by point. */
static float chances(const struct yo_go_game *game, float *by_point) {
    struct yo_go_position position;
    yo_move moves[YO_GO_POINTS_MAX + 1];
    struct yo_prior priors[YO_GO_POINTS_MAX + 1];
    struct yo_uct_options options;
    float sum = 0;
    yo_go_position_from_game(game, &position);
    size_t count = yo_go_ops.moves(&position, moves);
    memset(priors, 0, sizeof priors);
    yo_uct_options_default(&options);
    struct yo_priors known = yo_go_priors(&options, NULL);
    known.estimate(known.ctx, &position, moves, count, priors);
    for (size_t i = 0; i < count; i++) {
        sum += priors[i].chance;
        if (moves[i] != YO_GO_PASS) by_point[moves[i]] = priors[i].chance;
    }
    return sum;
}

static void model_knows_plain_things(void **state) {
    (void)state;
    float by_point[YO_GO_POINTS_MAX] = {0};
    struct yo_go_game *game = diagram_game("........."
                                           "........."
                                           "..X......"
                                           ".....XO.."
                                           ".....XOX."
                                           "......X.."
                                           "..O......"
                                           "........."
                                           ".........",
                                           &yo_go_rules_default, YO_GO_BLACK);
    float sum = chances(game, by_point);
    assert_true(sum > 0.999f && sum < 1.001f);
    float atari = by_point[diagram_point(game, "G7")], edge = by_point[diagram_point(game, "A1")];
    assert_true(atari > 0.1f);
    assert_true(edge < 0.01f);
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_have_no_side),
        cmocka_unit_test(shapes_see_what_is_in_them),
        cmocka_unit_test(shapes_know_liberties_beside),
        cmocka_unit_test(strings_are_one_step),
        cmocka_unit_test(model_adds_weights_up),
        cmocka_unit_test(model_knows_plain_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
