/* What the policies that answer the last move look for: strings in atari and what takes them.
 * Inline, because this is the inner loop. Sets are bits, one for each point. */
#pragma once

#include "eval/playout/scalar.h"

static inline void yo_answers_add(uint64_t *set, unsigned p) {
    set[p >> 6] |= (uint64_t)1 << (p & 63);
}

static inline bool yo_answers_is_stone(const struct yo_go_board *board, unsigned p) {
    return board->color[p] == YO_GO_BLACK || board->color[p] == YO_GO_WHITE;
}

static inline const struct yo_go_string *yo_answers_string(const struct yo_go_board *board,
                                                           unsigned p) {
    return &board->string[board->head[p]];
}

/* ---- strings in atari ----
 * Only a string that a new stone belongs to or touches can come into atari, so that looking there
 * after each move finds them all. Strings that left atari, were merged or taken are forgotten when
 * somebody next looks at them. `atari` holds indices of strings. */

static inline void yo_answers_note_atari(const struct yo_go_board *board, unsigned p,
                                         uint64_t *atari) {
    if (yo_answers_is_stone(board, p) && yo_go_string_in_atari(yo_answers_string(board, p)))
        yo_answers_add(atari, board->head[p]);
}

static inline void yo_answers_note_all(const struct yo_go_board *board, uint64_t *atari) {
    for (int p = 0; p < board->geometry->points; p++)
        yo_answers_note_atari(board, (unsigned)p, atari);
}

static inline void yo_answers_note_move(const struct yo_go_board *board, yo_go_point move,
                                        uint64_t *atari) {
    if (move == YO_GO_PASS) return;
    yo_answers_note_atari(board, move, atari);
    for (int d = 0; d < 4; d++)
        yo_answers_note_atari(board, board->geometry->nbr[move][d], atari);
}

static inline bool yo_answers_still_in_atari(const struct yo_go_board *board, unsigned index) {
    return yo_answers_is_stone(board, index) && board->head[index] == index &&
           yo_go_string_in_atari(&board->string[index]);
}

/* ---- points ---- */

/* The last liberties of opponent strings in atari that touch the string of p. */
static inline void yo_answers_add_takers(const struct yo_go_board *board, unsigned p,
                                         uint64_t *set) {
    unsigned other = yo_go_other((enum yo_go_color)board->color[p]), q = p;
    do {
        const uint16_t *nbr = board->geometry->nbr[q];
        for (int d = 0; d < 4; d++) {
            const struct yo_go_string *s = yo_answers_string(board, nbr[d]);
            if (board->color[nbr[d]] == other && yo_go_string_in_atari(s))
                yo_answers_add(set, yo_go_string_last_liberty(s));
        }
        q = board->next[q];
    } while (q != p);
}

/* The last liberties of all strings in atari of the side that is not to move. */
static inline void yo_answers_add_captures(const struct yo_playout *playout, uint64_t *atari,
                                           uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    for (int w = 0; w < board->geometry->words; w++)
        for (uint64_t left = atari[w]; left; left &= left - 1) {
            unsigned index = 64 * (unsigned)w + (unsigned)__builtin_ctzll(left);
            if (!yo_answers_still_in_atari(board, index))
                atari[w] ^= left & -left;
            else if (board->color[index] != playout->to_move)
                yo_answers_add(set, yo_go_string_last_liberty(&board->string[index]));
        }
}

/* Keeps what the light policy might play and `without`, if given, does not hold; returns how many.
 */
static inline unsigned yo_answers_keep(const struct yo_playout *playout, const uint64_t *without,
                                       uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    unsigned n = 0;
    for (int w = 0; w < board->geometry->words; w++) {
        set[w] &= board->empty[w] & ~board->eye[playout->to_move][w] & ~playout->excluded[w];
        if (without) set[w] &= ~without[w];
        if (set[w]) n += (unsigned)__builtin_popcountll(set[w]); /* mostly nothing is left */
    }
    return n;
}

/* Is there a move to answer: neither a pass nor unknown? */
static inline bool yo_answers_last(const struct yo_playout *playout) {
    return playout->last < playout->board.geometry->points;
}
