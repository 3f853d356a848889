/* The activations of a network (enum yo_net_activation) on the device. */
#pragma once

#include <math.h>

#include "eval/net/graph.h"

DEV float mish(float x) {
    /* x tanh(ln(1 + e^x)) = x (e^2x + 2 e^x) / (e^2x + 2 e^x + 2); above 15 it is x. */
    float e = dev_exp(fminf(x, 15.0f)), q = e * (e + 2);
    return x * dev_divide(q, q + 2);
}

DEV float sigmoid(float x) { return dev_divide(1, 1 + dev_exp(-fmaxf(x, -80.0f))); }

/* For code that is unrolled many times: relu and identity as a lower limit, mish and swish by one
 * formula without branches. */
struct smooth {
    float floor, twice; /* mish: e^x (e^x + 2) over that plus 2; swish: e^x over that plus 1 */
    bool plain;

    DEV explicit smooth(int kind)
        : floor(kind == YO_NET_RELU ? 0.0f : -INFINITY), twice(kind == YO_NET_MISH ? 1.0f : 0.0f),
          plain(kind <= YO_NET_RELU) {}
    DEV float limit(float x) const { return fmaxf(x, floor); }
    DEV float operator()(float x) const {
        float e = dev_exp(fminf(x, 15.0f)), q = e * (twice * (e + 1) + 1);
        return plain ? fmaxf(x, floor) : x * dev_divide(q, q + 1 + twice);
    }
};
DEV bool is_smooth(int kind) { return kind == YO_NET_MISH || kind == YO_NET_SWISH; }

DEV float activate(int kind, float x) {
    switch (kind) {
    case YO_NET_RELU:
        return fmaxf(x, 0);
    case YO_NET_MISH:
        return mish(x);
    case YO_NET_SWISH:
        return x * sigmoid(x);
    case YO_NET_SIGMOID:
        return sigmoid(x);
    case YO_NET_TANH:
        return dev_tanh(x);
    default:
        return x;
    }
}
