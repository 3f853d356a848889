#include <string.h>

#include "eval/net/cuda/tower_parts.h"

/* How many operations read a tensor, as input or as what is added. */
int yo_tower_readers(const struct yo_net_graph *graph, int tensor, bool added,
                     const struct yo_net_op **last) {
    int count = 0;
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        if (added ? op->add != tensor && op->add_vector != tensor : op->in != tensor) continue;
        count++;
        if (last) *last = op;
    }
    return count;
}

int yo_tower_role(const struct yo_net_graph *graph, int tensor) {
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] == tensor) return role;
    return -1;
}

static bool is_output(const struct yo_net_graph *graph, int tensor) {
    return yo_tower_role(graph, tensor) >= 0;
}

static const struct yo_net_op *maker(const struct yo_net_graph *graph, int tensor) {
    for (int i = 0; i < graph->op_count; i++)
        if (graph->ops[i].out == tensor) return &graph->ops[i];
    return NULL;
}

bool yo_tower_plain(const struct yo_net_op *op) {
    return op->add == YO_NET_NONE && op->add_vector == YO_NET_NONE;
}

static bool activation_fits(enum yo_net_activation activation) {
    return activation <= YO_NET_SWISH; /* the first four */
}

bool yo_tower_reaches(const struct yo_net_op *op) {
    return op->kind == YO_NET_CONV && op->kernel_y / 2 * op->dilation_y <= YO_TOWER_RADIUS &&
           op->kernel_x / 2 * op->dilation_x <= YO_TOWER_RADIUS;
}

static bool conv_fits(const struct yo_net_op *op) {
    return activation_fits(op->activation) && yo_tower_reaches(op);
}

/* A vector that is added: made by a dense layer from the globals, or from what was pooled. */
static bool match_vector(struct yo_tower_match *m, struct yo_tower_part *part, int tensor) {
    const struct yo_net_op *dense = maker(m->graph, tensor);
    if (!dense || dense->kind != YO_NET_DENSE || !yo_tower_plain(dense) ||
        dense->activation != YO_NET_IDENTITY ||
        yo_tower_readers(m->graph, tensor, true, NULL) != 1 ||
        yo_tower_readers(m->graph, tensor, false, NULL) != 0 || is_output(m->graph, tensor))
        return false;
    part->dense = dense;
    if (dense->in == 1) return true;
    const struct yo_net_op *pool = maker(m->graph, dense->in);
    if (!pool || pool->kind != YO_NET_POOL || pool->pool != YO_NET_POOL_TRUNK ||
        !yo_tower_plain(pool) || pool->bias || pool->activation != YO_NET_IDENTITY ||
        yo_tower_readers(m->graph, pool->out, false, NULL) != 1 || is_output(m->graph, pool->out))
        return false;
    const struct yo_net_op *conv = maker(m->graph, pool->in);
    if (!conv || !conv_fits(conv) || conv->in != m->input || !yo_tower_plain(conv) ||
        yo_tower_readers(m->graph, conv->out, false, NULL) != 1 ||
        yo_tower_readers(m->graph, conv->out, true, NULL) != 0 || is_output(m->graph, conv->out))
        return false;
    part->pool = pool;
    part->pooled = conv;
    return true;
}

/* The convolutions that read the input: either all are summed up by the last of them, or one of
 * them is pooled for the other. */
static bool match_convs(struct yo_tower_match *m, struct yo_tower_part *part) {
    const struct yo_net_op *reading[YO_TOWER_SUMMED_MAX];
    int count = 0;
    for (int i = 0; i < m->graph->op_count; i++) {
        const struct yo_net_op *op = &m->graph->ops[i];
        if (op->add == m->input && m->input == 0) return false;
        if (op->in != m->input) continue;
        if (!conv_fits(op) || count == YO_TOWER_SUMMED_MAX) return false;
        reading[count++] = op;
    }
    if (count == 0) return false;
    const struct yo_net_op *last = reading[count - 1];
    if (last->add_vector != YO_NET_NONE && !match_vector(m, part, last->add_vector)) return false;
    if (part->pooled) {
        if (count != 2 || part->pooled != reading[0]) return false;
        part->convs[0] = last, part->conv_count = 1;
        part->add = last->add != YO_NET_NONE;
        return !part->add || last->add == m->skip;
    }
    for (int i = 0; i < count; i++) {
        const struct yo_net_op *op = reading[i];
        part->convs[i] = op;
        if (i > 0 && op->add != reading[i - 1]->out) return false;
        if (i + 1 == count) break;
        if (op->add_vector != YO_NET_NONE || op->activation != YO_NET_IDENTITY ||
            yo_tower_readers(m->graph, op->out, false, NULL) != 0 ||
            yo_tower_readers(m->graph, op->out, true, NULL) != 1 || is_output(m->graph, op->out))
            return false;
    }
    part->conv_count = count;
    part->add = reading[0]->add != YO_NET_NONE;
    return !part->add || reading[0]->add == m->skip;
}

static void mark(struct yo_tower_match *m, const struct yo_net_op *op) {
    if (op) m->done[op - m->graph->ops] = true;
}

static bool match_part(struct yo_tower_match *m) {
    struct yo_tower_part *part = &m->parts[m->count];
    *part = (struct yo_tower_part){0};
    if (!match_convs(m, part)) return false;
    int out = part->convs[part->conv_count - 1]->out;
    const struct yo_net_op *next = NULL;
    int reading = yo_tower_readers(m->graph, out, false, &next);
    part->store = yo_tower_readers(m->graph, out, true, NULL) > 0;
    if (reading == 1 && next->kind == YO_NET_AFFINE && yo_tower_plain(next) &&
        activation_fits(next->activation))
        part->affine = next;
    for (int i = 0; i < part->conv_count; i++)
        mark(m, part->convs[i]);
    mark(m, part->pooled), mark(m, part->pool), mark(m, part->dense), mark(m, part->affine);
    if (part->store) m->skip = out;
    m->input = part->affine ? part->affine->out : out;
    m->count++;
    return true;
}

/* True if the remaining operations read no result of the kernel but its current input. */
static bool can_end(const struct yo_tower_match *m) {
    const struct yo_net_graph *graph = m->graph;
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *by = &graph->ops[i];
        if (!m->done[i] || by->out == m->input) continue;
        if (is_output(graph, by->out)) return false;
        for (int k = 0; k < graph->op_count; k++) {
            const struct yo_net_op *op = &graph->ops[k];
            if (!m->done[k] &&
                (op->in == by->out || op->add == by->out || op->add_vector == by->out))
                return false;
        }
    }
    return true;
}

void yo_tower_match_parts(struct yo_tower_match *m, int *output, bool *done) {
    int good = 0;
    m->input = 0, m->skip = YO_NET_NONE;
    while (match_part(m))
        if (can_end(m) && m->graph->tensors[m->input].spatial) {
            good = m->count;
            *output = m->input;
            memcpy(done, m->done, (size_t)m->graph->op_count * sizeof *m->done);
        }
    m->count = good;
}
