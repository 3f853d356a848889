/* What follows every operation (struct yo_net_epilogue). */
#pragma once

/* The numbers that stay in registers. */
struct epilogue_vectors {
    vf floor, then_floor, most;
};

/* True for max(x, floor), by far the most frequent. */
YO_INLINE bool activation_is_simple(enum yo_net_activation activation) {
    return activation == YO_NET_IDENTITY || activation == YO_NET_RELU;
}

YO_INLINE struct epilogue_vectors epilogue_begin(const struct yo_net_epilogue *e) {
    return (struct epilogue_vectors){
        .floor = vf_set(e->activation == YO_NET_RELU ? 0.0f : -INFINITY),
        .then_floor = vf_set(e->then_floor),
        .most = vf_load(e->most),
    };
}

/* `sum` has the base already. The largest values are the caller's. */
YO_INLINE vf epilogue_value(const struct yo_net_epilogue *e, const struct epilogue_vectors *v,
                            ptrdiff_t at, int c, vf sum, bool simple, bool then) {
    if (e->add) sum = vf_add(sum, vf_load(e->add + at));
    vf result = simple ? vf_max(sum, v->floor) : vf_activate(sum, e->activation);
    vf_store(e->out + at, result);
    if (then) {
        result = vf_fma(result, vf_load(e->then_scale + c), vf_load(e->then_base + c));
        result = vf_max(result, v->then_floor);
        if (e->then_out) vf_store(e->then_out + at, result);
    }
    return vf_abs(result);
}

YO_INLINE void epilogue(const struct yo_net_epilogue *e, struct epilogue_vectors *v, ptrdiff_t at,
                        int c, vf sum, bool simple, bool then) {
    v->most = vf_max(epilogue_value(e, v, at, c, sum, simple, then), v->most);
}

YO_INLINE void epilogue_end(const struct yo_net_epilogue *e, const struct epilogue_vectors *v) {
    vf_store(e->most, v->most);
}
