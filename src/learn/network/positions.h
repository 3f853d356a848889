/* Positions to learn from, each with the chance to win that a network should give it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "learn/network/slope.h"

struct fit_targets {
    double results; /* 0..1: weight of the game's result; the rest is the score of the search */
    double scale;   /* hundredths of a pawn to a logit of 1 in these scores */
    int below;      /* positions with such scores are left out: mates mostly, which a static
                       evaluation cannot see */
};

struct fit_position {
    uint8_t packed[32];
    float target;
    int8_t result; /* as in yo_shogi_sample; FIT_NO_RESULT beside a game */
};

enum { FIT_NO_RESULT = 2 };

struct fit_set {
    struct fit_position *positions;
    size_t count, cap;
    /* Neighbours are of one game, so whole runs are held out; the numbers of both kinds. */
    uint32_t *learned, *held;
    size_t learned_count, held_count;
};

/* Adds the quiet positions of a file of `yomi selfplay shogi`. Zero *set before the first. name is
 * for messages. */
enum yo_err yo_fit_set_add(struct fit_set *set, const void *bytes, size_t len, const char *name,
                           const struct fit_targets *targets, struct yo_diag *diag);
/* After the last: divides the positions. */
enum yo_err yo_fit_set_divide(struct fit_set *set);
void yo_fit_set_free(struct fit_set *set);

/* Left and right exchanged, if mirrored. */
void yo_fit_inputs_of(const struct fit_position *position, bool mirrored,
                      struct fit_inputs *inputs);
