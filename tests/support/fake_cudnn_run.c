/* The arithmetic of a graph, on the host. */
#include <math.h>
#include <stdlib.h>

#include "eval/net/cuda/half.h"
#include "support/fake_cudnn_parts.h"

struct memory { /* of tensors between operations */
    const struct descriptor *tensor;
    float *floats;
};

struct machine {
    const struct descriptor *pack;
    struct memory between[OPS_MAX];
    int count;
};

static void *address_of(const struct machine *m, const struct descriptor *tensor) {
    const struct attribute *ids = find(m->pack, YO_CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    for (int i = 0; i < ids->count; i++)
        if (ids->values.ints[i] == id_of(tensor))
            return find(m->pack, YO_CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)->values.pointers[i];
    return NULL;
}

static float *floats_of(const struct machine *m, const struct descriptor *tensor) {
    for (int i = 0; i < m->count; i++)
        if (m->between[i].tensor == tensor) return m->between[i].floats;
    return NULL;
}

static size_t place(const struct descriptor *t, int64_t n, int64_t c, int64_t y, int64_t x) {
    return (size_t)(n * stride(t, 0) + c * stride(t, 1) + y * stride(t, 2) + x * stride(t, 3));
}

static float load(const struct machine *m, const struct descriptor *t, size_t at) {
    if (is_virtual(t)) return floats_of(m, t)[at];
    return yo_half_to(((const uint16_t *)address_of(m, t))[at]);
}

static void store(const struct machine *m, const struct descriptor *t, size_t at, float value) {
    if (is_virtual(t))
        floats_of(m, t)[at] = value;
    else
        ((uint16_t *)address_of(m, t))[at] =
            yo_half_from(fake_cudnn_state.spoils ? 1 - value : value);
}

static float convolve_at(const struct machine *m, const struct descriptor *op, int64_t n, int64_t k,
                         const int64_t at[2]) {
    struct descriptor *t[3],
        *c = part_of(op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC);
    tensors_of(op, t);
    const uint16_t *in = address_of(m, t[0]), *weights = address_of(m, t[1]);
    float sum = 0;
    for (int64_t r = 0; r < dim(t[1], 2); r++)
        for (int64_t s = 0; s < dim(t[1], 3); s++) {
            int64_t y = at[0] + r * int_of(c, YO_CUDNN_ATTR_CONVOLUTION_DILATIONS, 0) -
                        int_of(c, YO_CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0);
            int64_t x = at[1] + s * int_of(c, YO_CUDNN_ATTR_CONVOLUTION_DILATIONS, 1) -
                        int_of(c, YO_CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 1);
            if (y < 0 || y >= dim(t[0], 2) || x < 0 || x >= dim(t[0], 3)) continue;
            const uint16_t *a = in + place(t[0], n, 0, y, x),
                           *b = weights + place(t[1], k, 0, r, s);
            for (int64_t i = 0; i < dim(t[0], 1); i++)
                sum += yo_half_to(a[i]) * yo_half_to(b[i]);
        }
    return sum;
}

static float pointwise_at(const struct machine *m, const struct descriptor *op, size_t at,
                          const int64_t place_of[4]) {
    const struct descriptor *how = part_of(op, YO_CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR),
                            *b = part_of(op, YO_CUDNN_ATTR_OPERATION_POINTWISE_BDESC);
    float x = load(m, part_of(op, YO_CUDNN_ATTR_OPERATION_POINTWISE_XDESC), at), other = 0;
    if (b)
        other = load(m, b,
                     place(b, dim(b, 0) > 1 ? place_of[0] : 0, dim(b, 1) > 1 ? place_of[1] : 0,
                           dim(b, 2) > 1 ? place_of[2] : 0, dim(b, 3) > 1 ? place_of[3] : 0));
    switch (number_of(how, YO_CUDNN_ATTR_POINTWISE_MODE)) {
    case YO_CUDNN_POINTWISE_ADD:
        return x + other;
    case YO_CUDNN_POINTWISE_MUL:
        return x * other;
    case YO_CUDNN_POINTWISE_RELU_FWD:
        return x > 0 ? x : 0;
    case YO_CUDNN_POINTWISE_TANH_FWD:
        return tanhf(x);
    case YO_CUDNN_POINTWISE_SOFTPLUS_FWD:
        return x > 20 ? x : logf(1 + expf(x));
    case YO_CUDNN_POINTWISE_SWISH_FWD:
        return x / (1 + expf(-x));
    default:
        fake_cudnn_wrong("an unknown operation");
        return NAN;
    }
}

static void run_op(struct machine *m, const struct descriptor *op) {
    struct descriptor *tensors[3], *y = tensors[tensors_of(op, tensors) - 1];
    if (is_virtual(y)) {
        float *floats = calloc((size_t)(dim(y, 0) * stride(y, 0)), sizeof *floats);
        if (!floats) abort();
        m->between[m->count++] = (struct memory){y, floats};
    }
    for (int64_t n = 0; n < dim(y, 0); n++)
        for (int64_t c = 0; c < dim(y, 1); c++)
            for (int64_t p = 0; p < dim(y, 2) * dim(y, 3); p++) {
                const int64_t at[4] = {n, c, p / dim(y, 3), p % dim(y, 3)};
                size_t to = place(y, n, c, at[2], at[3]);
                store(m, y, to,
                      is_conv(op) ? convolve_at(m, op, n, c, at + 2) : pointwise_at(m, op, to, at));
            }
}

/* Every tensor that is not virtual has an address, and there are no others. */
static int check_addresses(const struct machine *m, const struct descriptor *graph) {
    int needed = 0;
    for (int i = 0; i < op_count(graph); i++) {
        struct descriptor *tensors[3];
        int count = tensors_of(op_at(graph, i), tensors);
        for (int t = 0; t < count; t++) {
            if (is_virtual(tensors[t])) continue;
            needed++;
            if (!address_of(m, tensors[t])) return fake_cudnn_wrong("a tensor without an address");
        }
    }
    return needed == find(m->pack, YO_CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS)->count
               ? 0
               : fake_cudnn_wrong("addresses of no tensor");
}

int fake_cudnn_run(const struct descriptor *graph, const struct descriptor *pack) {
    struct machine m = {.pack = pack};
    int code = check_addresses(&m, graph);
    for (int i = 0; !code && i < op_count(graph); i++)
        run_op(&m, op_at(graph, i));
    for (int i = 0; i < m.count; i++)
        free(m.between[i].floats);
    return code;
}
