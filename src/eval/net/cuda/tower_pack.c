#include <string.h>

#include "eval/net/cuda/half.h"
#include "eval/net/cuda/tower_parts.h"

/* The halves of slices in order: taps outside, planes of 8 channels inside. With `to` NULL they are
 * only counted. */
struct packer {
    const struct yo_tower_plan *plan;
    uint8_t *to;
    int half; /* of the step */
};

static void put_half(struct packer *p, uint32_t entry, const struct yo_net_op *op, int tap,
                     int plane, int from, int first_output) {
    const int n = p->plan->channels, slices = YO_TOWER_PACK(n);
    const int number = p->half++, slot = number / 2 / slices, slice = number / 2 % slices;
    if (!p->to) return;
    uint8_t *at = p->to + (size_t)slot * (size_t)YO_TOWER_PLAN_BYTES(n);
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
    while (p->half % (2 * YO_TOWER_PACK(p->plan->channels)) != 0)
        put_half(p, YO_TOWER_ENTRY(0, 0, 0), NULL, 0, 0, 0, 0);
    return p->half / 2 / YO_TOWER_PACK(p->plan->channels);
}

/* Convolutions side by side that share input and taps are packed into the same slices. */
static int pack(const struct yo_tower_plan *plan, const struct yo_tower_head_conv *convs, int count,
                bool side_by_side, bool whole, uint8_t *to, struct yo_tower_step *step) {
    struct packer p = {.plan = plan, .to = to};
    const struct yo_net_op *op = convs[0].op;
    bool shared = side_by_side;
    for (int i = 1; i < count; i++)
        shared = shared && same_taps(op, convs[i].op) && convs[i].from == convs[0].from;
    int in_slot = 2 * YO_TOWER_PACK(plan->channels); /* planes */
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

static void put_number(const struct yo_tower_plan *plan, uint8_t *to, int blocks, int output,
                       int input, float value) {
    const int units = YO_TOWER_UNITS(plan->channels, YO_TOWER_PACK(plan->channels));
    const int unit = output / 8 * blocks + input / 16, half = input / 8 % 2;
    uint16_t number = yo_half_from(value);
    memcpy(to + (size_t)(unit / units) * (size_t)YO_TOWER_PLAN_BYTES(plan->channels) +
               (size_t)(unit % units) * YO_TOWER_UNIT_BYTES +
               (size_t)(half * 128 + output % 8 * 16 + input % 8 * 2),
           &number, sizeof number);
}

/* The bias is the weights of two ones behind the inputs: what fp16 keeps of it, and the rest. */
int yo_tower_pack_dense(const struct yo_tower_plan *plan, const struct yo_net_op *op, bool bias,
                        int outputs, uint8_t *to, int *blocks) {
    const int ins = op->first_channel + op->in_channels,
              units = YO_TOWER_UNITS(plan->channels, YO_TOWER_PACK(plan->channels));
    *blocks = (ins + (bias ? 2 : 0) + 15) / 16;
    for (int o = 0; to && o < op->out_channels; o++) {
        for (int i = 0; i < op->in_channels; i++)
            put_number(plan, to, *blocks, o, op->first_channel + i,
                       op->weights[(size_t)o * (size_t)op->in_channels + (size_t)i]);
        if (!bias || !op->bias) continue;
        put_number(plan, to, *blocks, o, ins, op->bias[o]);
        put_number(plan, to, *blocks, o, ins + 1,
                   op->bias[o] - yo_half_to(yo_half_from(op->bias[o])));
    }
    return (*blocks * ((outputs + 7) / 8) + units - 1) / units;
}
