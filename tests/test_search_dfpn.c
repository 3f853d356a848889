/* The mate solver against a plain search of all checks and answers. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "search/dfpn.h"
#include "search/dfpn_table.h"
#include "shogi_random.h"

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

/* The latest guess is what is found, whatever else was said of the position in between. */
static void guesses_are_not_found_again(void **unused) {
    (void)unused;
    struct dfpn_table table;
    assert_int_equal(yo_dfpn_table_init(&table, 1), YO_OK);
    const struct dfpn_entry says[] = {
        {.board = 7, .hand = 1, .pn = DFPN_INFINITE, .dn = 0, .left = 2, .effort = 1},
        {.board = 7, .hand = 1, .pn = 6, .dn = 2, .left = 4, .effort = 6},
        {.board = 7, .hand = 1, .pn = DFPN_INFINITE, .dn = 0, .left = 4, .way = 9, .effort = 1},
        {.board = 7, .hand = 1, .pn = 8, .dn = 14, .left = 4, .effort = 2},
    };
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++)
        yo_dfpn_table_store(&table, &says[i]);
    struct dfpn_entry e = yo_dfpn_table_find(&table, 7, 1, 5, 4);
    assert_int_equal(e.pn, 8);
    assert_int_equal(e.dn, 14);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 1, 5, 2).dn, 0);
    yo_dfpn_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_mates_agree),
        cmocka_unit_test(endless_search_is_right),
        cmocka_unit_test(known_positions),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(guesses_are_not_found_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
