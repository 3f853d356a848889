/* The mate solver against a plain search of all checks and answers. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "search/mate/dfpn.h"
#include "search/mate/hand.h"
#include "search/mate/internal.h"
#include "support/shogi_random.h"

static struct yo_dfpn *solver;
static struct yo_dfpn_answer answer;

static int set_up(void **unused) {
    (void)unused;
    return yo_dfpn_new(1, &solver) == YO_OK ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_dfpn_delete(solver);
    return 0;
}

static struct yo_shogi_position position(const char *sfen) {
    struct yo_shogi_position pos;
    struct yo_diag diag;
    if (yo_shogi_sfen_parse(sfen, &pos, &diag) != YO_OK) fail_msg("%s: %s", sfen, diag.what);
    return pos;
}

/* The line is legal, every move of the attacker checks, and the end is mate. */
static void assert_mates(const struct yo_shogi_position *root) {
    struct yo_shogi_position pos = *root;
    assert_true(answer.length % 2 == 1);
    for (size_t i = 0; i < answer.length; i++) {
        assert_true(yo_shogi_move_is_sound(&pos, answer.line[i]));
        yo_shogi_play(&pos, answer.line[i]);
        if (i % 2 == 0) assert_true(shogi_in_check(&pos));
    }
    assert_false(yo_shogi_can_move(&pos));
}

/* ---- The plain search ---- */

static bool plain_mate(const struct yo_shogi_position *pos, int plies) {
    yo_shogi_move checks[YO_SHOGI_LIST], answers[YO_SHOGI_LIST];
    size_t count = plies > 0 ? yo_shogi_checks(pos, checks) : 0;
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = *pos;
        yo_shogi_play(&next, checks[i]);
        size_t answer_count = yo_shogi_legal_moves(&next, answers);
        bool mates = true;
        for (size_t k = 0; k < answer_count && mates; k++) {
            struct yo_shogi_position after = next;
            yo_shogi_play(&after, answers[k]);
            mates = plain_mate(&after, plies - 2);
        }
        if (mates) return true;
    }
    return false;
}

static void shortest_mates_agree(void **unused) {
    (void)unused;
    uint64_t state = 23;
    int found[6] = {0};
    for (int i = 0; i < 5000; i++) {
        struct yo_shogi_position pos;
        shogi_random_setup(&state, &pos);
        /* Few pieces: the plain search must come to an end. */
        if (pos.king[pos.side ^ 1] == YO_SHOGI_NO_SQUARE) continue;
        yo_shogi_move checks[YO_SHOGI_LIST];
        if (yo_shogi_checks(&pos, checks) > 12) continue;
        int plain = plain_mate(&pos, 1) ? 1 : plain_mate(&pos, 3) ? 3 : 0;
        struct yo_dfpn_limits limits = {.plies = 3, .shortest = YO_DFPN_ALL_COUNTS};
        yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
        char sfen[YO_SHOGI_SFEN_MAX];
        if ((answer.result == YO_DFPN_MATE) != (plain > 0) || answer.result == YO_DFPN_UNKNOWN)
            fail_msg("%s: mate in %d", yo_shogi_sfen_format(&pos, sfen), plain);
        if (!plain) continue;
        if ((int)answer.length != plain)
            fail_msg("%s: %zu plies, not %d", yo_shogi_sfen_format(&pos, sfen), answer.length,
                     plain);
        assert_mates(&pos);
        found[plain]++;
    }
    if (found[1] < 5 || found[3] < 5) fail_msg("%d %d", found[1], found[3]);
}

/* Without a limit of plies: never "no mate" where the plain search finds one, and every mate real.
 */
static void endless_search_is_right(void **unused) {
    (void)unused;
    uint64_t state = 29;
    int mates = 0, none = 0;
    for (int i = 0; i < 2500; i++) {
        struct yo_shogi_position pos;
        shogi_random_setup(&state, &pos);
        if (pos.king[pos.side ^ 1] == YO_SHOGI_NO_SQUARE) continue;
        yo_shogi_move checks[YO_SHOGI_LIST];
        if (yo_shogi_checks(&pos, checks) > 8) continue;
        struct yo_dfpn_limits limits = {.nodes = 20000};
        yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
        if (answer.result == YO_DFPN_MATE) {
            mates++;
            assert_mates(&pos);
        } else if (answer.result == YO_DFPN_NO_MATE) {
            none++;
            char sfen[YO_SHOGI_SFEN_MAX];
            if (plain_mate(&pos, 3)) fail_msg("%s", yo_shogi_sfen_format(&pos, sfen));
        }
    }
    if (mates < 8 || none < 150) fail_msg("%d %d", mates, none);
}

/* ---- The hands for which proofs and disproofs are kept ---- */

/* The attacker has this instead, and the defender all the rest. */
static struct yo_shogi_position with_hand(const struct yo_shogi_position *pos, yo_shogi_hand hand) {
    struct yo_shogi_position other = *pos;
    int us = pos->side;
    for (int kind = YO_SHOGI_PAWN; kind <= YO_SHOGI_ROOK; kind++) {
        int more = shogi_hand_count(hand, kind) - shogi_hand_count(pos->hands[us], kind);
        yo_shogi_position_give(&other, us, kind, more);
        yo_shogi_position_give(&other, us ^ 1, kind, -more);
    }
    return other;
}

/* A king near the edge, pieces that check from afar, and so little in the hands that often one side
 * has all there is of a kind. */
static bool sparse_setup(uint64_t *state, struct yo_shogi_position *pos) {
    static const int far[] = {YO_SHOGI_ROOK,  YO_SHOGI_BISHOP, YO_SHOGI_LANCE, YO_SHOGI_HORSE,
                              YO_SHOGI_TOKIN, YO_SHOGI_GOLD,   YO_SHOGI_DRAGON};
    static const int held[] = {YO_SHOGI_PAWN, YO_SHOGI_GOLD, YO_SHOGI_KNIGHT};
    yo_shogi_position_clear(pos);
    yo_shogi_position_put(pos, (int)shogi_random(state, 9) * 9 + (int)shogi_random(state, 2),
                          shogi_piece(YO_SHOGI_WHITE, YO_SHOGI_KING));
    for (uint32_t i = 2 + shogi_random(state, 3); i > 0; i--) {
        int square = (int)shogi_random(state, YO_SHOGI_SQUARES);
        int side = shogi_random(state, 4) ? YO_SHOGI_BLACK : YO_SHOGI_WHITE;
        if (pos->board[square]) return false;
        yo_shogi_position_put(pos, square, shogi_piece(side, far[shogi_random(state, 7)]));
    }
    for (int i = 0; i < 3; i++)
        yo_shogi_position_give(pos, (int)shogi_random(state, 2), held[i], 1);
    return yo_shogi_position_settle(pos, YO_SHOGI_BLACK, NULL) == YO_OK;
}

static void kept_hands_hold(void **unused) {
    (void)unused;
    uint64_t state = 37;
    int less = 0, more = 0;
    for (int i = 0; i < 9000; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move checks[YO_SHOGI_LIST];
        bool sparse = i % 4 != 0;
        if (!sparse) shogi_random_setup(&state, &pos);
        if (sparse && !sparse_setup(&state, &pos)) continue;
        if (pos.king[pos.side ^ 1] == YO_SHOGI_NO_SQUARE || yo_shogi_checks(&pos, checks) > 12)
            continue;
        struct yo_dfpn_limits limits = {.plies = i % 3 ? 3 : 0, .nodes = 5000};
        yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
        if (answer.result == YO_DFPN_UNKNOWN) continue;
        yo_shogi_hand hand = pos.hands[pos.side];
        struct dfpn_entry e = yo_dfpn_table_find(&solver->table, pos.board_key, hand, 0,
                                                 limits.plies ? 3 : DFPN_ENDLESS);
        bool mate = answer.result == YO_DFPN_MATE;
        if (e.hand == hand || (mate && e.distance > 3)) continue;
        struct yo_shogi_position other = with_hand(&pos, e.hand);
        char sfen[YO_SHOGI_SFEN_MAX];
        if (plain_mate(&other, mate ? e.distance : 3) != mate)
            fail_msg("%s", yo_shogi_sfen_format(&other, sfen));
        *(mate ? &less : &more) += 1;
    }
    if (less < 100 || more < 100) fail_msg("too few to tell: %d %d", less, more);
}

static void hands_add_up(void **unused) {
    (void)unused;
    uint64_t state = 41;
    for (int i = 0; i < 10000; i++) {
        yo_shogi_hand a = 0, b = 0, least = 0, most = 0;
        yo_shogi_hand present = 0; /* of b, where a has any */
        for (int kind = YO_SHOGI_PAWN; kind <= YO_SHOGI_ROOK; kind++) {
            int up_to = kind == YO_SHOGI_PAWN ? 19 : kind < YO_SHOGI_BISHOP ? 5 : 3;
            uint32_t x = shogi_random(&state, (uint32_t)up_to), one = shogi_hand_one(kind);
            uint32_t y = shogi_random(&state, (uint32_t)up_to);
            a += x * one;
            b += y * one;
            least += (x < y ? x : y) * one;
            most += (x > y ? x : y) * one;
            if (x) present += y * one;
        }
        assert_int_equal(dfpn_hand_min(a, b), least);
        assert_int_equal(dfpn_hand_max(a, b), most);
        assert_int_equal(b & dfpn_hand_present(a), present);
    }
}

/* ---- Known ones ---- */

static void known_positions(void **unused) {
    (void)unused;
    static const struct {
        const char *sfen;
        enum yo_dfpn_result result;
        size_t plies;
    } rows[] = {
        {"4k4/9/4P4/9/9/9/9/9/9 b G 1", YO_DFPN_MATE, 1},
        /* The pawn that mates may not be dropped. */
        {"7lk/9/8S/9/9/9/9/7L1/8K b P 1", YO_DFPN_NO_MATE, 0},
        {"4k4/9/9/9/9/9/9/9/4K4 b - 1", YO_DFPN_NO_MATE, 0},
        /* A rook alone can check for ever. */
        {"4k4/9/9/9/9/9/9/9/R3K4 b - 1", YO_DFPN_NO_MATE, 0},
        {"8k/9/8+P/9/9/9/9/9/9 b R 1", YO_DFPN_MATE, 1},
        {"7k1/9/7P1/9/9/9/9/9/9 b 2G 1", YO_DFPN_MATE, 1},
        {"6k2/9/6P2/9/9/9/9/9/9 b RG 1", YO_DFPN_MATE, 1},
        {"7nl/8k/7pp/9/9/9/9/9/9 b GS 1", YO_DFPN_NO_MATE, 0},
        /* Checks from afar in circles: numbers that drive each other up must not end the search. */
        {"9/4+B2k1/9/9/9/8B/9/9/9 b GSg9p 1", YO_DFPN_NO_MATE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_position pos = position(rows[i].sfen);
        struct yo_dfpn_limits limits = {.shortest = YO_DFPN_ALL_COUNTS, .nodes = 1000000};
        yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
        if (answer.result != rows[i].result || answer.length != rows[i].plies)
            fail_msg("%s: result %d, %zu plies", rows[i].sfen, (int)answer.result, answer.length);
        if (answer.result == YO_DFPN_MATE) assert_mates(&pos);
    }
}

/* Long lines of checks beside a mate in 11: a search of any length alone does not find it in
 * 500,000 nodes. */
static void long_lines_do_not_starve_it(void **unused) {
    (void)unused;
    struct yo_shogi_position pos =
        position("l1k4+Pl/5+N3/1+r+B2pp1p/p4b1N1/2P2N2P/P1l1pPPs1/4P4/6R2/4g1K1L b 3G3SN6P 151");
    struct yo_dfpn_limits limits = {.nodes = 200000};
    yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
    assert_int_equal(answer.result, YO_DFPN_MATE);
    assert_mates(&pos);
}

static void limits_are_kept(void **unused) {
    (void)unused;
    struct yo_shogi_position pos =
        position("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1");
    struct yo_dfpn_limits limits = {.nodes = 3};
    yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
    assert_int_equal(answer.result, YO_DFPN_UNKNOWN);
    assert_true(answer.nodes <= 5);
    atomic_bool stop = true;
    limits.nodes = 0;
    yo_dfpn_solve(solver, &pos, &limits, &stop, &answer);
    assert_true(answer.nodes < 3000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_mates_agree), cmocka_unit_test(endless_search_is_right),
        cmocka_unit_test(kept_hands_hold),      cmocka_unit_test(hands_add_up),
        cmocka_unit_test(known_positions),      cmocka_unit_test(long_lines_do_not_starve_it),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
