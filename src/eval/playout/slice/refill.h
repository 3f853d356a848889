/* New games for the lanes of a bit-slice whose games have ended. */
#pragma once

#include <string.h>

#include "base/bits.h"
#include "eval/playout/slice/runner.h"

/* Makes run->start the start of the lanes in `mask`. */
static void set_start(struct slice_runner *run, const uint64_t mask[SLICE_WORDS]) {
    struct slice *s = run->slice;
    const struct yo_playout_position *position = &run->start;
    vec lanes;
    memcpy(&lanes, mask, sizeof lanes);
    vec *own = slice_plane(s, PLANE_START_OWN), *opp = slice_plane(s, PLANE_START_OPP);
    vec *excl = slice_plane(s, PLANE_START_EXCL);
    for (int p = 0; p < s->size * s->size; p++) {
        unsigned color = position->stones[p];
        bool stone = color != YO_GO_EMPTY, mine = color == position->to_move;
        own[p] = stone && mine ? own[p] | lanes : own[p] & ~lanes;
        opp[p] = stone && !mine ? opp[p] | lanes : opp[p] & ~lanes;
        excl[p] = p == position->ko ? excl[p] | lanes : excl[p] & ~lanes;
    }
    bool white = position->to_move == YO_GO_WHITE;
    s->start_white = white ? s->start_white | lanes : s->start_white & ~lanes;
}

/* Only lanes that do not have this start yet need it. */
static void share_start(struct slice_runner *run, const uint64_t lanes[SLICE_WORDS]) {
    uint64_t need[SLICE_WORDS], any = 0;
    if (run->start_position != run->piece.position || run->start_child != run->piece.child) {
        run->start_position = run->piece.position;
        run->start_child = run->piece.child;
        yo_playout_piece_start(&run->piece, &run->start);
        memset(run->start_lanes, 0, sizeof run->start_lanes);
    }
    for (int w = 0; w < SLICE_WORDS; w++) {
        any |= need[w] = lanes[w] & ~run->start_lanes[w];
        run->start_lanes[w] |= lanes[w];
    }
    if (any) set_start(run, need);
}

static bool next_piece(struct slice_runner *run) {
    while (run->piece.games == 0 && !run->source_dry)
        if (!run->source->next(run->source->ctx, &run->piece)) run->source_dry = true;
    return !run->source_dry;
}

/* Gives as many free lanes as possible a game of the current piece. Moves the lanes from `free` to
 * `given` and writes their generators' states to seeds, in the order of lanes. */
static void hand_out(struct slice_runner *run, uint64_t *free, uint64_t given[SLICE_WORDS],
                     uint64_t *seeds) {
    struct yo_playout_piece *piece = &run->piece;
    uint32_t count = 0;
    for (int w = 0; w < SLICE_WORDS; w++) {
        given[w] = 0;
        while (free[w] && count < piece->games) {
            unsigned bit = pop_lowest(&free[w]);
            int lane = 64 * w + (int)bit;
            given[w] |= (uint64_t)1 << bit;
            run->lanes[lane] =
                (struct lane){piece->result, piece->sink, piece->first_game + count, piece->komi2};
            run->log_count[lane] = 0;
            count++;
        }
    }
    for (uint32_t i = 0; i < count; i++) /* a loop of its own, so that it is vectorised */
        seeds[i] = yo_playout_seed(piece->seed, piece->first_game + i);
    piece->first_game += count;
    piece->games -= count;
    if (piece->sink) run->slice->record = true;
}

/* Spreads the low bits of `bits` over the places of the mask's ones, in order. */
static uint64_t deposit(uint64_t bits, uint64_t mask) {
#ifdef __BMI2__
    return _pdep_u64(bits, mask);
#else
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, bits >>= 1)
        if (bits & 1) out |= mask & -mask;
    return out;
#endif
}

/* Puts seeds[0], seeds[1], ... into the generators of the lanes in `given`, in order of lanes: up
 * to 64 of them are transposed together, then distributed to their words. */
static void load_seeds(struct slice *s, const uint64_t given[SLICE_WORDS], const uint64_t *seeds) {
    uint64_t rows[64];
    for (int w = 0; w < SLICE_WORDS;) {
        int end = w, count = 0;
        while (end < SLICE_WORDS && count + __builtin_popcountll(given[end]) <= 64)
            count += __builtin_popcountll(given[end++]);
        if (count > 0) {
            memset(rows, 0, sizeof rows);
            memcpy(rows, seeds, (size_t)count * sizeof rows[0]);
            yo_bits_transpose64(rows);
            seeds += count;
        }
        for (; w < end; w++) {
            if (!given[w]) continue;
            unsigned ones = (unsigned)__builtin_popcountll(given[w]);
            for (int b = 0; b < 64; b++) {
                uint64_t *word = &words_of(&s->rng[b ^ 32 * s->phase])[w];
                *word = (*word & ~given[w]) | deposit(rows[b], given[w]);
                rows[b] = ones < 64 ? rows[b] >> ones : 0;
            }
        }
    }
}

/* Puts the lanes at their start positions. */
static void load_boards(struct slice *s, vec lanes) {
    for (int plane = PLANE_OWN; plane <= PLANE_EXCL; plane++) {
        vec *to = slice_plane(s, (enum slice_plane)plane);
        const vec *from = slice_plane(s, (enum slice_plane)(plane + PLANE_START_OWN));
        for (int p = 0; p < s->size * s->size; p++)
            to[p] = v_select(lanes, from[p], to[p]);
    }
    for (int b = 0; b < SLICE_COUNT_BITS; b++)
        s->count[b] &= ~lanes;
    s->white = v_select(lanes, s->start_white, s->white);
    s->passed &= ~lanes;
    s->live |= lanes;
}

static void refill(struct slice_runner *run) {
    uint64_t given[SLICE_WORDS], all[SLICE_WORDS] = {0};
    uint64_t seeds[SLICE_BITS];
    bool any = false;
    for (;;) {
        uint64_t left = 0;
        for (int w = 0; w < SLICE_WORDS; w++)
            left |= run->ended[w];
        if (!left || !next_piece(run)) break;
        hand_out(run, run->ended, given, seeds);
        share_start(run, given);
        load_seeds(run->slice, given, seeds);
        for (int w = 0; w < SLICE_WORDS; w++)
            all[w] |= given[w];
        any = true;
    }
    if (!any) return;
    vec lanes;
    memcpy(&lanes, all, sizeof lanes);
    load_boards(run->slice, lanes);
}
