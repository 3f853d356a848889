/* The state that run.h, refill.h and results.h share. */
#pragma once

#include "eval/playout/backend.h"
#include "eval/playout/slice/state.h"

/* What each lane is playing. */
struct lane {
    struct yo_eval_playouts *result;
    const struct yo_playout_sink *sink;
    uint64_t number;
    int komi2;
};

struct slice_runner {
    const struct yo_playout_source *source;
    struct yo_playout_piece piece; /* being handed out; piece.games are still to come */
    bool source_dry;
    vec (*step)(struct slice *);
    void (*area)(struct slice *);
    /* The start position of the lanes in `start_lanes`, and its source, to detect a change. */
    struct yo_playout_position start;
    const struct yo_go_position *start_position;
    const yo_move *start_child;
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
