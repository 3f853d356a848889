/* Mates counted as in tsume, without futile interpositions, against a plain search that follows the
 * rule word for word. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "search/mate/dfpn.h"
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

/* ---- The plain search ---- */

enum { NEVER = -1 };

static int defender_lasts(const struct yo_shogi_position *pos, int most);

/* In how many plies the side to move mates, at most `most`, or NEVER. */
static int attacker_needs(const struct yo_shogi_position *pos, int most) {
    yo_shogi_move checks[YO_SHOGI_LIST];
    size_t count = most > 0 ? yo_shogi_checks(pos, checks) : 0;
    int best = NEVER;
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = *pos;
        yo_shogi_play(&next, checks[i]);
        int plies = defender_lasts(&next, (best == NEVER ? most : best) - 1);
        if (plies != NEVER && (best == NEVER || plies + 1 < best)) best = plies + 1;
    }
    return best;
}

static bool interposes(const struct yo_shogi_position *pos, yo_shogi_move move) {
    if (bb_many(pos->checkers)) return false;
    bool king = !shogi_is_drop(move) && shogi_from(move) == pos->king[pos->side];
    return !king && shogi_to(move) != bb_first(pos->checkers);
}

/* Taken with check and handed back, the rest lasts no longer than `others`. */
static bool futile(const struct yo_shogi_position *pos, yo_shogi_move move, int others) {
    struct yo_shogi_position next = *pos;
    yo_shogi_play(&next, move);
    int to = shogi_to(move), kind = shogi_unpromoted(shogi_kind(next.board[to]));
    yo_shogi_move checks[YO_SHOGI_LIST];
    size_t count = yo_shogi_checks(&next, checks);
    for (size_t i = 0; i < count; i++) {
        if (shogi_to(checks[i]) != to) continue;
        struct yo_shogi_position after = next;
        yo_shogi_play(&after, checks[i]);
        yo_shogi_position_give(&after, next.side, kind, -1);
        yo_shogi_position_give(&after, pos->side, kind, 1);
        if (defender_lasts(&after, others) != NEVER) return true;
    }
    return false;
}

static int steps(int a, int b) {
    int files = abs(shogi_file(a) - shogi_file(b)), ranks = abs(shogi_rank(a) - shogi_rank(b));
    return files > ranks ? files : ranks;
}

/* The most plies that moves of one kind last; NEVER: one escapes. away 0: those that are no
 * interposition; else those so many steps from the king that count beside the `others`. */
static int lasts_by(const struct yo_shogi_position *pos, int most, int away, int others) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    int longest = others;
    for (size_t i = 0; i < count; i++) {
        int square = shogi_to(moves[i]);
        bool between = interposes(pos, moves[i]);
        if (away == 0 ? between : !between || steps(square, pos->king[pos->side]) != away) continue;
        if (between && futile(pos, moves[i], others)) continue;
        struct yo_shogi_position next = *pos;
        yo_shogi_play(&next, moves[i]);
        int plies = attacker_needs(&next, most - 1);
        if (plies == NEVER) return NEVER;
        if (plies + 1 > longest) longest = plies + 1;
    }
    return longest;
}

static int defender_lasts(const struct yo_shogi_position *pos, int most) {
    int plies = 0;
    for (int away = 0; away <= 8 && plies != NEVER; away++)
        plies = lasts_by(pos, most, away, plies);
    return plies;
}

/* ---- Tests ---- */

/* A king near the edge, a few pieces around that go far, and something in every hand. */
static bool random_problem(uint64_t *state, struct yo_shogi_position *pos) {
    static const int kinds[] = {YO_SHOGI_ROOK,   YO_SHOGI_BISHOP, YO_SHOGI_LANCE, YO_SHOGI_GOLD,
                                YO_SHOGI_SILVER, YO_SHOGI_TOKIN,  YO_SHOGI_HORSE, YO_SHOGI_DRAGON};
    yo_shogi_position_clear(pos);
    int king = shogi_square((int)shogi_random(state, 9), (int)shogi_random(state, 3));
    yo_shogi_position_put(pos, king, shogi_piece(YO_SHOGI_WHITE, YO_SHOGI_KING));
    for (uint32_t i = 2 + shogi_random(state, 3); i > 0; i--) {
        int square = (int)shogi_random(state, YO_SHOGI_SQUARES);
        if (pos->board[square]) return false;
        yo_shogi_position_put(pos, square, shogi_piece(0, kinds[shogi_random(state, 8)]));
    }
    yo_shogi_position_give(pos, YO_SHOGI_BLACK, kinds[shogi_random(state, 5)], 1);
    yo_shogi_position_give(pos, YO_SHOGI_WHITE, YO_SHOGI_PAWN, 2);
    yo_shogi_position_give(pos, YO_SHOGI_WHITE, kinds[shogi_random(state, 5)], 1);
    return yo_shogi_position_settle(pos, YO_SHOGI_BLACK, NULL) == YO_OK;
}

static void random_positions_agree(void **unused) {
    (void)unused;
    uint64_t state = 31;
    int found[4] = {0}, shorter = 0;
    for (int i = 0; i < 2000; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move checks[YO_SHOGI_LIST];
        if (!random_problem(&state, &pos)) continue;
        size_t count = yo_shogi_checks(&pos, checks);
        if (count == 0 || count > 14) continue;
        struct yo_dfpn_limits limits = {.nodes = 5000, .shortest = YO_DFPN_TSUME};
        yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
        if (answer.result != YO_DFPN_MATE || !answer.shortest) continue;
        int plain = attacker_needs(&pos, 3);
        char sfen[YO_SHOGI_SFEN_MAX];
        if (plain == NEVER ? answer.length <= 3 : (int)answer.length != plain)
            fail_msg("%s: %zu plies, not %d", yo_shogi_sfen_format(&pos, sfen), answer.length,
                     plain);
        if (plain == NEVER) continue;
        found[plain]++;
        limits.shortest = YO_DFPN_ALL_COUNTS;
        yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
        if (answer.shortest && (int)answer.length > plain) shorter++;
    }
    if (found[1] < 20 || found[3] < 10 || shorter < 5)
        fail_msg("too few to tell: %d %d %d", found[1], found[3], shorter);
}

/* White has all other pieces in hand. */
static void known_positions(void **unused) {
    (void)unused;
    static const struct {
        const char *sfen;
        size_t tsume, all; /* plies */
    } rows[] = {
        /* The rook checks from afar and every square between is guarded: over at once. */
        {"8k/9/5B1G1/9/9/9/9/9/3R5 b rb3g4s4n4l18p 1", 1, 9},
        /* Without the bishop the king takes the rook back; along the other edge it mates, and what
         * is put on the file only prolongs that. */
        {"8k/9/7G1/9/9/9/9/9/3R5 b r2b3g4s4n4l18p 1", 5, 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_position pos;
        struct yo_diag diag;
        if (yo_shogi_sfen_parse(rows[i].sfen, &pos, &diag)) fail_msg("%s", diag.what);
        const size_t want[] = {rows[i].tsume, rows[i].all};
        for (int k = 0; k < 2; k++) {
            struct yo_dfpn_limits limits = {.nodes = 3000000,
                                            .shortest = k ? YO_DFPN_ALL_COUNTS : YO_DFPN_TSUME};
            yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
            if (answer.result == YO_DFPN_UNKNOWN || answer.length != want[k])
                fail_msg("%s: %zu plies (%s), not %zu", rows[i].sfen, answer.length,
                         k ? "all" : "tsume", want[k]);
        }
    }
}

/* Without the means to say so, it does not claim the shortest, and the line is a real mate. */
static void too_little_to_say(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    yo_shogi_sfen_parse("8k/9/5B1G1/9/9/9/9/9/3R5 b rb3g4s4n4l18p 1", &pos, NULL);
    struct yo_dfpn_limits limits = {.shortest = YO_DFPN_ANY};
    yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
    assert_int_equal(answer.result, YO_DFPN_MATE);
    limits = (struct yo_dfpn_limits){.nodes = answer.nodes, .shortest = YO_DFPN_TSUME};
    yo_dfpn_solve(solver, &pos, &limits, NULL, &answer);
    if (answer.result != YO_DFPN_MATE) return;
    assert_false(answer.shortest);
    for (size_t i = 0; i < answer.length; i++)
        yo_shogi_play(&pos, answer.line[i]);
    assert_false(yo_shogi_can_move(&pos));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_positions_agree),
        cmocka_unit_test(known_positions),
        cmocka_unit_test(too_little_to_say),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
