#include "eval/net/onnx_model.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

struct parser {
    const unsigned char *start;
    struct yo_onnx_model *model;
    struct yo_diag *diag;
};

static enum yo_err bad(const struct parser *p, struct yo_pb place, const char *what) {
    yo_diag_set(p->diag, YO_ERR_PARSE, "%s, in the part that ends at byte %zu", what,
                (size_t)(place.end - p->start));
    yo_diag_hint(p->diag, "is it a whole ONNX file?");
    return YO_ERR_PARSE;
}

static enum yo_err too_many(const struct parser *p, const char *what) {
    return yo_diag_set(p->diag, YO_ERR_UNSUPPORTED, "the ONNX file has too many %s", what);
}

static struct yo_onnx_name name_of(const struct yo_pb_field *f) {
    return (struct yo_onnx_name){(const char *)f->bytes.at, yo_pb_len(f->bytes)};
}

bool yo_onnx_same(struct yo_onnx_name a, struct yo_onnx_name b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

bool yo_onnx_is(struct yo_onnx_name name, const char *text) {
    return yo_onnx_same(name, (struct yo_onnx_name){text, strlen(text)});
}

const struct yo_onnx_attr *yo_onnx_attr(const struct yo_onnx_node *node, const char *name) {
    for (int i = 0; i < node->attr_count; i++)
        if (yo_onnx_is(node->attrs[i].name, name)) return &node->attrs[i];
    return NULL;
}

/* ---- tensors ---- */

static size_t type_size(int type) {
    return type == 1 ? 4 : type == 7 || type == 11 ? 8 : type == 10 ? 2 : 0;
}

static bool add_dim(struct yo_onnx_tensor *t, uint64_t value) {
    if (t->dim_count == YO_ONNX_MAX_DIMS) return false;
    t->dims[t->dim_count++] = (int64_t)value;
    return true;
}

static enum yo_err check_tensor(const struct parser *p, struct yo_pb all,
                                struct yo_onnx_tensor *t) {
    t->count = 1;
    for (int i = 0; i < t->dim_count; i++) {
        if (t->dims[i] < 0 || t->dims[i] > 1 << 28 ||
            (t->dims[i] > 0 && t->count > ((size_t)1 << 28) / (size_t)t->dims[i]))
            return bad(p, all, "a constant is too large");
        t->count *= (size_t)t->dims[i];
    }
    if (type_size(t->type) == 0) /* kept, and refused where it is used */
        return YO_OK;
    if (!t->varints && yo_pb_len(t->data) != t->count * type_size(t->type))
        return bad(p, all, "a constant has more or fewer numbers than its shape");
    if (!t->varints) return YO_OK;
    /* Weights of this kind are nowhere written, and would be slow to read: each from the start. */
    if (t->type != 7) return bad(p, all, "a constant has numbers of another kind than it says");
    struct yo_pb rest = t->data;
    uint64_t ignored;
    size_t count = 0;
    while (yo_pb_varint(&rest, &ignored))
        count++;
    if (rest.at != rest.end || count != t->count)
        return bad(p, all, "a constant has more or fewer numbers than its shape");
    return YO_OK;
}

static enum yo_err parse_tensor(const struct parser *p, struct yo_pb message,
                                struct yo_onnx_tensor *t) {
    struct yo_pb all = message;
    struct yo_pb_field f;
    int more;
    *t = (struct yo_onnx_tensor){0};
    while ((more = yo_pb_next(&message, &f)) > 0) {
        bool bytes = f.type == YO_PB_BYTES;
        if (f.number == 1 && f.type == YO_PB_VARINT) {
            if (!add_dim(t, f.value)) return bad(p, all, "a constant has too many dimensions");
        } else if (f.number == 1 && bytes) {
            for (uint64_t dim; yo_pb_varint(&f.bytes, &dim);)
                if (!add_dim(t, dim)) return bad(p, all, "a constant has too many dimensions");
        } else if (f.number == 2 && f.type == YO_PB_VARINT) {
            t->type = f.value < 100 ? (int)f.value : 0;
        } else if (f.number == 8 && bytes) {
            t->name = name_of(&f);
        } else if (bytes && (f.number == 4 || f.number == 9 || f.number == 10)) {
            t->data = f.bytes; /* packed float_data, raw_data, packed double_data */
            t->varints = false;
        } else if (f.number == 7) {
            if (!bytes) return bad(p, all, "a shape is written in a way that is not supported");
            t->data = f.bytes;
            t->varints = true;
        } else if (f.number == 13 || (f.number == 14 && f.value == 1)) {
            return yo_diag_set(p->diag, YO_ERR_UNSUPPORTED,
                               "weights in a file beside the ONNX file are not supported");
        }
    }
    return more < 0 ? bad(p, all, "a constant is damaged") : check_tensor(p, all, t);
}

static double half_number(unsigned bits) {
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023) / 1024, value;
    if (exponent == 31)
        value = fraction > 0 ? (double)NAN : (double)INFINITY;
    else
        value = exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14);
    return bits >> 15 ? -value : value;
}

double yo_onnx_number(const struct yo_onnx_tensor *t, size_t i) {
    if (t->varints) {
        struct yo_pb rest = t->data;
        uint64_t value = 0;
        for (size_t k = 0; k <= i; k++)
            if (!yo_pb_varint(&rest, &value)) return 0;
        return (double)(int64_t)value;
    }
    size_t size = type_size(t->type);
    uint64_t bits = 0;
    for (size_t b = 0; b < size; b++)
        bits |= (uint64_t)t->data.at[i * size + b] << (8 * b);
    float single;
    double real;
    uint32_t low = (uint32_t)bits;
    switch (t->type) {
    case 1:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case 7:
        return (double)(int64_t)bits;
    case 10:
        return half_number((unsigned)bits);
    case 11:
        memcpy(&real, &bits, sizeof real);
        return real;
    default:
        return 0;
    }
}

bool yo_onnx_is_real(const struct yo_onnx_tensor *t) {
    return t->type == 1 || t->type == 10 || t->type == 11;
}

void yo_onnx_floats(const struct yo_onnx_tensor *t, float *out) {
    for (size_t i = 0; i < t->count; i++)
        out[i] = (float)yo_onnx_number(t, i);
}

/* ---- nodes ---- */

static enum yo_err parse_attr(const struct parser *p, struct yo_pb message,
                              struct yo_onnx_attr *a) {
    struct yo_pb all = message;
    struct yo_pb_field f;
    int more;
    *a = (struct yo_onnx_attr){0};
    while ((more = yo_pb_next(&message, &f)) > 0) {
        uint32_t bits = (uint32_t)f.value;
        bool bytes = f.type == YO_PB_BYTES;
        if (f.number == 1 && bytes) a->name = name_of(&f);
        if (f.number == 2 && f.type == YO_PB_32) memcpy(&a->f, &bits, sizeof a->f);
        if (f.number == 3 && f.type == YO_PB_VARINT) a->i = (int64_t)f.value;
        if (f.number == 4 && bytes) a->s = name_of(&f);
        if (f.number == 5 && bytes) {
            a->has_tensor = true;
            enum yo_err err = parse_tensor(p, f.bytes, &a->tensor);
            if (err) return err;
        }
        if (f.number == 8) {
            uint64_t value = f.value;
            bool one = f.type == YO_PB_VARINT;
            while (one || (bytes && yo_pb_varint(&f.bytes, &value))) {
                if (a->int_count == YO_ONNX_MAX_DIMS) return bad(p, all, "a list is too long");
                a->ints[a->int_count++] = (int64_t)value;
                if (one) break;
            }
        }
    }
    return more < 0 ? bad(p, all, "an attribute is damaged") : YO_OK;
}

static enum yo_err parse_node(const struct parser *p, struct yo_pb message,
                              struct yo_onnx_node *n) {
    struct yo_pb all = message;
    struct yo_pb_field f;
    int more;
    enum yo_err err = YO_OK;
    *n = (struct yo_onnx_node){0};
    while (!err && (more = yo_pb_next(&message, &f)) > 0) {
        if (f.type != YO_PB_BYTES) continue;
        if ((f.number == 1 && n->input_count == YO_ONNX_MAX_EDGES) ||
            (f.number == 2 && n->output_count == YO_ONNX_MAX_EDGES) ||
            (f.number == 5 && n->attr_count == YO_ONNX_MAX_ATTRS))
            return too_many(p, "inputs, outputs or attributes at one node");
        if (f.number == 1) n->inputs[n->input_count++] = name_of(&f);
        if (f.number == 2) n->outputs[n->output_count++] = name_of(&f);
        if (f.number == 3) n->name = name_of(&f);
        if (f.number == 4) n->op = name_of(&f);
        if (f.number == 5) err = parse_attr(p, f.bytes, &n->attrs[n->attr_count++]);
    }
    if (err) return err;
    return more < 0 ? bad(p, all, "a node is damaged") : YO_OK;
}

/* ---- inputs and outputs: a name, and a shape three messages deep ---- */

static bool enter(struct yo_pb *message, int number) {
    struct yo_pb_field f;
    while (yo_pb_next(message, &f) > 0)
        if (f.number == number && f.type == YO_PB_BYTES) {
            *message = f.bytes;
            return true;
        }
    return false;
}

static void parse_shape(struct yo_pb shape, struct yo_onnx_port *port) {
    struct yo_pb_field f;
    while (yo_pb_next(&shape, &f) > 0) {
        if (f.number != 1 || f.type != YO_PB_BYTES || port->dim_count == YO_ONNX_MAX_DIMS) continue;
        struct yo_pb_field d;
        int64_t dim = -1;
        while (yo_pb_next(&f.bytes, &d) > 0)
            if (d.number == 1 && d.type == YO_PB_VARINT) dim = (int64_t)d.value;
        port->dims[port->dim_count++] = dim;
    }
}

static enum yo_err parse_port(const struct parser *p, struct yo_pb message,
                              struct yo_onnx_port *ports, int *count) {
    struct yo_onnx_port port = {0};
    struct yo_pb all = message;
    struct yo_pb_field f;
    int more;
    while ((more = yo_pb_next(&message, &f)) > 0) {
        if (f.number == 1 && f.type == YO_PB_BYTES) port.name = name_of(&f);
        if (f.number == 2 && f.type == YO_PB_BYTES && enter(&f.bytes, 1) && enter(&f.bytes, 2))
            parse_shape(f.bytes, &port);
    }
    if (more < 0) return bad(p, all, "an input or output is damaged");
    if (*count == YO_ONNX_MAX_EDGES) return too_many(p, "inputs or outputs");
    ports[(*count)++] = port;
    return YO_OK;
}

/* ---- the whole ---- */

static bool grow(void **array, int count, int *room, size_t size) {
    if (count < *room) return true;
    int more = *room ? *room * 2 : 64;
    void *block = yo_realloc(*array, (size_t)more, size);
    if (!block) return false;
    *array = block;
    *room = more;
    return true;
}

static enum yo_err add_node(const struct parser *p, struct yo_pb bytes) {
    struct yo_onnx_model *m = p->model;
    void *nodes = m->nodes;
    if (m->node_count == YO_ONNX_MAX_NODES) return too_many(p, "nodes");
    if (!grow(&nodes, m->node_count, &m->node_room, sizeof *m->nodes))
        return yo_diag_set(p->diag, YO_ERR_NOMEM, "not enough memory for the network");
    m->nodes = nodes;
    return parse_node(p, bytes, &m->nodes[m->node_count++]);
}

static enum yo_err add_tensor(const struct parser *p, struct yo_pb bytes) {
    struct yo_onnx_model *m = p->model;
    void *tensors = m->tensors;
    if (m->tensor_count == YO_ONNX_MAX_NODES) return too_many(p, "constants");
    if (!grow(&tensors, m->tensor_count, &m->tensor_room, sizeof *m->tensors))
        return yo_diag_set(p->diag, YO_ERR_NOMEM, "not enough memory for the network");
    m->tensors = tensors;
    return parse_tensor(p, bytes, &m->tensors[m->tensor_count++]);
}

static enum yo_err parse_graph(const struct parser *p, struct yo_pb message) {
    struct yo_pb all = message;
    struct yo_pb_field f;
    struct yo_onnx_model *m = p->model;
    int more = 0;
    enum yo_err err = YO_OK;
    while (!err && (more = yo_pb_next(&message, &f)) > 0) {
        if (f.type != YO_PB_BYTES) continue;
        if (f.number == 1) err = add_node(p, f.bytes);
        if (f.number == 5) err = add_tensor(p, f.bytes);
        if (f.number == 11) err = parse_port(p, f.bytes, m->inputs, &m->input_count);
        if (f.number == 12) err = parse_port(p, f.bytes, m->outputs, &m->output_count);
    }
    if (err) return err;
    return more < 0 ? bad(p, all, "the graph is damaged or cut off") : YO_OK;
}

enum yo_err yo_onnx_parse(const void *bytes, size_t len, struct yo_onnx_model *model,
                          struct yo_diag *diag) {
    *model = (struct yo_onnx_model){0};
    struct yo_pb message = yo_pb_of(bytes, len);
    struct parser p = {message.at, model, diag};
    struct yo_pb_field f;
    int more = 0;
    bool found = false;
    enum yo_err err = YO_OK;
    while (!err && (more = yo_pb_next(&message, &f)) > 0)
        if (f.number == 7 && f.type == YO_PB_BYTES) {
            found = true;
            err = parse_graph(&p, f.bytes);
        }
    if (!err && more < 0) err = bad(&p, message, "the ONNX file is damaged or cut off");
    if (!err && !found) err = bad(&p, message, "there is no graph in the file");
    return err;
}

void yo_onnx_free(struct yo_onnx_model *model) {
    yo_free(model->nodes);
    yo_free(model->tensors);
    *model = (struct yo_onnx_model){0};
}
