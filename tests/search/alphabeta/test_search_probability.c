/* Probabilities of moves: categories, learning, the file, the rule. */
#include "support/test.h"

#include <string.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "learn/probability.h"
#include "support/shogi_random.h"

static struct yo_shogi_position position(const char *sfen) {
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse(sfen, &pos, NULL), YO_OK);
    return pos;
}

static yo_shogi_move move_of(const char *text) {
    yo_shogi_move move;
    if (!text) return YO_SHOGI_NO_MOVE;
    assert_int_equal(yo_shogi_move_parse(text, &move, NULL), YO_OK);
    return move;
}

static void categories(void **unused) {
    (void)unused;
#define BIT(name) (UINT32_C(1) << YO_PROBABILITY_##name)
    static const struct {
        const char *sfen, *move, *last;
        uint32_t wanted;
    } rows[] = {
        {YO_SHOGI_START, "7g7f", NULL, BIT(PAWN_PUSH)},
        {YO_SHOGI_START, "3i4h", NULL, BIT(GENERAL_STEP)},
        {YO_SHOGI_START, "5i5h", NULL, BIT(KING_STEP)},
        {YO_SHOGI_START, "2h5h", NULL, BIT(OTHER)},
        /* a free rook; by a pawn that has just moved there it is taken back */
        {"4k4/9/9/4r4/4P4/9/9/9/4K4 b - 1", "5e5d", NULL, BIT(WINNING_CAPTURE)},
        {"4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", "5c5d", BIT(WINNING_CAPTURE) | BIT(RECAPTURE)},
        {"4k4/9/4g4/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", NULL, BIT(EVEN_CAPTURE) | BIT(THREAT)},
        {"4k4/4g4/4p4/4R4/9/9/9/9/4K4 b - 1", "5d5c", NULL, BIT(LOSING_CAPTURE)},
        {"4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a+", NULL,
         BIT(OTHER) | BIT(SAFE_CHECK) | BIT(PROMOTION)},
        {"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", NULL, BIT(UNSAFE_CHECK)},
        {"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*4c", NULL, BIT(DROP_ATTACK)},
        {"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5h", NULL, BIT(DROP_DEFENCE)},
        {"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*9e", NULL, BIT(DROP_OTHER)},
        {"4k4/9/9/9/9/p8/G8/9/4K4 b - 1", "9g8g", NULL, BIT(GENERAL_STEP) | BIT(ESCAPE)},
        {"4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "5i4i", NULL, BIT(STEP_ASIDE)},
        {"4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*5h", NULL, BIT(INTERPOSE)},
        {"4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*5f", NULL, BIT(INTERPOSE_LOSING)},
        {"4k4/9/9/9/9/9/9/4r4/4K4 b - 1", "5i5h", NULL, BIT(TAKE_CHECKER)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_position pos = position(rows[i].sfen);
        yo_shogi_move move = move_of(rows[i].move);
        assert_true(yo_shogi_move_is_sound(&pos, move));
        uint32_t got = yo_probability_categories(&pos, move, move_of(rows[i].last));
        if (got != rows[i].wanted)
            fail_msg("%s %s: %x, not %x", rows[i].sfen, rows[i].move, got, rows[i].wanted);
    }
}

static void every_move_has_a_category(void **unused) {
    (void)unused;
    uint64_t state = 3;
    for (int i = 0; i < 100; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move moves[YO_SHOGI_LIST];
        shogi_random_game(&state, (int)shogi_random(&state, 150), &pos);
        size_t count = yo_shogi_legal_moves(&pos, moves);
        for (size_t k = 0; k < count; k++) {
            uint32_t set = yo_probability_categories(&pos, moves[k], YO_SHOGI_NO_MOVE);
            assert_true(set != 0 && set >> YO_PROBABILITIES == 0);
        }
    }
}

static enum yo_err learn(struct yo_probability_table *t, const char *text, int skip,
                         struct yo_diag *diag) {
    return yo_probability_learn(t, text, strlen(text), "games", skip, diag);
}

static const char csa[] = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n";
static const char usi[] = "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n";

static void formats_say_the_same(void **unused) {
    (void)unused;
    struct yo_probability_table a = {0}, b = {0};
    assert_int_equal(learn(&a, csa, 0, NULL), YO_OK);
    assert_int_equal(learn(&b, usi, 0, NULL), YO_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(a.games, 1);
    assert_int_equal(a.positions, 4);
    assert_int_equal(a.played[YO_PROBABILITY_PAWN_PUSH], 2);
    assert_int_equal(a.played[YO_PROBABILITY_RECAPTURE], 1);
    assert_int_equal(a.seen[YO_PROBABILITY_RECAPTURE], 2); /* by the silver or the rook */
    assert_int_equal(a.played[YO_PROBABILITY_PROMOTION], 1);
    struct yo_probability_table later = {0};
    assert_int_equal(learn(&later, usi, 3, NULL), YO_OK);
    assert_int_equal(later.positions, 1);
    assert_int_equal(later.played[YO_PROBABILITY_PAWN_PUSH], 0);
}

static void order_does_not_matter(void **unused) {
    (void)unused;
    struct yo_probability_table a = {0}, b = {0};
    const char other[] = "# a comment\n\nposition startpos moves 2g2f 8c8d\r\n";
    assert_int_equal(learn(&a, csa, 0, NULL), YO_OK);
    assert_int_equal(learn(&a, other + 13, 0, NULL), YO_OK);
    assert_int_equal(learn(&b, other + 13, 0, NULL), YO_OK);
    assert_int_equal(learn(&b, csa, 0, NULL), YO_OK);
    assert_memory_equal(&a, &b, sizeof a);
}

static void bad_games_add_nothing(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *what;
        int line, column;
    } rows[] = {
        {"startpos moves 7g7f 7g7f\n", "7g7f is not a legal move", 1, 21},
        {"startpos moves 7g7f\nstartpos moves x\n", "x is not a legal move", 2, 16},
        {"sfen 9/9/9 b - 1 moves 7g7f\n", "", 1, -1},
        {"V2.2\nPI\n+\n+7775FU\n", "", 4, -1},
        {"nothing of the kind\n", "", -1, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_probability_table t = {0}, zero = {0};
        struct yo_diag diag = {0};
        assert_int_not_equal(learn(&t, rows[i].text, 0, &diag), YO_OK);
        assert_memory_equal(&t, &zero, sizeof t);
        assert_non_null(strstr(diag.what, rows[i].what));
        assert_true(diag.what[0] != '\0');
        if (rows[i].line >= 0) assert_int_equal(diag.line, rows[i].line);
        if (rows[i].column >= 0) assert_int_equal(diag.column, rows[i].column);
    }
}

static void a_table_is_read_as_it_was_written(void **unused) {
    (void)unused;
    struct yo_probability_table a = {0}, b = {0};
    struct yo_buf text = {0};
    learn(&a, csa, 0, NULL);
    yo_probability_settle(&a);
    yo_probability_write(&a, &text);
    assert_int_equal(yo_probability_parse(yo_buf_text(&text), "t", &b, NULL), YO_OK);
    assert_memory_equal(&a, &b, sizeof a);
    yo_buf_free(&text);
}

static void change(const char *text, const char *from, const char *to, struct yo_buf *out) {
    const char *at = strstr(text, from);
    assert_non_null(at);
    yo_buf_clear(out);
    yo_buf_add(out, text, (size_t)(at - text));
    yo_buf_str(out, to);
    yo_buf_str(out, at + strlen(from));
}

static void bad_tables_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *from, *to, *what;
        int line;
    } rows[] = {
        {"# yomi probability 1", "# something else", "no table", 1},
        {"\nrecapture,1", "\nrecaptures,1", "no category 'recaptures'", 4},
        {"\nrecapture,1,2", "\nrecapture,1", "expected", 4},
        {"\nrecapture,1,2", "\nrecapture,-1,2", "expected", 4},
        {"\nrecapture,1,2", "\nrecapture,1,2x", "expected", 4},
        {"\nrecapture,1,2", "\nrecapture,3,2", "more often than seen", 4},
        {"\nrecapture,1,2", "", "'recapture' is missing", -1},
        {"\nwinning-capture", "\nrecapture", "twice", 5},
    };
    struct yo_probability_table a = {0}, b = {.games = 7};
    struct yo_buf text = {0}, bad = {0};
    learn(&a, csa, 0, NULL);
    yo_probability_write(&a, &text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_diag diag = {0};
        change(yo_buf_text(&text), rows[i].from, rows[i].to, &bad);
        assert_int_equal(yo_probability_parse(yo_buf_text(&bad), "t", &b, &diag), YO_ERR_PARSE);
        if (!strstr(diag.what, rows[i].what)) fail_msg("%s: %s", rows[i].what, diag.what);
        if (rows[i].line >= 0) assert_int_equal(diag.line, rows[i].line);
        assert_int_equal(b.games, 7);
    }
    struct yo_diag diag = {0};
    assert_int_equal(yo_probability_load("/nowhere/table", &b, &diag), YO_ERR_IO);
    yo_buf_free(&text);
    yo_buf_free(&bad);
}

/* Likelier moves cost less, and the likeliest category of a move counts. */
static void costs_follow_probabilities(void **unused) {
    (void)unused;
    struct yo_probability_table t = {0};
    for (int i = 0; i < YO_PROBABILITIES; i++)
        t.seen[i] = 1000;
    t.played[YO_PROBABILITY_RECAPTURE] = 600;
    t.played[YO_PROBABILITY_WINNING_CAPTURE] = 200;
    t.played[YO_PROBABILITY_PAWN_PUSH] = 125; /* an eighth: a ply */
    yo_probability_settle(&t);
    struct yo_ab_rule rule = yo_probability_rule(&t);
    assert_int_equal(t.costs[YO_PROBABILITY_PAWN_PUSH], YO_AB_PLY);
    assert_true(t.costs[YO_PROBABILITY_RECAPTURE] < t.costs[YO_PROBABILITY_WINNING_CAPTURE]);
    assert_true(t.costs[YO_PROBABILITY_OTHER] > 3 * YO_AB_PLY);
    struct yo_shogi_position pos = position("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1");
    struct yo_ab_choice choice = {.pos = &pos, .move = move_of("5e5d"), .last = move_of("5c5d")};
    assert_int_equal(rule.cost(&rule, &choice), t.costs[YO_PROBABILITY_RECAPTURE]);
    choice.last = YO_SHOGI_NO_MOVE;
    assert_int_equal(rule.cost(&rule, &choice), t.costs[YO_PROBABILITY_WINNING_CAPTURE]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(categories),
        cmocka_unit_test(every_move_has_a_category),
        cmocka_unit_test(formats_say_the_same),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(bad_games_add_nothing),
        cmocka_unit_test(a_table_is_read_as_it_was_written),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(costs_follow_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
