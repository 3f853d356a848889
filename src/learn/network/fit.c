#include "learn/network/fit.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/random.h"

/* Adam's constants. Gradients of inputs that are rarely on are about 1e-7; with this epsilon they
 * take short steps. */
#define BETA1   0.9f
#define BETA2   0.999f
#define EPSILON 1e-6f

enum { INPUTS_AT_ONCE = 64, FLOATS_AT_ONCE = 1 << 14 };

/* What a thread has of its own. */
struct slice {
    struct fit_slope *slope;
    double loss, result_loss;
    size_t results;
};

/* One pass of all threads over something: the batch, the inputs, the parameters. */
struct crew {
    struct fit_params *params, *gradient, *mean, *square;
    struct fit_view *view;
    const struct fit_set *set;
    const struct yo_fit_settings *settings;
    const struct fit_kernel *kernel;
    struct yo_pool *pool;
    struct slice *slices;
    /* The work at hand: */
    const uint32_t *numbers;
    size_t count;
    uint64_t mirrors; /* seed of which positions are mirrored; 0: none */
    bool learn;
    float rate, debias1, debias2;
    atomic_size_t next;
    void (*part)(struct crew *crew, size_t part);
    size_t parts;
};

/* ---- Threads ---- */

static bool take_parts(void *ctx, int thread) {
    struct crew *c = ctx;
    (void)thread;
    for (size_t part; (part = atomic_fetch_add(&c->next, 1)) < c->parts;)
        c->part(c, part);
    return false;
}

static void run_parts(struct crew *c, size_t parts, void (*part)(struct crew *, size_t)) {
    struct yo_job job = {.run = take_parts, .ctx = c, .threads = c->settings->threads};
    c->part = part;
    c->parts = parts;
    atomic_store(&c->next, 0);
    yo_pool_submit(c->pool, &job);
    yo_pool_wait(c->pool, &job);
}

/* ---- Positions ---- */

static void add_losses(struct slice *s, const struct fit_position *p, float logit) {
    s->loss += yo_fit_loss(logit, p->target);
    if (p->result == FIT_NO_RESULT) return;
    s->result_loss += yo_fit_loss(logit, (1 + p->result) / 2.0);
    s->results++;
}

/* Each slice is a fixed share of the positions, so that sums do not depend on which thread is
 * faster. */
static void look_at_slice(struct crew *c, size_t part) {
    struct slice *s = &c->slices[part];
    size_t first = c->count * part / c->parts, end = c->count * (part + 1) / c->parts;
    struct fit_inputs inputs;
    s->loss = s->result_loss = 0;
    s->results = 0;
    for (size_t i = first; i < end; i++) {
        const struct fit_position *p = &c->set->positions[c->numbers[i]];
        bool mirrored = c->mirrors && yo_mix64(c->mirrors + c->numbers[i]) & 1;
        yo_fit_inputs_of(p, mirrored, &inputs);
        float logit = c->learn ? c->kernel->backward(c->view, &inputs, p->target, s->slope)
                               : c->kernel->forward(c->view, &inputs);
        add_losses(s, p, logit);
    }
}

/* Sums of the slices. */
static struct slice look_at(struct crew *c, const uint32_t *numbers, size_t count, bool learn,
                            uint64_t mirrors) {
    struct slice all = {0};
    size_t threads = (size_t)c->settings->threads;
    c->numbers = numbers;
    c->count = count;
    c->learn = learn;
    c->mirrors = mirrors;
    run_parts(c, threads, look_at_slice);
    for (size_t i = 0; i < threads; i++) {
        all.loss += c->slices[i].loss;
        all.result_loss += c->slices[i].result_loss;
        all.results += c->slices[i].results;
    }
    return all;
}

/* ---- A step of Adam ---- */

/* Takes the slices' gradients of a row, as a mean over the batch, and clears them. one: the integer
 * that is 1.0. */
static void take_row(struct crew *c, float *out, size_t offset, size_t count, float one) {
    float share = one / (float)c->count;
    for (size_t i = 0; i < count; i++)
        out[i] = 0;
    for (int t = 0; t < c->settings->threads; t++) {
        float *row = (float *)((char *)c->slices[t].slope + offset);
        for (size_t i = 0; i < count; i++) {
            out[i] += share * row[i];
            row[i] = 0;
        }
    }
}

#define TAKE(field, one)                                                                           \
    take_row(c, (float *)&c->gradient->field, offsetof(struct fit_slope, field),                   \
             sizeof c->gradient->field / sizeof(float), one)

static void take_inputs(struct crew *c, size_t part) {
    size_t first = part * INPUTS_AT_ONCE, end = first + INPUTS_AT_ONCE;
    if (end > SHOGI_RELATIVE_INPUTS) end = SHOGI_RELATIVE_INPUTS;
    for (size_t i = first; i < end; i++) {
        float *out =
            i < SHOGI_KP_INPUTS ? c->gradient->own[i] : c->gradient->relative[i - SHOGI_KP_INPUTS];
        take_row(c, out, offsetof(struct fit_slope, rows) + i * FIT_SUMS * sizeof(float), FIT_SUMS,
                 FIT_SUM_ONE);
    }
    if (part > 0) return;
    float output = FIT_OUTPUT_ONE(c->settings->cp);
    TAKE(bias, FIT_SUM_ONE);
    TAKE(weights1, FIT_WEIGHT_ONE);
    TAKE(biases1, FIT_SUM_ONE * FIT_WEIGHT_ONE);
    TAKE(weights2, FIT_WEIGHT_ONE);
    TAKE(biases2, FIT_SUM_ONE * FIT_WEIGHT_ONE);
    TAKE(weights3, output);
    TAKE(bias3, FIT_SUM_ONE * output);
}

static void add_to(float *out, const float *row) {
    for (int j = 0; j < FIT_SUMS; j++)
        out[j] += row[j];
}

/* What inputs share learns from all of them. */
static void take_shared(struct crew *c) {
    struct fit_params *g = c->gradient;
    memset(g->by_rank, 0, sizeof g->by_rank);
    memset(g->by_kind, 0, sizeof g->by_kind);
    for (int i = 0; i < SHOGI_KP_INPUTS; i++) {
        add_to(g->by_rank[yo_fit_rank_of(i)], g->own[i]);
        add_to(g->by_kind[yo_fit_kind_of(i)], g->own[i]);
    }
}

static void step_floats(struct crew *c, size_t part) {
    size_t first = part * FLOATS_AT_ONCE, end = first + FLOATS_AT_ONCE;
    size_t single = offsetof(struct fit_params, by_rank) / sizeof(float);
    if (end > FIT_PARAMS) end = FIT_PARAMS;
    float *restrict p = (float *)c->params, *restrict m = (float *)c->mean,
                    *restrict v = (float *)c->square;
    const float *restrict g = (const float *)c->gradient;
    float pull = 1 - c->rate * (float)c->settings->decay;
    for (size_t i = first; i < end; i++) {
        m[i] = BETA1 * m[i] + (1 - BETA1) * g[i];
        v[i] = BETA2 * v[i] + (1 - BETA2) * g[i] * g[i];
        if (i < single) p[i] *= pull;
        p[i] -= c->rate * (m[i] * c->debias1) / (sqrtf(v[i] * c->debias2) + EPSILON);
    }
}

static void update_view(struct crew *c, size_t part) {
    int first = (int)part * INPUTS_AT_ONCE, end = first + INPUTS_AT_ONCE;
    if (end > SHOGI_RELATIVE_INPUTS) end = SHOGI_RELATIVE_INPUTS;
    yo_fit_view_update(c->view, c->params, c->settings->cp, first, end);
}

static void see_params(struct crew *c) {
    run_parts(c, (SHOGI_RELATIVE_INPUTS + INPUTS_AT_ONCE - 1) / INPUTS_AT_ONCE, update_view);
}

static void step(struct crew *c, double rate, size_t number) {
    run_parts(c, (SHOGI_RELATIVE_INPUTS + INPUTS_AT_ONCE - 1) / INPUTS_AT_ONCE, take_inputs);
    take_shared(c);
    c->rate = (float)rate;
    c->debias1 = (float)(1 / (1 - pow(BETA1, (double)number)));
    c->debias2 = (float)(1 / (1 - pow(BETA2, (double)number)));
    run_parts(c, (FIT_PARAMS + FLOATS_AT_ONCE - 1) / FLOATS_AT_ONCE, step_floats);
    yo_fit_params_clip(c->params, c->settings->cp);
    see_params(c);
}

/* ---- Epochs ---- */

static double rate_at(double share, double top) {
    double climb = share < 0.03 ? share / 0.03 : 1;
    return top * climb * (0.02 + 0.49 * (1 + cos(acos(-1) * share)));
}

static void shuffle(uint32_t *order, size_t count, uint64_t *random) {
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)((yo_splitmix64(random) >> 32) * i >> 32);
        uint32_t moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
}

static void check_held(struct crew *c, struct yo_fit_losses *losses) {
    struct slice held = look_at(c, c->set->held, c->set->held_count, false, 0);
    losses->held = held.loss / (double)(c->set->held_count ? c->set->held_count : 1);
    losses->results = held.result_loss / (double)(held.results ? held.results : 1);
}

/* Returns the mean loss while learning. */
static double run_epoch(struct crew *c, int epoch, uint32_t *order, uint64_t *random,
                        const struct yo_fit_watcher *w) {
    size_t count = c->set->learned_count, batch = (size_t)c->settings->batch;
    size_t steps = (count + batch - 1) / batch, total = steps * (size_t)c->settings->epochs;
    double loss = 0;
    shuffle(order, count, random);
    for (size_t i = 0; i < steps; i++) {
        size_t first = i * batch, end = first + batch < count ? first + batch : count;
        size_t number = (size_t)epoch * steps + i;
        loss += look_at(c, order + first, end - first, true, yo_splitmix64(random) | 1).loss;
        step(c, rate_at((double)number / (double)total, c->settings->rate), number + 1);
        if (w->step) w->step(w->user, number + 1, total);
    }
    return loss / (double)count;
}

static void run_epochs(struct crew *c, uint32_t *order, struct fit_params *kept,
                       const struct yo_fit_watcher *w, struct yo_fit_losses *best) {
    uint64_t random = c->settings->seed;
    struct yo_fit_losses losses = {0};
    see_params(c);
    check_held(c, best);
    if (w->epoch) w->epoch(w->user, 0, best);
    memcpy(kept, c->params, sizeof *kept);
    for (int epoch = 0; epoch < c->settings->epochs; epoch++) {
        losses.learned = run_epoch(c, epoch, order, &random, w);
        check_held(c, &losses);
        if (w->epoch) w->epoch(w->user, epoch + 1, &losses);
        /* The start may have been learned from what is held out here, so that it does not count. */
        if (epoch > 0 && c->set->held_count && losses.held >= best->held) continue;
        *best = losses;
        memcpy(kept, c->params, sizeof *kept);
    }
    memcpy(c->params, kept, sizeof *kept);
}

static void free_crew(struct crew *c) {
    for (int i = 0; c->slices && i < c->settings->threads; i++)
        yo_free_aligned(c->slices[i].slope);
    yo_free(c->slices);
    yo_free_aligned(c->gradient);
    yo_free_aligned(c->mean);
    yo_free_aligned(c->square);
    yo_free_aligned(c->view);
    yo_pool_delete(c->pool);
}

static enum yo_err make_crew(struct crew *c, struct yo_diag *diag) {
    c->gradient = yo_alloc_aligned(sizeof *c->gradient);
    c->mean = yo_alloc_aligned(sizeof *c->mean);
    c->square = yo_alloc_aligned(sizeof *c->square);
    c->view = yo_alloc_aligned(sizeof *c->view);
    c->slices = yo_alloc((size_t)c->settings->threads, sizeof *c->slices);
    bool made = c->gradient && c->mean && c->square && c->view && c->slices;
    for (int i = 0; made && i < c->settings->threads; i++)
        made = (c->slices[i].slope = yo_alloc_aligned(sizeof *c->slices[i].slope));
    if (!made) return YO_ERR_NOMEM;
    return yo_pool_new(c->settings->threads, &c->pool, diag);
}

enum yo_err yo_fit_run(struct fit_params *params, const struct fit_set *set,
                       const struct yo_fit_settings *settings, const struct yo_fit_watcher *watcher,
                       struct yo_fit_losses *best, struct yo_diag *diag) {
    struct crew c = {.params = params, .set = set, .settings = settings, .kernel = yo_fit_kernel()};
    uint32_t *order = yo_alloc(set->learned_count + 1, sizeof *order);
    struct fit_params *kept = yo_alloc_aligned(sizeof *kept);
    enum yo_err err = order && kept ? make_crew(&c, diag) : YO_ERR_NOMEM;
    if (!err) {
        memcpy(order, set->learned, set->learned_count * sizeof *order);
        run_epochs(&c, order, kept, watcher, best);
    }
    if (err == YO_ERR_NOMEM) yo_diag_set(diag, err, "not enough memory to learn a network");
    free_crew(&c);
    yo_free_aligned(kept);
    yo_free(order);
    return err;
}
