#include "learn/network/model.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/random.h"

#define BYTE_MAX 127.0f
/* Beyond, an output is 0 or 127 whatever the inputs are. Sums with such biases are exact in floats.
 */
#define BIAS_MAX 8388608.0f

enum {
    BOARD_FIRST = SHOGI_HAND_INPUTS,
    HAND_KINDS = 14,
    ROUND_UP = 32 /* half of what a layer divides by, rounding down */
};

/* ---- Kinds of inputs ---- */

int yo_fit_kind_of(int input) {
    static const uint8_t hands[HAND_KINDS] = {1,  20, 39, 44, 49, 54, 59,
                                              64, 69, 74, 79, 82, 85, 88};
    if (input >= BOARD_FIRST) return HAND_KINDS + (input - BOARD_FIRST) / 81;
    int kind = HAND_KINDS - 1;
    while (kind > 0 && input < hands[kind])
        kind--;
    return kind;
}

int yo_fit_rank_of(int input) {
    if (input < BOARD_FIRST) return input;
    int on_board = input - BOARD_FIRST;
    return BOARD_FIRST + on_board / 81 * 9 + on_board % 9;
}

/* ---- Where learning begins ---- */

static void draw_uniform(float *out, size_t count, float most, uint64_t *random) {
    for (size_t i = 0; i < count; i++)
        out[i] = most * (float)(2 * yo_random_uniform(random) - 1);
}

void yo_fit_params_draw(struct fit_params *p, float cp, uint64_t seed) {
    uint64_t random = yo_mix64(seed + YO_SPLITMIX_STEP);
    memset(p, 0, sizeof *p);
    for (int i = 0; i < FIT_KINDS; i++)
        for (int j = 0; j < FIT_SUMS; j++)
            p->by_kind[i][j] = 0.05f * (float)yo_random_normal(&random);
    for (int i = 0; i < FIT_SUMS; i++)
        p->bias[i] = 0.5f;
    float first = 1 / sqrtf(2 * FIT_SUMS), others = 1 / sqrtf(FIT_HIDDEN);
    draw_uniform(p->weights1[0], FIT_HIDDEN * 2 * FIT_SUMS, first, &random);
    draw_uniform(p->biases1, FIT_HIDDEN, first, &random);
    draw_uniform(p->weights2[0], FIT_HIDDEN * FIT_HIDDEN, others, &random);
    draw_uniform(p->biases2, FIT_HIDDEN, others, &random);
    draw_uniform(p->weights3, FIT_HIDDEN, others, &random);
    yo_fit_params_clip(p, cp);
}

static void bytes_from(float *out, const int8_t *in, size_t count, float one) {
    for (size_t i = 0; i < count; i++)
        out[i] = (float)in[i] / one;
}

static void biases_from(float *out, const int32_t *in) {
    for (size_t i = 0; i < FIT_HIDDEN; i++)
        out[i] = ((float)in[i] - (float)ROUND_UP) / (FIT_SUM_ONE * FIT_WEIGHT_ONE);
}

enum yo_err yo_fit_params_from(struct fit_params *p, float cp, const struct yo_shogi_net *net,
                               struct yo_diag *diag) {
    const struct shogi_net_layers *l = &net->layers;
    if (net->kind != YO_SHOGI_NET_KP && net->kind != YO_SHOGI_NET_RELATIVE) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s cannot be learned on", yo_shogi_net_name(net));
        yo_diag_hint(diag, "start with a K-P or K-P relative network, or none; "
                           "train/shogi/eval/train.py goes on from HalfKA zones");
        return YO_ERR_UNSUPPORTED;
    }
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < net->inputs; i++) {
        float *row = i < SHOGI_KP_INPUTS ? p->own[i] : p->relative[i - SHOGI_KP_INPUTS];
        for (int j = 0; j < FIT_SUMS; j++)
            row[j] = net->weights[i][j] / FIT_SUM_ONE;
    }
    for (int j = 0; j < FIT_SUMS; j++)
        p->bias[j] = l->sum_biases[j] / FIT_SUM_ONE;
    bytes_from(p->weights1[0], l->rows1[0], sizeof l->rows1, FIT_WEIGHT_ONE);
    bytes_from(p->weights2[0], l->rows2[0], sizeof l->rows2, FIT_WEIGHT_ONE);
    bytes_from(p->weights3, l->row3, sizeof l->row3, FIT_OUTPUT_ONE(cp));
    biases_from(p->biases1, l->biases1);
    biases_from(p->biases2, l->biases2);
    p->bias3 = (float)l->bias3 / (FIT_SUM_ONE * FIT_OUTPUT_ONE(cp));
    return YO_OK;
}

/* ---- As a position is computed ---- */

static void clip(float *row, size_t count, float most) {
    for (size_t i = 0; i < count; i++)
        row[i] = fmaxf(-most, fminf(most, row[i]));
}

void yo_fit_params_clip(struct fit_params *p, float cp) {
    clip(p->weights1[0], sizeof p->weights1 / sizeof(float), BYTE_MAX / FIT_WEIGHT_ONE);
    clip(p->weights2[0], sizeof p->weights2 / sizeof(float), BYTE_MAX / FIT_WEIGHT_ONE);
    clip(p->weights3, FIT_HIDDEN, BYTE_MAX / FIT_OUTPUT_ONE(cp));
}

static float integer(float x, float most) { return fmaxf(-most - 1, fminf(most, rintf(x))); }

static void to_integers(float *out, const float *in, size_t count, float one, float most) {
    for (size_t i = 0; i < count; i++)
        out[i] = integer(in[i] * one, most);
}

static void see_row(const struct fit_params *p, int input, float *out) {
    if (input >= SHOGI_KP_INPUTS) {
        to_integers(out, p->relative[input - SHOGI_KP_INPUTS], FIT_SUMS, FIT_SUM_ONE, INT16_MAX);
        return;
    }
    const float *kind = p->by_kind[yo_fit_kind_of(input)],
                *rank = p->by_rank[yo_fit_rank_of(input)];
    for (int j = 0; j < FIT_SUMS; j++)
        out[j] = integer((p->own[input][j] + rank[j] + kind[j]) * FIT_SUM_ONE, INT16_MAX);
}

static void see_biases(float *out, const float *in) {
    for (int i = 0; i < FIT_HIDDEN; i++)
        out[i] = integer(in[i] * FIT_SUM_ONE * FIT_WEIGHT_ONE, BIAS_MAX) + (float)ROUND_UP;
}

static void see_layers(struct fit_view *v, const struct fit_params *p, float cp) {
    float output = FIT_OUTPUT_ONE(cp);
    v->output_one = cp * (float)SHOGI_NET_SCALE;
    to_integers(v->bias, p->bias, FIT_SUMS, FIT_SUM_ONE, INT16_MAX);
    to_integers(v->weights1[0], p->weights1[0], FIT_HIDDEN * 2 * FIT_SUMS, FIT_WEIGHT_ONE,
                BYTE_MAX);
    to_integers(v->weights2[0], p->weights2[0], FIT_HIDDEN * FIT_HIDDEN, FIT_WEIGHT_ONE, BYTE_MAX);
    to_integers(v->weights3, p->weights3, FIT_HIDDEN, output, BYTE_MAX);
    see_biases(v->biases1, p->biases1);
    see_biases(v->biases2, p->biases2);
    v->bias3 = integer(p->bias3 * FIT_SUM_ONE * output, BIAS_MAX);
    for (int o = 0; o < FIT_HIDDEN; o++) {
        for (int i = 0; i < 2 * FIT_SUMS; i++)
            v->inputs1[i][o] = v->weights1[o][i];
        for (int i = 0; i < FIT_HIDDEN; i++)
            v->inputs2[i][o] = v->weights2[o][i];
    }
}

void yo_fit_view_update(struct fit_view *v, const struct fit_params *p, float cp, int first,
                        int end) {
    for (int i = first; i < end; i++)
        see_row(p, i, v->rows[i]);
    if (first == 0) see_layers(v, p, cp);
}

/* ---- The file's numbers ---- */

static void to_bytes(int8_t *out, const float *in, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = (int8_t)in[i];
}

static void to_biases(int32_t *out, const float *in) {
    for (size_t i = 0; i < FIT_HIDDEN; i++)
        out[i] = (int32_t)in[i];
}

void yo_fit_view_store(const struct fit_view *v, struct yo_shogi_net *net) {
    struct shogi_net_layers *l = &net->layers;
    for (int i = 0; i < SHOGI_RELATIVE_INPUTS; i++)
        for (int j = 0; j < FIT_SUMS; j++)
            net->weights[i][j] = (int16_t)v->rows[i][j];
    for (int j = 0; j < FIT_SUMS; j++)
        l->sum_biases[j] = (int16_t)v->bias[j];
    to_bytes(l->rows1[0], v->weights1[0], sizeof l->rows1);
    to_bytes(l->rows2[0], v->weights2[0], sizeof l->rows2);
    to_bytes(l->row3, v->weights3, sizeof l->row3);
    to_biases(l->biases1, v->biases1);
    to_biases(l->biases2, v->biases2);
    l->bias3 = (int32_t)v->bias3;
}
