#include "eval/net/cuda/tower_plan.h"

#include <string.h>

#include "base/alloc.h"
#include "eval/net/cuda/half.h"

/* ---- what a step is made of ---- */

enum { SUMMED_MAX = 4 };

/* Convolutions of one input whose results are summed, and what follows them. */
struct part {
    const struct yo_net_op *convs[SUMMED_MAX];
    int conv_count;
    const struct yo_net_op *pooled; /* a convolution whose result is pooled */
    const struct yo_net_op *pool, *dense, *affine;
    bool add, store;
};

struct matcher {
    const struct yo_net_graph *graph;
    bool *done;
    struct part *parts;
    int count;
    int input, skip; /* tensors that the kernel holds now */
};

/* How many operations read a tensor, as input or as what is added. */
static int readers(const struct yo_net_graph *graph, int tensor, bool added,
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

static bool is_output(const struct yo_net_graph *graph, int tensor) {
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] == tensor) return true;
    return false;
}

static const struct yo_net_op *maker(const struct yo_net_graph *graph, int tensor) {
    for (int i = 0; i < graph->op_count; i++)
        if (graph->ops[i].out == tensor) return &graph->ops[i];
    return NULL;
}

static bool is_plain(const struct yo_net_op *op) {
    return op->add == YO_NET_NONE && op->add_vector == YO_NET_NONE;
}

static bool activation_fits(enum yo_net_activation activation) {
    return activation <= YO_NET_SWISH; /* the first four */
}

static bool conv_fits(const struct yo_net_op *op) {
    return activation_fits(op->activation) && op->kind == YO_NET_CONV &&
           op->kernel_y / 2 * op->dilation_y <= YO_TOWER_RADIUS &&
           op->kernel_x / 2 * op->dilation_x <= YO_TOWER_RADIUS;
}

/* A vector that is added: made by a dense layer from the globals, or from what was pooled. */
static bool match_vector(struct matcher *m, struct part *part, int tensor) {
    const struct yo_net_op *dense = maker(m->graph, tensor);
    if (!dense || dense->kind != YO_NET_DENSE || !is_plain(dense) ||
        dense->activation != YO_NET_IDENTITY || readers(m->graph, tensor, true, NULL) != 1 ||
        readers(m->graph, tensor, false, NULL) != 0 || is_output(m->graph, tensor))
        return false;
    part->dense = dense;
    if (dense->in == 1) return true;
    const struct yo_net_op *pool = maker(m->graph, dense->in);
    if (!pool || pool->kind != YO_NET_POOL || pool->pool != YO_NET_POOL_TRUNK || !is_plain(pool) ||
        pool->bias || pool->activation != YO_NET_IDENTITY ||
        readers(m->graph, pool->out, false, NULL) != 1 || is_output(m->graph, pool->out))
        return false;
    const struct yo_net_op *conv = maker(m->graph, pool->in);
    if (!conv || !conv_fits(conv) || conv->in != m->input || !is_plain(conv) ||
        readers(m->graph, conv->out, false, NULL) != 1 ||
        readers(m->graph, conv->out, true, NULL) != 0 || is_output(m->graph, conv->out))
        return false;
    part->pool = pool;
    part->pooled = conv;
    return true;
}

/* The convolutions that read the input: either all are summed up by the last of them, or one of
 * them is pooled for the other. */
static bool match_convs(struct matcher *m, struct part *part) {
    const struct yo_net_op *reading[SUMMED_MAX];
    int count = 0;
    for (int i = 0; i < m->graph->op_count; i++) {
        const struct yo_net_op *op = &m->graph->ops[i];
        if (op->add == m->input && m->input == 0) return false;
        if (op->in != m->input) continue;
        if (!conv_fits(op) || count == SUMMED_MAX) return false;
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
            readers(m->graph, op->out, false, NULL) != 0 ||
            readers(m->graph, op->out, true, NULL) != 1 || is_output(m->graph, op->out))
            return false;
    }
    part->conv_count = count;
    part->add = reading[0]->add != YO_NET_NONE;
    return !part->add || reading[0]->add == m->skip;
}

static void mark(struct matcher *m, const struct yo_net_op *op) {
    if (op) m->done[op - m->graph->ops] = true;
}

static bool match_part(struct matcher *m) {
    struct part *part = &m->parts[m->count];
    *part = (struct part){0};
    if (!match_convs(m, part)) return false;
    int out = part->convs[part->conv_count - 1]->out;
    const struct yo_net_op *next = NULL;
    int reading = readers(m->graph, out, false, &next);
    part->store = readers(m->graph, out, true, NULL) > 0;
    if (reading == 1 && next->kind == YO_NET_AFFINE && is_plain(next) &&
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

/* Does all that is left need of the kernel's results only those it holds as input? */
static bool can_end(const struct matcher *m) {
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

/* ---- channels ---- */

static int round_up(int value, int to) { return (value + to - 1) / to * to; }

static int part_channels(const struct part *part) {
    int channels = part->convs[0]->out_channels;
    return part->pooled ? round_up(channels, 8) + part->pooled->out_channels : channels;
}

static bool choose_kernel(struct yo_tower_plan *plan, const struct matcher *m) {
    int most = 0, number = 0;
    plan->channels = 0;
    plan->vector_room = 1;
    plan->buffer_planes = round_up(m->graph->planes, 8) / 8;
    for (int i = 0; i < m->count; i++) {
        const struct part *part = &m->parts[i];
        int channels = part_channels(part);
        if (channels > most) most = channels;
        if (part->dense && part->dense->in_channels > plan->vector_room)
            plan->vector_room = part->dense->in_channels;
        if (part->dense && part->dense->in == 1 && m->graph->globals > plan->vector_room)
            plan->vector_room = m->graph->globals;
    }
#define X(n, t)                                                                                    \
    if (plan->channels == 0 && most <= (n)) {                                                      \
        plan->channels = (n), plan->tiles = (t), plan->kernel = number;                            \
    }                                                                                              \
    number++;
    YO_TOWER_KERNELS(X)
#undef X
    if (plan->buffer_planes < plan->channels / 8) plan->buffer_planes = plan->channels / 8;
    return plan->channels > 0;
}

/* ---- weights ---- */

/* The halves of slices in order: taps outside, planes of 8 channels inside. With `to` NULL they are
 * only counted. */
struct packer {
    const struct yo_tower_plan *plan;
    uint8_t *to;
    int half; /* of the step */
};

static void put_half(struct packer *p, uint32_t entry, const struct yo_net_op *op, int tap,
                     int plane, int first_output) {
    const int n = p->plan->channels, slices = YO_TOWER_SLICES(n);
    const int number = p->half++, slot = number / 2 / slices, slice = number / 2 % slices;
    if (!p->to) return;
    uint8_t *at = p->to + (size_t)slot * (size_t)YO_TOWER_SLOT_BYTES(n);
    memcpy(at + slices * n * 32 + (slice * 2 + number % 2) * 4, &entry, 4);
    if (!op) return; /* the rest of a slot: weights of zero */
    uint16_t *weights = (uint16_t *)(void *)(at + slice * n * 32 + number % 2 * n * 16);
    int taps = op->kernel_y * op->kernel_x;
    for (int o = 0; o < op->out_channels; o++)
        for (int c = 0; c < 8; c++) {
            int channel = plane * 8 + c - op->first_channel;
            if (channel < 0 || channel >= op->in_channels) continue;
            weights[(first_output + o) * 8 + c] = yo_half_from(
                op->weights[((size_t)o * (size_t)op->in_channels + (size_t)channel) * (size_t)taps +
                            (size_t)tap]);
        }
}

/* The two convolutions of a pooling step share taps and planes, so that a half has weights of both.
 */
static void put_conv(struct packer *p, const struct yo_net_op *op, int first_output,
                     const struct yo_net_op *second, int second_output) {
    int first = op->first_channel / 8, last = (op->first_channel + op->in_channels - 1) / 8;
    for (int tap = 0; tap < op->kernel_y * op->kernel_x; tap++)
        for (int plane = first; plane <= last; plane++) {
            int dy = (tap / op->kernel_x - op->kernel_y / 2) * op->dilation_y;
            int dx = (tap % op->kernel_x - op->kernel_x / 2) * op->dilation_x;
            uint32_t entry = YO_TOWER_ENTRY(plane, dy, dx);
            put_half(p, entry, op, tap, plane, first_output);
            if (!second) continue;
            p->half--;
            put_half(p, entry, second, tap, plane, second_output);
        }
}

static bool same_taps(const struct yo_net_op *a, const struct yo_net_op *b) {
    return a->kernel_y == b->kernel_y && a->kernel_x == b->kernel_x &&
           a->dilation_y == b->dilation_y && a->dilation_x == b->dilation_x &&
           a->first_channel == b->first_channel && a->in_channels == b->in_channels;
}

/* The slots of a step. */
static int pack_part(const struct yo_tower_plan *plan, const struct part *part, uint8_t *to) {
    struct packer p = {.plan = plan, .to = to};
    if (part->pooled && same_taps(part->convs[0], part->pooled)) {
        put_conv(&p, part->convs[0], 0, part->pooled, round_up(part->convs[0]->out_channels, 8));
    } else {
        for (int i = 0; i < part->conv_count; i++)
            put_conv(&p, part->convs[i], 0, NULL, 0);
        if (part->pooled)
            put_conv(&p, part->pooled, round_up(part->convs[0]->out_channels, 8), NULL, 0);
    }
    while (p.half % (2 * YO_TOWER_SLICES(plan->channels)) != 0)
        put_half(&p, YO_TOWER_ENTRY(0, 0, 0), NULL, 0, 0, 0);
    return p.half / 2 / YO_TOWER_SLICES(plan->channels);
}

/* ---- constants ---- */

struct constants {
    float *to; /* NULL: only counted */
    size_t count;
    int channels;
};

static int room(struct constants *c, int rows) {
    size_t at = c->count;
    c->count += (size_t)rows * (size_t)c->channels;
    return (int)at;
}

static void add_row(struct constants *c, int at, int first, const float *from, int count) {
    for (int i = 0; c->to && from && i < count; i++)
        c->to[at + first + i] += from[i];
}

static void put_dense(struct constants *c, struct yo_tower_step *step, const struct yo_net_op *op) {
    step->dense_in = op->first_channel + op->in_channels;
    step->dense = room(c, step->dense_in + 1);
    if (!c->to) return;
    for (int o = 0; o < op->out_channels; o++)
        for (int i = 0; i < op->in_channels; i++)
            c->to[step->dense + (op->first_channel + i) * c->channels + o] =
                op->weights[(size_t)o * (size_t)op->in_channels + (size_t)i];
    add_row(c, step->dense + step->dense_in * c->channels, 0, op->bias, op->out_channels);
}

static void put_affine(struct constants *c, struct yo_tower_step *step,
                       const struct yo_net_op *op) {
    step->affine = room(c, 2);
    for (int i = 0; c->to && i < op->out_channels; i++)
        c->to[step->affine + i] = op->scale ? op->scale[i] : 1;
    add_row(c, step->affine + c->channels, 0, op->bias, op->out_channels);
}

static void fill_step(struct yo_tower_step *step, const struct part *part, struct constants *c) {
    const struct yo_net_op *last = part->convs[part->conv_count - 1];
    step->first = (int32_t)last->activation;
    step->bias = room(c, 1);
    for (int i = 0; i < part->conv_count; i++)
        add_row(c, step->bias, 0, part->convs[i]->bias, last->out_channels);
    if (part->add) step->flags |= YO_TOWER_ADD;
    if (part->store) step->flags |= YO_TOWER_STORE;
    if (part->dense) {
        step->flags |= YO_TOWER_VECTOR;
        put_dense(c, step, part->dense);
    }
    if (part->pooled) {
        step->flags |= YO_TOWER_POOL;
        step->pooled = (int32_t)part->pooled->activation;
        step->pool_first = round_up(last->out_channels, 8);
        step->pool_count = part->pooled->out_channels;
        add_row(c, step->bias, step->pool_first, part->pooled->bias, step->pool_count);
    }
    if (part->affine) {
        step->flags |= YO_TOWER_AFFINE;
        step->second = (int32_t)part->affine->activation;
        put_affine(c, step, part->affine);
    }
}

/* ---- the plan ---- */

static enum yo_err fill_plan(struct yo_tower_plan *plan, const struct matcher *m) {
    struct constants counted = {.channels = plan->channels};
    plan->step_count = m->count;
    plan->steps = yo_alloc((size_t)m->count, sizeof *plan->steps);
    if (!plan->steps) return YO_ERR_NOMEM;
    for (int i = 0; i < m->count; i++) {
        struct yo_tower_step step = {0};
        fill_step(&step, &m->parts[i], &counted);
        plan->slot_count += plan->steps[i].slots = pack_part(plan, &m->parts[i], NULL);
    }
    size_t slot_bytes = (size_t)YO_TOWER_SLOT_BYTES(plan->channels);
    plan->constant_count = counted.count;
    plan->slots = yo_alloc((size_t)plan->slot_count, slot_bytes);
    plan->constants = yo_alloc(counted.count, sizeof *plan->constants);
    if (!plan->slots || !plan->constants) return YO_ERR_NOMEM;
    struct constants filled = {.to = plan->constants, .channels = plan->channels};
    uint8_t *to = plan->slots;
    for (int i = 0; i < m->count; i++) {
        fill_step(&plan->steps[i], &m->parts[i], &filled);
        pack_part(plan, &m->parts[i], to);
        to += (size_t)plan->steps[i].slots * slot_bytes;
    }
    return YO_OK;
}

/* As many steps as match, back to the last where the kernel may end. */
static void match_all(struct matcher *m, struct yo_tower_plan *plan) {
    int good = 0;
    m->input = 0, m->skip = YO_NET_NONE;
    while (match_part(m))
        if (can_end(m) && m->graph->tensors[m->input].spatial) {
            good = m->count;
            plan->output = m->input;
            memcpy(plan->done, m->done, (size_t)m->graph->op_count * sizeof *m->done);
        }
    m->count = good;
}

enum yo_err yo_tower_plan_init(struct yo_tower_plan *plan, const struct yo_net_graph *graph,
                               bool *found) {
    size_t ops = (size_t)graph->op_count;
    struct matcher m = {.graph = graph};
    enum yo_err err = YO_OK;
    *plan = (struct yo_tower_plan){0};
    *found = false;
    m.done = yo_alloc(ops + 1, sizeof *m.done);
    m.parts = yo_alloc(ops + 1, sizeof *m.parts);
    plan->done = yo_alloc(ops + 1, sizeof *plan->done);
    if (!m.done || !m.parts || !plan->done) err = YO_ERR_NOMEM;
    if (!err) match_all(&m, plan);
    if (!err && m.count > 0 && choose_kernel(plan, &m)) {
        err = fill_plan(plan, &m);
        *found = !err;
    }
    yo_free(m.done);
    yo_free(m.parts);
    if (!*found) yo_tower_plan_free(plan);
    return err;
}

void yo_tower_plan_free(struct yo_tower_plan *plan) {
    yo_free(plan->steps);
    yo_free(plan->slots);
    yo_free(plan->constants);
    yo_free(plan->done);
    *plan = (struct yo_tower_plan){0};
}

static bool try_shape(const struct yo_tower_plan *plan, int groups, int boards, int shared_bytes,
                      struct yo_tower_job *job) {
    job->groups = groups, job->boards = boards, job->ring = 0;
    yo_tower_lay_out(job, plan->channels, YO_TOWER_THREADS, plan->tiles);
    job->ring = (shared_bytes - job->shared_bytes) / YO_TOWER_SLOT_BYTES(plan->channels);
    if (job->ring > YO_TOWER_SLOTS_MAX) job->ring = YO_TOWER_SLOTS_MAX;
    yo_tower_lay_out(job, plan->channels, YO_TOWER_THREADS, plan->tiles);
    return boards > 0 && job->ring > YO_TOWER_LAG + 1;
}

bool yo_tower_shape(const struct yo_tower_plan *plan, int size, int most, int shared_bytes,
                    struct yo_tower_job *job) {
    int rows = YO_TOWER_THREADS / 128 * plan->tiles * 64, points = size * size;
    job->size = size;
    job->plane_words = (points + 63) / 64;
    job->buffer_planes = plan->buffer_planes, job->vector_room = plan->vector_room;
    /* Two groups hide each other's pauses, if they hold as many boards as one. */
    for (int boards = rows / points < most ? rows / points : most; boards > 0; boards--) {
        if (boards % 2 == 0 && boards / 2 * points <= rows / 2 &&
            try_shape(plan, 2, boards / 2, shared_bytes, job))
            return true;
        if (try_shape(plan, 1, boards, shared_bytes, job)) return true;
    }
    return false;
}
