#include <string.h>

#include "eval/net/cuda/half.h"
#include "eval/net/cuda/tower_parts.h"

/* ---- weights ---- */

/* The halves of slices in order: taps outside, planes of 8 channels inside. With `to` NULL they are
 * only counted. */
struct packer {
    const struct yo_tower_plan *plan;
    uint8_t *to;
    int half; /* of the step */
};

static void put_half(struct packer *p, uint32_t entry, const struct yo_net_op *op, int tap,
                     int plane, int from, int first_output) {
    const int n = p->plan->channels, slices = YO_TOWER_SLICES(n);
    const int number = p->half++, slot = number / 2 / slices, slice = number / 2 % slices;
    if (!p->to) return;
    uint8_t *at = p->to + (size_t)slot * (size_t)YO_TOWER_SLOT_BYTES(n);
    memcpy(at + slices * n * 32 + (number % 2 * slices + slice) * 4, &entry, 4);
    if (!op) return; /* the rest of a slot: weights of zero */
    uint16_t *weights = (uint16_t *)(void *)(at + slice * n * 32 + number % 2 * n * 16);
    int taps = op->kernel_y * op->kernel_x;
    for (int o = 0; o < op->out_channels; o++)
        for (int c = 0; c < 8; c++) {
            int channel = plane * 8 + c - from - op->first_channel;
            if (channel < 0 || channel >= op->in_channels) continue;
            weights[(first_output + o) * 8 + c] = yo_half_from(
                op->weights[((size_t)o * (size_t)op->in_channels + (size_t)channel) * (size_t)taps +
                            (size_t)tap]);
        }
}

static void put_conv(struct packer *p, const struct yo_net_op *op, int first, int last, int from,
                     int first_output) {
    for (int tap = 0; tap < op->kernel_y * op->kernel_x; tap++)
        for (int plane = first; plane <= last; plane++) {
            int dy = (tap / op->kernel_x - op->kernel_y / 2) * op->dilation_y;
            int dx = (tap % op->kernel_x - op->kernel_x / 2) * op->dilation_x;
            put_half(p, YO_TOWER_ENTRY(plane, dy, dx), op, tap, plane, from, first_output);
        }
}

static bool same_taps(const struct yo_net_op *a, const struct yo_net_op *b) {
    return a->kernel_y == b->kernel_y && a->kernel_x == b->kernel_x &&
           a->dilation_y == b->dilation_y && a->dilation_x == b->dilation_x &&
           a->first_channel == b->first_channel && a->in_channels == b->in_channels;
}

/* Weights of zero to the end of the slot. */
static int finish_slots(struct packer *p) {
    while (p->half % (2 * YO_TOWER_SLICES(p->plan->channels)) != 0)
        put_half(p, YO_TOWER_ENTRY(0, 0, 0), NULL, 0, 0, 0, 0);
    return p->half / 2 / YO_TOWER_SLICES(p->plan->channels);
}

/* Convolutions side by side that share input and taps are packed into the same slices. */
static int pack(const struct yo_tower_plan *plan, const struct yo_tower_head_conv *convs, int count,
                bool side_by_side, bool whole, uint8_t *to, struct yo_tower_step *step) {
    struct packer p = {.plan = plan, .to = to};
    const struct yo_net_op *op = convs[0].op;
    bool shared = side_by_side;
    for (int i = 1; i < count; i++)
        shared = shared && same_taps(op, convs[i].op) && convs[i].from == convs[0].from;
    int in_slot = 2 * YO_TOWER_SLICES(plan->channels); /* planes */
    int planes = yo_tower_round(op->in_channels) / 8;
    bool small = (op->kernel_y == 3 && op->kernel_x == 3) || op->kernel_y * op->kernel_x == 1;
    if (whole && small && (shared || count == 1) && op->dilation_y == 1 && op->dilation_x == 1 &&
        convs[0].from + op->first_channel == 0) {
        step->tap_slots = (int16_t)((planes + in_slot - 1) / in_slot);
        step->taps = (int16_t)(op->kernel_y * op->kernel_x);
        planes = step->tap_slots * in_slot;
    }
    for (int i = 0; i < count; i++) {
        int first = (convs[i].from + convs[i].op->first_channel) / 8;
        int last = (convs[i].from + convs[i].op->first_channel + convs[i].op->in_channels - 1) / 8;
        if (shared) p.half = 0;
        put_conv(&p, convs[i].op, first, step->taps ? planes - 1 : last, convs[i].from,
                 convs[i].column);
    }
    return finish_slots(&p);
}

int yo_tower_pack_part(const struct yo_tower_plan *plan, const struct yo_tower_part *part,
                       bool whole, uint8_t *to, struct yo_tower_step *step) {
    struct yo_tower_head_conv convs[YO_TOWER_SUMMED_MAX + 1];
    int count = 0;
    for (int i = 0; i < part->conv_count; i++)
        convs[count++] = (struct yo_tower_head_conv){.op = part->convs[i]};
    if (part->pooled)
        convs[count++] = (struct yo_tower_head_conv){
            .op = part->pooled, .column = yo_tower_round(part->convs[0]->out_channels)};
    return pack(plan, convs, count, part->conv_count == 1, whole, to, step);
}

int yo_tower_pack_convs(const struct yo_tower_plan *plan, const struct yo_tower_head_conv *convs,
                        int count, uint8_t *to, struct yo_tower_step *step) {
    return pack(plan, convs, count, true, true, to, step);
}

/* ---- constants ---- */

static int room(struct yo_tower_constants *c, int rows) {
    size_t at = c->count;
    c->count += (size_t)rows * (size_t)c->channels;
    return (int)at;
}

static void add_row(struct yo_tower_constants *c, int at, int first, const float *from, int count) {
    for (int i = 0; c->to && from && i < count; i++)
        c->to[at + first + i] += from[i];
}

static void put_dense(struct yo_tower_constants *c, struct yo_tower_step *step,
                      const struct yo_net_op *op) {
    step->dense_in = op->first_channel + op->in_channels;
    step->dense = room(c, step->dense_in + 1);
    if (!c->to) return;
    for (int o = 0; o < op->out_channels; o++)
        for (int i = 0; i < op->in_channels; i++)
            c->to[step->dense + (op->first_channel + i) * c->channels + o] =
                op->weights[(size_t)o * (size_t)op->in_channels + (size_t)i];
    add_row(c, step->dense + step->dense_in * c->channels, 0, op->bias, op->out_channels);
}

/* The pairs of a step: scale and offset of what follows; the bias is added to by add_bias. */
static int put_pairs(struct yo_tower_constants *c, const struct yo_net_op *affine) {
    int at = room(c, (int)(sizeof(struct yo_tower_pair) / sizeof(float)) / 2);
    struct yo_tower_pair *pairs = c->to ? (struct yo_tower_pair *)(void *)(c->to + at) : NULL;
    for (int i = 0; affine && pairs && i < affine->out_channels; i++) {
        const int shift = i % 2 * 16;
        const float scale = affine->scale ? affine->scale[i] : 1;
        const float offset = affine->bias ? affine->bias[i] : 0;
        pairs[i / 2].scale |= (uint32_t)yo_half_from(scale) << shift;
        pairs[i / 2].offset |= (uint32_t)yo_half_from(offset) << shift;
    }
    return at;
}

static void add_bias(struct yo_tower_constants *c, int at, int first, const float *from,
                     int count) {
    struct yo_tower_pair *pairs = c->to ? (struct yo_tower_pair *)(void *)(c->to + at) : NULL;
    for (int i = 0; pairs && from && i < count; i++)
        pairs[(first + i) / 2].bias[(first + i) % 2] += from[i];
}

void yo_tower_fill_step(struct yo_tower_step *step, const struct yo_tower_part *part,
                        struct yo_tower_constants *c) {
    const struct yo_net_op *last = part->convs[part->conv_count - 1];
    step->first = (int32_t)last->activation;
    step->bias = put_pairs(c, part->affine);
    for (int i = 0; i < part->conv_count; i++)
        add_bias(c, step->bias, 0, part->convs[i]->bias, last->out_channels);
    if (part->add) step->flags |= YO_TOWER_ADD;
    if (part->store) step->flags |= YO_TOWER_STORE;
    if (part->dense) {
        step->flags |= YO_TOWER_VECTOR;
        put_dense(c, step, part->dense);
    }
    if (part->pooled) {
        step->flags |= YO_TOWER_POOL;
        step->pooled = (int32_t)part->pooled->activation;
        step->pool_first = yo_tower_round(last->out_channels);
        step->pool_count = part->pooled->out_channels;
        add_bias(c, step->bias, step->pool_first, part->pooled->bias, step->pool_count);
    }
    if (part->affine) {
        step->flags |= YO_TOWER_AFFINE;
        step->second = (int32_t)part->affine->activation;
    }
}

/* ---- heads ---- */

static void fill_column(const struct yo_tower_match *m, const struct yo_tower_head_conv *conv,
                        int channel, struct yo_tower_column *column) {
    const struct yo_tower_head *head = &m->head;
    *column = (struct yo_tower_column){.used = 1,
                                       .activation = (int32_t)conv->op->activation,
                                       .vector = -1,
                                       .role = yo_tower_role(m->graph, conv->op->out),
                                       .keep = -1,
                                       .channel = channel,
                                       .channels = conv->op->out_channels};
    for (int i = 0; i < head->vector_count; i++)
        if (head->vectors[i].op->out == conv->op->add_vector) {
            column->vector = head->vectors[i].out + channel;
            column->phase = 1;
        }
    for (int i = 0; i < head->kept_count; i++)
        if (head->kept[i] == conv->op->out) column->keep = i;
}

static void fill_vector(const struct yo_tower_match *m, const struct yo_tower_head_vector *from,
                        struct yo_tower_constants *c, struct yo_tower_vector *to) {
    const struct yo_net_op *op = from->op;
    struct yo_tower_vector vector = {.pool = -1, .in = from->in, .out = from->out};
    vector.role = yo_tower_role(m->graph, op->out);
    vector.activation = (int32_t)op->activation;
    vector.in_count =
        op->kind == YO_NET_POOL ? m->graph->tensors[op->in].channels : op->in_channels;
    vector.out_count = op->out_channels;
    vector.plane = from->plane;
    if (op->kind == YO_NET_POOL) vector.pool = (int32_t)op->pool;
    if (op->kind == YO_NET_DENSE) {
        int outs = op->out_channels, ins = op->in_channels;
        vector.weights = (int32_t)c->count;
        for (int i = 0; c->to && i < ins * outs; i++)
            c->to[vector.weights + i] =
                op->weights[(size_t)(i % outs) * (size_t)ins + (size_t)(i / outs)];
        for (int o = 0; c->to && op->bias && o < outs; o++)
            c->to[vector.weights + ins * outs + o] = op->bias[o];
        c->count += (size_t)(ins + 1) * (size_t)outs;
    }
    if (to) *to = vector;
}

void yo_tower_fill_head(struct yo_tower_step *step, const struct yo_tower_match *m, bool first,
                        struct yo_tower_constants *c, struct yo_tower_column *columns,
                        struct yo_tower_vector *vectors) {
    const struct yo_tower_head *head = &m->head;
    const struct yo_tower_head_conv *convs = first ? head->first : head->second;
    int count = first ? head->first_count : head->second_count, at = 0;
    step->flags = YO_TOWER_HEAD;
    step->bias = put_pairs(c, NULL);
    step->columns = first ? 0 : c->channels / 8;
    for (int i = 0; i < count; i++) {
        add_bias(c, step->bias, convs[i].column, convs[i].op->bias, convs[i].op->out_channels);
        for (int k = 0; columns && k < convs[i].op->out_channels; k += 8)
            fill_column(m, &convs[i], k, &columns[step->columns + (convs[i].column + k) / 8]);
    }
    for (int phase = 0; first && phase < 2; phase++) {
        step->vectors[phase] = at;
        for (int i = 0; i < head->vector_count; i++)
            if (head->vectors[i].phase == phase) {
                fill_vector(m, &head->vectors[i], c, vectors ? &vectors[at] : NULL);
                at++;
            }
        step->vector_counts[phase] = at - step->vectors[phase];
    }
    c->count = (c->count + 3) / 4 * 4; /* pairs of floats are read at even places */
}
