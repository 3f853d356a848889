/* What ends a game, and what a position may be. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/shogi/game.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

static struct yo_shogi_past first;

static void begin(struct yo_shogi_state *state, const char *sfen,
                  const struct yo_shogi_rules *rules) {
    struct yo_shogi_position pos;
    struct yo_diag diag;
    if (yo_shogi_sfen_parse(sfen, &pos, &diag) != YO_OK) fail_msg("%s: %s", sfen, diag.what);
    yo_shogi_state_init(state, &pos, rules, &first);
}

/* Plays moves separated by spaces through the table, as a search would. */
static void play(struct yo_shogi_state *state, const char *moves) {
    char text[1024], *rest = text, *word;
    snprintf(text, sizeof text, "%s", moves);
    while ((word = strsep(&rest, " "))) {
        yo_move move;
        struct yo_diag diag;
        if (yo_shogi_ops.parse(state, word, &move, &diag) != YO_OK) fail_msg("%s", diag.what);
        yo_shogi_ops.play(state, move);
    }
}

/* ---- Repetition ---- */

static void fourth_time_is_a_draw(void **unused) {
    (void)unused;
    struct yo_shogi_state state;
    begin(&state, YO_SHOGI_START, &yo_shogi_rules_default);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
        play(&state, "2h3h 8b7b 3h2h 7b8b");
    }
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_DRAW);
    yo_move moves[YO_SHOGI_MOVES_MAX];
    assert_int_equal(yo_shogi_ops.moves(&state, moves), 0);
    assert_int_equal(yo_shogi_state_repetition(&state, 1), YO_OUTCOME_DRAW);
}

static void perpetual_check_loses(void **unused) {
    (void)unused;
    struct yo_shogi_state state;
    begin(&state, "4k4/9/9/9/9/9/9/9/R3K4 b - 1", &yo_shogi_rules_default);
    play(&state, "9i9a");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
        play(&state, "5a5b 9a9b 5b5a 9b9a");
    }
    /* White is to move, and Black has done nothing but check. */
    assert_int_equal(state.position.side, YO_SHOGI_WHITE);
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_SECOND);
}

static void perpetual_check_loses_on_the_evaders_move(void **unused) {
    (void)unused;
    struct yo_shogi_state state;
    begin(&state, "R8/4k4/9/9/9/9/9/9/4K4 b - 1", &yo_shogi_rules_default);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
        play(&state, "9a9b 5b5a 9b9a 5a5b");
    }
    assert_int_equal(state.position.side, YO_SHOGI_BLACK);
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_SECOND);
}

static void white_may_chase_too(void **unused) {
    (void)unused;
    struct yo_shogi_state state;
    begin(&state, "4k4/9/9/9/9/9/9/4K4/r8 w - 1", &yo_shogi_rules_default);
    for (int i = 0; i < 3; i++)
        play(&state, "9i9h 5h5i 9h9i 5i5h");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_FIRST);
}

static void one_quiet_move_makes_it_a_draw(void **unused) {
    (void)unused;
    struct yo_shogi_state state;
    begin(&state, "R8/4k4/9/9/9/9/9/9/4K4 b - 1", &yo_shogi_rules_default);
    play(&state, "9a9b 5b5a 9b9a 5a5b");
    play(&state, "9a8a 5b5c 8a9a 5c5b");
    play(&state, "9a9b 5b5a 9b9a 5a5b");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_DRAW);
}

/* The board comes back each time, the hands do not. */
static void other_hands_make_another_position(void **unused) {
    (void)unused;
    struct yo_shogi_state state;
    begin(&state, "4k4/9/9/9/9/9/9/9/R3K4 b 3p 1", &yo_shogi_rules_default);
    for (int i = 0; i < 3; i++) {
        play(&state, "9i9h P*9b 9h9b 5a4a 9b9i 4a5a");
        assert_int_equal(yo_shogi_state_repetition(&state, 1), YO_OUTCOME_NONE);
    }
    play(&state, "9i9h 5a4a 9h9i 4a5a");
    assert_int_equal(yo_shogi_state_repetition(&state, 1), YO_OUTCOME_DRAW);
    assert_int_equal(yo_shogi_state_repetition(&state, 2), YO_OUTCOME_NONE);
}

/* Longer than what a state remembers, and the game before it still counts. */
static void the_game_before_the_root_counts(void **unused) {
    (void)unused;
    struct yo_shogi_state state;
    begin(&state, YO_SHOGI_START, &yo_shogi_rules_default);
    play(&state, "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b");
    struct yo_shogi_past game[9] = {first};
    memcpy(game + 1, state.recent, 8 * sizeof *game);
    state.game = game;
    state.game_count = 9;
    state.played = 0;
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
    play(&state, "2h3h 8b7b 3h2h 7b8b");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_DRAW);
}

/* ---- Declaration ---- */

static bool declares(const char *sfen, const char *rule) {
    struct yo_shogi_position pos;
    struct yo_shogi_rules rules = yo_shogi_rules_default;
    struct yo_diag diag;
    if (yo_shogi_sfen_parse(sfen, &pos, &diag) != YO_OK) fail_msg("%s: %s", sfen, diag.what);
    assert_int_equal(yo_shogi_entering_parse(rule, &rules, &diag), YO_OK);
    return yo_shogi_can_declare(&pos, &rules);
}

static void declaration_counts_points(void **unused) {
    (void)unused;
    const char *black_28 = "4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b RBR3P 1"; /* 10 + 15 + 3 */
    const char *black_27 = "4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b RBR2P 1";
    const char *white_27 = "4K4/9/9/9/9/9/g8/ppppppppp/4k4 w rbr2p 1";
    const char *white_26 = "4K4/9/9/9/9/9/g8/ppppppppp/4k4 w rbrp 1";
    assert_true(declares(black_28, "27"));
    assert_false(declares(black_27, "27"));
    assert_true(declares(white_27, "CSARule27"));
    assert_false(declares(white_26, "27"));
    assert_false(declares(black_28, "24"));
    assert_true(declares("4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b RBR6P 1", "csarule24"));
    assert_false(declares("4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b RBR5P 1", "24"));
    assert_false(declares(black_28, "none"));
}

static void declaration_needs_more_than_points(void **unused) {
    (void)unused;
    /* The king outside, nine pieces inside, check, the other side's turn. */
    assert_false(declares("9/PPPPPPPPP/G8/4K4/9/9/9/9/4k4 b RBR3P 1", "27"));
    assert_false(declares("4K4/PPPPPPPPP/9/9/9/9/9/9/4k4 b RBR9P 1", "27"));
    assert_false(declares("4K3r/PPPPPPPPP/G8/9/9/9/9/9/4k4 b R2B3P 1", "27"));
    assert_false(declares("4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 w RBR3P 1", "27"));
    assert_false(declares("9/PPPPPPPPP/G8/9/9/9/9/9/4k4 b RBR3P 1", "27"));
}

static void promoted_great_pieces_count_five(void **unused) {
    (void)unused;
    assert_true(declares("4K4/+P+P+P+P+P+P+P+P1/+R+B7/9/9/9/9/9/4k4 b R5P 1", "27")); /* 8+10+10 */
    assert_false(declares("4K4/+P+P+P+P+P+P+P+P1/+R+B7/9/9/9/9/9/4k4 b R4P 1", "27"));
}

/* A rook is missing: White's 22 points become 27. */
static void handicap_points(void **unused) {
    (void)unused;
    const char *enough = "4K4/9/9/9/9/9/g8/ppppppppp/4k4 w R2B3L9P3g4s4nl 1";
    const char *one_less = "4K4/9/9/9/9/9/g8/ppppppppp/4k4 w R2B4L9P3g4s4n 1";
    assert_false(declares(enough, "27"));
    assert_true(declares(enough, "CSARule27H"));
    assert_false(declares(one_less, "CSARule27H"));
}

static void try_rule(void **unused) {
    (void)unused;
    struct yo_shogi_rules rules = {.entering = YO_SHOGI_ENTER_TRY};
    struct yo_shogi_state state;
    begin(&state, "9/4K4/9/9/9/9/9/9/k8 b - 1", &rules);
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
    play(&state, "5b5a");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_FIRST);
    begin(&state, "9/4K4/9/9/9/9/9/9/k8 b - 1", &yo_shogi_rules_default);
    play(&state, "5b5a");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
}

static void unknown_rule(void **unused) {
    (void)unused;
    struct yo_shogi_rules rules = yo_shogi_rules_default;
    struct yo_diag diag;
    assert_int_equal(yo_shogi_entering_parse("28", &rules, &diag), YO_ERR_UNKNOWN);
    assert_int_equal(rules.entering, YO_SHOGI_ENTER_27);
}

/* ---- Length and mate ---- */

static void length_ends_it(void **unused) {
    (void)unused;
    struct yo_shogi_rules rules = {.max_moves = 2};
    struct yo_shogi_state state;
    begin(&state, YO_SHOGI_START, &rules);
    play(&state, "7g7f");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
    play(&state, "3c3d");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_DRAW);
}

static void mate_goes_before_length(void **unused) {
    (void)unused;
    struct yo_shogi_rules rules = {.max_moves = 1};
    struct yo_shogi_state state;
    begin(&state, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &rules);
    play(&state, "G*5b");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_FIRST);
}

/* ---- Moves and positions in words ---- */

static void illegal_moves_are_refused(void **unused) {
    (void)unused;
    static const char *const moves[] = {"7g7e", "5i5h+",  "P*5e", "1a1a", "7g",  "",
                                        "K*5e", "7g7f++", "p*5e", "0g7f", "8h3c"};
    struct yo_shogi_state state;
    begin(&state, YO_SHOGI_START, &yo_shogi_rules_default);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        yo_move move = YO_MOVE_NONE;
        struct yo_diag diag = {0};
        assert_int_not_equal(yo_shogi_ops.parse(&state, moves[i], &move, &diag), YO_OK);
        assert_true(diag.what[0] && move == YO_MOVE_NONE);
    }
}

static void positions_that_cannot_be(void **unused) {
    (void)unused;
    static const struct {
        const char *sfen, *what;
    } rows[] = {
        {"P8/9/9/9/9/9/9/9/9 b - 1", "pawn on 9a can never move"},
        {"9/9/9/9/9/9/9/n8/9 w - 1", "knight on 9h can never move"},
        {"9/9/9/9/P8/P8/9/9/9 b - 1", "two pawns in file 9"},
        {"KK7/9/9/9/9/9/9/9/9 b - 1", "Black has two kings"},
        {"k8/R8/9/9/9/9/9/9/9 b - 1", "not to move is in check"},
        {"RRR6/9/9/9/9/9/9/9/9 b - 1", "3 rooks"},
        {"9/9/9/9/9/9/9/9/9 b 3r 1", "more pieces in hand"},
        {"9/9/9/9/9/9/9/9 b - 1", "ends with '/'"},
        {"9/9/9/9/9/9/9/9/91 b - 1", "side to move"},
        {"9/9/9/9/9/9/9/9/8", "no piece"},
        {"9/9/9/9/9/9/9/9/9 x - 1", "b or w"},
        {"9/9/9/9/9/9/9/9/9 b", "pieces in hand are missing"},
        {"9/9/9/9/9/9/9/9/9 b 2k 1", "can be in hand"},
        {"9/9/9/9/9/9/9/9/+G8 b - 1", "does not promote"},
        {"9/9/9/9/9/9/9/9/9 b - 1 moves", "nothing is expected"},
        {"9/9/9/9/9/9/9/9/9 b - 99999999999", "too large"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_position pos;
        struct yo_diag diag = {0};
        assert_int_not_equal(yo_shogi_sfen_parse(rows[i].sfen, &pos, &diag), YO_OK);
        if (!strstr(diag.what, rows[i].what)) fail_msg("%s: %s", rows[i].sfen, diag.what);
    }
}

static void hands_compare(void **unused) {
    (void)unused;
    struct yo_shogi_position a, b;
    yo_shogi_sfen_parse("9/9/9/9/9/9/9/9/9 b R2G18P 1", &a, NULL);
    yo_shogi_sfen_parse("9/9/9/9/9/9/9/9/9 b RG17P 1", &b, NULL);
    assert_true(shogi_hand_covers(a.hands[0], b.hands[0]));
    assert_false(shogi_hand_covers(b.hands[0], a.hands[0]));
    assert_true(shogi_hand_covers(a.hands[0], a.hands[0]));
    yo_shogi_sfen_parse("9/9/9/9/9/9/9/9/9 b N 1", &b, NULL);
    assert_false(shogi_hand_covers(a.hands[0], b.hands[0]));
}

/* A search that begins with a game knows its past and its rules. */
static void a_state_of_a_game_has_its_past(void **unused) {
    (void)unused;
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    struct yo_shogi_game *game, *copy;
    struct yo_shogi_state state;
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    game->rules.max_moves = 11;
    for (int i = 0; i < 11; i++) {
        yo_shogi_move move;
        assert_int_equal(yo_shogi_move_parse(moves[i % 4], &move, NULL), YO_OK);
        assert_int_equal(yo_shogi_game_play(game, move, NULL), YO_OK);
        yo_shogi_ops.from_game(game, &state);
        assert_int_equal(yo_shogi_ops.outcome(&state), i < 10 ? YO_OUTCOME_NONE : YO_OUTCOME_DRAW);
    }
    /* The next move would make the first position a fourth time, if the length had not ended it. */
    assert_int_equal(yo_shogi_game_copy(game, &copy), YO_OK);
    assert_int_equal(copy->rules.max_moves, 11);
    copy->rules.max_moves = 0;
    yo_shogi_ops.from_game(copy, &state);
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_NONE);
    play(&state, "7b8b");
    assert_int_equal(yo_shogi_ops.outcome(&state), YO_OUTCOME_DRAW);
    yo_shogi_game_delete(copy);
    yo_shogi_game_delete(game);
}

/* As a damaged file of games may have them: no letter of a piece is looked up beyond the last. */
static void numbers_that_are_no_moves_have_a_text(void **state) {
    (void)state;
    char text[YO_SHOGI_MOVE_TEXT];
    for (unsigned number = 1; number < 0x8000; number++) {
        yo_shogi_move move = (yo_shogi_move)number;
        bool known = shogi_to(move) < YO_SHOGI_SQUARES && shogi_dropped(move) < YO_SHOGI_KING;
        yo_shogi_move_format(move, text);
        if (known)
            assert_true(text[0] >= '1' && text[0] <= 'S');
        else
            assert_int_equal(strtoul(text, NULL, 16), number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fourth_time_is_a_draw),
        cmocka_unit_test(perpetual_check_loses),
        cmocka_unit_test(perpetual_check_loses_on_the_evaders_move),
        cmocka_unit_test(white_may_chase_too),
        cmocka_unit_test(one_quiet_move_makes_it_a_draw),
        cmocka_unit_test(other_hands_make_another_position),
        cmocka_unit_test(the_game_before_the_root_counts),
        cmocka_unit_test(declaration_counts_points),
        cmocka_unit_test(declaration_needs_more_than_points),
        cmocka_unit_test(promoted_great_pieces_count_five),
        cmocka_unit_test(handicap_points),
        cmocka_unit_test(try_rule),
        cmocka_unit_test(unknown_rule),
        cmocka_unit_test(length_ends_it),
        cmocka_unit_test(mate_goes_before_length),
        cmocka_unit_test(illegal_moves_are_refused),
        cmocka_unit_test(numbers_that_are_no_moves_have_a_text),
        cmocka_unit_test(positions_that_cannot_be),
        cmocka_unit_test(hands_compare),
        cmocka_unit_test(a_state_of_a_game_has_its_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
