/* The generators of a warp's games (docs/playout.md): their bits lie in memory, and all games of a
 * slice draw at once. */
#pragma once

#include "eval/playout/cuda/warp_board.cuh"
#include "eval/playout/spec.h"

/* The 64 bits of a slice's generators are the words start .. start + 63 of its 96, where start is 0
 * or 32: words 64..95 repeat words 0..31, so that no read wraps around. */
template <int N, int R, bool MANY> struct warp_rng : warp_board<N, R, MANY> {
    using base = warp_board<N, R, MANY>;
    using base::LANES, base::SLICES;
    using base::rng, base::start, base::slice, base::part;
    static constexpr int SHARE = (32 + LANES - 1) / LANES; /* new random bits that a lane makes */

    WW_METHOD word random_bit(word at, int i) const {
        return ww_load(rng + i * SLICES, at) ^
               (ww_load(rng + (i + YO_PLAYOUT_FILTER1) * SLICES, at) &
                ww_load(rng + (i + YO_PLAYOUT_FILTER2) * SLICES, at));
    }
    /* Each lane of a slice computes a share of the 32 new bits. */
    WW_METHOD void advance() {
        word fresh[SHARE], mine = part * word(SHARE);
        word at = slice + (mine & ww_below(mine, word(32))) * word(SLICES) +
                  word((uint32_t)(start * SLICES));
        ww_sync();
        UNROLL for (int t = 0; t < SHARE; t++) fresh[t] =
            ww_load(rng + t * SLICES, at) ^ ww_load(rng + (t + YO_PLAYOUT_TAP1) * SLICES, at) ^
            ww_load(rng + (t + YO_PLAYOUT_TAP2) * SLICES, at) ^
            ww_load(rng + (t + YO_PLAYOUT_TAP3) * SLICES, at);
        ww_sync();
        UNROLL for (int t = 0; t < SHARE; t++) {
            word where = ww_below(mine + word((uint32_t)t), word(32));
            ww_store(rng + t * SLICES, at, fresh[t], where);
            if (start == 0) ww_store(rng + (t + 64) * SLICES, at, fresh[t], where);
        }
        ww_sync();
        start ^= 32;
    }

    /* 32 generators, one for the seed and the game number of each lane, as two words of a lane. */
    WW_METHOD static void seed_lanes(word seed_high, word seed_low, word game_high, word game_low,
                                     word *high, word *low) {
        word x = game_high, y = game_low;
        for (uint32_t round = 0; round < 8; round++) {
            word key = (round & 1 ? seed_high : seed_low) ^ word(round);
            x = ((x >> 8 | x << 24) + y) ^ key;
            y = (y << 3 | y >> 29) ^ x;
        }
        y = ww_select(ww_equal(x | y, word(0)), word(1), y);
        *high = x;
        *low = y;
    }

    /* The generators of slice q's places in `fresh` start anew. */
    WW_METHOD void store_generators(int q, uint32_t fresh, word high, word low) {
        word bits_low = ww_transpose(low), bits_high = ww_transpose(high), lane = ww_lane();
        ww_sync();
        UNROLL for (int half = 0; half < 2; half++) {
            const int first_word = 32 * half + start;
            word index = (lane + word((uint32_t)first_word)) * word(SLICES) + word((uint32_t)q);
            word bits = ww_select(word(fresh), half ? bits_high : bits_low, ww_load(rng, index));
            ww_store(rng, index, bits, word(~0u));
            /* The other copy of words 0..31. */
            if (first_word == 0) ww_store(rng + 64 * SLICES, index, bits, word(~0u));
            if (first_word == 64) ww_store(rng, index - word(64 * SLICES), bits, word(~0u));
        }
        ww_sync();
    }
};
