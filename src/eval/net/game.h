/* The game-specific part of networks: encoding of positions and decoding of outputs. One table for
 * each network format. */
#pragma once

#include "eval/eval.h"
#include "eval/net/net.h"

/* The raw outputs of one position; NULL for what was not asked for. */
struct yo_net_raw {
    const float *out[YO_NET_ROLES];
    const float *picked; /* the policy's entries that were wanted, instead of all; or NULL */
    int symmetry;        /* applied to the position */
};

/* For callers that go from move to move: what positions leave for the inputs of their successors.
 */
struct yo_net_kept {
    const uint64_t *was[2]; /* of the positions one and two moves ago, or NULL */
    uint64_t *now;          /* receives that of this position: kept_words of the table; or NULL */
    void *memory;           /* of memory_new for this game and board size, or NULL */
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
    /* Optional: the same with less work. */
    int kept_words;
    void (*input_kept)(const void *position, const uint64_t *used, int symmetry,
                       const struct yo_net_kept *kept, uint64_t *planes, float *globals);
    /* Optional, with input_kept: what is remembered over the positions of a game, by one thread at
     * a time. NULL without memory. */
    void *(*memory_new)(int size);
    void (*memory_delete)(void *memory);
    /* Number of policy entries, and the entry of a move. */
    size_t (*policy_size)(int size);
    size_t (*policy_index)(const void *position, yo_move move);
    bool picks; /* entries are indices into the raw policy, under every symmetry */
    /* Logits with the symmetry undone; a softmax over the legal moves gives probabilities. */
    void (*policy)(const struct yo_net *net, int size, const struct yo_net_raw *raw, float *logits);
    /* The same for some entries only; if there are picked ones, for those that were wanted. */
    void (*policy_of)(const struct yo_net *net, int size, const struct yo_net_raw *raw,
                      const uint16_t *entries, size_t count, float *logits);
    /* position: any of the game. */
    void (*value)(const struct yo_net *net, const void *position, const struct yo_net_raw *raw,
                  struct yo_eval_value *value);
    /* For each cell: +1 the first side's .. -1 the other's. */
    void (*ownership)(const void *position, const struct yo_net_raw *raw, float *ownership);
};

const struct yo_net_game *yo_net_game(const struct yo_net *net);

/* Turns logits into probabilities. */
void yo_net_softmax(float *values, size_t count);
