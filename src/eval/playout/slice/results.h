/* Takes the results of ended games out of a bit-slice. */
#pragma once

#include "eval/playout/slice/runner.h"

/* Adds the area planes of the games in `mask` to a result's ownership. */
static void add_ownership(struct slice_runner *run, struct yo_eval_playouts *result,
                          const uint64_t mask[SLICE_WORDS]) {
    struct slice *s = run->slice;
    const uint64_t *black = const_words_of(slice_plane(s, PLANE_HLINK));
    const uint64_t *white = const_words_of(slice_plane(s, PLANE_VLINK));
    const int points = s->size * s->size;
    int used = 0, last = 0;
    for (int w = 0; w < SLICE_WORDS; w++)
        if (mask[w]) used++, last = w;
    if (used == 1) { /* for example one game for each position */
        for (int p = 0; p < points; p++)
            result->owner[p] += __builtin_popcountll(black[p * SLICE_WORDS + last] & mask[last]) -
                                __builtin_popcountll(white[p * SLICE_WORDS + last] & mask[last]);
        return;
    }
    for (int p = 0; p < points; p++) {
        int sum = 0;
        for (int w = 0; w < SLICE_WORDS; w++) {
            sum += __builtin_popcountll(black[p * SLICE_WORDS + w] & mask[w]);
            sum -= __builtin_popcountll(white[p * SLICE_WORDS + w] & mask[w]);
        }
        result->owner[p] += sum;
    }
}

/* Ownership of all ended games, result by result: nearly always there is only one. */
static void add_ownerships(struct slice_runner *run) {
    uint64_t left[SLICE_WORDS], mask[SLICE_WORDS];
    memcpy(left, run->ended, sizeof left);
    for (int first = 0; first < SLICE_WORDS; first++)
        while (left[first]) {
            struct yo_eval_playouts *result =
                run->lanes[64 * first + __builtin_ctzll(left[first])].result;
            for (int w = first; w < SLICE_WORDS; w++) {
                mask[w] = 0;
                for (uint64_t bits = left[w]; bits;) {
                    unsigned lane = pop_lowest(&bits);
                    if (run->lanes[64 * w + (int)lane].result == result)
                        mask[w] |= (uint64_t)1 << lane;
                }
                left[w] &= ~mask[w];
            }
            for (int w = 0; w < first; w++)
                mask[w] = 0;
            if (result->owner) add_ownership(run, result, mask);
        }
}

static void add_game(struct slice_runner *run, int lane, int score, uint32_t moves) {
    struct lane *l = &run->lanes[lane];
    int points = run->slice->size * run->slice->size;
    yo_playout_add_score(l->result, points, l->komi2, score);
    l->result->moves += moves;
    if (!l->sink) return;
    struct yo_playout_game game = {
        .number = l->number, .score = score, .move_count = moves, .moves = run->log[lane]};
    l->sink->game(l->sink->user, &game);
}

/* The number whose bits are spread over bits[0..count-1], for one lane. */
static uint32_t lane_number(const vec *bits, int count, int word, unsigned lane) {
    uint32_t number = 0;
    for (int b = 0; b < count; b++)
        number |= (uint32_t)(const_words_of(&bits[b])[word] >> lane & 1) << b;
    return number;
}

static void take_results(struct slice_runner *run) {
    struct slice *s = run->slice;
    int bits_needed = 1; /* to hold N*N; the move limit, three times that, needs two more */
    while (s->size * s->size >> bits_needed)
        bits_needed++;
    run->area(s);
    add_ownerships(run);
    for (int w = 0; w < SLICE_WORDS; w++)
        for (uint64_t bits = run->ended[w]; bits;) {
            unsigned lane = pop_lowest(&bits);
            int black = (int)lane_number(s->black_sum, bits_needed, w, lane);
            int white = (int)lane_number(s->white_sum, bits_needed, w, lane);
            uint32_t moves = lane_number(s->count, bits_needed + 2, w, lane);
            add_game(run, 64 * w + (int)lane, black - white, moves);
        }
}
