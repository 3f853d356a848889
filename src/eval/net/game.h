/* What a game adds to networks: which planes a position makes, and what the outputs mean. One table
 * for each format of network. */
#pragma once

#include "eval/eval.h"
#include "eval/net/net.h"

/* The raw outputs of one position; NULL for what was not asked for. */
struct yo_net_raw {
    const float *out[YO_NET_ROLES];
    int symmetry; /* that the position was turned by */
};

struct yo_net_game {
    const struct yo_game_ops *game;
    int symmetries;        /* 1: it has none but itself */
    unsigned wants;        /* of enum yo_eval_want */
    int smallest, largest; /* board sizes */
    int (*size)(const void *position);
    /* The inputs of a position, turned. `planes` comes zeroed; planes that are not in `used` stay
     * so. */
    void (*input)(const void *position, const uint64_t *used, int symmetry, uint64_t *planes,
                  float *globals);
    /* Entries of the policy, and which of them a move is. */
    size_t (*policy_size)(int size);
    size_t (*policy_index)(const void *position, yo_move move);
    /* Logits, turned back; a probability is that of a softmax over the moves that are legal. */
    void (*policy)(const struct yo_net *net, int size, const struct yo_net_raw *raw, float *logits);
    void (*value)(const struct yo_net *net, const void *position, const struct yo_net_raw *raw,
                  struct yo_eval_value *value);
    /* For each cell, +1 the side's that moves first .. -1 the other's. */
    void (*ownership)(const void *position, const struct yo_net_raw *raw, float *ownership);
};

const struct yo_net_game *yo_net_game(const struct yo_net *net);

/* Makes probabilities of logits. */
void yo_net_softmax(float *values, size_t count);
