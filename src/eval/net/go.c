#include "eval/net/go.h"

#include <math.h>
#include <string.h>

#include "eval/net/backend.h"
#include "eval/net/go_features.h"
#include "eval/net/symmetry.h"

static double softplus(double x) { return x > 40 ? x : log1p(exp(x)); }

/* Only simple ko and territory rules, through long cycles, allow a game without result. */
static bool may_have_no_result(const struct yo_go_rules *rules) {
    return rules->ko == YO_GO_KO_SIMPLE || rules->scoring == YO_GO_TERRITORY;
}

static void set_chances(const struct yo_go_rules *rules, const float *logits,
                        struct yo_net_go_value *value) {
    bool third = may_have_no_result(rules);
    double win = (double)logits[0], loss = (double)logits[1], none = (double)logits[2];
    double most = fmax(win, loss);
    if (third) most = fmax(most, none);
    win = exp(win - most);
    loss = exp(loss - most);
    none = third ? exp(none - most) : 0;
    double sum = win + loss + none;
    value->win = win / sum;
    value->loss = loss / sum;
    value->no_result = none / sum;
}

/* Versions differ in what the last two outputs are: an error, its square, or the root of it. */
static void set_errors(const struct yo_net *net, const float *raw, struct yo_net_go_value *value) {
    const struct yo_net_multipliers *m = &net->multipliers;
    value->time_left = value->winloss_error = value->score_error = -1;
    if (net->version < 9) return;
    value->time_left = softplus((double)raw[3]) * m->variance_time;
    double winloss = (double)raw[4], score = (double)raw[5];
    if (net->version >= 14) {
        value->winloss_error = softplus(winloss * 0.5) * sqrt(m->shortterm_value_error);
        value->score_error = softplus(score * 0.5) * sqrt(m->shortterm_score_error);
    } else if (net->version >= 10) {
        value->winloss_error = sqrt(softplus(winloss) * m->shortterm_value_error);
        value->score_error = sqrt(softplus(score) * m->shortterm_score_error);
    } else {
        value->winloss_error = softplus(winloss);
        value->score_error = softplus(score) * 10;
    }
}

void yo_net_go_value(const struct yo_net *net, const struct yo_go_rules *rules,
                     const struct yo_net_raw *raw, struct yo_net_go_value *value) {
    const struct yo_net_multipliers *m = &net->multipliers;
    const float *score = raw->out[YO_NET_OUT_SCORE];
    set_chances(rules, raw->out[YO_NET_OUT_VALUE], value);
    /* The network's scores are for games that have a result. */
    double result = 1 - value->no_result;
    double mean = (double)score[0] * m->score_mean;
    double stdev = softplus((double)score[1]) * m->score_stdev;
    value->score_mean = mean * result;
    value->score_square = (mean * mean + stdev * stdev) * result;
    value->score_stdev = sqrt(fmax(0, value->score_square - value->score_mean * value->score_mean));
    value->lead = (double)score[2] * m->lead * result;
    set_errors(net, score, value);
}

/* ---- the table ---- */

static int size_of(const void *position) {
    const struct yo_go_position *pos = position;
    return pos->board.geometry->size;
}

static void turn(const struct yo_go_net_input *in, const uint64_t *used, int symmetry,
                 uint64_t *planes, float *globals) {
    size_t words = (size_t)yo_net_plane_words(in->size);
    for (int plane = 0; plane < YO_GO_NET_PLANES; plane++) {
        if (!(used[0] >> plane & 1)) continue;
        int turned = plane == YO_GO_PLANE_ON_BOARD ? 0 : symmetry; /* that plane looks the same */
        yo_net_symmetry_plane(in->size, turned, in->plane[plane], planes + (size_t)plane * words);
    }
    memcpy(globals, in->global, sizeof in->global);
}

static void input(const void *position, const uint64_t *used, int symmetry, uint64_t *planes,
                  float *globals) {
    struct yo_go_net_input in;
    yo_go_features_v7(position, (uint32_t)used[0], &in);
    turn(&in, used, symmetry, planes, globals);
}

static void input_kept(const void *position, const uint64_t *used, int symmetry,
                       const struct yo_net_kept *net_kept, uint64_t *planes, float *globals) {
    struct yo_go_net_input in;
    struct yo_go_ladders_kept kept = {.was = {net_kept->was[0], net_kept->was[1]},
                                      .memory = net_kept->memory};
    yo_go_features_v7_kept(position, (uint32_t)used[0], &kept, &in);
    if (net_kept->now) memcpy(net_kept->now, kept.now, sizeof kept.now);
    turn(&in, used, symmetry, planes, globals);
}

static void *memory_new(int size) { return yo_go_ladder_memory_new(size); }

static void memory_delete(void *memory) { yo_go_ladder_memory_delete(memory); }

static size_t policy_size(int size) { return (size_t)(size * size) + 1; }

static size_t policy_index(const void *position, yo_move move) {
    return move == YO_GO_PASS ? policy_size(size_of(position)) - 1 : move;
}

/* Uses the first channel only. The others are an optimistic policy from version 12 and values of
 * moves from 16. */
static void policy(const struct yo_net *net, int size, const struct yo_net_raw *raw,
                   float *logits) {
    (void)net;
    const uint16_t *turned = yo_net_symmetry_points(size, raw->symmetry);
    int points = size * size;
    for (int p = 0; p < points; p++)
        logits[p] = raw->out[YO_NET_OUT_POLICY][turned[p]];
    logits[points] = raw->out[YO_NET_OUT_PASS][0];
}

static void policy_of(const struct yo_net *net, int size, const struct yo_net_raw *raw,
                      const uint16_t *entries, size_t count, float *logits) {
    (void)net;
    const uint16_t *turned = yo_net_symmetry_points(size, raw->symmetry);
    int pass = size * size;
    for (size_t i = 0; i < count; i++)
        logits[i] = entries[i] == pass ? raw->out[YO_NET_OUT_PASS][0]
                                       : raw->out[YO_NET_OUT_POLICY][turned[entries[i]]];
}

static void value(const struct yo_net *net, const void *position, const struct yo_net_raw *raw,
                  struct yo_eval_value *out) {
    const struct yo_go_position *pos = position;
    struct yo_net_go_value v;
    yo_net_go_value(net, &pos->rules, raw, &v);
    *out = (struct yo_eval_value){.win = (float)v.win,
                                  .draw = (float)v.no_result,
                                  .score_mean = (float)v.score_mean,
                                  .score_stdev = (float)v.score_stdev,
                                  .score_lead = (float)v.lead,
                                  .win_error = (float)(v.winloss_error / 2),
                                  .score_error = (float)v.score_error,
                                  .time_left = (float)v.time_left};
}

static void ownership(const void *position, const struct yo_net_raw *raw, float *out) {
    const struct yo_go_position *pos = position;
    int size = size_of(position);
    float sign = pos->to_move == YO_GO_BLACK ? 1.0F : -1.0F;
    const uint16_t *turned = yo_net_symmetry_points(size, raw->symmetry);
    for (int p = 0; p < size * size; p++)
        out[p] = sign * tanhf(raw->out[YO_NET_OUT_OWNERSHIP][turned[p]]);
}

const struct yo_net_game yo_net_go = {
    .game = &yo_go_ops,
    .symmetries = YO_NET_SYMMETRIES,
    .wants = YO_EVAL_VALUE | YO_EVAL_POLICY | YO_EVAL_OWNERSHIP,
    .smallest = YO_GO_SIZE_MIN,
    .largest = YO_GO_SIZE_MAX,
    .size = size_of,
    .input = input,
    .kept_words = YO_GO_WORDS_MAX,
    .input_kept = input_kept,
    .memory_new = memory_new,
    .memory_delete = memory_delete,
    .policy_size = policy_size,
    .policy_index = policy_index,
    .policy = policy,
    .policy_of = policy_of,
    .value = value,
    .ownership = ownership,
};
