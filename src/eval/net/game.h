/* The game-specific part of networks: encoding of positions and decoding of outputs. One table for
 * each network format. */
#pragma once

#include "eval/eval.h"
#include "eval/net/net.h"

/* The raw outputs of one position; NULL for what was not asked for. */
struct yo_net_raw {
    const float *out[YO_NET_ROLES];
    int symmetry; /* applied to the position */
};

struct yo_net_game {
    const struct yo_game_ops *game;
    int symmetries;        /* 1: only the identity */
    unsigned wants;        /* of enum yo_eval_want */
    int smallest, largest; /* board sizes */
    int (*size)(const void *position);
    /* The inputs of a position under the symmetry. `planes` comes zeroed; planes that are not in
     * `used` may stay zero. */
    void (*input)(const void *position, const uint64_t *used, int symmetry, uint64_t *planes,
                  float *globals);
    /* Optional: the same for callers that go from move to move. A position's part of the inputs
     * that its successors need again has `kept_words` words; `now` receives it, and was[0] and
     * was[1] are those of the positions one and two moves ago, or NULL. */
    int kept_words;
    void (*input_kept)(const void *position, const uint64_t *used, int symmetry,
                       const uint64_t *const was[2], uint64_t *now, uint64_t *planes,
                       float *globals);
    /* Number of policy entries, and the entry of a move. */
    size_t (*policy_size)(int size);
    size_t (*policy_index)(const void *position, yo_move move);
    /* Logits with the symmetry undone; a softmax over the legal moves gives probabilities. */
    void (*policy)(const struct yo_net *net, int size, const struct yo_net_raw *raw, float *logits);
    void (*value)(const struct yo_net *net, const void *position, const struct yo_net_raw *raw,
                  struct yo_eval_value *value);
    /* For each cell: +1 the first side's .. -1 the other's. */
    void (*ownership)(const void *position, const struct yo_net_raw *raw, float *ownership);
};

const struct yo_net_game *yo_net_game(const struct yo_net *net);

/* Turns logits into probabilities. */
void yo_net_softmax(float *values, size_t count);
