/* What a shogi network sees: planes against the board asked square by square, both sides alike, and
 * moves that each have an entry of their own. */
#include "support/test.h"

#include <string.h>

#include "eval/net/shogi_features.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "support/shogi_random.h"

static const uint64_t all[2] = {~UINT64_C(0), ~UINT64_C(0)};

static bool has(uint64_t planes[][YO_SHOGI_PLANE_WORDS], int plane, int square) {
    return planes[plane][square / 64] >> (square % 64) & 1;
}

/* dlshogi's order of pieces. */
static const int order[14] = {
    YO_SHOGI_PAWN,       YO_SHOGI_LANCE,      YO_SHOGI_KNIGHT, YO_SHOGI_SILVER, YO_SHOGI_BISHOP,
    YO_SHOGI_ROOK,       YO_SHOGI_GOLD,       YO_SHOGI_KING,   YO_SHOGI_TOKIN,  YO_SHOGI_PRO_LANCE,
    YO_SHOGI_PRO_KNIGHT, YO_SHOGI_PRO_SILVER, YO_SHOGI_HORSE,  YO_SHOGI_DRAGON};
static const int own_order[14] = {
    YO_SHOGI_PAWN,       YO_SHOGI_LANCE,      YO_SHOGI_KNIGHT, YO_SHOGI_SILVER, YO_SHOGI_GOLD,
    YO_SHOGI_BISHOP,     YO_SHOGI_ROOK,       YO_SHOGI_KING,   YO_SHOGI_TOKIN,  YO_SHOGI_PRO_LANCE,
    YO_SHOGI_PRO_KNIGHT, YO_SHOGI_PRO_SILVER, YO_SHOGI_HORSE,  YO_SHOGI_DRAGON};

static void check_hands(const struct yo_shogi_position *pos, int side, const int *limits,
                        uint64_t planes[][YO_SHOGI_PLANE_WORDS], int plane) {
    for (int kind = YO_SHOGI_PAWN; kind <= YO_SHOGI_ROOK; kind++)
        for (int i = 0; i < limits[kind - 1]; i++, plane++)
            for (int square = 0; square < 81; square++)
                assert_int_equal(has(planes, plane, square),
                                 shogi_hand_count(pos->hands[side], kind) > i);
}

static void check_planes(const struct yo_shogi_position *pos) {
    static uint64_t dlshogi[YO_SHOGI_NET_DLSHOGI][2], pieces[YO_SHOGI_NET_PIECES][2];
    static const int few[] = {8, 4, 4, 4, 4, 2, 2}, many[] = {18, 4, 4, 4, 4, 2, 2};
    memset(dlshogi, 0, sizeof dlshogi);
    memset(pieces, 0, sizeof pieces);
    yo_shogi_features_dlshogi(pos, all, dlshogi);
    yo_shogi_features_pieces(pos, pieces);
    for (int own = 0; own < 2; own++) {
        int side = own ? pos->side ^ 1 : pos->side;
        for (int square = 0; square < 81; square++) {
            int seen = pos->side == YO_SHOGI_BLACK ? square : 80 - square;
            yo_bb attackers = shogi_attackers(pos, side, square, pos->kinds[YO_SHOGI_ANY]);
            int count = bb_count(attackers);
            for (int k = 0; k < 14; k++) {
                yo_shogi_piece piece = pos->board[square];
                bool here = piece && shogi_side(piece) == side && shogi_kind(piece) == order[k];
                bool own_here =
                    piece && shogi_side(piece) == side && shogi_kind(piece) == own_order[k];
                bool attacked = (attackers & shogi_pieces(pos, side, order[k])) != 0;
                assert_int_equal(has(dlshogi, own * 31 + k, seen), here);
                assert_int_equal(has(dlshogi, own * 31 + 14 + k, seen), attacked);
                assert_int_equal(has(pieces, own * 52 + k, seen), own_here);
            }
            for (int k = 0; k < 3; k++)
                assert_int_equal(has(dlshogi, own * 31 + 28 + k, seen), count > k);
            assert_int_equal(has(dlshogi, 118, square), shogi_in_check(pos));
        }
        check_hands(pos, side, few, dlshogi, 62 + own * 28);
        check_hands(pos, side, many, pieces, own * 52 + 14);
    }
    /* Planes that nobody reads cost nothing, and the others stay. */
    static uint64_t lean[YO_SHOGI_NET_DLSHOGI][2];
    uint64_t used[2] = {0x3fff, 0};
    memset(lean, 0, sizeof lean);
    yo_shogi_features_dlshogi(pos, used, lean);
    assert_memory_equal(lean, dlshogi, 14 * sizeof lean[0]);
    assert_int_equal(lean[20][0], 0);
}

static void check_moves(const struct yo_shogi_position *pos) {
    static bool taken[YO_SHOGI_NET_LABELS];
    yo_shogi_move moves[YO_SHOGI_MOVES_MAX];
    memset(taken, 0, sizeof taken);
    size_t count = yo_shogi_legal_moves(pos, moves);
    for (size_t i = 0; i < count; i++) {
        size_t index = yo_shogi_policy_index(pos, moves[i]);
        assert_true(index < YO_SHOGI_NET_LABELS);
        assert_false(taken[index]);
        taken[index] = true;
        int to = shogi_to(moves[i]);
        assert_int_equal(index % 81, pos->side == YO_SHOGI_BLACK ? to : 80 - to);
    }
}

static void random_positions(void **state) {
    (void)state;
    uint64_t random = 3;
    int checks = 0, hands = 0;
    for (int i = 0; i < 300; i++) {
        struct yo_shogi_position pos;
        if (i & 1)
            shogi_random_setup(&random, &pos);
        else
            shogi_random_game(&random, i, &pos);
        check_planes(&pos);
        check_moves(&pos);
        checks += shogi_in_check(&pos);
        hands += pos.hands[0] != 0;
    }
    assert_true(checks > 5 && hands > 100);
}

static void known_moves(void **state) {
    (void)state;
    static const struct {
        const char *sfen, *move;
        int label, square;
    } cases[] = {
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f", 0, 59},
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "2h7h", 3, 61},
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "3c3d", 0, 59},
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "8b3b", 3, 61},
        {"4k4/9/9/9/5N3/9/9/9/4K4 b G 1", "4e5c", 8, 38},
        {"4k4/9/9/9/5N3/9/9/9/4K4 b G 1", "4e5c+", 18, 38},
        {"4k4/9/9/9/5N3/9/9/9/4K4 b G 1", "4e3c", 9, 20},
        {"4k4/9/9/9/5N3/9/9/9/4K4 b G 1", "G*5b", 26, 37},
        {"4k4/9/9/9/5N3/9/9/9/4K4 b R 1", "R*5e", 25, 40},
        {"4k4/9/9/9/5N3/9/9/9/4K4 b B 1", "B*5e", 24, 40},
        {"4k4/9/9/9/9/9/9/9/4K4 w p 1", "P*5e", 20, 40},
        {"4k4/9/8B/9/9/9/9/9/4K4 b - 1", "1c3e+", 16, 22},
        {"4k4/9/8B/9/9/9/9/9/4K4 b - 1", "1c2b", 1, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move move;
        assert_int_equal(yo_shogi_sfen_parse(cases[i].sfen, &pos, NULL), YO_OK);
        assert_int_equal(yo_shogi_move_parse(cases[i].move, &move, NULL), YO_OK);
        size_t index = yo_shogi_policy_index(&pos, move);
        if (index != (size_t)(cases[i].label * 81 + cases[i].square))
            print_error("%s: %zu\n", cases[i].move, index);
        assert_int_equal(index, cases[i].label * 81 + cases[i].square);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_positions),
        cmocka_unit_test(known_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
