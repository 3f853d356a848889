/* The arithmetic of slope.h, included by one file for each instruction set. Every loop adds a
 * multiple of one row to another, which compilers turn into vectors without reordering sums. */
#pragma once

#include <math.h>
#include <string.h>

#include "learn/network/slope.h"

/* A layer divides its sums by SHIFT, rounding down; its outputs are 0 to TOP. */
#define SHIFT 64.0f
#define TOP   127.0f

struct activations {
    _Alignas(64) float sums[2 * FIT_SUMS]; /* before they are clamped */
    float x[2 * FIT_SUMS];
    float sums1[FIT_HIDDEN], x1[FIT_HIDDEN]; /* sums after the division */
    float sums2[FIT_HIDDEN], x2[FIT_HIDDEN];
};

static inline void add_row(float *restrict out, const float *restrict row, int count) {
    for (int i = 0; i < count; i++)
        out[i] += row[i];
}

static inline void add_times(float *restrict out, float factor, const float *restrict row,
                             int count) {
    for (int i = 0; i < count; i++)
        out[i] += factor * row[i];
}

static inline void clamp(float *restrict out, const float *restrict in, int count) {
    for (int i = 0; i < count; i++)
        out[i] = in[i] < 0 ? 0 : in[i] > TOP ? TOP : in[i];
}

static inline void divide(float *sums) {
    for (int i = 0; i < FIT_HIDDEN; i++)
        sums[i] = floorf(sums[i] / SHIFT);
}

/* Gradients pass where the clamp did nothing. */
static inline void mask(float *restrict slopes, const float *restrict sums, int count) {
    for (int i = 0; i < count; i++)
        slopes[i] = sums[i] >= 0 && sums[i] <= TOP ? slopes[i] : 0;
}

static inline float forward_of(const struct fit_view *v, const struct fit_inputs *in,
                               struct activations *a) {
    for (int side = 0; side < 2; side++) {
        float *sums = a->sums + side * FIT_SUMS;
        memcpy(sums, v->bias, sizeof v->bias);
        for (int i = 0; i < in->count[side]; i++)
            add_row(sums, v->rows[in->on[side][i]], FIT_SUMS);
    }
    clamp(a->x, a->sums, 2 * FIT_SUMS);
    memcpy(a->sums1, v->biases1, sizeof a->sums1);
    for (int i = 0; i < 2 * FIT_SUMS; i++)
        if (a->x[i] != 0) add_times(a->sums1, a->x[i], v->inputs1[i], FIT_HIDDEN);
    divide(a->sums1);
    clamp(a->x1, a->sums1, FIT_HIDDEN);
    memcpy(a->sums2, v->biases2, sizeof a->sums2);
    for (int i = 0; i < FIT_HIDDEN; i++)
        add_times(a->sums2, a->x1[i], v->inputs2[i], FIT_HIDDEN);
    divide(a->sums2);
    clamp(a->x2, a->sums2, FIT_HIDDEN);
    float output = v->bias3;
    for (int i = 0; i < FIT_HIDDEN; i++)
        output += v->weights3[i] * a->x2[i];
    return output / v->output_one;
}

static inline float forward(const struct fit_view *v, const struct fit_inputs *in) {
    struct activations a;
    return forward_of(v, in, &a);
}

static inline float backward(const struct fit_view *v, const struct fit_inputs *in, float target,
                             struct fit_slope *s) {
    struct activations a;
    float logit = forward_of(v, in, &a);
    float error = (1 / (1 + expf(-logit)) - target) / v->output_one;
    _Alignas(64) float d[2 * FIT_SUMS] = {0}, d1[FIT_HIDDEN] = {0}, d2[FIT_HIDDEN];
    s->bias3 += error;
    add_times(s->weights3, error, a.x2, FIT_HIDDEN);
    for (int o = 0; o < FIT_HIDDEN; o++)
        d2[o] = error / SHIFT * v->weights3[o];
    mask(d2, a.sums2, FIT_HIDDEN);
    add_row(s->biases2, d2, FIT_HIDDEN);
    for (int o = 0; o < FIT_HIDDEN; o++) {
        if (d2[o] == 0) continue;
        add_times(s->weights2[o], d2[o], a.x1, FIT_HIDDEN);
        add_times(d1, d2[o] / SHIFT, v->weights2[o], FIT_HIDDEN);
    }
    mask(d1, a.sums1, FIT_HIDDEN);
    add_row(s->biases1, d1, FIT_HIDDEN);
    for (int o = 0; o < FIT_HIDDEN; o++) {
        if (d1[o] == 0) continue;
        add_times(s->weights1[o], d1[o], a.x, 2 * FIT_SUMS);
        add_times(d, d1[o], v->weights1[o], 2 * FIT_SUMS);
    }
    mask(d, a.sums, 2 * FIT_SUMS);
    for (int side = 0; side < 2; side++) {
        const float *slopes = d + side * FIT_SUMS;
        add_row(s->bias, slopes, FIT_SUMS);
        for (int i = 0; i < in->count[side]; i++)
            add_row(s->rows[in->on[side][i]], slopes, FIT_SUMS);
    }
    return logit;
}
