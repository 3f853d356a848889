#include "eval/playout/mogo.h"

#include <string.h>

#include "eval/playout/spec.h"
#include "eval/playout/turn.h"

static void add(uint64_t *set, unsigned p) { set[p >> 6] |= (uint64_t)1 << (p & 63); }

static bool is_stone(const struct yo_go_board *board, unsigned p) {
    return board->color[p] == YO_GO_BLACK || board->color[p] == YO_GO_WHITE;
}

static const struct yo_go_string *string_at(const struct yo_go_board *board, unsigned p) {
    return &board->string[board->head[p]];
}

/* ---- strings in atari ----
 * Only a string that a new stone belongs to or touches can come into atari, so that looking there
 * after each move finds them all. Strings that left atari, were merged or taken are forgotten when
 * somebody next looks at them. */

static void note_atari(struct yo_playout *playout, unsigned p) {
    const struct yo_go_board *board = &playout->board;
    if (is_stone(board, p) && yo_go_string_in_atari(string_at(board, p)))
        add(playout->mogo.atari, board->head[p]);
}

static bool still_in_atari(const struct yo_go_board *board, unsigned index) {
    return is_stone(board, index) && board->head[index] == index &&
           yo_go_string_in_atari(&board->string[index]);
}

static void start(struct yo_playout *playout, bool answers) {
    playout->mogo = (struct yo_playout_mogo){.patterns = yo_go_patterns(), .answers = answers};
    for (int p = 0; p < playout->board.geometry->points; p++)
        note_atari(playout, (unsigned)p);
}

void yo_playout_start_mogo(struct yo_playout *playout) { start(playout, true); }
void yo_playout_start_pure(struct yo_playout *playout) { start(playout, false); }

static yo_go_point end_turn(struct yo_playout *playout, yo_go_point move) {
    playout->mogo.quiet = false;
    memset(playout->mogo.aside, 0, sizeof playout->mogo.aside);
    if (move == YO_GO_PASS) return move;
    note_atari(playout, move);
    for (int d = 0; d < 4; d++)
        note_atari(playout, playout->board.geometry->nbr[move][d]);
    return move;
}

/* ---- the sets of points, in the order in which they are asked ---- */

/* The last liberties of opponent strings in atari that touch the string of p. */
static void add_takers(const struct yo_go_board *board, unsigned p, uint64_t *set) {
    unsigned other = yo_go_other((enum yo_go_color)board->color[p]), q = p;
    do {
        const uint16_t *nbr = board->geometry->nbr[q];
        for (int d = 0; d < 4; d++)
            if (board->color[nbr[d]] == other && yo_go_string_in_atari(string_at(board, nbr[d])))
                add(set, yo_go_string_last_liberty(string_at(board, nbr[d])));
        q = board->next[q];
    } while (q != p);
}

static void add_savers(const struct yo_playout *playout, uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    for (int d = 0; d < 4; d++) {
        if (board->color[nbr[d]] != playout->to_move) continue;
        const struct yo_go_string *s = string_at(board, nbr[d]);
        if (!yo_go_string_in_atari(s)) continue;
        add(set, yo_go_string_last_liberty(s));
        add_takers(board, nbr[d], set);
    }
}

static void add_patterns(const struct yo_playout *playout, uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    const uint16_t *nbr = board->geometry->nbr[playout->last];
    for (int d = 0; d < 8; d++)
        if (board->color[nbr[d]] == YO_GO_EMPTY &&
            yo_go_patterns_match(playout->mogo.patterns, playout->to_move, board->pattern[nbr[d]]))
            add(set, nbr[d]);
}

static void add_captures(struct yo_playout *playout, uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    for (int w = 0; w < board->geometry->words; w++)
        for (uint64_t left = playout->mogo.atari[w]; left; left &= left - 1) {
            unsigned index = 64 * (unsigned)w + (unsigned)__builtin_ctzll(left);
            if (!still_in_atari(board, index))
                playout->mogo.atari[w] ^= left & -left;
            else if (board->color[index] != playout->to_move)
                add(set, yo_go_string_last_liberty(&board->string[index]));
        }
}

/* Keeps what the light policy might play and `without` does not hold; returns how many. */
static unsigned keep_candidates(const struct yo_playout *playout, const uint64_t *without,
                                uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    unsigned n = 0;
    for (int w = 0; w < board->geometry->words; w++) {
        set[w] &= board->empty[w] & ~board->eye[playout->to_move][w] & ~playout->excluded[w];
        if (without) set[w] &= ~without[w];
        n += (unsigned)__builtin_popcountll(set[w]);
    }
    return n;
}

/* The points of the first set that has any; returns how many. The set comes in empty. */
static unsigned find_set(struct yo_playout *playout, uint64_t *set) {
    unsigned n = 0;
    bool has_last =
        playout->last < playout->board.geometry->points; /* neither a pass nor unknown */
    if (has_last && playout->mogo.answers) {
        add_savers(playout, set);
        n = keep_candidates(playout, playout->mogo.aside, set);
        if (n > 0) return n;
        add_patterns(playout, set);
        n = keep_candidates(playout, playout->mogo.aside, set);
        if (n > 0) return n;
    }
    add_captures(playout, set);
    return keep_candidates(playout, NULL, set);
}

yo_go_point yo_playout_attempt_mogo(struct yo_playout *playout, int bits, int tries) {
    uint32_t random = yo_playout_next(&playout->rng);
    uint64_t set[YO_GO_WORDS_MAX] = {0};
    unsigned n = playout->mogo.quiet ? 0 : find_set(playout, set);
    if (n == 0) {
        playout->mogo.quiet = true;
        yo_go_point move = yo_playout_try_light(playout, random, bits, tries);
        return move == YO_GO_NONE ? move : end_turn(playout, move);
    }
    int k = yo_playout_draw(random, n, bits, tries);
    if (k < 0) return YO_GO_NONE;
    yo_go_point p = (yo_go_point)yo_playout_select_bit(set, (unsigned)k);
    if (yo_go_board_is_self_atari(&playout->board, playout->to_move, p)) {
        add(playout->mogo.aside, p);
        return YO_GO_NONE;
    }
    return end_turn(playout, yo_playout_end_turn(playout, p));
}
