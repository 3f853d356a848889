/* The fast generators against the naive one, on positions by chance. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "game/shogi/movegen.h"
#include "game/shogi/perft.h"
#include "game/shogi/see.h"
#include "game/shogi/text.h"
#include "support/naive_shogi.h"
#include "support/shogi_random.h"

typedef size_t generator(const struct yo_shogi_position *pos, yo_shogi_move *out);

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static size_t texts(generator *generate, const struct yo_shogi_position *pos,
                    naive_shogi_text *out) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = generate(pos, moves);
    assert_true(count <= YO_SHOGI_MOVES_MAX);
    for (size_t i = 0; i < count; i++)
        yo_shogi_move_format(moves[i], out[i]);
    qsort(out, count, sizeof *out, compare);
    return count;
}

static void assert_same(const char *sfen, const char *what, naive_shogi_text *got, size_t got_count,
                        naive_shogi_text *wanted, size_t wanted_count) {
    for (size_t i = 0; i < got_count || i < wanted_count; i++) {
        const char *a = i < got_count ? got[i] : "nothing";
        const char *b = i < wanted_count ? wanted[i] : "nothing";
        if (strcmp(a, b) != 0) fail_msg("%s: %s: %s instead of %s", sfen, what, a, b);
    }
}

enum filter { ALL, CAPTURES, QUIETS, CHECKS };

static bool passes(const struct naive_shogi *pos, const char *move, enum filter filter) {
    struct naive_shogi next = *pos;
    switch (filter) {
    case ALL:
        return true;
    case CAPTURES:
        return naive_shogi_target(pos, move) != 0;
    case QUIETS:
        return naive_shogi_target(pos, move) == 0;
    case CHECKS:
        naive_shogi_play(&next, move);
        return naive_shogi_in_check(&next, next.white);
    }
    return false;
}

/* Pseudo-legal moves that pass the test are the legal ones. */
static size_t pseudo_then_legal(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    size_t count = yo_shogi_pseudo_moves(pos, out), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (yo_shogi_is_legal(pos, out[i])) out[kept++] = out[i];
    return kept;
}

static size_t those_that_check(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    size_t count = yo_shogi_legal_moves(pos, out), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (yo_shogi_gives_check(pos, out[i])) out[kept++] = out[i];
    return kept;
}

/* Of all that a move's bits can say. */
static size_t those_that_are_sound(const struct yo_shogi_position *pos, yo_shogi_move *out) {
    size_t kept = 0;
    for (unsigned code = 0; code <= UINT16_MAX; code++)
        if (yo_shogi_move_is_sound(pos, (yo_shogi_move)code)) {
            assert_true(kept < YO_SHOGI_MOVES_MAX);
            out[kept++] = (yo_shogi_move)code;
        }
    return kept;
}

static void judge(const struct yo_shogi_position *pos) {
    static const struct {
        const char *what;
        generator *generate;
        enum filter filter;
    } generators[] = {
        {"legal", yo_shogi_legal_moves, ALL},      {"pseudo-legal", pseudo_then_legal, ALL},
        {"captures", yo_shogi_captures, CAPTURES}, {"quiets", yo_shogi_quiets, QUIETS},
        {"checks", yo_shogi_checks, CHECKS},       {"gives check", those_that_check, CHECKS},
        {"evasions", yo_shogi_evasions, ALL},      {"sound", those_that_are_sound, ALL},
    };
    char sfen[YO_SHOGI_SFEN_MAX];
    struct naive_shogi naive;
    naive_shogi_read(&naive, yo_shogi_sfen_format(pos, sfen));
    naive_shogi_text all[NAIVE_SHOGI_MOVES], wanted[NAIVE_SHOGI_MOVES], got[NAIVE_SHOGI_MOVES];
    size_t all_count = naive_shogi_moves(&naive, all);
    assert_int_equal(naive_shogi_in_check(&naive, naive.white), shogi_in_check(pos));
    assert_int_equal(yo_shogi_can_move(pos), all_count > 0);
    for (size_t g = 0; g < sizeof generators / sizeof generators[0]; g++) {
        if (generators[g].generate == yo_shogi_evasions && !shogi_in_check(pos)) continue;
        size_t count = 0;
        for (size_t i = 0; i < all_count; i++)
            if (passes(&naive, all[i], generators[g].filter)) strcpy(wanted[count++], all[i]);
        size_t got_count = texts(generators[g].generate, pos, got);
        assert_same(sfen, generators[g].what, got, got_count, wanted, count);
    }
}

/* What play keeps up to date must be what a fresh set-up finds. */
static void assert_settled(const struct yo_shogi_position *pos) {
    struct yo_shogi_position again;
    char sfen[YO_SHOGI_SFEN_MAX], sfen_again[YO_SHOGI_SFEN_MAX];
    struct yo_diag diag;
    yo_shogi_sfen_format(pos, sfen);
    if (yo_shogi_sfen_parse(sfen, &again, &diag) != YO_OK) fail_msg("%s: %s", sfen, diag.what);
    assert_string_equal(yo_shogi_sfen_format(&again, sfen_again), sfen);
    assert_true(shogi_hash(pos) == shogi_hash(&again) && pos->checkers == again.checkers);
    assert_memory_equal(pos->kinds, again.kinds, sizeof pos->kinds);
    assert_memory_equal(pos->sides, again.sides, sizeof pos->sides);
    assert_memory_equal(pos->king, again.king, sizeof pos->king);
}

static void assert_keys(const struct yo_shogi_position *pos) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = *pos;
        uint64_t board, hands;
        yo_shogi_keys_after(pos, moves[i], &board, &hands);
        yo_shogi_play(&next, moves[i]);
        assert_true(board == next.board_key && hands == next.hand_key);
    }
}

static void games_agree(void **unused) {
    (void)unused;
    uint64_t state = 5;
    for (int i = 0; i < 400; i++) {
        struct yo_shogi_position pos;
        shogi_random_game(&state, (int)shogi_random(&state, 300), &pos);
        assert_settled(&pos);
        assert_keys(&pos);
        judge(&pos);
    }
}

static void set_ups_agree(void **unused) {
    (void)unused;
    uint64_t state = 7;
    int in_check = 0, kingless = 0;
    for (int i = 0; i < 1500; i++) {
        struct yo_shogi_position pos;
        shogi_random_setup(&state, &pos);
        in_check += shogi_in_check(&pos);
        kingless += pos.king[0] == YO_SHOGI_NO_SQUARE || pos.king[1] == YO_SHOGI_NO_SQUARE;
        assert_settled(&pos);
        assert_keys(&pos);
        judge(&pos);
    }
    assert_true(in_check > 100 && kingless > 100);
}

/* ---- Mate in one ---- */

static bool naive_mates(const struct naive_shogi *pos, const char *move) {
    struct naive_shogi next = *pos;
    naive_shogi_text replies[NAIVE_SHOGI_MOVES];
    naive_shogi_play(&next, move);
    return naive_shogi_in_check(&next, next.white) && naive_shogi_moves(&next, replies) == 0;
}

static void mate_in_one_is_found(void **unused) {
    (void)unused;
    uint64_t state = 11;
    int mates = 0;
    for (int i = 0; i < 1200; i++) {
        struct yo_shogi_position pos;
        char sfen[YO_SHOGI_SFEN_MAX], text[YO_SHOGI_MOVE_TEXT];
        shogi_random_setup(&state, &pos);
        struct naive_shogi naive;
        naive_shogi_read(&naive, yo_shogi_sfen_format(&pos, sfen));
        naive_shogi_text all[NAIVE_SHOGI_MOVES];
        size_t count = naive_shogi_moves(&naive, all), can = 0;
        for (size_t k = 0; k < count && !can; k++)
            can = naive_mates(&naive, all[k]);
        yo_shogi_move move = yo_shogi_mate_in_one(&pos);
        if (can != (move != YO_SHOGI_NO_MOVE)) fail_msg("%s: mate in one: %d", sfen, (int)can);
        if (!can) continue;
        assert_true(naive_mates(&naive, yo_shogi_move_format(move, text)));
        mates++;
    }
    assert_true(mates > 8);
}

/* ---- Exchanges ---- */

/* What `side` gains by taking on `to` with its cheapest piece, if it wants to, the board being
 * changed for real after each capture. */
static int exchange(struct yo_shogi_position pos, int side, int to) {
    int best = -1;
    yo_bb occupied = pos.kinds[YO_SHOGI_ANY];
    for (yo_bb takers = shogi_attackers(&pos, side, to, occupied); takers;) {
        int from = bb_pop(&takers), kind = shogi_kind(pos.board[from]);
        int worth = kind == YO_SHOGI_KING ? 1 << 20 : yo_shogi_values[kind];
        int best_kind = best < 0 ? 0 : shogi_kind(pos.board[best]);
        int best_worth = best < 0                     ? 1 << 21
                         : best_kind == YO_SHOGI_KING ? 1 << 20
                                                      : yo_shogi_values[best_kind];
        if (worth < best_worth) best = from;
    }
    if (best < 0) return 0;
    int gain = shogi_exchange_value(shogi_kind(pos.board[to]));
    struct yo_shogi_position next = pos;
    next.side = (uint8_t)side;
    yo_shogi_play(&next, shogi_move(best, to));
    bool king = shogi_kind(pos.board[best]) == YO_SHOGI_KING;
    if (king && shogi_attackers(&next, side ^ 1, to, next.kinds[YO_SHOGI_ANY])) return 0;
    gain -= exchange(next, side ^ 1, to);
    return gain > 0 ? gain : 0;
}

/* The gain by a move; `both_take` says whether the opponent captures back. */
static int slow_see(const struct yo_shogi_position *pos, yo_shogi_move move, bool *both_take) {
    int to = shogi_to(move), from = shogi_from(move);
    int gain = shogi_exchange_value(shogi_kind(pos->board[to]));
    if (shogi_promotes(move)) {
        int kind = shogi_kind(pos->board[from]);
        gain += yo_shogi_values[kind + YO_SHOGI_PROMOTED] - yo_shogi_values[kind];
    }
    struct yo_shogi_position next = *pos;
    yo_shogi_play(&next, move);
    int lost = exchange(next, next.side, to);
    *both_take = gain > 0 && lost > 0;
    return gain - lost;
}

static void exchanges_agree(void **unused) {
    (void)unused;
    uint64_t state = 13;
    int interesting = 0;
    for (int i = 0; i < 1200; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move moves[YO_SHOGI_LIST];
        shogi_random_setup(&state, &pos);
        size_t count = yo_shogi_legal_moves(&pos, moves);
        for (size_t k = 0; k < count; k++) {
            bool takes;
            int won = slow_see(&pos, moves[k], &takes);
            interesting += takes;
            assert_int_equal(yo_shogi_see(&pos, moves[k]), won);
            for (int most = -300; most <= 900; most += 100)
                assert_int_equal(yo_shogi_see_loses(&pos, moves[k], most), won < -most);
        }
    }
    assert_true(interesting > 200);
}

static bool slow_gives_away(const struct yo_shogi_position *pos, yo_shogi_move move) {
    struct yo_shogi_position next = *pos;
    yo_shogi_play(&next, move);
    yo_shogi_move replies[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(&next, replies);
    bool unused;
    for (size_t i = 0; i < count; i++)
        if (next.board[shogi_to(replies[i])] && slow_see(&next, replies[i], &unused) > 0)
            return true;
    return false;
}

static void moves_that_give_away(void **unused) {
    (void)unused;
    uint64_t state = 14;
    int harmless = 0, harmful = 0;
    for (int i = 0; i < 600; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move moves[YO_SHOGI_LIST];
        shogi_random_setup(&state, &pos);
        size_t count = yo_shogi_legal_moves(&pos, moves);
        for (size_t k = 0; k < count; k += 16) {
            bool slow = slow_gives_away(&pos, moves[k]);
            assert_int_equal(yo_shogi_gives_away(&pos, moves[k]), slow);
            *(slow ? &harmful : &harmless) += 1;
        }
    }
    assert_true(harmless > 100 && harmful > 100);
}

/* ---- Known counts ---- */

static uint64_t perft(const char *sfen, int depth) {
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse(sfen, &pos, NULL), YO_OK);
    return yo_shogi_perft(&pos, depth);
}

static void known_counts(void **unused) {
    (void)unused;
    const char *most = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    const char *pawn_mate = "7lk/9/8S/9/9/9/9/7L1/8K b P 1";
    const char *middle = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
    assert_int_equal(perft(YO_SHOGI_START, 0), 1);
    assert_int_equal(perft(YO_SHOGI_START, 1), 30);
    assert_int_equal(perft(YO_SHOGI_START, 2), 900);
    assert_int_equal(perft(YO_SHOGI_START, 3), 25470);
    assert_int_equal(perft(YO_SHOGI_START, 4), 719731);
    assert_int_equal(perft(most, 1), 593);
    assert_int_equal(perft(most, 2), 105677);
    assert_int_equal(perft(pawn_mate, 1), 85);
    assert_int_equal(perft(pawn_mate, 2), 639);
    assert_int_equal(perft(pawn_mate, 3), 10786);
    assert_int_equal(perft(pawn_mate, 4), 167089);
    assert_int_equal(perft(middle, 1), 207);
    assert_int_equal(perft(middle, 2), 28684);
    assert_int_equal(perft(middle, 3), 4809015);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_agree),          cmocka_unit_test(set_ups_agree),
        cmocka_unit_test(mate_in_one_is_found), cmocka_unit_test(exchanges_agree),
        cmocka_unit_test(moves_that_give_away), cmocka_unit_test(known_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
