/* The steps that all playout policies share. Inline, because this is the inner loop. */
#pragma once

#include <string.h>

#include "base/bits.h"
#include "eval/playout/scalar.h"
#include "eval/playout/spec.h"

/* The k-th set bit of a board's words, counting from 0; there must be one. */
static inline unsigned yo_playout_select_bit(const uint64_t *words, unsigned k) {
    unsigned w = 0, ones;
    while ((ones = (unsigned)__builtin_popcountll(words[w])) <= k) {
        k -= ones;
        w++;
    }
    return 64 * w + yo_bits_select64(words[w], k);
}

/* Makes the move and ends the turn. */
static inline yo_go_point yo_playout_end_turn(struct yo_playout *playout, yo_go_point move) {
    yo_go_board_play(&playout->board, playout->to_move, move);
    memcpy(playout->excluded, playout->outside, sizeof playout->excluded);
    yo_go_point ko = playout->board.ko;
    if (ko != YO_GO_NONE) playout->excluded[ko >> 6] |= (uint64_t)1 << (ko & 63);
    playout->passes = move == YO_GO_PASS ? playout->passes + 1 : 0;
    playout->to_move = yo_go_other(playout->to_move);
    playout->last = move;
    playout->moves++;
    return move;
}

/* The light policy's candidates: step 2. Returns how many. */
static inline unsigned yo_playout_candidates(const struct yo_playout *playout, uint64_t *set) {
    const struct yo_go_board *board = &playout->board;
    unsigned n = 0;
    for (int w = 0; w < board->geometry->words; w++) {
        set[w] = board->empty[w] & ~board->eye[playout->to_move][w] & ~playout->excluded[w];
        n += (unsigned)__builtin_popcountll(set[w]);
    }
    return n;
}

/* Steps 2 to 7 of the light policy, with random bits already drawn. Returns the move made,
 * YO_GO_PASS included, or YO_GO_NONE. */
static inline yo_go_point yo_playout_try_light(struct yo_playout *playout, uint32_t random,
                                               int bits, int tries) {
    const struct yo_go_board *board = &playout->board;
    uint64_t candidates[YO_GO_WORDS_MAX];
    unsigned n = yo_playout_candidates(playout, candidates);
    if (n == 0) return yo_playout_end_turn(playout, YO_GO_PASS);
    int k = yo_playout_draw(random, n, bits, tries);
    if (k < 0) return YO_GO_NONE;
    unsigned p = yo_playout_select_bit(candidates, (unsigned)k);
    if (yo_go_board_is_suicide(board, playout->to_move, (yo_go_point)p)) {
        playout->excluded[p >> 6] |= (uint64_t)1 << (p & 63);
        return YO_GO_NONE;
    }
    return yo_playout_end_turn(playout, (yo_go_point)p);
}
