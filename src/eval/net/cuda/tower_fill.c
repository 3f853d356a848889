/* The steps of the fused kernel: constants of epilogues, operations, and what the parts of a graph
 * become. */
#include "eval/net/cuda/half.h"
#include "eval/net/cuda/tower_parts.h"

_Static_assert(sizeof(struct yo_tower_step) % 16 == 0 && sizeof(struct yo_tower_op) % 16 == 0 &&
                   sizeof(struct yo_tower_pair) == 16,
               "copied 16 bytes at a time");

static uint8_t *slots_now(const struct yo_tower_writer *w) {
    if (!w->slots) return NULL;
    return w->slots + (size_t)w->slot_count * (size_t)YO_TOWER_PLAN_BYTES(w->plan->channels);
}

/* ---- constants ---- */

static struct yo_tower_pair *pairs_at(const struct yo_tower_writer *w, int at) {
    return w->constants ? (struct yo_tower_pair *)(void *)(w->constants + at) : NULL;
}

static int add_pairs(struct yo_tower_writer *w) {
    int at = (int)w->constant_count;
    w->constant_count +=
        (size_t)w->plan->channels / 2 * (sizeof(struct yo_tower_pair) / sizeof(float));
    return at;
}

static void add_bias(const struct yo_tower_writer *w, int at, int first, const float *from,
                     int count) {
    struct yo_tower_pair *pairs = pairs_at(w, at);
    for (int i = 0; pairs && from && i < count; i++)
        pairs[(first + i) / 2].bias[(first + i) % 2] += from[i];
}

/* Numbers in order; what follows them begins at a multiple of 16 bytes again. */
static int add_numbers(struct yo_tower_writer *w, const float *from, int count) {
    int at = (int)w->constant_count;
    for (int i = 0; w->constants && i < count; i++)
        w->constants[at + i] = from[i];
    w->constant_count += (size_t)(count + 3) / 4 * 4;
    return at;
}

static void put_affine(const struct yo_tower_writer *w, int at, const struct yo_net_op *affine) {
    struct yo_tower_pair *pairs = pairs_at(w, at);
    for (int i = 0; pairs && i < affine->out_channels; i++) {
        const float scale = affine->scale ? affine->scale[i] : 1;
        const float offset = affine->bias ? affine->bias[i] : 0;
        pairs[i / 2].scale |= (uint32_t)yo_half_from(scale) << (i % 2 * 16);
        pairs[i / 2].offset |= (uint32_t)yo_half_from(offset) << (i % 2 * 16);
    }
}

static bool smooth(enum yo_net_activation activation) {
    return activation == YO_NET_MISH || activation == YO_NET_SWISH;
}

/* The activation of a convolution of the heads. What epilogues do not have is left to its output.
 */
static void put_activation(const struct yo_tower_writer *w, int at,
                           const struct yo_tower_head_conv *conv) {
    enum { LOWEST = 0xfc00 }; /* minus infinity */
    struct yo_tower_pair *pairs = pairs_at(w, at);
    for (int i = 0; pairs && i < conv->op->out_channels; i++) {
        struct yo_tower_pair *pair = &pairs[(conv->column + i) / 2];
        if (conv->op->activation != YO_NET_RELU)
            pair->scale |= (uint32_t)LOWEST << ((conv->column + i) % 2 * 16);
        if (conv->op->activation <= YO_NET_SWISH) pair->offset = (uint32_t)conv->op->activation;
    }
}

/* ---- operations ---- */

static void add_op(struct yo_tower_writer *w, struct yo_tower_step *step, int phase,
                   struct yo_tower_op op) {
    if (w->ops) w->ops[w->op_count] = op;
    w->op_count++;
    step->op_counts[phase]++;
}

static void add_dense(struct yo_tower_writer *w, struct yo_tower_step *step, int phase,
                      const struct yo_net_op *dense, bool bias, int outputs,
                      struct yo_tower_op op) {
    int blocks;
    int slots = yo_tower_pack_dense(w->plan, dense, bias, outputs, slots_now(w), &blocks);
    op.kind = YO_TOWER_DENSE;
    op.in_count = dense->first_channel + dense->in_channels;
    op.out_count = outputs;
    op.blocks = blocks;
    op.slots = slots;
    op.slots_before = step->after;
    op.activation = (int32_t)dense->activation;
    add_op(w, step, phase, op);
    step->after += slots;
    w->slot_count += slots;
}

static uint32_t columns_of(int first_channel, int channels) {
    uint32_t columns = 0;
    for (int i = first_channel / 8; i * 8 < first_channel + channels; i++)
        columns |= UINT32_C(1) << i;
    return columns;
}

static void begin_step(const struct yo_tower_writer *w, struct yo_tower_step *step) {
    *step = (struct yo_tower_step){.ops = w->op_count};
}

static void end_step(struct yo_tower_writer *w, const struct yo_tower_step *step) {
    if (w->steps) w->steps[w->step_count] = *step;
    w->step_count++;
}

/* ---- the trunk ---- */

/* The dense layer's bias goes to the convolution's. Its outputs are all channels that it is added
 * to, also those that the network has not: there it is zero. */
static void write_vector(struct yo_tower_writer *w, struct yo_tower_step *step,
                         const struct yo_tower_part *part, int channels) {
    if (part->pooled)
        add_op(w, step, 0,
               (struct yo_tower_op){.kind = YO_TOWER_POOLS,
                                    .plane = channels / 8,
                                    .pool = (int32_t)part->pool->pool,
                                    .in_count = part->pooled->out_channels});
    add_dense(
        w, step, 0, part->dense, false, channels,
        (struct yo_tower_op){.sync = part->pooled != NULL, .out = -1, .role = -1, .added = 0});
    add_bias(w, step->bias, 0, part->dense->bias, part->dense->out_channels);
    step->flags |= YO_TOWER_VECTOR;
}

void yo_tower_write_part(struct yo_tower_writer *w, const struct yo_tower_part *part) {
    const struct yo_net_op *last = part->convs[part->conv_count - 1];
    int channels = part->pooled ? yo_tower_round(last->out_channels) : w->plan->channels;
    struct yo_tower_step step;
    begin_step(w, &step);
    step.slots = yo_tower_pack_part(w->plan, part, w->step_count > 0, slots_now(w), &step);
    w->slot_count += step.slots;
    step.first = (int32_t)last->activation;
    step.columns[1] = columns_of(0, channels);
    step.bias = add_pairs(w);
    for (int i = 0; i < part->conv_count; i++)
        add_bias(w, step.bias, 0, part->convs[i]->bias, last->out_channels);
    if (part->add) step.flags |= YO_TOWER_ADD;
    if (part->store) step.flags |= YO_TOWER_STORE;
    if (part->pooled) {
        step.pooled = (int32_t)part->pooled->activation;
        step.columns[0] = columns_of(channels, part->pooled->out_channels);
        add_bias(w, step.bias, channels, part->pooled->bias, part->pooled->out_channels);
    }
    if (part->dense) write_vector(w, &step, part, channels);
    if (part->affine) {
        step.flags |= YO_TOWER_AFFINE;
        step.second = (int32_t)part->affine->activation;
        put_affine(w, step.bias, part->affine);
    }
    end_step(w, &step);
}

/* ---- heads ---- */

/* The phase of a convolution: 1 if it adds a vector. */
static int conv_phase(const struct yo_tower_head_conv *conv) {
    return conv->op->add_vector != YO_NET_NONE;
}

/* The output that is the convolution's result as a row, and biases of its numbers. */
static void write_row(struct yo_tower_writer *w, struct yo_tower_step *step, int phase,
                      const struct yo_tower_head_conv *conv, struct yo_tower_op out) {
    const struct yo_net_op *affine = conv->affine;
    if (!conv->flat) return;
    out.role = (int16_t)yo_tower_role(w->graph, affine ? affine->out : conv->flat->out);
    if (affine) out.activation = (int32_t)affine->activation;
    if (affine && affine->bias) out.in = add_numbers(w, affine->bias, affine->out_channels);
    add_op(w, step, phase, out);
}

static void write_outputs(struct yo_tower_writer *w, struct yo_tower_step *step, int phase,
                          const struct yo_tower_head_conv *conv, const struct yo_tower_head *head) {
    const struct yo_net_op *op = conv->op;
    struct yo_tower_op out = {.kind = YO_TOWER_OUTPUT,
                              .plane = conv->column / 8,
                              .in = -1,
                              .out_count = op->out_channels,
                              .role = (int16_t)yo_tower_role(w->graph, op->out)};
    if (op->activation > YO_NET_SWISH) out.activation = (int32_t)op->activation;
    if (out.role >= 0) add_op(w, step, phase, out);
    write_row(w, step, phase, conv, out);
    out.kind = YO_TOWER_KEEP;
    for (int i = 0; i < head->kept_count; i++)
        if (head->kept[i] == op->out) {
            out.role = (int16_t)i;
            add_op(w, step, phase, out);
        }
}

/* The first channel of the convolution that adds this vector, or -1. */
static int added_to(const struct yo_tower_head *head, int tensor) {
    for (int i = 0; i < head->first_count; i++)
        if (head->first[i].op->add_vector == tensor) return head->first[i].column;
    return -1;
}

/* Vectors of a phase, level by level: all of one level stand between two barriers. */
static void write_vectors(struct yo_tower_writer *w, struct yo_tower_step *step, int phase,
                          const struct yo_tower_head *head) {
    for (int level = 0, last = -1; level < YO_TOWER_HEAD_VECTORS; level++)
        for (int i = 0; i < head->vector_count; i++) {
            const struct yo_tower_head_vector *from = &head->vectors[i];
            if (from->phase != phase || from->level != level) continue;
            struct yo_tower_op op = {.sync = last >= 0 && last != level,
                                     .in = from->in,
                                     .out = from->out,
                                     .plane = from->plane,
                                     .role = (int16_t)yo_tower_role(w->graph, from->op->out),
                                     .added = (int16_t)added_to(head, from->op->out)};
            last = level;
            if (from->op->kind == YO_NET_DENSE) {
                add_dense(w, step, phase, from->op, true, from->op->out_channels, op);
                continue;
            }
            op.kind = YO_TOWER_POOLS;
            op.pool = (int32_t)from->op->pool;
            op.in_count = w->graph->tensors[from->op->in].channels;
            add_op(w, step, phase, op);
        }
}

static void write_convs(struct yo_tower_writer *w, const struct yo_tower_head *head, bool first) {
    const struct yo_tower_head_conv *convs = first ? head->first : head->second;
    int count = first ? head->first_count : head->second_count;
    struct yo_tower_step step;
    if (count == 0) return;
    begin_step(w, &step);
    step.slots = yo_tower_pack_convs(w->plan, convs, count, slots_now(w), &step);
    w->slot_count += step.slots;
    step.flags = YO_TOWER_HEAD | YO_TOWER_VECTOR; /* of phase 1 */
    step.bias = add_pairs(w);
    for (int i = 0; i < count; i++) {
        add_bias(w, step.bias, convs[i].column, convs[i].op->bias, convs[i].op->out_channels);
        put_activation(w, step.bias, &convs[i]);
        step.columns[conv_phase(&convs[i])] |=
            columns_of(convs[i].column, convs[i].op->out_channels);
        if (smooth(convs[i].op->activation)) step.first = step.pooled = YO_NET_MISH;
    }
    for (int phase = 0; phase < 2; phase++) {
        for (int i = 0; i < count; i++)
            if (conv_phase(&convs[i]) == phase) write_outputs(w, &step, phase, &convs[i], head);
        if (first) write_vectors(w, &step, phase, head);
    }
    int ops = step.op_counts[0] + step.op_counts[1];
    if (ops > w->head_ops) w->head_ops = ops;
    end_step(w, &step);
}

void yo_tower_write_head(struct yo_tower_writer *w, const struct yo_tower_head *head) {
    write_convs(w, head, true);
    write_convs(w, head, false);
}
