#include "eval/net/shogi.h"

#include <math.h>
#include <string.h>

#include "eval/net/shogi_features.h"
#include "game/shogi/game_ops.h"

static const struct yo_shogi_position *position_of(const void *state) {
    return &((const struct yo_shogi_state *)state)->position;
}

static int size_of(const void *state) {
    (void)state;
    return 9;
}

static void input_dlshogi(const void *state, const uint64_t *used, int symmetry, uint64_t *planes,
                          float *globals) {
    (void)symmetry, (void)globals;
    yo_shogi_features_dlshogi(position_of(state), used, (uint64_t(*)[YO_SHOGI_PLANE_WORDS])planes);
}

static void input_pieces(const void *state, const uint64_t *used, int symmetry, uint64_t *planes,
                         float *globals) {
    (void)used, (void)symmetry, (void)globals;
    yo_shogi_features_pieces(position_of(state), (uint64_t(*)[YO_SHOGI_PLANE_WORDS])planes);
}

static size_t policy_size(int size) {
    (void)size;
    return YO_SHOGI_NET_LABELS;
}

static size_t policy_index(const void *state, yo_move move) {
    return yo_shogi_policy_index(position_of(state), (yo_shogi_move)move);
}

/* A board of 27 channels and a row of 27 x 81 are the same numbers in the same order. */
static void policy(const struct yo_net *net, int size, const struct yo_net_raw *raw,
                   float *logits) {
    (void)net, (void)size;
    memcpy(logits, raw->out[YO_NET_OUT_POLICY], YO_SHOGI_NET_LABELS * sizeof *logits);
}

static void policy_of(const struct yo_net *net, int size, const struct yo_net_raw *raw,
                      const uint16_t *entries, size_t count, float *logits) {
    (void)net, (void)size;
    for (size_t i = 0; i < count; i++)
        logits[i] = raw->picked ? raw->picked[i] : raw->out[YO_NET_OUT_POLICY][entries[i]];
}

static void value(const struct yo_net *net, const void *state, const struct yo_net_raw *raw,
                  struct yo_eval_value *out) {
    (void)state;
    float x = raw->out[YO_NET_OUT_VALUE][0];
    if (net->value_kind == YO_NET_LOGIT) x = 1 / (1 + expf(-x));
    if (net->value_kind == YO_NET_BALANCE) x = (1 + x) / 2;
    *out = (struct yo_eval_value){.win = x};
}

#define SHOGI_TABLE(make_input)                                                                    \
    {                                                                                              \
        .game = &yo_shogi_ops, .symmetries = 1, .wants = YO_EVAL_VALUE | YO_EVAL_POLICY,           \
        .smallest = 9, .largest = 9, .size = size_of, .input = make_input,                         \
        .policy_size = policy_size, .policy_index = policy_index, .picks = true, .policy = policy, \
        .policy_of = policy_of, .value = value,                                                    \
    }

const struct yo_net_game yo_net_dlshogi = SHOGI_TABLE(input_dlshogi);
const struct yo_net_game yo_net_pieces = SHOGI_TABLE(input_pieces);
