/* Keeps a bit-slice busy: takes results out of the slice and starts new games in the lanes of ended
 * ones. Both work on many lanes at a time, since converting between one bit per game and one number
 * per game is a matrix transposition, whose cost hardly depends on the number of games. Included
 * once in each backend, after step.h. */
#pragma once

#include <string.h>

#include "eval/playout/slice/refill.h"
#include "eval/playout/slice/results.h"

/* Lanes with an ended game wait until there are so many of them. Waiting costs idle lanes,
 * refilling costs transpositions. */
#ifndef SLICE_REFILL
#define SLICE_REFILL (SLICE_BITS / 12)
#endif

/* ---- logging of moves, if wanted ---- */
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
