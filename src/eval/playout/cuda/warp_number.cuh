/* Small numbers of many games at once: bit b of a game's number is the game's bit in the b-th of
 * some words. */
#pragma once

#include "eval/playout/cuda/warp_word.cuh"

/* How many bits a number takes. */
constexpr int wn_bits(int value) { return value < 2 ? 1 : 1 + wn_bits(value / 2); }

/* How many of COUNT bits are set; they are used up. */
template <int COUNT, int BITS> WW void wn_count_ones(word *bits, word *sum) {
    word carry[COUNT / 2 + 1];
    int left = COUNT;
    UNROLL for (int b = 0; b < BITS; b++) {
        int carries = 0;
        UNROLL for (int k = 0; k + 2 < left; k += 2) {
            word x = bits[k], y = bits[k + 1], z = bits[k + 2];
            bits[k + 2] = x ^ y ^ z;
            carry[carries++] = ww_majority(x, y, z);
        }
        if (left > 0 && left % 2 == 0) {
            word x = bits[left - 2], y = bits[left - 1];
            bits[left - 1] = x ^ y;
            carry[carries++] = x & y;
        }
        sum[b] = left > 0 ? bits[left - 1] : word(0);
        UNROLL for (int k = 0; k < carries; k++) bits[k] = carry[k];
        left = carries;
    }
}

/* a += b */
template <int BITS, int FEW> WW void wn_add(word *a, const word *b) {
    word carry = word(0);
    UNROLL for (int i = 0; i < BITS; i++) {
        word y = i < FEW ? b[i] : word(0), x = a[i];
        a[i] = x ^ y ^ carry;
        carry = ww_majority(x, y, carry);
    }
}
