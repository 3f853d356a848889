/* Keeping a bit-slice busy: gives ended games' lanes new games, and takes results out of the slice.
 * Both are done for many lanes at a time, since moving bits between "a bit a game" and "a number a
 * game" is a matrix transposition whose cost hardly depends on how many games are wanted.
 * Included once in each backend, after slice_step.h. */
#pragma once

#include <string.h>

#include "base/bits.h"
#include "eval/playout/backend.h"
#include "eval/playout/slice_state.h"

/* Lanes wait with an ended game until so many do. Waiting costs idle lanes, emptying costs
 * transpositions. */
#ifndef SLICE_REFILL
#define SLICE_REFILL (SLICE_BITS / 12)
#endif

/* What each lane is playing. */
struct lane {
    struct yo_playout_result *result;
    const struct yo_playout_sink *sink;
    uint64_t number;
};

struct slice_runner {
    const struct yo_playout_source *source;
    struct yo_playout_piece piece; /* being handed out; piece.games are still to come */
    bool source_dry;
    vec (*step)(struct slice *);
    void (*area)(struct slice *);
    /* The start that lanes of `start_lanes` are set up with, to know when it changes. */
    const struct yo_playout_position *start;
    uint64_t start_lanes[SLICE_WORDS];
    struct lane lanes[SLICE_BITS];
    uint64_t ended[SLICE_WORDS];
    yo_go_point (*log)[YO_PLAYOUT_MOVES_MAX]; /* moves of each lane's game */
    uint16_t log_count[SLICE_BITS];
    struct slice *slice;
};

static uint64_t *words_of(vec *v) { return (uint64_t *)(void *)v; }
static const uint64_t *const_words_of(const vec *v) { return (const uint64_t *)(const void *)v; }

static unsigned pop_lowest(uint64_t *bits) {
    unsigned lane = (unsigned)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return lane;
}

/* ---- results ---- */

/* Adds the area planes of the games in `mask` to a result's ownership. */
static void add_ownership(struct slice_runner *run, struct yo_playout_result *result,
                          const uint64_t mask[SLICE_WORDS]) {
    struct slice *s = run->slice;
    const uint64_t *black = const_words_of(slice_plane(s, PLANE_HLINK));
    const uint64_t *white = const_words_of(slice_plane(s, PLANE_VLINK));
    const int points = s->size * s->size;
    int used = 0, last = 0;
    for (int w = 0; w < SLICE_WORDS; w++)
        if (mask[w]) used++, last = w;
    if (used == 1) { /* as where each position gets one game */
        for (int p = 0; p < points; p++)
            result->ownership[p] +=
                __builtin_popcountll(black[p * SLICE_WORDS + last] & mask[last]) -
                __builtin_popcountll(white[p * SLICE_WORDS + last] & mask[last]);
        return;
    }
    for (int p = 0; p < points; p++) {
        int sum = 0;
        for (int w = 0; w < SLICE_WORDS; w++) {
            sum += __builtin_popcountll(black[p * SLICE_WORDS + w] & mask[w]);
            sum -= __builtin_popcountll(white[p * SLICE_WORDS + w] & mask[w]);
        }
        result->ownership[p] += sum;
    }
}

/* Ownership of all ended games, result by result: nearly always there is only one. */
static void add_ownerships(struct slice_runner *run) {
    uint64_t left[SLICE_WORDS], mask[SLICE_WORDS];
    memcpy(left, run->ended, sizeof left);
    for (int first = 0; first < SLICE_WORDS; first++)
        while (left[first]) {
            struct yo_playout_result *result =
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
            if (result->ownership) add_ownership(run, result, mask);
        }
}

static void add_game(struct slice_runner *run, int lane, int score, uint32_t moves) {
    struct lane *l = &run->lanes[lane];
    int points = run->slice->size * run->slice->size;
    l->result->games++;
    l->result->moves += moves;
    l->result->score_sum += score;
    if (l->result->histogram) l->result->histogram[score + points]++;
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

/* ---- new games ---- */

/* Makes the piece's position the start of the lanes in `mask`. */
static void set_start(struct slice_runner *run, const uint64_t mask[SLICE_WORDS]) {
    struct slice *s = run->slice;
    const struct yo_playout_position *position = run->piece.position;
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
    if (run->start != run->piece.position) {
        run->start = run->piece.position;
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

/* Gives as many free lanes as it can a game of the current piece; the lanes are taken out of `free`
 * and put into `given`, and their generators' states go to seeds, in the order of lanes. */
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
            run->lanes[lane] = (struct lane){piece->result, piece->sink, piece->first_game + count};
            run->log_count[lane] = 0;
            count++;
        }
    }
    for (uint32_t i = 0; i < count; i++) /* by itself, so that it becomes vector code */
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
 * to 64 of them are transposed together, then dealt out to the words that they belong to. */
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

/* ---- every move, for those who asked ---- */
static void log_moves(struct slice_runner *run) {
    struct slice *s = run->slice;
    for (int w = 0; w < SLICE_WORDS; w++)
        for (uint64_t bits = words_of(&s->moved)[w]; bits;) {
            unsigned bit = pop_lowest(&bits);
            int lane = 64 * w + (int)bit;
            unsigned row = 0, col = 0;
            for (int b = 0; b < SLICE_COUNT_BITS / 2; b++) {
                row |= (unsigned)(words_of(&s->move_row[b])[w] >> bit & 1) << b;
                col |= (unsigned)(words_of(&s->move_col[b])[w] >> bit & 1) << b;
            }
            bool pass = words_of(&s->move_pass)[w] >> bit & 1;
            run->log[lane][run->log_count[lane]++] =
                pass ? YO_GO_PASS : (yo_go_point)(row * (unsigned)s->size + col);
        }
}

static int count_ones(const uint64_t words[SLICE_WORDS]) {
    int ones = 0;
    for (int w = 0; w < SLICE_WORDS; w++)
        ones += __builtin_popcountll(words[w]);
    return ones;
}

/* The log comes last, since pages that are never written cost nothing. */
static size_t slice_bytes(int size) {
    size_t bytes = sizeof(struct slice) + sizeof(vec) * PLANES * (size_t)(size * size);
    return (bytes + 63) / 64 * 64;
}

static size_t runner_bytes(void) { return (sizeof(struct slice_runner) + 63) / 64 * 64; }

static size_t slice_scratch_size(int size) {
    return slice_bytes(size) + runner_bytes() +
           sizeof(yo_go_point) * SLICE_BITS * YO_PLAYOUT_MOVES_MAX;
}

static void slice_run(int size, const struct yo_playout_source *source, void *scratch,
                      vec (*step)(struct slice *), void (*area)(struct slice *)) {
    struct slice *s = scratch;
    struct slice_runner *run = (void *)((char *)scratch + slice_bytes(size));
    memset(s, 0, sizeof *s);
    memset(run, 0, sizeof *run);
    s->size = size;
    run->slice = s;
    run->log = (void *)((char *)run + runner_bytes());
    run->source = source;
    run->step = step;
    run->area = area;
    memset(run->ended, 0xff, sizeof run->ended);
    refill(run);
    memset(run->ended, 0, sizeof run->ended);
    while (v_any(s->live)) {
        vec ended = step(s);
        if (s->record) log_moves(run);
        if (!v_any(ended)) continue;
        for (int w = 0; w < SLICE_WORDS; w++)
            run->ended[w] |= words_of(&ended)[w];
        if (v_any(s->live) && count_ones(run->ended) < SLICE_REFILL) continue;
        take_results(run);
        refill(run);
        memset(run->ended, 0, sizeof run->ended);
    }
}
