/* The heads of a network in the fused kernel: convolutions of the trunk side by side in one step,
 * convolutions of those in another, and vectors pooled from them. */
#include "eval/net/cuda/tower_parts.h"

static int first_of(const struct yo_tower_head *head, int tensor) {
    for (int i = 0; i < head->first_count; i++)
        if (head->first[i].op->out == tensor) return i;
    return -1;
}

static const struct yo_tower_head_conv *find_first(const struct yo_tower_head *head, int tensor) {
    int i = first_of(head, tensor);
    return i < 0 ? NULL : &head->first[i];
}

static const struct yo_tower_head_vector *find_vector(const struct yo_tower_head *head,
                                                      int tensor) {
    for (int i = 0; i < head->vector_count; i++)
        if (head->vectors[i].op->out == tensor) return &head->vectors[i];
    return NULL;
}

/* Channels of a step, after those of the convolutions it has. */
static bool add_conv(struct yo_tower_head_conv *convs, int *count, const struct yo_net_op *op,
                     int from, int channels) {
    int column = 0;
    if (*count > 0)
        column = yo_tower_round(convs[*count - 1].column + convs[*count - 1].op->out_channels);
    if (*count == YO_TOWER_HEAD_CONVS || column + yo_tower_round(op->out_channels) > channels)
        return false;
    convs[(*count)++] = (struct yo_tower_head_conv){.op = op, .column = column, .from = from};
    return true;
}

static bool match_first(struct yo_tower_match *m, int output, int channels, const bool *done) {
    for (int i = 0; i < m->graph->op_count; i++) {
        const struct yo_net_op *op = &m->graph->ops[i];
        if (done[i]) continue;
        if (op->add == output) return false;
        if (op->in != output) continue;
        /* Other activations are applied where outputs are written. */
        bool read = yo_tower_readers(m->graph, op->out, false, NULL) > 0 ||
                    yo_tower_readers(m->graph, op->out, true, NULL) > 0;
        if (!yo_tower_reaches(op) || op->add != YO_NET_NONE ||
            (read && op->activation > YO_NET_SWISH) ||
            !add_conv(m->head.first, &m->head.first_count, op, 0, channels))
            return false;
    }
    return m->head.first_count > 0;
}

static void add_vector(struct yo_tower_head *head, struct yo_tower_head_vector vector) {
    if (head->vector_count == YO_TOWER_HEAD_VECTORS) return;
    vector.out = head->room;
    head->vectors[head->vector_count++] = vector;
    head->room += yo_tower_round(vector.op->out_channels);
}

/* Poolings of the first convolutions and dense layers of what is pooled, as far as they go. */
static void match_vectors(struct yo_tower_match *m, const bool *done) {
    struct yo_tower_head *head = &m->head;
    for (int i = 0; i < m->graph->op_count; i++) {
        const struct yo_net_op *op = &m->graph->ops[i];
        const struct yo_tower_head_conv *conv = find_first(head, op->in);
        const struct yo_tower_head_vector *vector = find_vector(head, op->in);
        if (done[i] || !yo_tower_plain(op)) continue;
        if (op->kind == YO_NET_POOL && conv && !op->bias && op->activation == YO_NET_IDENTITY &&
            yo_tower_role(m->graph, op->out) < 0)
            add_vector(head,
                       (struct yo_tower_head_vector){.op = op,
                                                     .plane = conv->column / 8,
                                                     .phase = conv->op->add_vector != YO_NET_NONE});
        if (op->kind == YO_NET_DENSE && vector)
            add_vector(head, (struct yo_tower_head_vector){.op = op,
                                                           .in = vector->out,
                                                           .phase = vector->phase,
                                                           .level = vector->level + 1});
    }
}

/* An output that no operation reads. */
static bool is_last(const struct yo_net_graph *graph, int tensor) {
    return yo_tower_role(graph, tensor) >= 0 && yo_tower_readers(graph, tensor, false, NULL) == 0 &&
           yo_tower_readers(graph, tensor, true, NULL) == 0;
}

/* The operation that adds a constant to each number of a row, and is all that reads the row. */
static const struct yo_net_op *match_biases(const struct yo_net_graph *graph, int row) {
    const struct yo_net_op *op = NULL;
    if (yo_tower_role(graph, row) >= 0 || yo_tower_readers(graph, row, true, NULL) > 0 ||
        yo_tower_readers(graph, row, false, &op) != 1)
        return NULL;
    bool adds = op->kind == YO_NET_AFFINE && !op->scale && yo_tower_plain(op);
    return adds && is_last(graph, op->out) ? op : NULL;
}

/* The policy of shogi networks: a convolution's result as one row a position. Its numbers are in
 * the order in which an output is written anyway. */
static void match_rows(struct yo_tower_match *m, const bool *done) {
    for (int i = 0; i < m->graph->op_count; i++) {
        const struct yo_net_op *op = &m->graph->ops[i];
        int first = op->kind == YO_NET_FLATTEN ? first_of(&m->head, op->in) : -1;
        if (done[i] || first < 0 || m->head.first[first].flat) continue;
        const struct yo_net_op *affine = match_biases(m->graph, op->out);
        if (!affine && !is_last(m->graph, op->out)) continue;
        m->head.first[first].flat = op;
        m->head.first[first].affine = affine;
    }
}

static void match_second(struct yo_tower_match *m, int channels, const bool *done) {
    struct yo_tower_head *head = &m->head;
    for (int i = 0; i < m->graph->op_count; i++) {
        const struct yo_net_op *op = &m->graph->ops[i];
        const struct yo_tower_head_conv *conv = find_first(head, op->in);
        if (done[i] || !conv || !yo_tower_reaches(op) || !yo_tower_plain(op)) continue;
        if (is_last(m->graph, op->out))
            add_conv(head->second, &head->second_count, op, conv->column, channels);
    }
}

static bool in_head(const struct yo_tower_head *head, const struct yo_net_op *op) {
    for (int i = 0; i < head->second_count; i++)
        if (head->second[i].op == op) return true;
    for (int i = 0; i < head->first_count; i++)
        if (head->first[i].flat == op || head->first[i].affine == op) return true;
    return find_first(head, op->out) || find_vector(head, op->out);
}

static bool keep(struct yo_tower_head *head, int tensor) {
    for (int i = 0; i < head->kept_count; i++)
        if (head->kept[i] == tensor) return true;
    if (head->kept_count == YO_TOWER_KEPT_MAX) return false;
    head->kept[head->kept_count++] = tensor;
    return true;
}

/* The remaining operations may read only spatial tensors of the heads, which are stored for them.
 */
static bool match_rest(struct yo_tower_match *m, const bool *done) {
    struct yo_tower_head *head = &m->head;
    for (int i = 0; i < m->graph->op_count; i++) {
        const struct yo_net_op *op = &m->graph->ops[i];
        if (done[i] || in_head(head, op)) continue;
        const int reads[] = {op->in, op->add, op->add_vector};
        for (int k = 0; k < 3; k++) {
            if (find_vector(head, reads[k])) return false;
            if (find_first(head, reads[k]) && !keep(head, reads[k])) return false;
        }
    }
    return true;
}

/* A vector that is added to a first convolution must come from convolutions that add none, and be
 * added to no other. */
static bool vectors_are_there(const struct yo_tower_match *m) {
    const struct yo_tower_head *head = &m->head;
    for (int i = 0; i < head->first_count; i++) {
        int tensor = head->first[i].op->add_vector;
        const struct yo_tower_head_vector *vector = find_vector(head, tensor);
        if (tensor != YO_NET_NONE &&
            (!vector || vector->phase != 0 || yo_tower_readers(m->graph, tensor, true, NULL) != 1))
            return false;
    }
    return true;
}

/* Vectors that no convolution adds, nor one they come from, wait for the second phase: its epilogue
 * needs no barrier more than they do. */
static void postpone(struct yo_tower_head *head) {
    int needed = 0;
    for (int i = 0; i < head->first_count; i++) {
        const struct yo_tower_head_vector *added = find_vector(head, head->first[i].op->add_vector);
        if (added && added->level > needed) needed = added->level;
    }
    for (int i = 0; needed > 0 && i < head->vector_count; i++)
        if (head->vectors[i].level > needed) head->vectors[i].phase = 1;
}

bool yo_tower_match_head(struct yo_tower_match *m, int output, int channels, bool *done) {
    m->head = (struct yo_tower_head){.room = 8};
    if (yo_tower_role(m->graph, output) >= 0 || !match_first(m, output, channels, done))
        return false;
    match_vectors(m, done);
    match_rows(m, done);
    match_second(m, channels, done);
    if (!vectors_are_there(m) || !match_rest(m, done)) return false;
    postpone(&m->head);
    for (int i = 0; i < m->graph->op_count; i++)
        if (!done[i]) done[i] = in_head(&m->head, &m->graph->ops[i]);
    return true;
}
