/* What a position remembers of the moves before it, against a record of the game. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/go/game_ops.h"
#include "game/go/state.h"

#define MOVES_MAX 200

struct past {
    uint8_t color[MOVES_MAX + 1][YO_GO_POINTS_MAX + 1];
    yo_go_point ko[MOVES_MAX + 1], move[MOVES_MAX];
    int count, ahead;
};

static void check(const struct yo_go_position *pos, const struct past *past) {
    uint8_t color[YO_GO_POINTS_MAX + 1];
    yo_go_point known[YO_GO_TURNS] = {pos->last, pos->before, pos->earlier[0], pos->earlier[1],
                                      pos->earlier[2]};
    int turns = past->count < YO_GO_TURNS ? past->count : YO_GO_TURNS;
    assert_int_equal(pos->turns, turns);
    assert_int_equal(pos->stones_ahead, past->ahead);
    for (int i = 0; i < YO_GO_TURNS; i++)
        assert_int_equal(known[i], i < turns ? past->move[past->count - 1 - i] : YO_GO_NONE);
    for (int ago = 0; ago <= 2 && ago <= turns; ago++) {
        yo_go_position_colors(pos, ago, color);
        assert_memory_equal(color, past->color[past->count - ago], sizeof color);
        if (ago > 0) assert_int_equal(pos->ko_was[ago - 1], past->ko[past->count - ago]);
    }
}

static void note(const struct yo_go_game *game, struct past *past) {
    memcpy(past->color[past->count], game->board.color, sizeof game->board.color);
    past->ko[past->count] = game->board.ko;
}

static yo_go_point random_move(const struct yo_go_game *game) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (int tries = 0; tries < 30; tries++) {
        yo_go_point move = (yo_go_point)(rand() % points);
        if (yo_go_game_legal(game, yo_go_game_to_move(game), move)) return move;
    }
    return YO_GO_PASS;
}

/* A position that is played on and one made from the game say the same; suicide is among it. */
static void remembers(void **state) {
    (void)state;
    static struct past past;
    static struct yo_go_position pos, made;
    struct yo_go_rules rules = yo_go_rules_default;
    rules.suicide = true;
    srand(5);
    for (int round = 0; round < 40; round++) {
        struct yo_go_game *game;
        assert_int_equal(yo_go_game_new(2 + round % 8, &rules, &game), YO_OK);
        past.count = past.ahead = 0;
        note(game, &past);
        yo_go_position_from_game(game, &pos);
        check(&pos, &past);
        while (past.count < MOVES_MAX) {
            yo_go_point move = random_move(game);
            enum yo_go_color by = yo_go_game_to_move(game);
            if (move != YO_GO_PASS) past.ahead += by == YO_GO_BLACK ? 1 : -1;
            past.move[past.count++] = move;
            assert_int_equal(yo_go_game_play(game, by, move, NULL), YO_OK);
            yo_go_position_play(&pos, move);
            note(game, &past);
            check(&pos, &past);
            yo_go_position_from_game(game, &made);
            check(&made, &past);
        }
        yo_go_game_delete(game);
    }
}

/* Moves by the same side in a row are no turns. */
static void two_in_a_row(void **state) {
    (void)state;
    static struct yo_go_position pos;
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(9, NULL, &game), YO_OK);
    yo_go_game_play(game, YO_GO_BLACK, 1, NULL);
    yo_go_game_play(game, YO_GO_BLACK, 2, NULL);
    yo_go_game_play(game, YO_GO_WHITE, 3, NULL);
    yo_go_position_from_game(game, &pos);
    assert_int_equal(pos.turns, 2);
    assert_int_equal(pos.stones_ahead, 1);
    yo_go_position_play(&pos, 4);
    assert_int_equal(pos.turns, 3);
    yo_go_game_set_to_move(game, YO_GO_WHITE);
    yo_go_position_from_game(game, &pos);
    assert_int_equal(pos.turns, 0);
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remembers),
        cmocka_unit_test(two_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
