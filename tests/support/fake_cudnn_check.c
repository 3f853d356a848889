/* What a descriptor must hold before it is finalized. */
#include "support/fake_cudnn_parts.h"

static bool is_part(const struct descriptor *d, int name, int type) {
    const struct descriptor *part = part_of(d, name);
    return part && part->final && part->type == type;
}

static int check_tensor(const struct descriptor *d) {
    for (int i = 0; i < 4; i++)
        if (dim(d, i) < 1) return fake_cudnn_wrong("a tensor without elements");
    if (stride(d, 1) != 1 || stride(d, 3) < dim(d, 1) || stride(d, 3) % 8 != 0 ||
        dim(d, 1) % 8 != 0 || stride(d, 2) != dim(d, 3) * stride(d, 3) ||
        stride(d, 0) != dim(d, 2) * stride(d, 2))
        return fake_cudnn_wrong("a tensor's strides");
    int64_t alignment = int_of(d, YO_CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0);
    if (alignment < 1 || alignment > 16 || (alignment & (alignment - 1)))
        return fake_cudnn_wrong("a tensor's alignment");
    if (number_of(d, YO_CUDNN_ATTR_TENSOR_DATA_TYPE) !=
        (is_virtual(d) ? YO_CUDNN_DATA_FLOAT : YO_CUDNN_DATA_HALF))
        return fake_cudnn_wrong("a tensor's type");
    return 0;
}

static int check_convolution(const struct descriptor *d) {
    if (number_of(d, YO_CUDNN_ATTR_CONVOLUTION_COMP_TYPE) != YO_CUDNN_DATA_FLOAT ||
        number_of(d, YO_CUDNN_ATTR_CONVOLUTION_CONV_MODE) != YO_CUDNN_CROSS_CORRELATION ||
        int_of(d, YO_CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0) != 2)
        return fake_cudnn_wrong("a convolution's mode");
    for (int i = 0; i < 2; i++)
        if (int_of(d, YO_CUDNN_ATTR_CONVOLUTION_DILATIONS, i) < 1 ||
            int_of(d, YO_CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, i) != 1 ||
            int_of(d, YO_CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, i) < 0)
            return fake_cudnn_wrong("a convolution's numbers");
    return 0;
}

static int check_conv_op(const struct descriptor *d) {
    if (!is_part(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                 YO_CUDNN_BACKEND_TENSOR_DESCRIPTOR) ||
        !is_part(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                 YO_CUDNN_BACKEND_TENSOR_DESCRIPTOR) ||
        !is_part(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                 YO_CUDNN_BACKEND_TENSOR_DESCRIPTOR) ||
        !is_part(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                 YO_CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR))
        return fake_cudnn_wrong("a convolution's parts");
    const struct descriptor *x = part_of(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X),
                            *w = part_of(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W),
                            *y = part_of(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y),
                            *c = part_of(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC);
    if (find(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA)->values.real != 1.0f ||
        find(d, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA)->values.real != 0.0f)
        return fake_cudnn_wrong("a convolution's factors");
    if (dim(x, 1) != dim(w, 1) || dim(w, 0) != dim(y, 1) || dim(x, 0) != dim(y, 0) ||
        stride(w, 3) != dim(w, 1))
        return fake_cudnn_wrong("a convolution's tensors");
    for (int i = 0; i < 2; i++)
        if (dim(y, 2 + i) !=
            dim(x, 2 + i) + int_of(c, YO_CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, i) +
                int_of(c, YO_CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, i) -
                (dim(w, 2 + i) - 1) * int_of(c, YO_CUDNN_ATTR_CONVOLUTION_DILATIONS, i))
            return fake_cudnn_wrong("a convolution's sides");
    return 0;
}

static int check_pointwise_op(const struct descriptor *d) {
    if (!is_part(d, YO_CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR,
                 YO_CUDNN_BACKEND_POINTWISE_DESCRIPTOR) ||
        !is_part(d, YO_CUDNN_ATTR_OPERATION_POINTWISE_XDESC, YO_CUDNN_BACKEND_TENSOR_DESCRIPTOR) ||
        !is_part(d, YO_CUDNN_ATTR_OPERATION_POINTWISE_YDESC, YO_CUDNN_BACKEND_TENSOR_DESCRIPTOR))
        return fake_cudnn_wrong("an operation's parts");
    const struct descriptor *how = part_of(d, YO_CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR),
                            *x = part_of(d, YO_CUDNN_ATTR_OPERATION_POINTWISE_XDESC),
                            *b = part_of(d, YO_CUDNN_ATTR_OPERATION_POINTWISE_BDESC),
                            *y = part_of(d, YO_CUDNN_ATTR_OPERATION_POINTWISE_YDESC);
    int mode = number_of(how, YO_CUDNN_ATTR_POINTWISE_MODE);
    bool two = mode == YO_CUDNN_POINTWISE_ADD || mode == YO_CUDNN_POINTWISE_MUL;
    if (two != (b != NULL) || (b && !b->final))
        return fake_cudnn_wrong("an operation's second tensor");
    for (int i = 0; i < 4; i++)
        if (dim(x, i) != dim(y, i) || (b && dim(b, i) != 1 && dim(b, i) != dim(y, i)))
            return fake_cudnn_wrong("an operation's tensors");
    return 0;
}

/* Virtual tensors are made by an operation before; the last result is not virtual, and the only one
 * that is not. */
static int check_graph(const struct descriptor *d) {
    struct descriptor *made[OPS_MAX] = {0}, *tensors[3];
    int ops = op_count(d);
    for (int i = 0; i < ops; i++) {
        struct descriptor *op = op_at(d, i);
        if (!op || !op->final || is_conv(op) != (i == 0))
            return fake_cudnn_wrong("a graph's operations");
        int count = tensors_of(op, tensors);
        for (int t = 0; t + 1 < count; t++) {
            bool found = false;
            for (int k = 0; k < i; k++)
                found = found || made[k] == tensors[t];
            if (is_virtual(tensors[t]) != found)
                return fake_cudnn_wrong("a tensor that no operation makes");
            for (int k = 0; k < i; k++)
                if (made[k] != tensors[t] && id_of(made[k]) == id_of(tensors[t]))
                    return fake_cudnn_wrong("two tensors of one name");
        }
        made[i] = tensors[count - 1];
        if (is_virtual(made[i]) != (i + 1 < ops)) return fake_cudnn_wrong("a graph's result");
    }
    return 0;
}

/* Alone, or with a sum, a bias and a relu: what needs no compiler. */
static bool is_usual(const struct descriptor *graph) {
    for (int i = 1; i < op_count(graph); i++) {
        int mode =
            number_of(part_of(op_at(graph, i), YO_CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR),
                      YO_CUDNN_ATTR_POINTWISE_MODE);
        if (mode != YO_CUDNN_POINTWISE_ADD && mode != YO_CUDNN_POINTWISE_RELU_FWD) return false;
    }
    return true;
}

static int check_plan(const struct descriptor *d) {
    const struct descriptor *config = part_of(d, YO_CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
    if (config->type != YO_CUDNN_BACKEND_ENGINECFG_DESCRIPTOR || !config->graph)
        return fake_cudnn_wrong("a plan's configuration");
    return fake_cudnn_state.refuses || config->engine == DOES_NOT_WORK ||
                   (config->engine == GOOD && !is_usual(config->graph))
               ? UNSUPPORTED
               : 0;
}

static int check_pack(const struct descriptor *d) {
    int count = find(d, YO_CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS)->count;
    if (find(d, YO_CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)->count != count)
        return fake_cudnn_wrong("a pack's numbers");
    for (int i = 0; i < count; i++)
        if ((uintptr_t)find(d, YO_CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)->values.pointers[i] % 16)
            return fake_cudnn_wrong("an address that is not aligned");
    return 0;
}

int fake_cudnn_check(const struct descriptor *d) {
    switch (d->type) {
    case YO_CUDNN_BACKEND_TENSOR_DESCRIPTOR:
        return check_tensor(d);
    case YO_CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
        return check_convolution(d);
    case YO_CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
        return check_conv_op(d);
    case YO_CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
        return check_pointwise_op(d);
    case YO_CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
        return check_graph(d);
    case YO_CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
        return number_of(d, YO_CUDNN_ATTR_ENGINEHEUR_MODE) == YO_CUDNN_HEUR_MODE_A
                   ? 0
                   : fake_cudnn_wrong("another heuristic");
    case YO_CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
        return check_plan(d);
    case YO_CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
        return check_pack(d);
    case YO_CUDNN_BACKEND_POINTWISE_DESCRIPTOR:
        return 0;
    default:
        return fake_cudnn_wrong("a descriptor that is not finalized by the caller");
    }
}
