#include "eval/net/cuda/tower_plan.h"

#include <string.h>

#include "base/alloc.h"
#include "eval/net/cuda/tower_parts.h"

/* ---- channels ---- */

static const struct {
    int channels, tiles, warpgroups, slices;
} kernels[YO_TOWER_KERNEL_COUNT] = {
#define X(n, t, w, s) {n, t, w, s},
    YO_TOWER_KERNELS(X)
#undef X
};

int yo_tower_kernel_channels(int kernel) { return kernels[kernel].channels; }

static int part_channels(const struct yo_tower_part *part) {
    int channels = part->convs[0]->out_channels;
    return part->pooled ? yo_tower_round(channels) + part->pooled->out_channels : channels;
}

static bool choose_kernel(struct yo_tower_plan *plan, const struct yo_tower_match *m) {
    int most = 0;
    plan->channels = 0;
    plan->vector_room = 1;
    plan->buffer_planes = yo_tower_round(m->graph->planes) / 8;
    for (int i = 0; i < m->count; i++) {
        const struct yo_tower_part *part = &m->parts[i];
        int channels = part_channels(part);
        if (channels > most) most = channels;
        if (!part->dense) continue;
        int numbers = m->graph->tensors[part->dense->in].channels;
        if (numbers > plan->vector_room) plan->vector_room = numbers;
    }
    for (int i = 0; i < YO_TOWER_KERNEL_COUNT && !plan->channels; i++)
        if (most <= kernels[i].channels) plan->channels = kernels[i].channels;
    if (plan->buffer_planes < plan->channels / 8) plan->buffer_planes = plan->channels / 8;
    return plan->channels > 0;
}

/* ---- the plan ---- */

/* With plan->slots NULL everything is only counted. */
static void fill(struct yo_tower_plan *plan, const struct yo_tower_match *m) {
    struct yo_tower_writer w = {.plan = plan,
                                .graph = m->graph,
                                .steps = plan->steps,
                                .slots = plan->slots,
                                .constants = plan->constants,
                                .ops = plan->ops};
    for (int i = 0; i < m->count; i++)
        yo_tower_write_part(&w, &m->parts[i]);
    if (m->has_head) yo_tower_write_head(&w, &m->head);
    plan->step_count = w.step_count;
    plan->slot_count = w.slot_count;
    plan->op_count = w.op_count;
    plan->head_ops = w.head_ops;
    plan->constant_count = w.constant_count;
}

static enum yo_err fill_plan(struct yo_tower_plan *plan, const struct yo_tower_match *m) {
    fill(plan, m);
    plan->steps = yo_alloc((size_t)plan->step_count, sizeof *plan->steps);
    plan->slots = yo_alloc((size_t)plan->slot_count, (size_t)YO_TOWER_PLAN_BYTES(plan->channels));
    plan->constants = yo_alloc(plan->constant_count, sizeof *plan->constants);
    plan->ops = yo_alloc((size_t)plan->op_count + 1, sizeof *plan->ops);
    if (!plan->steps || !plan->slots || !plan->constants || !plan->ops) return YO_ERR_NOMEM;
    fill(plan, m);
    if (!m->has_head) return YO_OK;
    plan->output = YO_NET_NONE;
    plan->head_room = m->head.room;
    plan->kept_count = m->head.kept_count;
    for (int i = 0; i < m->head.kept_count; i++)
        plan->kept[i] = m->head.kept[i];
    return YO_OK;
}

enum yo_err yo_tower_plan_init(struct yo_tower_plan *plan, const struct yo_net_graph *graph,
                               bool heads, bool *found) {
    size_t ops = (size_t)graph->op_count;
    struct yo_tower_match m = {.graph = graph};
    enum yo_err err = YO_OK;
    *plan = (struct yo_tower_plan){0};
    *found = false;
    m.done = yo_alloc(ops + 1, sizeof *m.done);
    m.parts = yo_alloc(ops + 1, sizeof *m.parts);
    plan->done = yo_alloc(ops + 1, sizeof *plan->done);
    if (!m.done || !m.parts || !plan->done) err = YO_ERR_NOMEM;
    if (!err) yo_tower_match_parts(&m, &plan->output, plan->done);
    if (!err && m.count > 0 && choose_kernel(plan, &m)) {
        m.has_head = heads && yo_tower_match_head(&m, plan->output, plan->channels, plan->done);
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
    yo_free(plan->ops);
    yo_free(plan->done);
    *plan = (struct yo_tower_plan){0};
}

static bool try_shape(const struct yo_tower_plan *plan, int groups, int boards, int shared_bytes,
                      struct yo_tower_job *job) {
    job->groups = groups, job->boards = boards, job->ring = 0;
    yo_tower_lay_out(job);
    int slots =
        (shared_bytes - job->shared_bytes) / YO_TOWER_SLOT_BYTES(job->channels, job->slices);
    if (slots > YO_TOWER_SLOTS_MAX) slots = YO_TOWER_SLOTS_MAX;
    /* With a ring of its own a group computes its heads while the other one is at any layer. */
    job->rings = slots / groups >= YO_TOWER_SLOTS_OWN ? groups : 1;
    job->ring = slots / job->rings;
    yo_tower_lay_out(job);
    int head = job->head_ops + plan->head_ops * (int)sizeof(struct yo_tower_op);
    return job->ring >= YO_TOWER_SLOTS_MIN && head <= job->skip_bytes &&
           job->group_rows <= YO_TOWER_ROWS(job->tiles) / groups &&
           groups * job->guard <= YO_TOWER_GUARDS;
}

static bool shape_kernel(const struct yo_tower_plan *plan, int most, int shared_bytes,
                         struct yo_tower_job *job) {
    /* Two groups hide each other's latency, if together they hold as many boards as one. */
    for (int boards = most < YO_TOWER_BOARDS_MAX ? most : YO_TOWER_BOARDS_MAX; boards > 0;
         boards--) {
        if (boards % 2 == 0 && job->tiles % 2 == 0 && job->threads == 2 * YO_TOWER_WARPGROUP &&
            try_shape(plan, 2, boards / 2, shared_bytes, job))
            return true;
        if (try_shape(plan, 1, boards, shared_bytes, job)) return true;
    }
    return false;
}

/* Warpgroups of a group that have rows. */
static int busy(const struct yo_tower_job *job) {
    int tiles = (job->group_rows + 63) / 64, all = job->group_threads / YO_TOWER_WARPGROUP;
    return tiles < all ? tiles : all;
}

/* Whether a shape is better than another. */
static bool better(const struct yo_tower_job *a, const struct yo_tower_job *b) {
    int rows = a->groups * a->boards * b->tiles, others = b->groups * b->boards * a->tiles;
    if (rows != others) return rows > others;
    if (a->groups != b->groups) return a->groups > b->groups;
    return busy(a) > busy(b);
}

bool yo_tower_shape(const struct yo_tower_plan *plan, int size, int most, int shared_bytes,
                    struct yo_tower_job *job) {
    bool found = false;
    struct yo_tower_job start = *job;
    start.size = size;
    start.plane_words = (size * size + 63) / 64;
    start.buffer_planes = plan->buffer_planes, start.vector_room = plan->vector_room;
    start.head_room = plan->head_room;
    for (int i = 0; i < YO_TOWER_KERNEL_COUNT; i++) {
        struct yo_tower_job one = start;
        one.kernel = i, one.channels = kernels[i].channels, one.tiles = kernels[i].tiles;
        one.threads = kernels[i].warpgroups * YO_TOWER_WARPGROUP;
        one.slices = kernels[i].slices;
        one.slot_count = plan->slot_count * YO_TOWER_PACK(one.channels) / one.slices;
        if (kernels[i].channels != plan->channels || !shape_kernel(plan, most, shared_bytes, &one))
            continue;
        if (found && !better(&one, job)) continue;
        found = true;
        *job = one;
    }
    return found;
}

size_t yo_tower_slot_bytes(const struct yo_tower_job *job) {
    return (size_t)job->slot_count * (size_t)YO_TOWER_SLOT_BYTES(job->channels, job->slices);
}

static void resolve_entry(const struct yo_tower_job *job, const uint8_t *from, uint8_t *to) {
    uint32_t entry;
    memcpy(&entry, from, sizeof entry);
    int dy = (int)(entry >> 16 & 255) - 128, dx = (int)(entry >> 24) - 128;
    int rows = dy * job->strip + dx + (int)(entry & 255) * YO_TOWER_PLANE_ROWS(job->tiles);
    entry = YO_TOWER_RESOLVED(rows, entry >> 8 & 255);
    memcpy(to, &entry, sizeof entry);
}

void yo_tower_resolve(const struct yo_tower_plan *plan, const struct yo_tower_job *job,
                      uint8_t *to) {
    const int pack = YO_TOWER_PACK(job->channels), slices = job->slices;
    const size_t slice = (size_t)YO_TOWER_SLICE_BYTES(job->channels);
    const uint8_t *from = plan->slots;
    memset(to, 0, yo_tower_slot_bytes(job));
    for (int i = 0; i < plan->slot_count; i++, from += YO_TOWER_PLAN_BYTES(job->channels))
        for (int first = 0; first < pack; first += slices) {
            const uint8_t *entries = from + (size_t)pack * slice + first * 4;
            uint8_t *place = to + (size_t)slices * slice;
            memcpy(to, from + (size_t)first * slice, (size_t)slices * slice);
            for (int k = 0; k < 2 * slices; k++)
                resolve_entry(job, entries + (k / slices * pack + k % slices) * 4, place + 4 * k);
            to += YO_TOWER_SLOT_BYTES(job->channels, slices);
        }
}
