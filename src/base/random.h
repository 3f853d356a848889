/* Vigna's splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
 * 2014): for keys, seeds and draws outside playouts. (docs/playout.md specifies the generator of
 * playouts.) The same state gives the same numbers on every machine, so that stored hash keys stay
 * valid. */
#pragma once

#include <stdint.h>

#define YO_SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The output function alone: a bijection in which every bit of x changes half of the bits. */
static inline uint64_t yo_mix64(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline uint64_t yo_splitmix64(uint64_t *state) {
    return yo_mix64(*state += YO_SPLITMIX_STEP);
}

/* Above 0 and below 1. */
double yo_random_uniform(uint64_t *state);
/* With mean 0 and deviation 1. */
double yo_random_normal(uint64_t *state);
/* Gamma-distributed with scale 1. Several of one shape, divided by their sum, are a draw from a
 * symmetric Dirichlet distribution. */
double yo_random_gamma(double shape, uint64_t *state);
