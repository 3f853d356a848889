/* Finds strings in atari and the moves that capture them, for the playout policies that answer the
 * last move. Inline, because this is the inner loop. Branch-free where the branch is hard to
 * predict: a misprediction costs as much as twenty additions. Sets are bit sets, one bit for each
 * point. */
#pragma once

#include "eval/playout/scalar.h"

static inline void yo_answers_add(uint64_t *set, unsigned p) {
    set[p >> 6] |= (uint64_t)1 << (p & 63);
}

static inline const struct yo_go_string *yo_answers_string(const struct yo_go_board *board,
                                                           unsigned p) {
    return &board->string[board->head[p]];
}

/* The result is undefined, but the call allowed, for a point without a stone. */
static inline bool yo_answers_in_atari(const struct yo_go_board *board, unsigned p) {
    return yo_go_string_in_atari(yo_answers_string(board, p));
}

/* ---- strings in atari ----
 * Only a string that a new stone belongs to or touches can come into atari, so a look there after
 * each move finds them all. Strings that left atari, were merged or captured are removed at the
 * next lookup. `atari` holds indices of strings by their colour; what it holds for points without a
 * stone is never read. */

static inline void yo_answers_note_atari(const struct yo_go_board *board, unsigned p,
                                         uint64_t atari[4][YO_GO_WORDS_MAX]) {
    unsigned head = board->head[p];
    uint64_t *of_color = atari[board->color[p]];
    of_color[head >> 6] |= (uint64_t)yo_answers_in_atari(board, p) << (head & 63);
}

static inline void yo_answers_note_all(const struct yo_go_board *board,
                                       uint64_t atari[4][YO_GO_WORDS_MAX]) {
    for (int p = 0; p < board->geometry->points; p++)
        yo_answers_note_atari(board, (unsigned)p, atari);
}

static inline void yo_answers_note_move(const struct yo_go_board *board, yo_go_point move,
                                        uint64_t atari[4][YO_GO_WORDS_MAX]) {
    if (move == YO_GO_PASS) return;
    yo_answers_note_atari(board, move, atari);
    for (int d = 0; d < 4; d++)
        yo_answers_note_atari(board, board->geometry->nbr[move][d], atari);
}

static inline bool yo_answers_still_in_atari(const struct yo_go_board *board,
                                             enum yo_go_color color, unsigned index) {
    return board->color[index] == color && board->head[index] == index &&
           yo_go_string_in_atari(&board->string[index]);
}

/* ---- points ----
 * Each point is tested when it is found: nearly all sets are empty or small, and a pass over the
 * words of a whole board afterwards costs more than the rest. */

/* Adds p if it is good, the light policy might play it, and `without`, if given, does not hold it.
 */
static inline void yo_answers_offer_if(const struct yo_playout *playout, const uint64_t *without,
                                       bool good, unsigned p, struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    unsigned w = p >> 6;
    uint64_t allowed = board->empty[w] & ~board->eye[playout->to_move][w] & ~playout->excluded[w];
    if (without) allowed &= ~without[w];
    uint64_t fresh = (uint64_t)good << (p & 63) & allowed & ~answers->set[w];
    answers->set[w] |= fresh;
    answers->count += fresh != 0;
}

static inline void yo_answers_offer(const struct yo_playout *playout, const uint64_t *without,
                                    unsigned p, struct yo_answers *answers) {
    yo_answers_offer_if(playout, without, true, p, answers);
}

/* The last liberties of opponent strings in atari that touch the string of p. */
static inline void yo_answers_offer_takers(const struct yo_playout *playout,
                                           const uint64_t *without, unsigned p,
                                           struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    unsigned other = yo_go_other((enum yo_go_color)board->color[p]), q = p;
    do {
        const uint16_t *nbr = board->geometry->nbr[q];
        for (int d = 0; d < 4; d++) {
            const struct yo_go_string *s = yo_answers_string(board, nbr[d]);
            unsigned is_other = board->color[nbr[d]] == other;
            if (is_other & yo_go_string_in_atari(s)) /* one branch: rare, well predicted */
                yo_answers_offer(playout, without, yo_go_string_last_liberty(s), answers);
        }
        q = board->next[q];
    } while (q != p);
}

/* The last liberties of all strings in atari of the side that is not to move. */
static inline void yo_answers_offer_captures(const struct yo_playout *playout,
                                             uint64_t atari[4][YO_GO_WORDS_MAX],
                                             struct yo_answers *answers) {
    const struct yo_go_board *board = &playout->board;
    enum yo_go_color other = yo_go_other(playout->to_move);
    for (int w = 0; w < board->geometry->words; w++)
        for (uint64_t left = atari[other][w]; left; left &= left - 1) {
            unsigned index = 64 * (unsigned)w + (unsigned)__builtin_ctzll(left);
            if (!yo_answers_still_in_atari(board, other, index))
                atari[other][w] ^= left & -left;
            else
                yo_answers_offer(playout, NULL, yo_go_string_last_liberty(&board->string[index]),
                                 answers);
        }
}

/* True if there is a last move and it is not a pass. */
static inline bool yo_answers_last(const struct yo_playout *playout) {
    return playout->last < playout->board.geometry->points;
}
