/* Activation functions on vectors. */
#pragma once

/* e^x for -87 <= x <= 88, within two units of the last place: 2^n e^r with |r| <= ln 2 / 2, and a
 * Taylor polynomial for e^r. ln 2 is cut in two, so that r is exact. */
YO_INLINE vf vf_exp(vf x) {
    vi n = vf_round(vf_mul(x, vf_set(1.44269504f)));
    vf whole = vi_to_vf(n);
    vf r = vf_fnma(whole, vf_set(0.693145752f), x);
    r = vf_fnma(whole, vf_set(1.42860677e-6f), r);
    vf sum = vf_set(1.0f / 5040);
    sum = vf_fma(sum, r, vf_set(1.0f / 720));
    sum = vf_fma(sum, r, vf_set(1.0f / 120));
    sum = vf_fma(sum, r, vf_set(1.0f / 24));
    sum = vf_fma(sum, r, vf_set(1.0f / 6));
    sum = vf_fma(sum, r, vf_set(0.5f));
    sum = vf_fma(sum, r, vf_set(1.0f));
    sum = vf_fma(sum, r, vf_set(1.0f));
    return vf_mul(sum, vf_two_to(n));
}

YO_INLINE vf vf_sigmoid(vf x) {
    vf low = vf_max(vf_min(x, vf_set(80.0f)), vf_set(-80.0f));
    return vf_div(vf_set(1.0f), vf_add(vf_set(1.0f), vf_exp(vf_sub(vf_set(0.0f), low))));
}

/* x tanh(ln(1 + e)) = x (e^2 + 2 e) / (e^2 + 2 e + 2) with e = e^x; x itself where e is large. */
YO_INLINE vf vf_mish(vf x) {
    vf e = vf_exp(vf_max(vf_min(x, vf_set(20.0f)), vf_set(-80.0f)));
    vf top = vf_mul(e, vf_add(e, vf_set(2.0f)));
    vf y = vf_mul(x, vf_div(top, vf_add(top, vf_set(2.0f))));
    return vf_pick_greater(x, vf_set(20.0f), x, y);
}

YO_INLINE vf vf_activate(vf x, enum yo_net_activation activation) {
    switch (activation) {
    case YO_NET_IDENTITY:
        break;
    case YO_NET_RELU:
        return vf_max(x, vf_set(0.0f));
    case YO_NET_MISH:
        return vf_mish(x);
    case YO_NET_SWISH:
        return vf_mul(x, vf_sigmoid(x));
    case YO_NET_SIGMOID:
        return vf_sigmoid(x);
    case YO_NET_TANH: /* 2 sigmoid(2 x) - 1 */
        return vf_sub(vf_mul(vf_set(2.0f), vf_sigmoid(vf_add(x, x))), vf_set(1.0f));
    }
    return x;
}
